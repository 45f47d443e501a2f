"""Learning curves of training runs, as Plotly figures."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import plotly.graph_objects as go

from nmt.charts import strings
from nmt.charts.style import DEVELOPMENT, TRAINING, line_style, plain
from nmt.results import Event, UpdateEvent, ValidationEvent


def learning_curve(events: Iterable[Event]) -> go.Figure:
    """Draw the loss of the training and the development set over the updates, in nats per target token; each new best
    is marked."""
    events = list(events)
    updates = [event for event in events if isinstance(event, UpdateEvent)]
    validations = [event for event in events if isinstance(event, ValidationEvent)]
    best = [event for event in validations if event.best][-1:]
    figure = go.Figure()
    figure.add_scatter(
        x=[event.update for event in updates],
        y=[event.nll_per_word for event in updates],
        name=strings.TRAINING,
        mode="lines",
        line={"color": TRAINING, "width": 1.5},
        hovertemplate=strings.LOSS_POINT.format(name=strings.TRAINING),
    )
    figure.add_scatter(
        x=[event.update for event in validations],
        y=[event.nll_per_word for event in validations],
        name=strings.DEVELOPMENT,
        mode="lines+markers",
        line={"color": DEVELOPMENT, "width": 2},
        marker={"size": 5},
        hovertemplate=strings.LOSS_POINT.format(name=strings.DEVELOPMENT),
    )
    figure.add_scatter(
        x=[event.update for event in best],
        y=[event.nll_per_word for event in best],
        name=strings.BEST,
        mode="markers",
        marker={"color": DEVELOPMENT, "size": 13, "symbol": "circle-open", "line": {"width": 2}},
        hovertemplate=strings.LOSS_POINT.format(name=strings.BEST),
    )
    return _laid_out(figure)


def learning_curves(trainings: Mapping[str, Iterable[Event]], *, dark: bool = False) -> go.Figure:
    """Draw the loss of the development set over the updates, in nats per target token, as one line for each training.
    ``dark``: True on a dark page."""
    figure = go.Figure()
    for k, (name, events) in enumerate(trainings.items()):
        validations = [event for event in events if isinstance(event, ValidationEvent)]
        style = line_style(k, dark=dark)
        figure.add_scatter(
            x=[event.update for event in validations],
            y=[event.nll_per_word for event in validations],
            name=plain(name),
            mode="lines+markers",
            line=style.plotly_line(),
            marker={"size": 6, "symbol": style.plotly_symbol},
            hovertemplate=strings.LOSS_POINT.format(name=plain(name)),
        )
    return _laid_out(figure)


def _laid_out(figure: go.Figure) -> go.Figure:
    figure.update_xaxes(title_text=strings.UPDATES, rangemode="tozero")
    figure.update_yaxes(title_text=strings.NLL)
    figure.update_layout(
        height=300,
        margin={"l": 10, "r": 10, "t": 10, "b": 10},
        legend={"orientation": "h", "yanchor": "bottom", "y": 1.0, "x": 0},
        dragmode=False,
    )
    return figure
