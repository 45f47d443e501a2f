"""BLEU by sentence length.

Paper: Figure 2
"""

from __future__ import annotations

import numpy as np

from nmt.evaluation.bleu import bleu
from nmt.evaluation.bootstrap import Resamples, interval, ratio
from nmt.results import LengthBucket, Ratio, SentenceStatistics
from nmt.results.statistics import Counts, Floats

WIDTH = 10
"""Lengths in one bucket, in words."""

LAST = 61
"""Fewest words of the open last bucket."""

LONG, SHORT = 51, 11
"""First lengths of the buckets whose BLEU ``retention`` compares."""

FEWEST = 10
"""Fewer sentences than these cannot tell how much others would differ: no interval."""


def bleu_by_length(statistics: SentenceStatistics, resamples: Resamples | None = None) -> tuple[LengthBucket, ...]:
    """Corpus BLEU for the sentences of 1-10, 11-20, ..., 51-60 and 61 or more source words.

    The n-gram counts of a bucket's sentences are added up first and make one BLEU, as over a whole corpus; it
    is never a mean of sentence scores.

    Args:
        statistics: a word of the source is what stands between white space. A line without any word falls into no
            bucket.
        resamples: of all sentences, for the intervals of buckets with ten sentences or more; None = without.
    """
    table, buckets = statistics.bleu, []
    for first in range(1, LAST + 1, WIDTH):
        rows = _rows(statistics, first)
        value, found = _bleu(table, rows), None
        if resamples is not None and len(rows) >= FEWEST:
            found = interval(resamples.bleu(table, rows))
        last = None if first == LAST else first + WIDTH - 1
        buckets.append(LengthBucket(first, last, len(rows), value, found))
    return tuple(buckets)


def retention(statistics: SentenceStatistics, resamples: Resamples) -> Ratio | None:
    """BLEU at 51-60 source words over BLEU at 11-20: what a system keeps when sentences get long. None if there are
    too few such sentences, or nothing to keep."""
    table = statistics.bleu
    values: list[float | None] = []
    samples: list[Floats] = []
    for first in (LONG, SHORT):
        rows = _rows(statistics, first)
        if len(rows) < FEWEST:
            return None
        values.append(_bleu(table, rows))
        samples.append(resamples.bleu(table, rows))
    return ratio(values[0], values[1], samples[0], samples[1])


def _rows(statistics: SentenceStatistics, first: int) -> Counts:
    words = statistics.pairs.source_words
    return np.flatnonzero((words >= first) & ((first == LAST) | (words < first + WIDTH)))


def _bleu(table: Counts, rows: Counts) -> float | None:
    return bleu(table[rows].sum(axis=0).tolist()) if len(rows) else None
