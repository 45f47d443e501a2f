"""Sums of counts over the sentences of many ranges of lengths, for many resamples and systems at a time.

One matrix product per stretch of lengths that no range divides; a range is the sum of its stretches. The products are
in float32, and exact: counts are non-negative integers, so every partial sum of a sum below 2^24 is an exact integer.
If a sum is larger, all are recomputed in float64.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import reduce
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nmt.results import Span
from nmt.results.statistics import Counts, Floats

_EXACT = 2**24
"""Largest n such that float32 represents all integers up to n."""


@dataclass(frozen=True, eq=False)
class SpanSums:
    """Counts to be summed over ranges of lengths.

    Attributes:
        lengths: lengths of the sentences, [N].
        spans: ranges of these lengths, which may overlap.
        table: non-negative counts, [N, counts].
        rows: number of sentences whose weights are in memory as floats at a time.
    """

    lengths: Counts
    spans: Sequence[Span]
    table: Counts
    rows: int = field(default=1024, kw_only=True)

    def __post_init__(self) -> None:
        assert len(self.lengths) == len(self.table)

    def once(self) -> Counts:
        """Sums over each range, [spans, counts]."""
        return np.array([self.table[span.holds(self.lengths)].sum(axis=0) for span in self.spans], dtype=np.int64)

    def weighted(self, weights: NDArray[np.uint8]) -> Iterator[Floats]:
        """Yield for each range the sums [counts, B] over its sentences, weighted by ``weights`` [N, B]."""
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
        """Yield the sums [columns, B] over the sentences of each stretch."""
        buffer = np.empty((min(self.rows, len(weights)), weights.shape[1]), dtype=kind)
        counts = columns.astype(kind)
        parts = []
        for k in range(number):
            rows = np.flatnonzero(stretch == k)
            total = np.zeros((len(columns), weights.shape[1]), dtype=kind)
            for begin in range(0, len(rows), self.rows):
                some_rows = rows[begin : begin + self.rows]
                buffer[: len(some_rows)] = weights[some_rows]
                total += counts[:, some_rows] @ buffer[: len(some_rows)]
            parts.append(total)
        return parts


def _cuts(span: Span) -> list[int]:
    """First length of a range, and the length after its last unless it is open."""
    return [span.first] if span.last is None else [span.first, span.last + 1]


def _distinct(table: Counts) -> tuple[Counts, NDArray[np.intp]]:
    """Distinct columns of a table, [columns, N], and the index of each original column among them: systems on the same
    sentences share the counts of the references."""
    index_of: dict[bytes, int] = {}
    columns = np.ascontiguousarray(table.T)
    where = [index_of.setdefault(column.tobytes(), len(index_of)) for column in columns]
    first = np.unique(where, return_index=True)[1]
    return columns[first], np.array(where, dtype=np.intp)
