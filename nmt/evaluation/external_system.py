"""Scores of an external system's translations of a test set."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from nmt.errors import InputError
from nmt.evaluation.length_curves import bleu_by_length
from nmt.evaluation.metrics import more_scores, signed_scores
from nmt.evaluation.sufficient_statistics import sentence_statistics
from nmt.evaluation.test_set import TestSet
from nmt.results import UNKNOWN_LANGUAGES, Condition, Evaluation, Languages


def evaluate_external_system(
    system: str,
    test: TestSet,
    hypotheses: Sequence[str],
    *,
    languages: Languages = UNKNOWN_LANGUAGES,
    by_length: bool = False,
    on_progress: Callable[[int], None] | None = None,
) -> Evaluation:
    """Score the translations of an external system.

    Args:
        system: name of the system.
        test: the test set, with a name.
        hypotheses: one line per sentence of the test set.
        languages: languages of the test set; unknown ones are scored as languages with spaces.
        by_length: whether the scores have buckets.
        on_progress: called with the number of sentences counted; an exception it raises aborts the work.

    Raises:
        InputError: the number of hypotheses differs from the number of sentences.
    """
    if len(hypotheses) != len(test):
        raise InputError(
            f"the output of {system} has {len(hypotheses):,} lines, but {test.name} has {len(test):,} sentences"
        )
    assert test.name is not None
    statistics = sentence_statistics(test.sources, hypotheses, test.references, on_progress, languages)
    extras = {"system": system, "n": str(len(test)), "test": test.name}
    scores = signed_scores(statistics, signature_extras=extras)
    if by_length:
        scores = replace(scores, by_length=bleu_by_length(statistics))
    return Evaluation(
        system=system,
        test_set=test.name,
        sentences_given=len(test),
        everything=Condition(
            **vars(scores),
            hypotheses=statistics.hypotheses,
            more=more_scores(hypotheses, test.references, languages.target),
        ),
        no_unk=None,
        pairs=statistics.pairs,
        source_sha256=test.source_sha256,
        reference_sha256=test.reference_sha256,
        languages=languages,
    )
