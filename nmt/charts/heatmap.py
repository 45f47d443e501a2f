"""The alignment matrix as a Plotly figure, for notebooks. Paper: Figure 3."""

from __future__ import annotations

import plotly.graph_objects as go

from nmt.charts import strings
from nmt.charts.colour_scales import PAPER
from nmt.charts.style import label, plain
from nmt.results import Alignment

_CELL, _MARGIN = 26, 150  # pixels


def alignment_figure(
    alignment: Alignment, source_title: str = strings.SOURCE, target_title: str = strings.TARGET
) -> go.Figure:
    """Draw alpha [T_y, T_x] as the paper does: source words on top, target words down, square cells, 0 black
    and 1 white on a scale that never changes.

    Pass ``alignment.merged()`` to see whole words if the model uses subwords. The axes are positions from 0 labelled
    with the words, so that a word that occurs twice has two columns. Paper: Figure 3.
    """
    source, target = alignment.source, alignment.target
    pairs = [[[plain(s), plain(t)] for s in source] for t in target]
    figure = go.Figure(
        go.Heatmap(
            z=alignment.weights.tolist(),
            x=list(range(len(source))),
            y=list(range(len(target))),
            zmin=0,
            zmax=1,
            colorscale=PAPER.plotly(),
            colorbar={
                "title": {"text": strings.ALPHA_OF_PLOTLY},
                "tickvals": [0, 0.25, 0.5, 0.75, 1],
                "outlinewidth": 1,
            },
            customdata=pairs,
            hovertemplate=strings.CELL_POINT,
        )
    )
    figure.update_xaxes(
        title_text=plain(source_title),
        side="top",
        tickangle=-90,
        tickvals=list(range(len(source))),
        ticktext=[label(word) for word in source],
        range=[-0.5, len(source) - 0.5],
        constrain="domain",
        showgrid=False,
        zeroline=False,
    )
    figure.update_yaxes(
        title_text=plain(target_title),
        tickvals=list(range(len(target))),
        ticktext=[label(word) for word in target],
        range=[len(target) - 0.5, -0.5],
        scaleanchor="x",
        constrain="domain",
        showgrid=False,
        zeroline=False,
    )
    figure.update_layout(
        template="plotly_white",
        width=_CELL * len(source) + 2 * _MARGIN,
        height=_CELL * len(target) + 2 * _MARGIN,
        dragmode=False,
    )
    return figure
