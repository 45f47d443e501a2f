"""Plotly figures of few numbers: scores over sentence length (Figure 2), learning curves, the stress test, and alpha
beside the effect of leaving out source words."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any

import plotly.graph_objects as go

from nmt.charts.style import BLUE, DEVELOPMENT, MARK, ORANGE, TRAINING, LineStyle, label, line_style, plain
from nmt.results import CurvePoint, Event, LengthCurve, LengthCurves, Span, StressPoint, UpdateEvent, ValidationEvent
from nmt.texts import CHARTS

_RING = {"color": DEVELOPMENT, "size": 13, "symbol": "circle-open", "line": {"width": 2}}
_LEGEND = {"orientation": "h", "yanchor": "top", "y": -0.2, "x": 0}  # below: lines begin in the upper half of a phone


def learning_curve(events: Iterable[Event]) -> go.Figure:
    """Draw the loss of the training and the development set over the updates, in nats per target token. A ring marks
    the weights of the run."""
    events = list(events)
    updates = [event for event in events if isinstance(event, UpdateEvent)]
    validations = [event for event in events if isinstance(event, ValidationEvent)]
    best = [event for event in validations if event.best][-1:]
    figure = go.Figure()
    marked = {"mode": "lines+markers", "line": {"color": DEVELOPMENT, "width": 2}, "marker": {"size": 5}}
    _add_losses(figure, CHARTS.training, updates, {"mode": "lines", "line": {"color": TRAINING, "width": 1.5}})
    _add_losses(figure, CHARTS.development, validations, marked)
    _add_losses(figure, CHARTS.best, best, {"mode": "markers", "marker": _RING})
    return _with_losses(figure)


def learning_curves(trainings: Mapping[str, Iterable[Event]], *, dark: bool = False) -> go.Figure:
    """Draw the loss of the development set over the updates, in nats per target token, as one line for each training.
    ``dark``: whether the page is dark."""
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
        hovertemplate=CHARTS.loss_point.format(name=name),
        **look,
    )


def _with_losses(figure: go.Figure) -> go.Figure:
    figure.update_xaxes(title_text=CHARTS.updates, rangemode="tozero", tickformat=",")
    figure.update_yaxes(title_text=CHARTS.nll)
    return _framed(figure, 300)


def _framed(figure: go.Figure, height: int) -> go.Figure:
    """Set the height in pixels, narrow margins, and the legend below the figure."""
    figure.update_layout(height=height, margin={"l": 10, "r": 10, "t": 10, "b": 10}, legend=_LEGEND, dragmode=False)
    return figure


def stress_curve(
    curves: Mapping[str, Sequence[StressPoint]],
    measure: str,
    most: int,
    numbers: Mapping[str, int],
    *,
    dark: bool = False,
) -> go.Figure:
    """Draw one line per system over the number of concatenated sentences. ``measure``: name of an attribute of
    StressPoint. Points without it are left out. ``numbers``: number of each system's style, as in ``length_chart``."""
    figure = go.Figure()
    for name, points in curves.items():
        measured = [point for point in points if getattr(point, measure) is not None]
        values = [getattr(point, measure) for point in measured]
        style = line_style(numbers[name], dark=dark)
        ends = [point.interval for point in measured]
        bars = measure == "bleu" and any(ends)
        figure.add_scatter(
            x=[point.joined for point in measured],
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
            customdata=[[point.sentences, point.source_words] for point in measured],
            hovertemplate=CHARTS.stress_point.format(decimals=1 if measure == "bleu" else 2, name=plain(name)),
        )
    figure.update_xaxes(title_text=CHARTS.together, range=[0.7, most + 0.3], dtick=1, fixedrange=True)
    figure.update_yaxes(title_text=CHARTS.by_key.stress_titles[measure], fixedrange=True)
    if measure in ("bleu", "least_coverage"):
        figure.update_yaxes(rangemode="tozero")
    figure.update_layout(showlegend=True)
    return _framed(figure, 340)


