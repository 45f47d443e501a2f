"""Corpus scores of systems over ranges of lengths, from the counts stored in their evaluations."""

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
    """Counts of systems on the same sentences, by ranges of lengths.

    Attributes:
        names: names of the S systems.
        metric: the metric.
        sums: a column of ones followed by the counts of all systems, [N, 1 + S * counts].
    """

    names: tuple[str, ...]
    metric: CorpusMetric
    sums: SpanSums

    @classmethod
    def of(
        cls, systems: Mapping[str, SentenceStatistics], spans: Sequence[Span], metric: str, side: LengthSide
    ) -> SystemCounts:
        """Collect the counts; InputError if there is no system, two systems have different sentences, or the metric or
        side is unknown."""
        check_same_sentences(systems)
        chosen = corpus_metric(metric, next(iter(systems.values())).tokeniser)
        lengths = lengths_of(next(iter(systems.values())).pairs, side)
        tables = [chosen.table(statistics) for statistics in systems.values()]
        ones = np.ones((len(lengths), 1), dtype=np.int64)
        return cls(tuple(systems), chosen, SpanSums(lengths, spans, np.concatenate([ones, *tables], axis=1)))

    @property
    def sentences(self) -> list[int]:
        """Number of sentences in each range."""
        return [int(span.holds(self.sums.lengths).sum()) for span in self.sums.spans]

    @property
    def mean_lengths(self) -> list[float | None]:
        """Mean length in each range; None without sentences."""
        inside = [self.sums.lengths[span.holds(self.sums.lengths)] for span in self.sums.spans]
        return [float(lengths_inside.mean()) if len(lengths_inside) else None for lengths_inside in inside]

    def scores(self) -> list[list[float] | None]:
        """Scores of the systems in each range; None without sentences."""
        return [
            [self.metric.score(one.tolist()) for one in self.by_system(row[1:])] if row[0] else None
            for row in self.sums.once()
        ]

    def resampled(self, resamples: Resamples) -> list[Floats]:
        """Scores [S, B] on the resamples of all sentences, per range; NaN if a resample has none of its sentences."""
        return [
            np.where(total[0] > 0, self.metric.of_each(np.moveaxis(self.by_system(total[1:]), 1, 0)), np.nan)
            for total in self.sums.weighted(resamples.times)
        ]

    def by_system(self, sums: NDArray[_Number]) -> NDArray[_Number]:
        """Reshape [S * counts, ...] -> [S, counts, ...]."""
        return sums.reshape(len(self.names), -1, *sums.shape[1:])


def check_same_sentences(systems: Mapping[str, SentenceStatistics]) -> None:
    """Raise InputError if there is no system or no sentence, or if two systems have different sentences, judged by
    their lengths, or different tokenisers."""
    if not systems:
        raise InputError("there is no system to score")
    for (first, one), (second, other) in pairwise(systems.items()):
        if one.tokeniser != other.tokeniser:
            raise InputError(
                f"{first} and {second} have different tokenisers ({one.tokeniser} and {other.tokeniser}), so "
                "they cannot be compared"
            )
        if not all(np.array_equal(a, b) for a, b in zip(_lengths(one), _lengths(other), strict=True)):
            raise InputError(f"{first} and {second} have different sentences, so they cannot be compared")
    if not len(next(iter(systems.values()))):
        raise InputError("there are no sentences to score")


def _lengths(statistics: SentenceStatistics) -> list[Counts]:
    pairs = statistics.pairs
    return [pairs.source_words, pairs.reference_words, pairs.reference_length, pairs.reference_characters]
