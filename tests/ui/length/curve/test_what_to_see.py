"""The line under the curve says what its numbers say."""

from __future__ import annotations

import pytest

from nmt.results import CurvePoint, Interval, LengthCurve, LengthCurves, Span
from nmt.ui.length.curve.what_to_see import what_to_see

SPANS = (Span(1, 10), Span(11, 20), Span(21, 30), Span(31))


def curves(metric: str = "BLEU", few: tuple[int, ...] = (), **values: list[float]) -> LengthCurves:
    """Of systems with these scores; the ranges ``few`` have too few sentences for an interval."""
    found = []
    for system, scores in values.items():
        points = tuple(
            CurvePoint(
                span=span,
                sentences=4 if k in few else 40,
                mean_length=10.0 * k + 5,
                value=value,
                interval=None if k in few else Interval(value - 1, value + 1),
            )
            for k, (span, value) in enumerate(zip(SPANS, scores, strict=True))
        )
        found.append(LengthCurve(system=system, points=points, overall=points[0]))
    return LengthCurves(metric=metric, side="source", curves=tuple(found), resamples=1000)


def test_the_one_that_keeps_most_and_the_one_that_keeps_least() -> None:
    found = what_to_see(curves(a=[50, 40, 30, 10], b=[50, 40, 38, 36], c=[50, 40, 30, 20]))
    assert (
        found == "From 11–20 to 31 or more words, **b** keeps 90 % of its BLEU (40.0 → 36.0), **a** 25 % (40.0 → 10.0)."
    )


def test_one_system_alone_and_ranges_with_few_sentences() -> None:
    found = what_to_see(curves(few=(3,), a=[50, 40, 30, 10]))
    assert found == "From 1–10 to 21–30 words, **a** keeps 60 % of its BLEU (50.0 → 30.0)."
    assert what_to_see(curves(few=(1, 2, 3), a=[50, 40, 30, 10])) == ""


def test_what_rises_is_not_said_to_be_kept() -> None:
    found = what_to_see(curves(a=[50, 40, 30, 44], b=[50, 40, 30, 20]))
    assert (
        found
        == "From 11–20 to 31 or more words, BLEU of **a** changes from 40.0 to 44.0, that of **b** from 40.0 to 20.0."
    )


@pytest.mark.parametrize("metric", ["TER"])
def test_of_a_score_that_is_better_when_lower_the_least_rise_comes_first(metric: str) -> None:
    found = what_to_see(curves(metric, a=[50, 40, 60, 80], b=[50, 40, 45, 50]))
    assert (
        found
        == "From 11–20 to 31 or more words, TER of **b** changes from 40.0 to 50.0, that of **a** from 40.0 to 80.0."
    )


def test_nothing_is_said_of_a_score_of_0() -> None:
    assert what_to_see(curves(a=[0, 0, 0, 0])) == ""