def alpha_effect_chart(source: Sequence[str], alpha: Sequence[float], effect: Sequence[float]) -> go.Figure:
    """Draw two bars for each source word. Alpha is plain and the effect hatched, so that they differ without colours.
    ``effect``: fall of the word's probability without each source word, end-of-sentence token excluded."""
    figure = go.Figure()
    for name, short, values, colour, hatch in (
        (CHARTS.alpha_bars, CHARTS.alpha_bar, alpha, BLUE, ""),
        (CHARTS.effect_bars, CHARTS.effect_bars, effect, ORANGE, "/"),
    ):
        figure.add_bar(
            x=list(range(len(values))),
            y=list(values),
            name=name,
            marker={
                "color": colour,
                "pattern": {"shape": hatch, "fillmode": "overlay", "fgcolor": "#000000", "fgopacity": 0.6, "size": 6},
            },
            text=[label(word) for word in source[: len(values)]],
            textposition="none",
            hovertemplate=CHARTS.bar_point.format(name=short),
        )
    words = {"tickvals": list(range(len(source))), "ticktext": [label(word) for word in source], "tickangle": -40}
    figure.update_xaxes(automargin=True, **words)
    figure.update_yaxes(range=[min(0, *effect), 1])
    return _framed(figure, 300).update_layout(barmode="group", legend={"yanchor": "bottom", "y": 1})


_GREY = "rgba(128,128,128,0.45)"
_EXPECTED = "rgb(128,128,128)"
_CHOSEN = "rgba(128,128,128,0.16)"
_HEIGHT = 420
"""Pixels, such that the whole figure is on the first screen of a projector (1280 x 720)."""


def length_chart(
    curves: LengthCurves,
    *,
    numbers: Mapping[str, int],
    longest: float | None = None,
    bands: bool = True,
    counts: bool = True,
    training_marks: bool = True,
    chosen: Span | None = None,
    dark: bool = False,
) -> go.Figure:
    """Draw a line per system through its scores, each at the mean length of its sentences. Bars below show the number
    of sentences of each range. Paper: Figure 2.

    Args:
        numbers: number of each system's style (``nmt.charts.style.line_style``).
        longest: the right end of the axis, in words (None = up to the longest sentences).
        training_marks: whether a mark shows the length up to which a system was trained.

    The custom data of every point and bar begins with the index of its range, from 0.
    """
    figure = go.Figure()
    for curve in curves.curves:
        style = line_style(numbers[curve.system], dark=dark)
        if bands:
            _add_band(figure, curve, style.colour)
        _add_line(figure, curves, curve, style)
    if curves.expected is not None:
        _add_expected(figure, curves.expected, control=not curves.from_zero)
    edges = _edges(curves)
    if counts:
        _add_counts(figure, curves, edges)
    if training_marks:
        _add_marks(figure, curves, edges[-1][1] if longest is None else longest)
    if chosen in curves.spans:
        left, right = edges[curves.spans.index(chosen)]
        figure.add_vrect(left, right, fillcolor=_CHOSEN, line_width=0, layer="below")
    score = CHARTS.known_words.format(metric=curves.metric) if curves.no_unk else curves.metric
    figure.update_xaxes(
        title_text=CHARTS.words_of.format(side=CHARTS.by_key.sides[curves.side]),
        range=[0, edges[-1][1] if longest is None else longest],
        anchor="y2" if counts else "y",
        zeroline=False,
        nticks=12,
    )
    figure.update_yaxes(rangemode="tozero" if curves.from_zero else "normal", zeroline=False)
    figure.update_layout(
        yaxis={"title": {"text": score}, "domain": [0.26 if counts else 0, 1]},
        height=_HEIGHT if counts else _HEIGHT - 60,
        margin={"l": 10, "r": 10, "t": 24 if training_marks else 10, "b": 10},
        legend=_LEGEND,
        showlegend=True,
        dragmode=False,
        xaxis_fixedrange=True,
        yaxis_fixedrange=True,
        hovermode="closest",
        bargap=0,
    )
    if counts:
        figure.update_layout(
            yaxis2={
                "title": {"text": CHARTS.counts.format(unit=CHARTS.by_key.units[curves.unit])},
                "domain": [0, 0.18],
                "nticks": 3,
                "tickformat": ",",
                "rangemode": "tozero",
                "fixedrange": True,
            }
        )
    return figure


def _add_line(figure: go.Figure, curves: LengthCurves, curve: LengthCurve, style: LineStyle) -> None:
    figure.add_scatter(
        x=[point.mean_length for point in curve.points],
        y=[point.value for point in curve.points],
        customdata=[[k, p.span.text, p.sentences, _interval(p)] for k, p in enumerate(curve.points)],
        name=plain(curve.system),
        legendgroup=curve.system,
        mode="lines" if curves.rolling else "lines+markers",
        line=style.plotly_line(),
        marker={"color": style.colour, "size": 9, "symbol": style.plotly_symbol},
        connectgaps=False,
        cliponaxis=False,  # a whole mark also at 0
        # a click on a point must not fade the others
        selected={"marker": {"opacity": 1}},
        unselected={"marker": {"opacity": 1}},
        hovertemplate=CHARTS.score_point.format(
            name=plain(curve.system), metric=curves.metric, unit=CHARTS.by_key.units[curves.unit]
        ),
    )


