"""Stress test on concatenated sentences, as a Plotly figure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import plotly.graph_objects as go

from nmt.charts import strings
from nmt.charts.style import MARK, line_style, plain
from nmt.results import StressPoint


@dataclass(frozen=True)
class StressMeasure:
    """A measure to draw.

    Attributes:
        title: title of the axis.
        explained: explanation in a sentence.
        decimals: number of decimals in the read-out.
    """

    title: str
    explained: str
    decimals: int


_DECIMALS = {"bleu": 1}
"""Of the read-out, by measure; else 2."""

STRESS_MEASURES = {
    measure: StressMeasure(title, explained, _DECIMALS.get(measure, 2))
    for measure, (title, explained) in strings.STRESS_MEASURES.items()
}


def stress_curve(
    curves: Mapping[str, Sequence[StressPoint]],
    measure: str,
    most: int,
    numbers: Mapping[str, int] | None = None,
    *,
    at: int | None = None,
    dark: bool = False,
) -> go.Figure:
    """Draw one line per system over the number of concatenated sentences; missing points are left out.

    Args:
        curves: the points so far, by system.
        measure: a key of ``STRESS_MEASURES``.
        most: largest number of concatenated sentences, the right end of the axis.
        numbers: the style of a system, so that it looks the same in every chart; None: by order.
        at: a number of sentences to mark.
        dark: True on a dark page.
    """
    shown = STRESS_MEASURES[measure]
    order = numbers or {name: number for number, name in enumerate(curves)}
    figure = go.Figure()
    for name, points in curves.items():
        known = [point for point in points if getattr(point, measure) is not None]
        values = [getattr(point, measure) for point in known]
        style = line_style(order[name], dark=dark)
        ends = [None if point.interval is None else point.interval for point in known]
        bars = measure == "bleu" and any(ends)
        figure.add_scatter(
            x=[point.joined for point in known],
            y=values,
            name=plain(name),
            mode="lines+markers",
            line=style.plotly_line(),
            marker={"size": 8, "symbol": style.plotly_symbol},
            error_y={
                "type": "data",
                "symmetric": False,
                "array": [0 if e is None else e.high - v for e, v in zip(ends, values, strict=True)],
                "arrayminus": [0 if e is None else v - e.low for e, v in zip(ends, values, strict=True)],
                "thickness": 1,
                "width": 3,
            }
            if bars
            else None,
            customdata=[[point.sentences, point.source_words] for point in known],
            hovertemplate=strings.STRESS_READ_OUT.format(decimals=shown.decimals, name=plain(name)),
        )
    if at is not None:
        figure.add_vline(x=at, line={"width": 1, "dash": "dot", "color": MARK})
    figure.update_xaxes(title_text=strings.PUT_TOGETHER, range=[0.7, most + 0.3], dtick=1, fixedrange=True)
    figure.update_yaxes(title_text=shown.title, fixedrange=True)
    if measure in ("bleu", "least_coverage"):
        figure.update_yaxes(rangemode="tozero")
    figure.update_layout(
        height=340,
        margin={"l": 10, "r": 10, "t": 10, "b": 10},
        legend={"orientation": "h", "yanchor": "bottom", "y": 1.0, "x": 0},
        showlegend=True,
        dragmode=False,
    )
    return figure
