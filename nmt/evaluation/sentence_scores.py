"""Sentence-level scores, for finding sentences; never to be averaged."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from sacrebleu.metrics.bleu import BLEU

from nmt.evaluation.metrics import corpus_metric
from nmt.results import Evaluation, SentenceStatistics
from nmt.results.statistics import WORD_ORDER, Floats


def sentence_scores(statistics: SentenceStatistics, metric: str) -> Floats:
    """Score single sentences as sacreBLEU does, [N]: BLEU only over orders for which the translation is long enough.

    Raises InputError for a metric other than BLEU, chrF and TER.
    """
    chosen = corpus_metric(metric)
    score = _bleu if metric == "BLEU" else chosen.score
    return np.array([score(row) for row in chosen.table(statistics).tolist()], dtype=np.float64)


def _bleu(counts: list[int]) -> float:
    matches, ngrams = counts[2 : 2 + WORD_ORDER], counts[2 + WORD_ORDER :]
    return float(
        BLEU.compute_bleu(matches, ngrams, counts[0], counts[1], smooth_method="exp", effective_order=True).score
    )


_SPREAD = 3
"""Largest difference, in source words, between sentences that count as of one length."""
_FEWEST = 20
"""Fewest test sentences of one length for a comparison."""


@dataclass(frozen=True, kw_only=True)
class Standing:
    """A translation among those of test sentences of its length.

    Attributes:
        test_set: name of the test set.
        sentences: number of test sentences of this length.
        shortest, longest: their lengths in words of the source.
        below: share of them whose translation has a lower log-probability per token, 0 to 1.
    """

    test_set: str
    sentences: int
    shortest: int
    longest: int
    below: float


def standing(evaluation: Evaluation, source_words: int, log_probability: float, tokens: int) -> Standing | None:
    """Compare a translation with those of the test sentences whose source has at most three words more or less.

    Args:
        evaluation: of the model that made the translation, with the same search settings.
        source_words: of the sentence, as the evaluation counts them.
        log_probability: log p(translation | source), nats.
        tokens: target tokens of the translation, end-of-sentence token included, at least 1.

    Returns: None if fewer than 20 test sentences have this length, or if their log-probabilities are unknown.
    """
    statistics = evaluation.statistics()
    if statistics is None or evaluation.test_set is None:
        return None
    hypotheses = statistics.hypotheses
    if hypotheses.tokens is None or hypotheses.log_probability is None:
        return None
    words = statistics.pairs.source_words
    near = (abs(words - source_words) <= _SPREAD) & (hypotheses.tokens > 0)
    count = int(near.sum())
    if count < _FEWEST:
        return None
    per_token = hypotheses.log_probability[near] / hypotheses.tokens[near]
    return Standing(
        test_set=evaluation.test_set,
        sentences=count,
        shortest=int(words[near].min()),
        longest=int(words[near].max()),
        below=float((per_token < log_probability / tokens).mean()),
    )
