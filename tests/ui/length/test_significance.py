"""Whether two systems differ: the page says what sacreBLEU's tests say."""

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pandas as pd
import pytest
from sacrebleu.metrics.bleu import BLEU
from sacrebleu.significance import PairedTest as SacreBleuTest
from streamlit.testing.v1 import AppTest

from nmt.results import CurvePoint, Interval, LengthCurve, LengthCurves, Span
from nmt.results.comparison import ScoreDifference
from nmt.texts import LENGTH
from nmt.ui.length.curve import what_to_see
from nmt.ui.length.significance import _verdict
from tests.evaluation.evaluations import evaluated
from tests.evaluation.texts import texts
from tests.ui.length.lengths_page import keep, opened, said

LENGTHS = [*range(3, 15), *range(21, 26)] * 3


@pytest.fixture(autouse=True)
def systems(runs: Path, write_run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JOINTLY_SYSTEMS", str(tmp_path / "systems"))
    for name, kept in (("search", 0.85), ("encdec", 0.8)):
        write_run(runs / name)
        keep(runs / name, [evaluated(name, "toy", texts(LENGTHS, kept=kept))])


def table(at: AppTest) -> pd.DataFrame:
    (found,) = [each.value for each in at.dataframe if LENGTH.corrected_p in each.value.columns]
    return found


@pytest.mark.parametrize(("method", "name"), [("bootstrap", "bs"), ("randomisation", "ar")])
def test_p_of_all_lengths_is_sacrebleus(method: str, name: str) -> None:
    at = opened(sets="toy", systems=["search", "encdec"], test=method, by_length="width")
    one, other = (texts(LENGTHS, kept=kept) for kept in (0.85, 0.8))
    named = [("search", one.hypotheses), ("encdec", other.hypotheses)]
    metrics = {"BLEU": BLEU(references=[one.references])}
    samples = 1000 if name == "bs" else 10_000
    test = SacreBleuTest(named, metrics, references=None, test_type=name, n_samples=samples)
    _, scores = test()
    p = scores["BLEU"][1].p_value
    assert f"p = {p:.3f}" in said(at)
    rows = table(at)
    assert list(rows[LENGTH.by_key.units["sentences"]]) == [24, 12, 15, 0, 0, 0, 0]
    tested = rows[rows[LENGTH.p] != "–"]
    assert len(tested) == 3
    assert all(tested[LENGTH.corrected_p].astype(float) >= tested[LENGTH.p].astype(float))
    better = [float(p) < 0.05 for p in tested[LENGTH.corrected_p]]
    assert [verdict != LENGTH.may_be_chance for verdict in tested[LENGTH.verdict]] == better
    assert list(rows[LENGTH.verdict][3:]) == [LENGTH.no_sentences.format(unit="sentences")] * 4


def test_the_second_is_never_the_first() -> None:
    at = opened(sets="toy", systems=["search", "encdec"], one="encdec")
    assert at.selectbox(key="choice-other").options == ["search"]
    forward = table(at)[LENGTH.difference]
    at = opened(sets="toy", systems=["search", "encdec"])
    assert list(table(at)[LENGTH.difference]) == [d.translate(str.maketrans("+−", "−+")) for d in forward]
    assert any(d.startswith("−") for d in [*forward, *table(at)[LENGTH.difference]])


def test_one_system_and_rolling_windows_are_not_tested() -> None:
    assert LENGTH.choose_two in said(opened(sets="toy", systems="search"))
    at = opened(sets="toy", systems=["search", "encdec"], by_length="rolling")
    assert LENGTH.rolling_not_tested in said(at)
    assert not at.dataframe


@pytest.mark.parametrize(
    ("metric", "difference", "corrected_p", "verdict"),
    [
        ("BLEU", 0.5, 0.01, LENGTH.is_better.format(name="one")),
        ("BLEU", -0.5, 0.01, LENGTH.is_better.format(name="other")),
        ("TER", 0.5, 0.01, LENGTH.is_better.format(name="other")),
        ("TER", -0.5, 0.01, LENGTH.is_better.format(name="one")),
        ("BLEU", 9.0, 0.05, LENGTH.may_be_chance),
        ("BLEU", 9.0, None, LENGTH.too_few.format(unit="sentences")),
        ("BLEU", None, None, LENGTH.no_sentences.format(unit="sentences")),
    ],
)
def test_a_verdict_names_the_better_one_or_why_there_is_none(
    metric: str, difference: float | None, corrected_p: float | None, verdict: str
) -> None:
    each = ScoreDifference(span=Span(1, 10), sentences=9, difference=difference, p=corrected_p, corrected_p=corrected_p)
    tests: Any = SimpleNamespace(
        first="one", second="other", metric=metric, lower_is_better=metric == "TER", unit="sentences"
    )
    assert _verdict(tests, each) == verdict


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
