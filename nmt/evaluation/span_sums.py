"""Counts added up over the sentences of many ranges of lengths, for many resamples and systems at a time.

A matrix product for each stretch of lengths that no range divides; a range is the sum of its stretches. The products
are in float32, and exact: counts are whole numbers from 0 up, so a sum below 2^24 was a whole number all the way. If
one is larger, all are made again in float64.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nmt.results import Span
from nmt.results.statistics import Counts, Floats

_EXACT = 2**24
"""float32 holds all whole numbers up to here."""

_ROWS = 1024
"""Sentences whose weights are in memory as floats at a time."""


@dataclass(frozen=True, eq=False)
class SpanSums:
    """What is to be added up.

    Attributes:
        lengths: of the sentences, [N].
        spans: ranges of these lengths, which may overlap.
        table: counts from 0 up, [N, counts].
    """

    lengths: Counts
    spans: Sequence[Span]
    table: Counts

    def __post_init__(self) -> None:
        assert len(self.lengths) == len(self.table)

    def once(self) -> Counts:
        """The sums over each range, [spans, counts]."""
        return np.array([self.table[span.holds(self.lengths)].sum(axis=0) for span in self.spans], dtype=np.int64)

    def weighted(self, weights: NDArray[np.uint8]) -> Iterator[Floats]:
        """For each range in turn the sums [counts, B] of all its sentences, each as often as ``weights`` [N, B]
        says."""
        assert len(weights) == len(self.table)
        cuts = sorted({cut for span in self.spans for cut in _cuts(span)})
        stretch = np.searchsorted(cuts, self.lengths, side="right")
        columns, where = _distinct(self.table)
        parts = self._stretches(columns, stretch, weights, len(cuts) + 1, np.float32)
        if reduce(np.add, parts).max(initial=0) >= _EXACT:
            parts = self._stretches(columns, stretch, weights, len(cuts) + 1, np.float64)
        for span in self.spans:
            first, *after = (cuts.index(cut) + 1 for cut in _cuts(span))
            total = reduce(np.add, parts[first : after[0] if after else None])
            yield total.astype(np.float64)[where]

    def _stretches(
        self, columns: Counts, stretch: Counts, weights: NDArray[np.uint8], number: int, kind: type[np.floating[Any]]
    ) -> list[NDArray[Any]]:
        """The sums [columns, B] over the sentences of each stretch."""
        buffer = np.empty((min(_ROWS, len(weights)), weights.shape[1]), dtype=kind)
        counts = columns.astype(kind)
        parts = []
        for k in range(number):
            rows = np.flatnonzero(stretch == k)
            total = np.zeros((len(columns), weights.shape[1]), dtype=kind)
            for begin in range(0, len(rows), _ROWS):
                some = rows[begin : begin + _ROWS]
                buffer[: len(some)] = weights[some]
                total += counts[:, some] @ buffer[: len(some)]
            parts.append(total)
        return parts


def _cuts(span: Span) -> list[int]:
    """Where a range begins, and where it has ended unless it is open."""
    return [span.first] if span.last is None else [span.first, span.last + 1]


def _distinct(table: Counts) -> tuple[Counts, NDArray[np.intp]]:
    """The columns of a table that differ, each once, [columns, N], and which of them each column is: systems on the
    same sentences have the counts of the references in common."""
    found: dict[bytes, int] = {}
    columns = np.ascontiguousarray(table.T)
    where = [found.setdefault(column.tobytes(), len(found)) for column in columns]
    first = np.unique(where, return_index=True)[1]
    return columns[first], np.array(where, dtype=np.intp)
