"""Sums over ranges of lengths against loops over the sentences."""

from typing import Any

import numpy as np
import pytest

from nmt.evaluation.bootstrap import Resamples
from nmt.evaluation.buckets import by_width, rolling
from nmt.evaluation.span_scores import SpanSums
from nmt.results import Span

SPANS = {
    "buckets": by_width(4, 13),
    "windows": rolling(5, 15),
    "overlapping": (Span(0), Span(3, 9), Span(5, 5), Span(4), Span(90, 95)),
}


def looped(given: SpanSums, weights: Any) -> list[Any]:
    """Sentence by sentence, in Python's own whole numbers."""
    found = []
    for span in given.spans:
        total = [[0] * weights.shape[1] for _ in range(given.table.shape[1])]
        for n, length in enumerate(given.lengths.tolist()):
            if length >= span.first and (span.last is None or length <= span.last):
                for c, value in enumerate(given.table[n].tolist()):
                    for b, times in enumerate(weights[n].tolist()):
                        total[c][b] += value * times
        found.append(total)
    return found


@pytest.mark.parametrize("spans", SPANS)
@pytest.mark.parametrize("largest", [9, 2**23, 2**40])
def test_sums_are_exact(spans: str, largest: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where float32 would round, over parts of a few sentences, and with columns that are the same."""
    monkeypatch.setattr("nmt.evaluation.span_scores._ROWS", 7)
    random = np.random.default_rng(3)
    table = random.integers(0, largest, size=(60, 4), endpoint=True)
    given = SpanSums(random.integers(0, 18, size=60), SPANS[spans], table[:, [0, 1, 1, 2, 0, 3]])
    weights = Resamples.draw(60, 40).times
    for sums, expected in zip(given.weighted(weights), looped(given, weights), strict=True):
        assert sums.tolist() == expected
    ones = np.ones((60, 1), dtype=np.uint8)
    assert given.once().tolist() == [[row[0] for row in total] for total in looped(given, ones)]


def test_without_sentences_sums_are_0() -> None:
    given = SpanSums(np.array([], dtype=np.int64), by_width(), np.zeros((0, 3), dtype=np.int64))
    assert not any(sums.any() for sums in given.weighted(np.zeros((0, 5), dtype=np.uint8)))
    assert given.once().shape == (7, 3)
