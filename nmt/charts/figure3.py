"""The alignment matrix as a figure for print. Paper: Figure 3."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from nmt.alignments.difference import AlphaDifference
from nmt.charts.colour_scales import DIFFERENCE, colour_scale
from nmt.charts.fonts import fonts_for, typesetting
from nmt.charts.matrix_page import Matrix, matrix_page
from nmt.charts.page import Frame
from nmt.charts.page_drawing import PageDrawing
from nmt.charts.print_figure import PrintFigure
from nmt.errors import InputError
from nmt.results import Alignment


def figure3(
    alignment: Alignment,
    *,
    source_title: str = "source",
    target_title: str = "target",
    scale: str = "paper",
    transform: str | None = None,
    colour_bar: bool = True,
    value_title: str = "αᵢⱼ",
    transpose: bool = False,
    sure: Iterable[tuple[int, int]] = (),
    possible: Iterable[tuple[int, int]] = (),
    caption: str = "",
) -> PrintFigure:
    """Draw alpha [T_y, T_x] as the paper does: source words on top, target words down, square cells, the scale fixed
    from 0 to 1.

    Pass ``alignment.merged()`` to see whole words if the model uses subwords. For the exact look of the paper leave out
    the titles ("") and the colour bar.

    Args:
        scale: a name in ``SCALES``: "paper" (0 black, 1 white), "light paper", "colour-blind safe", "square root" or
            "log".
        transform: a name in ``TRANSFORMS``, instead of the scale's own: "linear", "square root" or "log".
        value_title: name of the values on the colour bar, if they are not alpha.
        transpose: target words on top, source words down.
        sure, possible: links (source word, target word), counted from 0 as in gold files, framed over the matrix: sure
            ones solid, only possible ones dashed.
        caption: a line below the matrix.

    Raises:
        InputError: an unknown scale or transform, a link to a missing word, no words, or weights outside 0 to 1.

    Paper: Figure 3.
    """
    chosen = colour_scale(scale, transform)
    sure = set(sure)
    frames = [_frame(alignment, link, chosen.over, dashed=False) for link in sorted(sure)]
    frames += [_frame(alignment, link, chosen.over, dashed=True) for link in sorted(set(possible) - sure)]
    matrix = Matrix(
        rows=alignment.target,
        columns=alignment.source,
        values=alignment.weights,
        rows_title=target_title,
        columns_title=source_title,
        scale=chosen,
        bar_title=value_title if colour_bar else None,
        frames=tuple(frames),
        caption=caption,
    )
    return _drawn(matrix.transposed() if transpose else matrix)


def figure3_difference(
    difference: AlphaDifference,
    *,
    source_title: str = "source",
    target_title: str = "target",
    colour_bar: bool = True,
    value_title: str = "Δαᵢⱼ",
    transpose: bool = False,
    caption: str = "",
) -> PrintFigure:
    """Draw the difference of two alignments of one target sentence (``nmt.alignments.difference``), from -1 (blue) over
    0 (white) to 1 (vermillion); everything else as in ``figure3``. InputError if there are no words."""
    matrix = Matrix(
        rows=difference.target,
        columns=difference.source,
        values=difference.delta,
        rows_title=target_title,
        columns_title=source_title,
        scale=DIFFERENCE,
        bar_title=value_title if colour_bar else None,
        frames=(),
        caption=caption,
    )
    return _drawn(matrix.transposed() if transpose else matrix)


def _frame(alignment: Alignment, link: tuple[int, int], colour: str, *, dashed: bool) -> Frame:
    """Frame around all cells of a source and a target word, which may consist of several subwords each."""
    columns = [k for k, word in enumerate(alignment.source_words) if word == link[0]]
    rows = [k for k, word in enumerate(alignment.target_words) if word == link[1]]
    if not columns or not rows:
        raise InputError(f"the link {link[0]}-{link[1]} refers to a word that is not in the figure")
    return Frame(
        x=columns[0], y=rows[0], width=len(columns), height=len(rows), thickness=1.2, colour=colour, dashed=dashed
    )


def _drawn(matrix: Matrix) -> PrintFigure:
    check_values(matrix.values, matrix.scale.low, matrix.scale.high)
    with typesetting():
        fonts = fonts_for(matrix.texts)
        page = matrix_page(matrix, fonts)
    return PrintFigure(PageDrawing(page), fonts)


def check_values(values: NDArray[np.float32], low: float, high: float) -> None:
    """Raise InputError if there are no values or one lies outside the range of the figure; rounding errors are
    tolerated."""
    if not values.size:
        raise InputError("an alignment without words cannot be drawn")
    if not np.all((values >= low - 1e-4) & (values <= high + 1e-4)):
        raise InputError(f"all values must lie between {low:g} and {high:g} to be drawn")
