"""A number over the saved steps of a training, as a Plotly figure."""

from __future__ import annotations

from collections.abc import Sequence

import plotly.graph_objects as go

from nmt.charts.style import BLUE, VERMILLION


def step_chart(updates: Sequence[int], values: Sequence[float], now: int, title: str) -> go.Figure:
    """Draw one point per saved step, spaced as on the slider.

    Args:
        now: number of the highlighted step, from 0.
        title: title of the axis, with its unit.
    """
    figure = go.Figure()
    places = list(range(len(updates)))
    said = [f"{update:,} updates: {value:.2f}" for update, value in zip(updates, values, strict=True)]
    figure.add_scatter(
        x=places,
        y=list(values),
        mode="lines+markers",
        line={"color": BLUE, "width": 2},
        marker={"size": 6},
        text=said,
        hovertemplate="%{text}<extra></extra>",
    )
    figure.add_scatter(
        x=[now],
        y=[values[now]],
        mode="markers",
        marker={"color": VERMILLION, "size": 14, "symbol": "circle-open", "line": {"width": 3}},
        text=[said[now]],
        hovertemplate="%{text}<extra></extra>",
    )
    figure.update_xaxes(title_text="updates", tickvals=places, ticktext=[f"{update:,}" for update in updates])
    figure.update_yaxes(title_text=title, rangemode="tozero")
    figure.update_layout(height=240, margin={"l": 10, "r": 10, "t": 10, "b": 10}, showlegend=False, dragmode=False)
    return figure
