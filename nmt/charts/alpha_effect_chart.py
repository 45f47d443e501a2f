"""Alpha of one target word beside the effect of leaving out each source word, as a Plotly figure."""

from __future__ import annotations

from collections.abc import Sequence

import plotly.graph_objects as go

from nmt.charts import strings
from nmt.charts.style import BLUE, ORANGE, label


def alpha_effect_chart(source: Sequence[str], alpha: Sequence[float], effect: Sequence[float]) -> go.Figure:
    """Draw two bars for each source word. Alpha is plain and the effect hatched, so that they differ without colours.

    Args:
        source: words of the source.
        alpha: weight of each word.
        effect: share of each word in the loss of log-probability by leaving words out.
    """
    figure = go.Figure()
    places = list(range(len(source)))
    for name, short, values, colour, hatch in (
        (strings.ALPHA_BAR, strings.ALPHA_BAR_SHORT, alpha, BLUE, ""),
        (strings.EFFECT_BAR, strings.EFFECT_BAR, effect, ORANGE, "/"),
    ):
        figure.add_bar(
            x=places,
            y=list(values),
            name=name,
            marker={
                "color": colour,
                "pattern": {"shape": hatch, "fillmode": "overlay", "fgcolor": "#000000", "fgopacity": 0.6, "size": 6},
            },
            text=[label(word) for word in source],
            textposition="none",
            hovertemplate=strings.BAR_READ_OUT.format(name=short),
        )
    figure.update_xaxes(tickvals=places, ticktext=[label(word) for word in source], tickangle=-40)
    figure.update_yaxes(range=[0, 1], tickformat=".0%")
    figure.update_layout(
        barmode="group",
        height=300,
        margin={"l": 10, "r": 10, "t": 30, "b": 10},
        legend={"orientation": "h", "x": 0, "y": 1.02, "yanchor": "bottom"},
        dragmode=False,
    )
    return figure
