"""How systems hold when sentences are joined, as a Plotly figure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import plotly.graph_objects as go

from nmt.charts.style import line_style, plain
from nmt.results import StressPoint


@dataclass(frozen=True)
class StressMeasure:
    """What is drawn.

    Attributes:
        title: of the axis.
        explained: in a sentence.
        decimals: in the read-out.
    """

    title: str
    explained: str
    decimals: int


STRESS_MEASURES = {
    "bleu": StressMeasure("BLEU", "Corpus BLEU by sacreBLEU; bars are 95 % intervals, from ten sentences up.", 1),
    "kept": StressMeasure(
        "BLEU over BLEU one by one",
        "BLEU as a share of what the same sentences score when they are translated one by one and then joined.",
        2,
    ),
    "log_probability": StressMeasure(
        "log p of the reference (nats a word)",
        "How probable the model finds the reference, in nats a word of it; vocabularies differ between checkpoints.",
        2,
    ),
    "length_ratio": StressMeasure(
        "length over reference",
        "Tokens of the translations over those of the references: below 1 something is left out.",
        2,
    ),
    "least_coverage": StressMeasure(
        "least coverage",
        "Attention that the least looked at source word gets from all target words, on average; only with alpha.",
        2,
    ),
    "mean_coverage": StressMeasure(
        "mean coverage",
        "Attention that a source word gets from all target words, on average; only with alpha.",
        2,
    ),
}


def stress_curve(
    curves: Mapping[str, Sequence[StressPoint]],
    measure: str,
    most: int,
    numbers: Mapping[str, int] | None = None,
    *,
    dark: bool = False,
) -> go.Figure:
    """A line a system over the number of joined sentences; what is not known (yet) is left out.

    Args:
        curves: by system, as far as they go.
        measure: of ``STRESS_MEASURES``.
        most: joined sentences, to which the axis goes from the start.
        numbers: the style of a system, so that it looks the same whatever else is shown; None: their order.
        dark: whether the page is dark.
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
            hovertemplate=f"%{{x}} joined: %{{y:.{shown.decimals}f}}<br>%{{customdata[0]}} sentences of "
            f"%{{customdata[1]:.1f}} words<extra>{plain(name)}</extra>",
        )
    figure.update_xaxes(title_text="sentences joined to one", range=[0.7, most + 0.3], dtick=1, fixedrange=True)
    figure.update_yaxes(title_text=shown.title, fixedrange=True)
    if measure in ("bleu", "least_coverage"):
        figure.update_yaxes(rangemode="tozero")
    figure.update_layout(
        height=420,
        margin={"l": 10, "r": 10, "t": 10, "b": 10},
        legend={"orientation": "h", "yanchor": "bottom", "y": 1.0, "x": 0},
        showlegend=True,
        dragmode=False,
    )
    return figure
