"""A step as a panel of the alignment view."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nmt.alignments.measures import measures
from nmt.charts.alignment_view import Panel, view_data
from nmt.ui.formatting import language, nats
from nmt.ui.learn.form import LearningView
from nmt.ui.panels import coverage_bars, entropy_bars

if TYPE_CHECKING:
    from nmt.inspection.learning import Learning


def panel_data(view: LearningView, learning: Learning, number: int) -> dict[str, Any]:
    """Alpha of a step over whole words, with its bars."""
    step = learning.steps[number]
    alignment = learning.alignment(number, view.own).merged()
    measured = measures(alignment)
    log_probability = step.own.log_probability if view.own else step.given.log_probability
    panel = Panel(
        alignment=alignment,
        title=f"{view.name}, {step.update:,} updates",
        kind=f"log p = {nats(log_probability)}",
        source_title=f"source: {language(view.run.source_language)}",
        target_title=f"target: {language(view.run.target_language)}",
        coverage=coverage_bars(measured),
        entropy=entropy_bars(measured, len(alignment.source)),
        said_of_source=[f"coverage {value:.2f}" for value in measured.coverage],
        said_of_target=[f"entropy {bits:.2f} bits" for bits in measured.entropy],
    )
    return view_data([panel])
