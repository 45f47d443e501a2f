"""Corpus scores of systems over ranges of lengths, from the counts that their evaluations keep."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from nmt.errors import InputError
from nmt.evaluation.bootstrap import Resamples
from nmt.evaluation.buckets import lengths_of
from nmt.evaluation.metrics import CorpusMetric, corpus_metric
from nmt.evaluation.span_sums import SpanSums
from nmt.results import LengthSide, SentenceStatistics, Span
from nmt.results.statistics import Counts, Floats

_Number = TypeVar("_Number", np.int64, np.float64)


@dataclass(frozen=True, eq=False)
class SystemCounts:
    """Systems on the same sentences, and the ranges of lengths they are looked at by.

    Attributes:
        names: of the systems, S.
        metric: the score.
        sums: their counts side by side, behind a column of ones, [N, 1 + S * counts].
    """

    names: tuple[str, ...]
    metric: CorpusMetric
    sums: SpanSums

    @classmethod
    def of(
        cls, systems: Mapping[str, SentenceStatistics], spans: Sequence[Span], metric: str, side: LengthSide
    ) -> SystemCounts:
        """InputError if there is no system, or two are on different sentences, or for an unknown metric or side."""
        check_same_sentences(systems)
        chosen = corpus_metric(metric, next(iter(systems.values())).tokeniser)
        lengths = lengths_of(next(iter(systems.values())).pairs, side)
        tables = [chosen.table(statistics) for statistics in systems.values()]
        ones = np.ones((len(lengths), 1), dtype=np.int64)
        return cls(tuple(systems), chosen, SpanSums(lengths, spans, np.concatenate([ones, *tables], axis=1)))

    @property
    def sentences(self) -> list[int]:
        """In each range."""
        return [int(span.holds(self.sums.lengths).sum()) for span in self.sums.spans]

    @property
    def mean_lengths(self) -> list[float | None]:
        """In each range; None without sentences."""
        inside = [self.sums.lengths[span.holds(self.sums.lengths)] for span in self.sums.spans]
        return [float(some.mean()) if len(some) else None for some in inside]

    def scores(self) -> list[list[float] | None]:
        """For each range the score of each system; None without sentences."""
        return [
            [self.metric.score(one.tolist()) for one in self.by_system(row[1:])] if row[0] else None
            for row in self.sums.once()
        ]

    def resampled(self, resamples: Resamples) -> list[Floats]:
        """For each range the scores [S, B] of the resamples of all sentences; NaN where one drew none of the range."""
        return [
            np.where(total[0] > 0, self.metric.of_each(np.moveaxis(self.by_system(total[1:]), 1, 0)), np.nan)
            for total in self.sums.weighted(resamples.times)
        ]

    def by_system(self, sums: NDArray[_Number]) -> NDArray[_Number]:
        """[S * counts, ...] -> [S, counts, ...]."""
        return sums.reshape(len(self.names), -1, *sums.shape[1:])


def check_same_sentences(systems: Mapping[str, SentenceStatistics]) -> None:
    """InputError if there is no system, no sentence, two systems are not on the same sentences as far as their lengths
    tell, or two are scored over different tokens."""
    if not systems:
        raise InputError("there is no system to look at")
    for (first, one), (second, other) in pairwise(systems.items()):
        if one.tokeniser != other.tokeniser:
            raise InputError(
                f"{first} and {second} are scored over different tokens ({one.tokeniser} and {other.tokeniser}), so "
                "they cannot be compared"
            )
        if not all(np.array_equal(a, b) for a, b in zip(_lengths(one), _lengths(other), strict=True)):
            raise InputError(f"{first} and {second} are not on the same sentences, so they cannot be compared")
    if not len(next(iter(systems.values()))):
        raise InputError("there are no sentences to score")


def _lengths(statistics: SentenceStatistics) -> list[Counts]:
    pairs = statistics.pairs
    return [pairs.source_words, pairs.reference_words, pairs.reference_length, pairs.reference_characters]
