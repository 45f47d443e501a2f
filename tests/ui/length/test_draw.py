"""The line under the curve says what its numbers say."""

from __future__ import annotations

from dataclasses import replace

from nmt.results import CurvePoint, Interval, LengthCurve, LengthCurves, Span
from nmt.texts import LENGTH
from nmt.ui.length.draw import what_to_see

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


def kept(last: str, *groups: list[tuple[str, float, float]], first: str = "11–20") -> str:
    """Say what systems keep, which are in groups: name, first and last score of each."""
    parts = [
        ", ".join(LENGTH.keeps.format(name=name, percent=100 * b / a, first=a, last=b) for name, a, b in group)
        for group in groups
    ]
    return LENGTH.share_kept.format(metric="BLEU", first=first, last=last, systems="; ".join(parts))


def test_the_one_that_keeps_most_and_the_one_that_keeps_least() -> None:
    found = what_to_see(curves(a=[50, 40, 30, 10], b=[50, 40, 38, 36], c=[50, 40, 30, 20]))
    assert found == kept("31 or more", [("b", 40, 36), ("a", 40, 10)])


def test_only_systems_trained_on_sentences_as_long_are_held_against_each_other() -> None:
    """The best of all would otherwise stand against the worst of all, which had only short sentences to learn from."""
    given = curves(a50=[50, 40, 30, 30], a30=[50, 40, 30, 20], b50=[50, 30, 20, 15], b30=[50, 30, 20, 3])
    lengths = {"a50": 50, "a30": 30, "b50": 50, "b30": 30}
    matched = tuple(replace(curve, trained_to=lengths[curve.system]) for curve in given.curves)
    found = what_to_see(replace(given, curves=matched))
    assert found == kept("31 or more", [("a50", 40, 30), ("b50", 30, 15)], [("a30", 40, 20), ("b30", 30, 3)])
    alone = tuple(
        replace(curve, trained_to=length) for curve, length in zip(given.curves, (10, 20, 30, 40), strict=True)
    )
    assert what_to_see(replace(given, curves=alone)) == kept("31 or more", [("a50", 40, 30), ("b30", 30, 3)])


def test_one_system_alone_and_ranges_with_few_sentences() -> None:
    found = what_to_see(curves(few=(3,), a=[50, 40, 30, 10]))
    assert found == kept("21–30", [("a", 50, 30)], first="1–10")
    assert what_to_see(curves(few=(1, 2, 3), a=[50, 40, 30, 10])) == ""


def changed(metric: str, *systems: tuple[str, float]) -> str:
    """Say how systems change from 40 in the range 11-20."""
    parts = [LENGTH.changes.format(name=name, first=40.0, last=last) for name, last in systems]
    return LENGTH.scores_change.format(first="11–20", last="31 or more", metric=metric, systems=", ".join(parts))


def test_the_range_nearer_to_15_words_comes_first() -> None:
    given = curves(a=[50, 40, 30, 10])
    for lengths, first, value in (((10.4, 20.0), "1–10", 50), ((9.0, 20.5), "11–20", 40)):
        points = tuple(
            replace(point, mean_length=length)
            for point, length in zip(given.curves[0].points, (*lengths, 25.0, 35.0), strict=True)
        )
        found = what_to_see(replace(given, curves=(replace(given.curves[0], points=points),)))
        assert found == kept("31 or more", [("a", value, 10)], first=first)


def test_what_stays_is_kept_whole() -> None:
    assert what_to_see(curves(a=[50, 40, 30, 40])) == kept("31 or more", [("a", 40, 40)])


def test_what_rises_is_not_said_to_be_kept() -> None:
    found = what_to_see(curves(a=[50, 40, 30, 44], b=[50, 40, 30, 20]))
    assert found == changed("BLEU", ("a", 44.0), ("b", 20.0))
    assert what_to_see(curves(a=[50, 40, 30, 44])) == changed("BLEU", ("a", 44.0))


def test_of_a_score_that_is_better_when_lower_the_least_rise_comes_first() -> None:
    found = what_to_see(replace(curves("TER", a=[50, 40, 60, 80], b=[50, 40, 45, 50]), lower_is_better=True))
    assert found == changed("TER", ("b", 50.0), ("a", 80.0))


def test_nothing_is_said_of_a_score_of_0() -> None:
    assert what_to_see(curves(a=[0, 0, 0, 0])) == ""
