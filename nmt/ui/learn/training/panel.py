"""A step as a panel of the alignment view."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from nmt.charts.alignment_view import Panel, view_data
from nmt.charts.film_view import FILM_SCALE
from nmt.ui.formatting import nats
from nmt.ui.learn import strings
from nmt.ui.learn.training.form import LearningView
from nmt.ui.panels import alignment_panel

if TYPE_CHECKING:
    from nmt.inspection.learning import Learning


def panel_data(view: LearningView, learning: Learning, number: int, film: str) -> dict[str, Any]:
    """Draw alpha of a step over whole words, with its bars, in the colours of the film, whose other steps the matrix
    shows when the film does.

    Args:
        number: of the step that is shown at first.
        film: name under which the film announces its steps.
    """
    panels = [_panel(view, learning, k) for k in range(len(learning.steps))]
    return view_data([panels[number]]) | {
        "scale": FILM_SCALE.to_dict(),
        "film": film,
        "steps": [[panel.to_dict()] for panel in panels],
    }


def _panel(view: LearningView, learning: Learning, number: int) -> Panel:
    step = learning.steps[number]
    alignment = learning.alignment(number, view.own).merged()
    log_probability = step.own.log_probability if view.own else step.given.log_probability
    panel = alignment_panel(alignment, strings.PANEL.format(name=view.name, updates=step.update), view.run)
    return replace(panel, kind=strings.LOG_P.format(nats=nats(log_probability)))
