"""Plotly figures of few numbers: learning curves, the stress test, error rates by threshold, alpha beside an effect."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import plotly.graph_objects as go

from nmt.charts import strings
from nmt.charts.style import BLUE, DEVELOPMENT, MARK, ORANGE, TRAINING, label, line_style, plain
from nmt.results import Event, StressPoint, UpdateEvent, ValidationEvent

_RING = {"color": DEVELOPMENT, "size": 13, "symbol": "circle-open", "line": {"width": 2}}


def learning_curve(events: Iterable[Event]) -> go.Figure:
    """Draw the loss of the training and the development set over the updates, in nats per target token; each new best
    is marked."""
    events = list(events)
    updates = [event for event in events if isinstance(event, UpdateEvent)]
    validations = [event for event in events if isinstance(event, ValidationEvent)]
    best = [event for event in validations if event.best][-1:]
    figure = go.Figure()
    for name, shown, look in (
        (strings.TRAINING, updates, {"mode": "lines", "line": {"color": TRAINING, "width": 1.5}}),
        (
            strings.DEVELOPMENT,
            validations,
            {"mode": "lines+markers", "line": {"color": DEVELOPMENT, "width": 2}, "marker": {"size": 5}},
        ),
        (strings.BEST, best, {"mode": "markers", "marker": _RING}),
    ):
        _add_losses(figure, name, shown, look)
    return _with_losses(figure)


def learning_curves(trainings: Mapping[str, Iterable[Event]], *, dark: bool = False) -> go.Figure:
    """Draw the loss of the development set over the updates, in nats per target token, as one line for each training.
    ``dark``: True on a dark page."""
    figure = go.Figure()
    for k, (name, events) in enumerate(trainings.items()):
        validations = [event for event in events if isinstance(event, ValidationEvent)]
        style = line_style(k, dark=dark)
        marker = {"size": 6, "symbol": style.plotly_symbol}
        look = {"mode": "lines+markers", "line": style.plotly_line(), "marker": marker}
        _add_losses(figure, plain(name), validations, look)
    return _with_losses(figure)


def _add_losses(
    figure: go.Figure, name: str, events: Sequence[UpdateEvent | ValidationEvent], look: Mapping[str, Any]
) -> None:
    figure.add_scatter(
        x=[event.update for event in events],
        y=[event.nll_per_word for event in events],
        name=name,
        hovertemplate=strings.LOSS_POINT.format(name=name),
        **look,
    )


def _with_losses(figure: go.Figure) -> go.Figure:
    figure.update_xaxes(title_text=strings.UPDATES, rangemode="tozero")
    figure.update_yaxes(title_text=strings.NLL)
    return _framed(figure, 300)


def _framed(figure: go.Figure, height: int, top: int = 10) -> go.Figure:
    """Set the height in pixels, narrow margins, and the legend above the figure."""
    legend = {"orientation": "h", "yanchor": "bottom", "y": 1.0, "x": 0}
    figure.update_layout(height=height, margin={"l": 10, "r": 10, "t": top, "b": 10}, legend=legend, dragmode=False)
    return figure


def stress_curve(
    curves: Mapping[str, Sequence[StressPoint]],
    measure: str,
    most: int,
    numbers: Mapping[str, int] | None = None,
    *,
    dark: bool = False,
) -> go.Figure:
    """Draw one line per system over the number of concatenated sentences; missing points are left out.

    Args:
        curves: the points so far, by system.
        measure: a key of ``strings.STRESS_TITLES``.
        most: largest number of concatenated sentences, the right end of the axis.
        numbers: the style of a system, so that it looks the same in every chart; None: by order.
        dark: True on a dark page.
    """
    order = numbers or {name: number for number, name in enumerate(curves)}
    figure = go.Figure()
    for name, points in curves.items():
        known = [point for point in points if getattr(point, measure) is not None]
        values = [getattr(point, measure) for point in known]
        style = line_style(order[name], dark=dark)
        ends = [point.interval for point in known]
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
            hovertemplate=strings.STRESS_POINT.format(decimals=1 if measure == "bleu" else 2, name=plain(name)),
        )
    figure.update_xaxes(title_text=strings.TOGETHER, range=[0.7, most + 0.3], dtick=1, fixedrange=True)
    figure.update_yaxes(title_text=strings.STRESS_TITLES[measure], fixedrange=True)
    if measure in ("bleu", "least_coverage"):
        figure.update_yaxes(rangemode="tozero")
    figure.update_layout(showlegend=True)
    return _framed(figure, 340)


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
    figure.update_layout(showlegend=True)
    return _framed(figure, 280)


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
        (strings.ALPHA_BARS, strings.ALPHA_BAR, alpha, BLUE, ""),
        (strings.EFFECT_BARS, strings.EFFECT_BARS, effect, ORANGE, "/"),
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
            hovertemplate=strings.BAR_POINT.format(name=short),
        )
    figure.update_xaxes(tickvals=places, ticktext=[label(word) for word in source], tickangle=-40)
    figure.update_yaxes(range=[0, 1], tickformat=".0%")
    figure.update_layout(barmode="group")
    return _framed(figure, 300, top=30)
