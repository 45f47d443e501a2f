"""The line under the curve says what its numbers say."""

from __future__ import annotations

from nmt.results import CurvePoint, Interval, LengthCurve, LengthCurves, Span
from nmt.ui.length.curve import strings
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
    assert found == strings.KEEP.format(
        first="11–20", last="31 or more", metric="BLEU",
        best="b", best_share="90 %", best_numbers="40.0 → 36.0",
        worst="a", worst_share="25 %", worst_numbers="40.0 → 10.0",
    )  # fmt: skip


def test_one_system_alone_and_ranges_with_few_sentences() -> None:
    found = what_to_see(curves(few=(3,), a=[50, 40, 30, 10]))
    assert found == strings.KEEPS.format(
        first="1–10", last="21–30", metric="BLEU", best="a", best_share="60 %", best_numbers="50.0 → 30.0"
    )
    assert what_to_see(curves(few=(1, 2, 3), a=[50, 40, 30, 10])) == ""


def changed(metric: str, best: tuple[str, float], worst: tuple[str, float]) -> str:
    """Say how two systems change from 40 in the range 11-20."""
    return strings.CHANGE.format(
        first="11–20", last="31 or more", metric=metric,
        best=best[0], best_first=40.0, best_last=best[1], worst=worst[0], worst_first=40.0, worst_last=worst[1],
    )  # fmt: skip


def test_what_rises_is_not_said_to_be_kept() -> None:
    found = what_to_see(curves(a=[50, 40, 30, 44], b=[50, 40, 30, 20]))
    assert found == changed("BLEU", ("a", 44.0), ("b", 20.0))
    assert what_to_see(curves(a=[50, 40, 30, 44])) == strings.CHANGES.format(
        first="11–20", last="31 or more", metric="BLEU", best="a", best_first=40.0, best_last=44.0
    )


def test_of_a_score_that_is_better_when_lower_the_least_rise_comes_first() -> None:
    found = what_to_see(curves("TER", a=[50, 40, 60, 80], b=[50, 40, 45, 50]))
    assert found == changed("TER", ("b", 50.0), ("a", 80.0))


def test_nothing_is_said_of_a_score_of_0() -> None:
    assert what_to_see(curves(a=[0, 0, 0, 0])) == ""
