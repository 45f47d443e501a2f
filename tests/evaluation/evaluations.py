"""Evaluations of texts, as if a model had written the hypotheses."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache

import numpy as np

from nmt.evaluation.metrics import signed_scores
from nmt.evaluation.sufficient_statistics import pair_statistics, sentence_statistics
from nmt.evaluation.test_set import digest
from nmt.results import Condition, Evaluation, SentenceStatistics
from tests.evaluation.texts import Texts


@cache
def _counted(*texts: tuple[str, ...]) -> SentenceStatistics:
    return sentence_statistics(*texts)


def evaluated(system: str, test_set: str, given: Texts, unknown: Sequence[int] | None = None) -> Evaluation:
    """Both columns, the same hypotheses in both; "No UNK" and log-probabilities only if the numbers of unknown words
    are given."""
    statistics = _counted(tuple(given.sources), tuple(given.hypotheses), tuple(given.references))
    pairs, hypotheses, no_unk = statistics.pairs, statistics.hypotheses, None

    def condition(of: SentenceStatistics) -> Condition:
        scores = signed_scores(of, signature_extras={"run": system, "test": test_set})
        return Condition(**vars(scores), hypotheses=of.hypotheses)

    if unknown is not None:
        n = len(given.sources)
        hypotheses = replace(
            hypotheses, tokens=hypotheses.length + 1, log_probability=-np.arange(1, n + 1).astype(np.float64)
        )
        zeros = [0] * n
        pairs = replace(
            pair_statistics(given.sources, given.references, source_unknown=unknown, reference_unknown=zeros),
            reference_tokens=pairs.reference_length + 1,
            reference_log_probability=-2.0 * (pairs.reference_length + 1),
        )
        rows = pairs.without_unknown()
        assert rows is not None
        no_unk = condition(SentenceStatistics(pairs, hypotheses).take(rows)) if len(rows) else None
    everything = condition(SentenceStatistics(pairs, hypotheses))
    return Evaluation(
        system=system,
        test_set=test_set,
        sentences_given=len(given.sources),
        everything=everything,
        no_unk=no_unk,
        pairs=pairs,
        source_sha256=digest(given.sources),
        reference_sha256=digest(given.references),
    )
