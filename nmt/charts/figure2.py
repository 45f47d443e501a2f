"""A score over sentence length as a figure for print. Paper: Figure 2."""

from __future__ import annotations

from collections.abc import Mapping

from nmt.charts.curve_drawing import CurveDrawing
from nmt.charts.print_figure import PrintFigure
from nmt.charts.style import line_style
from nmt.errors import InputError
from nmt.results import LengthCurves


def figure2(
    curves: LengthCurves,
    *,
    longest: float | None = None,
    highest: float | None = None,
    bands: bool = True,
    counts: bool = True,
    training_marks: bool = True,
    numbers: Mapping[str, int] | None = None,
    caption: str | None = None,
) -> PrintFigure:
    """Draw a line per system through its scores, each at the mean length of the sentences scored.

    Colour, dashes and marks distinguish the systems, in greyscale too. The line is interrupted where a range has no
    sentence.

    Args:
        longest: the right end of the axis, in words; scores of longer sentences are left out. 60 as in the paper;
            None = up to the longest sentences.
        highest: the upper end of the scale; None = fitted to the scores. The lower end is 0.
        bands: 95 % intervals, where available.
        counts: the number of sentences of each score below the axis.
        training_marks: over the figure, a mark at the length up to which a system was trained.
        numbers: the style of a system (``nmt.charts.style.line_style``), so that it looks the same in every figure;
            None = by order.
        caption: a line below; None = the signature.

    Raises:
        InputError: an axis end that is not above 0, a number below 0, or no score to draw.

    Paper: Figure 2
    """
    for name, end in (("the right end of the axis", longest), ("the upper end of the scale", highest)):
        if end is not None and not 0 < end < float("inf"):
            raise InputError(f"{name} must be above 0, not {end:g}")
    numbers = dict(numbers or {})
    order = {curve.system: numbers.get(curve.system, k) for k, curve in enumerate(curves.curves)}
    if min(order.values()) < 0:
        raise InputError("the number of a system's style is at least 0")
    drawing = CurveDrawing(
        curves=curves,
        styles={name: line_style(number) for name, number in order.items()},
        longest=longest,
        highest=highest,
        bands=bands,
        counts=counts,
        training_marks=training_marks,
        caption=curves.signature if caption is None else caption,
    )
    if not drawing.visible:
        raise InputError("there is no score to draw: no sentence has a length on the axis")
    return PrintFigure(drawing)
