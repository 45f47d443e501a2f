"""Alignment error rate against the least weight of a link, as a Plotly figure."""

from __future__ import annotations

from collections.abc import Mapping

import plotly.graph_objects as go

from nmt.charts import strings
from nmt.charts.style import MARK, line_style, plain


def threshold_chart(curves: Mapping[str, Mapping[float, float]], least: float, *, dark: bool = False) -> go.Figure:
    """A line for each panel, told apart by colour and dash.

    Args:
        curves: by title, AER in per cent by least weight.
        least: the current least weight, which is marked.
        dark: whether the page is dark.
    """
    figure = go.Figure()
    for k, (title, curve) in enumerate(curves.items()):
        figure.add_scatter(
            x=list(curve),
            y=list(curve.values()),
            name=plain(title),
            mode="lines",
            line=line_style(k, dark=dark).plotly_line(),
            hovertemplate=strings.AER_POINT.format(name=plain(title)),
        )
    figure.add_vline(x=least, line={"width": 1, "dash": "dot", "color": MARK})
    figure.update_xaxes(title_text=strings.LEAST_WEIGHT, range=[0, 1])
    figure.update_yaxes(title_text=strings.AER, range=[0, 104], tickvals=[0, 25, 50, 75, 100])
    figure.update_layout(
        height=280,
        margin={"l": 10, "r": 10, "t": 10, "b": 10},
        legend={"orientation": "h", "yanchor": "bottom", "y": 1.0, "x": 0},
        showlegend=True,
        dragmode=False,
    )
    return figure
