"""Sums of counts over the sentences of many ranges of lengths, for many resamples and systems at a time.

Lengths are divided into stretches that no range cuts. A matrix product gives the sums of a stretch, and the sums of a
range are the sums of its stretches. Counts are non-negative integers, so float32 is exact for sums below 2^24. If a sum
is larger, or a count is a mean over references, all products are recomputed in float64.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from itertools import pairwise
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from nmt.errors import InputError
from nmt.evaluation.bootstrap import Resamples
from nmt.evaluation.buckets import lengths_of
from nmt.evaluation.metrics import CorpusMetric, corpus_metric
from nmt.results import LengthSide, SentenceStatistics, Span
from nmt.results.statistics import Counts, Floats

_EXACT = 2**24
"""Largest n such that float32 represents all integers up to n."""

_ROWS = 1024
"""Number of sentences whose weights are in memory as floats at a time."""


@dataclass(frozen=True, eq=False)
class SpanSums:
    """Counts to be summed over ranges of lengths.

    Attributes:
        lengths: lengths of the sentences, [N].
        spans: ranges of these lengths, which may overlap.
        table: non-negative counts, [N, counts].
    """

    lengths: Counts
    spans: Sequence[Span]
    table: Counts

    def __post_init__(self) -> None:
        assert len(self.lengths) == len(self.table)

    def once(self) -> Counts:
        """Sums over each range, [spans, counts]."""
        sums = [self.table[span.holds(self.lengths)].sum(axis=0) for span in self.spans]
        return np.array(sums, dtype=self.table.dtype)

    def weighted(self, weights: NDArray[np.uint8]) -> Iterator[Floats]:
        """Yield for each range the sums [counts, B] over its sentences, weighted by ``weights`` [N, B]."""
        assert len(weights) == len(self.table)
        cuts = sorted({cut for span in self.spans for cut in _cuts(span)})
        stretch = np.searchsorted(cuts, self.lengths, side="right")
        columns, where = _distinct(self.table)
        parts = self._stretches(columns, stretch, weights, len(cuts) + 1, np.float32)
        if reduce(np.add, parts).max(initial=0) >= _EXACT or self.table.dtype.kind == "f":
            parts = self._stretches(columns, stretch, weights, len(cuts) + 1, np.float64)
        for span in self.spans:
            first, *after = (cuts.index(cut) + 1 for cut in _cuts(span))
            total = reduce(np.add, parts[first : after[0] if after else None])
            yield total.astype(np.float64)[where]

    def _stretches(
        self, columns: Counts, stretch: Counts, weights: NDArray[np.uint8], number: int, kind: type[np.floating[Any]]
    ) -> list[NDArray[Any]]:
        """Return the sums [columns, B] over the sentences of each stretch."""
        buffer = np.empty((min(_ROWS, len(weights)), weights.shape[1]), dtype=kind)
        counts = columns.astype(kind)
        parts = []
        for k in range(number):
            rows = np.flatnonzero(stretch == k)
            total = np.zeros((len(columns), weights.shape[1]), dtype=kind)
            for begin in range(0, len(rows), _ROWS):
                some_rows = rows[begin : begin + _ROWS]
                buffer[: len(some_rows)] = weights[some_rows]
                total += counts[:, some_rows] @ buffer[: len(some_rows)]
            parts.append(total)
        return parts


def _cuts(span: Span) -> list[int]:
    """The first length of a range. If the range has an end, also the length after its last length."""
    return [span.first] if span.last is None else [span.first, span.last + 1]


def _distinct(table: Counts) -> tuple[Counts, NDArray[np.intp]]:
    """Distinct columns of a table, [columns, N], and for each original column its index among them. Systems on the same
    sentences share the counts of the references, so columns repeat."""
    index_of: dict[bytes, int] = {}
    columns = np.ascontiguousarray(table.T)
    where = [index_of.setdefault(column.tobytes(), len(index_of)) for column in columns]
    first = np.unique(where, return_index=True)[1]
    return columns[first], np.array(where, dtype=np.intp)


_Number = TypeVar("_Number", np.int64, np.float64)


@dataclass(frozen=True, eq=False)
class SystemCounts:
    """Counts of systems on the same sentences. ``sums``: their sums over ranges of lengths. The table summed has a
    column of ones and the counts of all systems, [N, 1 + S * counts]."""

    names: tuple[str, ...]
    metric: CorpusMetric
    sums: SpanSums

    @classmethod
    def of(
        cls, systems: Mapping[str, SentenceStatistics], spans: Sequence[Span], metric: str, side: LengthSide
    ) -> SystemCounts:
        """Collect the counts. Raises the InputErrors of ``check_same_sentences``, or for an unknown metric."""
        check_same_sentences(systems)
        chosen = corpus_metric(metric, next(iter(systems.values())))
        chosen = replace(chosen, signature=chosen.signature + _files(systems, metric))
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
        """Mean length in each range, or None without sentences."""
        inside = [self.sums.lengths[span.holds(self.sums.lengths)] for span in self.sums.spans]
        return [float(lengths_inside.mean()) if len(lengths_inside) else None for lengths_inside in inside]

    def scores(self) -> list[list[float] | None]:
        """Scores of the systems in each range, or None without sentences."""
        return [
            [self.metric.score(counts.tolist()) for counts in self.by_system(row[1:])] if row[0] else None
            for row in self.sums.once()
        ]

    def resampled(self, resamples: Resamples) -> list[Floats]:
        """Scores [S, B] on the resamples of all sentences, per range. NaN if no sentence of the range was drawn."""
        return [
            np.where(total[0] > 0, self.metric.of_each(np.moveaxis(self.by_system(total[1:]), 1, 0)), np.nan)
            for total in self.sums.weighted(resamples.times)
        ]

    def by_system(self, sums: NDArray[_Number]) -> NDArray[_Number]:
        """Reshape [S * counts, ...] -> [S, counts, ...]."""
        return sums.reshape(len(self.names), -1, *sums.shape[1:])


def _files(systems: Mapping[str, SentenceStatistics], metric: str) -> str:
    """For a metric of another program: checksum and mean score of each file, for the signature. Else ""."""
    rows = [
        f"{name}={statistics.scores.sha256[:16]}={statistics.scores.values.mean():.6f}"
        for name, statistics in systems.items()
        if statistics.scores is not None and statistics.scores.metric == metric
    ]
    return "|files:" + re.sub(r"[|:\s]", "_", ",".join(rows)) if rows else ""


def check_same_sentences(systems: Mapping[str, SentenceStatistics]) -> None:
    """Raise InputError if there is no system or no sentence, or if two systems have different tokenisers or different
    sentences. Sentences are compared by their lengths."""
    if not systems:
        raise InputError("there is no system to score")
    for (first, statistics), (second, other) in pairwise(systems.items()):
        if statistics.tokeniser != other.tokeniser:
            raise InputError(
                f"{first} and {second} have different tokenisers ({statistics.tokeniser} and {other.tokeniser}), so "
                "they cannot be compared"
            )
        if not all(np.array_equal(a, b) for a, b in zip(_lengths(statistics), _lengths(other), strict=True)):
            raise InputError(f"{first} and {second} have different sentences, so they cannot be compared")
    if not len(next(iter(systems.values()))):
        raise InputError("there are no sentences to score")


def _lengths(statistics: SentenceStatistics) -> list[Counts]:
    pairs = statistics.pairs
    return [pairs.source_words, pairs.reference_words, pairs.reference_length, pairs.reference_characters]
