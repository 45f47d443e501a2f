"""AER against the least weight: the lines are what was given, told apart by colour and by dash."""

from __future__ import annotations

from nmt.charts.threshold_chart import threshold_chart


def test_lines_are_the_curves_and_no_two_look_alike() -> None:
    curves = {f"panel <{k}>": {0.1: 90.0 - k, 0.5: 40.0 + k} for k in range(20)}
    figure = threshold_chart(curves, 0.3)
    assert [dict(zip(line.x, line.y, strict=True)) for line in figure.data] == list(curves.values())
    assert len({(line.line.color, line.line.dash) for line in figure.data}) == 20
    assert figure.data[3].name == "panel &lt;3>"
    assert figure.layout.shapes[0].x0 == 0.3
