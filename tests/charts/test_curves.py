"""The small Plotly figures show the numbers that they are given."""

from __future__ import annotations

import pytest

from nmt.charts.curves import learning_curve, stress_curve
from nmt.charts.style import line_style
from nmt.results import Event, SampleEvent, StopEvent, ValidationEvent
from nmt.tables.runs import stress_table
from nmt.texts import CHARTS
from tests.charts.examples import stress_points
from tests.results.events import reported

EVENTS: list[Event] = [
    reported(50, nll_per_word=5.0),
    SampleEvent(50, "a", "b"),
    ValidationEvent(update=50, nll_per_word=4.5, nll_per_sentence=55.0, bleu=None, best=True, seconds=4.0),
    reported(100, nll_per_word=4.0),
    ValidationEvent(update=100, nll_per_word=4.25, nll_per_sentence=50.0, bleu=None, best=True, seconds=7.0),
    ValidationEvent(update=150, nll_per_word=4.75, nll_per_sentence=58.0, bleu=None, best=False, seconds=9.0),
    StopEvent(150, "enough", 9.0),
]


def test_training_development_and_best() -> None:
    training, development, best = learning_curve(EVENTS).data
    assert (training.x, training.y) == ((50, 100), (5.0, 4.0))
    assert (development.x, development.y) == ((50, 100, 150), (4.5, 4.25, 4.75))
    assert (best.x, best.y) == ((100,), (4.25,))


def test_a_training_that_has_just_begun() -> None:
    figure = learning_curve(iter(()))
    assert [len(trace.x) for trace in figure.data] == [0, 0, 0]
    assert "nats" in figure.layout.yaxis.title.text


CURVES = {"a <b>": stress_points(), "plain": stress_points(alpha=False)[:2]}


@pytest.mark.parametrize("measure", CHARTS.by_key.stress_titles)
def test_the_lines_are_the_points(measure: str) -> None:
    figure = stress_curve(CURVES, measure, 8)
    for line, given in zip(figure.data, CURVES.values(), strict=True):
        known = [(point.joined, getattr(point, measure)) for point in given if getattr(point, measure) is not None]
        assert list(zip(line.x, line.y, strict=True)) == known
    assert [line.name for line in figure.data] == ["a &lt;b>", "plain"]
    assert figure.layout.xaxis.range[1] > 8


def test_bars_reach_to_the_ends_of_the_intervals() -> None:
    line = stress_curve(CURVES, "bleu", 8).data[0]
    for k, (value, up, down) in enumerate(zip(line.y, line.error_y.array, line.error_y.arrayminus, strict=True)):
        interval = CURVES["a <b>"][k].interval
        ends = (value, value) if interval is None else (interval.low, interval.high)
        assert (value - down, value + up) == (pytest.approx(ends[0]), pytest.approx(ends[1]))


def test_a_system_keeps_its_style_when_another_is_left_out() -> None:
    (line,) = stress_curve({"plain": CURVES["plain"]}, "bleu", 8, {"a <b>": 0, "plain": 1}).data
    assert line.line.color == line_style(1).colour


def test_the_table_has_a_row_for_each_point_and_full_numbers() -> None:
    table = stress_table(CURVES, "mine")
    assert [row[:2] for row in table.rows] == [
        ["a <b>", "1"],
        ["a <b>", "2"],
        ["a <b>", "3"],
        ["plain", "1"],
        ["plain", "2"],
    ]
    records = table.records()
    assert records[1]["bleu"] == 15.0
    assert (records[1]["bleu_low"], records[1]["bleu_high"]) == (12.5, 20.0)
    assert records[2]["bleu_low"] is None
    assert records[3]["least_coverage"] is None
    assert table.rows[2][5] == "–"
