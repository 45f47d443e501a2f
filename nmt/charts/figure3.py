"""The alignment matrix as a figure for print. Paper: Figure 3."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np
from numpy.typing import NDArray

from nmt.alignments.difference import AlphaDifference
from nmt.charts import strings
from nmt.charts.colour_scales import DIFFERENCE, colour_scale
from nmt.charts.fonts import fonts_for, typesetting
from nmt.charts.matrix_page import Matrix, matrix_page
from nmt.charts.page import Frame
from nmt.charts.page_drawing import PageDrawing
from nmt.charts.print_figure import PrintFigure
from nmt.charts.signs import Mark, explained, explained_gold
from nmt.charts.stand_in import stand_in_scale
from nmt.errors import InputError
from nmt.results import Alignment


def figure3(
    alignment: Alignment,
    *,
    source_title: str = strings.SOURCE,
    target_title: str = strings.TARGET,
    scale: str = "paper",
    transform: str | None = None,
    colour_bar: bool = True,
    value_title: str = "",
    transpose: bool = False,
    sure: Iterable[tuple[int, int]] = (),
    possible: Iterable[tuple[int, int]] = (),
    source_marks: Mapping[int, Mark] | None = None,
    target_marks: Mapping[int, Mark] | None = None,
    leave_one_out: bool = False,
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
        colour_bar: whether the colour bar is drawn, and below the matrix the meaning of frames and signs.
        value_title: name of the values on the colour bar, if they are not alpha.
        transpose: target words on top, source words down.
        sure, possible: links (source word, target word), counted from 0 as in gold files, framed over the matrix: sure
            ones solid, only possible ones dashed.
        source_marks, target_marks: signs beside words, by their number in ``alignment``.
        leave_one_out: the map is the effect of leaving a word out (``nmt.inspection.maps``), which is not
            attention: it is drawn from white to purple, with the transform of the scale, within a hatched frame and
            under a title that says so.
        caption: a line below the matrix.

    Raises:
        InputError: an unknown scale or transform, a link to a missing word, no words, or weights outside 0 to 1.

    Paper: Figure 3.
    """
    chosen = colour_scale(scale, transform)
    if leave_one_out:
        chosen = stand_in_scale(chosen.transform)
    sure, possible = set(sure), set(possible)
    frames = [_frame(alignment, link, chosen.over, dashed=False) for link in sorted(sure)]
    frames += [_frame(alignment, link, chosen.over, dashed=True) for link in sorted(possible - sure)]
    marks = (target_marks or {}, source_marks or {})
    signs = explained([*marks[1].values(), *marks[0].values()])
    matrix = Matrix(
        rows=_signed(alignment.target, marks[0]),
        columns=_signed(alignment.source, marks[1]),
        values=alignment.weights,
        rows_title=target_title,
        columns_title=source_title,
        scale=chosen,
        bar_title=(value_title or (strings.EFFECT if leave_one_out else strings.ALPHA)) if colour_bar else None,
        frames=tuple(frames),
        caption=caption,
        signs=(*signs, *explained_gold(strings.FRAME, [*sure], [*possible - sure])) if colour_bar else (),
        not_attention=strings.NOT_ATTENTION if leave_one_out else "",
    )
    return _drawn(matrix.transposed() if transpose else matrix)


def figure3_difference(
    difference: AlphaDifference,
    *,
    source_title: str = strings.SOURCE,
    target_title: str = strings.TARGET,
    colour_bar: bool = True,
    value_title: str = strings.ALPHA_DIFFERENCE,
    transpose: bool = False,
    source_marks: Mapping[int, Mark] | None = None,
    target_marks: Mapping[int, Mark] | None = None,
    not_attention: str = "",
    caption: str = "",
) -> PrintFigure:
    """Draw the difference of two alignments of one target sentence (``nmt.alignments.difference``), from -1 (blue) over
    0 (white) to 1 (vermillion); everything else as in ``figure3``. ``not_attention`` is the title, above a hatched
    frame, of a difference in which either is not alpha. InputError if there are no words."""
    marks = (target_marks or {}, source_marks or {})
    signs = explained([*marks[1].values(), *marks[0].values()])
    matrix = Matrix(
        rows=_signed(difference.target, marks[0]),
        columns=_signed(difference.source, marks[1]),
        values=difference.delta,
        rows_title=target_title,
        columns_title=source_title,
        scale=DIFFERENCE,
        bar_title=value_title if colour_bar else None,
        frames=(),
        caption=caption,
        signs=tuple(signs) if colour_bar else (),
        not_attention=not_attention,
    )
    return _drawn(matrix.transposed() if transpose else matrix)


def _signed(words: tuple[str, ...], marks: Mapping[int, Mark]) -> tuple[str, ...]:
    return tuple(f"{word} {marks[k].sign}" if k in marks else word for k, word in enumerate(words))


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
