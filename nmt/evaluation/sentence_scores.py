"""Sentence-level scores, for finding sentences; never to be averaged."""

from __future__ import annotations

import numpy as np
from sacrebleu.metrics.bleu import BLEU

from nmt.evaluation.metrics import corpus_metric
from nmt.results import SentenceStatistics
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
