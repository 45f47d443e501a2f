"""What is said of a difference between two systems."""

from __future__ import annotations

import pytest

from nmt.results import Interval, Span
from nmt.results.comparison import PairedTest, ScoreDifference


def difference(first: int, p: float | None, corrected: float | None = None) -> ScoreDifference:
    return ScoreDifference(
        span=Span(first, first + 9),
        sentences=40,
        difference=1.5,
        difference_interval=Interval(0.5, 2.5),
        p=p,
        corrected_p=corrected,
    )


@pytest.mark.parametrize("tests", [0, 1, 2, 3])
def test_a_p_is_called_corrected_where_several_were_tested(tests: int) -> None:
    ranges = [difference(10 * k + 1, 0.01, 0.01 * tests) for k in range(tests)] + [difference(91, None)]
    pair = PairedTest(
        first="a", second="b", metric="BLEU", method="bootstrap", overall=difference(1, 0.02), by_length=tuple(ranges)
    )
    assert "p = 0.020" in pair.in_words(pair.overall)
    assert "corrected" not in pair.in_words(pair.overall)
    for each in ranges[:-1]:
        assert f"p = {0.01 * tests:.3f}" in pair.in_words(each)
        assert ("corrected for" in pair.in_words(each)) == (tests > 1)
    assert "p =" not in pair.in_words(ranges[-1])