def _add_expected(figure: go.Figure, curve: LengthCurve, *, control: bool) -> None:
    """Add the curve ``expected``, which belongs to no system, in grey and without marks."""
    figure.add_scatter(
        x=[point.mean_length for point in curve.points],
        y=[point.value for point in curve.points],
        customdata=[[k, point.span.text] for k, point in enumerate(curve.points)],
        name=CHARTS.control if control else CHARTS.expected_system,
        mode="lines",
        line={"color": _EXPECTED, "width": 1.5, "dash": "dot"},
        hovertemplate=CHARTS.control_point if control else CHARTS.expected_point,
    )


def _interval(point: CurvePoint) -> str:
    ends = point.interval
    return "" if ends is None else CHARTS.interval.format(low=ends.low, high=ends.high)


def _add_band(figure: go.Figure, curve: LengthCurve, colour: str) -> None:
    """Add an area for each sequence of adjacent ranges that all have intervals."""
    red, green, blue = (int(colour[k : k + 2], 16) for k in (1, 3, 5))
    for has_interval, group in groupby(curve.points, key=lambda point: point.interval is not None):
        points = list(group)
        if not has_interval:
            continue
        lengths = [point.mean_length for point in points]
        low = [point.interval.low for point in points if point.interval is not None]
        high = [point.interval.high for point in points if point.interval is not None]
        figure.add_scatter(
            x=[*lengths, *reversed(lengths)],
            y=[*high, *reversed(low)],
            fill="toself",
            fillcolor=f"rgba({red},{green},{blue},0.13)",
            mode="lines",
            line={"width": 0},
            legendgroup=curve.system,
            showlegend=False,
            hoverinfo="skip",
        )


def _edges(curves: LengthCurves) -> list[tuple[float, float]]:
    """The ends of each range on the axis. An open range ends as far above its mean length as it begins below it."""
    if curves.rolling:
        return [(k + 0.5, k + 1.5) for k in range(len(curves.spans))]
    edges = []
    for span, point in zip(curves.spans, curves.curves[0].points, strict=True):
        first = span.first - 0.5
        last = span.last if span.last is not None else max(span.first, 2 * (point.mean_length or 0) - span.first)
        edges.append((first, last + 0.5))
    return edges


def _add_counts(figure: go.Figure, curves: LengthCurves, edges: Sequence[tuple[float, float]]) -> None:
    points = curves.curves[0].points
    figure.add_bar(
        x=[(left + right) / 2 for left, right in edges],
        width=[0.96 * (right - left) for left, right in edges],
        y=[point.sentences for point in points],
        customdata=[[k, point.span.text] for k, point in enumerate(points)],
        text=None if curves.rolling else [f"{point.sentences:,}" for point in points],
        textposition="outside",
        cliponaxis=False,
        marker={"color": _GREY},
        selected={"marker": {"opacity": 1}},
        unselected={"marker": {"opacity": 1}},
        yaxis="y2",
        showlegend=False,
        hovertemplate=CHARTS.count_point.format(unit=CHARTS.by_key.units[curves.unit]),
    )


def _add_marks(figure: go.Figure, curves: LengthCurves, right: float) -> None:
    lengths: dict[int, list[str]] = {}
    for curve in curves.curves:
        if curve.trained_to is not None and curve.trained_to <= right and curves.unit == "sentences":
            lengths.setdefault(curve.trained_to, []).append(curve.system)
    for k, (length, names) in enumerate(sorted(lengths.items())):
        figure.add_vline(x=length, line={"width": 1, "dash": "dot", "color": MARK})
        figure.add_annotation(
            x=length,
            y=1,
            yref="paper",
            yanchor="bottom",
            xanchor="center" if len(lengths) == 1 else "right" if k == 0 else "left",  # so that two fit side by side
            text=CHARTS.trained_to.format(length=length),
            hovertext=plain(CHARTS.trained_to_longer.format(names=", ".join(names), length=length)),
            showarrow=False,
            font={"size": 11},
        )
