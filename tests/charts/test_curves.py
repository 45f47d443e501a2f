"""The small Plotly figures show the numbers that they are given."""

import pytest

from nmt.charts.curves import learning_curve, stress_curve
from nmt.tables.runs import stress_table
from nmt.texts import CHARTS
from tests.charts.examples import stress_points


def test_a_training_that_has_just_begun() -> None:
    figure = learning_curve(iter(()))
    assert [len(trace.x) for trace in figure.data] == [0, 0, 0]
    assert "nats" in figure.layout.yaxis.title.text


CURVES = {"a <b>": stress_points(), "plain": stress_points(alpha=False)[:2]}


@pytest.mark.parametrize("measure", CHARTS.by_key.stress_titles)
def test_the_lines_are_the_points(measure: str) -> None:
    figure = stress_curve(CURVES, measure, 8, {"a <b>": 0, "plain": 1})
    for line, given in zip(figure.data, CURVES.values(), strict=True):
        known = [(point.joined, getattr(point, measure)) for point in given if getattr(point, measure) is not None]
        assert list(zip(line.x, line.y, strict=True)) == known
    assert [line.name for line in figure.data] == ["a &lt;b>", "plain"]
    assert figure.layout.xaxis.range[1] > 8


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
