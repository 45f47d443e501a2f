"""Layout of a printed matrix: words along its sides, square cells, colour bar, titles."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from nmt.charts import strings
from nmt.charts.colour_scales import ColourScale
from nmt.charts.fonts import Fonts
from nmt.charts.hatching import BAND, hatched_frame
from nmt.charts.page import GREY, Fills, Frame, Line, Page, Text
from nmt.charts.stand_in import COLOUR

CELL, WORD, TITLE, TICK = 12, 9, 8, 7
"""Side of a cell and sizes of text, in points. They are constant; the page grows with the sentence."""

MARGIN, GAP = 12, 4
_BAR_WIDTH, _BAR_HEIGHT, _BAR_DISTANCE, _BAR_STEPS = 8, 144, 16, 128

_MIDDLE = 0.33
"""Distance of a word's baseline below the middle of its cell, as a share of the text size."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Matrix:
    """Content of the figure.

    Attributes:
        rows, columns: the words on the page.
        values: [rows, columns].
        bar_title: title of the colour bar; None for no colour bar.
        frames: frames around cells, in units of a cell.
        signs: meanings of signs and frames, listed below the matrix.
        not_attention: title of a map that takes the place of alpha, drawn within a hatched frame; "" for all others.
    """

    rows: tuple[str, ...]
    columns: tuple[str, ...]
    values: NDArray[np.float32]
    rows_title: str
    columns_title: str
    scale: ColourScale
    bar_title: str | None
    frames: tuple[Frame, ...]
    caption: str
    signs: tuple[str, ...] = ()
    not_attention: str = ""

    @property
    def texts(self) -> tuple[str, ...]:
        titles = (self.rows_title, self.columns_title, self.bar_title or "", self.caption)
        return (*self.rows, *self.columns, *titles, *self.signs, self.not_attention)

    def transposed(self) -> Matrix:
        return replace(
            self,
            rows=self.columns,
            columns=self.rows,
            values=self.values.T,
            rows_title=self.columns_title,
            columns_title=self.rows_title,
            frames=tuple(replace(f, x=f.y, y=f.x, width=f.height, height=f.width) for f in self.frames),
        )


def matrix_page(matrix: Matrix, fonts: Fonts) -> Page:
    """Lay the matrix out. Cells have corners at whole points, so that they are sharp in a PNG."""
    beside = max(fonts.width(word, WORD) for word in matrix.rows)
    above = max(fonts.width(word, WORD) for word in matrix.columns)
    band, head = (BAND, 2 * TITLE) if matrix.not_attention else (0, 0)
    left = math.ceil(MARGIN + (TITLE + GAP if matrix.rows_title else 0) + beside + GAP + band)
    top = math.ceil(MARGIN + head + (TITLE + GAP if matrix.columns_title else 0) + above + GAP + band)
    width, height = CELL * len(matrix.columns), CELL * len(matrix.rows)
    colours = matrix.scale.colours(matrix.scale.positions(matrix.values))
    cells = _cells(colours)
    cells = replace(cells, corners=cells.corners * CELL + (left, top))
    parts = [
        Page(
            width=left + width + band,
            height=top + height + band,
            fills=(cells,),
            lines=hatched_frame(left, top, width, height, COLOUR) if matrix.not_attention else (),
            frames=(
                Frame(x=left, y=top, width=width, height=height, thickness=0.5),
                *(_inside(frame, left, top) for frame in matrix.frames),
            ),
            texts=(
                *_row_words(matrix.rows, left, top, GAP + band),
                *_column_words(matrix.columns, left, top, GAP + band),
            ),
        ),
        _titles(matrix, left, top, MARGIN + head, fonts),
    ]
    if matrix.not_attention:
        parts.append(_badge(matrix.not_attention, fonts))
    if matrix.bar_title is not None:
        parts.append(_colour_bar(matrix, left + width + band + _BAR_DISTANCE, top, min(height, _BAR_HEIGHT), fonts))
    if matrix.signs:
        parts.append(_signs(matrix.signs, max(part.width for part in parts), parts[0].height, fonts))
    if matrix.caption:
        bottom = max(part.height for part in parts) + GAP + 1.5 * TITLE
        caption = Text(x=MARGIN, y=bottom, text=matrix.caption, size=TITLE, colour=GREY)
        parts.append(Page(width=MARGIN + fonts.width(matrix.caption, TITLE), height=bottom, texts=(caption,)))
    return Page(
        width=math.ceil(max(part.width for part in parts)) + MARGIN,
        height=math.ceil(max(part.height for part in parts)) + MARGIN,
        fills=tuple(fills for part in parts for fills in part.fills),
        lines=tuple(line for part in parts for line in part.lines),
        frames=tuple(frame for part in parts for frame in part.frames),
        texts=tuple(text for part in parts for text in part.texts),
    )


def _cells(colours: NDArray[np.uint8]) -> Fills:
    """Cells of these colours [rows, columns, 3], in units of a cell; neighbours of one colour in a row are merged.

    Each extends one cell further to the right and down, where later cells are painted over it, except for a rim along
    the upper side. So no viewer shows the background as a hairline between two cells.
    """
    height, width, _ = colours.shape
    begins = np.ones((height, width), dtype=bool)
    begins[:, 1:] = (colours[:, 1:] != colours[:, :-1]).any(axis=2)
    rows, columns = np.nonzero(begins)
    ends = np.where(np.append(rows[1:] == rows[:-1], False), np.append(columns[1:], 0), width)
    right, bottom, rim = np.minimum(ends + 1, width), np.minimum(rows + 2, height), rows + 1 / CELL
    corners = [(columns, rows), (ends, rows), (ends, rim), (right, rim), (right, bottom), (columns, bottom)]
    return Fills(np.stack([np.stack(corner, axis=1) for corner in corners], axis=1), colours[rows, columns])


def _inside(frame: Frame, left: float, top: float) -> Frame:
    """A frame around cells, in points; a rim of the cells stays outside."""
    return replace(
        frame,
        x=left + frame.x * CELL + 1,
        y=top + frame.y * CELL + 1,
        width=frame.width * CELL - 2,
        height=frame.height * CELL - 2,
    )


def _row_words(words: tuple[str, ...], left: float, top: float, gap: float) -> list[Text]:
    baselines = [top + (k + 0.5) * CELL + _MIDDLE * WORD for k in range(len(words))]
    return [
        Text(x=left - gap, y=y, text=word, size=WORD, anchor="right") for word, y in zip(words, baselines, strict=True)
    ]


def _column_words(words: tuple[str, ...], left: float, top: float, gap: float) -> list[Text]:
    baselines = [left + (k + 0.5) * CELL + _MIDDLE * WORD for k in range(len(words))]
    return [
        Text(x=x, y=top - gap, text=word, size=WORD, upwards=True) for word, x in zip(words, baselines, strict=True)
    ]


def _badge(title: str, fonts: Fonts) -> Page:
    """The title of a map that is not attention, above everything else."""
    text = Text(x=MARGIN, y=MARGIN + 0.8 * TITLE, text=title, size=TITLE, colour=COLOUR)
    return Page(width=MARGIN + fonts.width(title, TITLE), height=MARGIN + TITLE, texts=(text,))


def _signs(signs: tuple[str, ...], right: float, top: float, fonts: Fonts) -> Page:
    """The meanings of the signs in lines as wide as the figure, or as the longest of them."""
    lines = [""]
    for sign in signs:
        longer = f"{lines[-1]}  ·  {sign}" if lines[-1] else sign
        if lines[-1] and fonts.width(longer, TICK) > right - MARGIN:
            lines.append(sign)
        else:
            lines[-1] = longer
    texts = tuple(
        Text(x=MARGIN, y=top + GAP + 1.4 * TICK * k, text=line, size=TICK, colour=GREY)
        for k, line in enumerate(lines, 1)
    )
    return Page(width=MARGIN + max(fonts.width(line, TICK) for line in lines), height=texts[-1].y, texts=texts)


def _titles(matrix: Matrix, left: float, top: float, outer: float, fonts: Fonts) -> Page:
    """Titles in the outer rows of the page, which begin or end at the matrix's upper left corner; that of the columns
    lies below ``outer``."""
    ascent = 0.8 * TITLE
    return Page(
        width=left + fonts.width(matrix.columns_title, TITLE),
        height=top + fonts.width(matrix.rows_title, TITLE),
        texts=(
            Text(x=left, y=outer + ascent, text=matrix.columns_title, size=TITLE, colour=GREY),
            Text(
                x=MARGIN + ascent, y=top, text=matrix.rows_title, size=TITLE, anchor="right", upwards=True, colour=GREY
            ),
        ),
    )


def _colour_bar(matrix: Matrix, left: float, top: float, height: float, fonts: Fonts) -> Page:
    """The colours from the lowest (below) to the highest value, with as many labels as fit."""
    edge, shares = left + _BAR_WIDTH, np.linspace(0, 1, _BAR_STEPS)
    ends = top + height * (1 - np.arange(_BAR_STEPS) / _BAR_STEPS)
    steps = [[(left, top), (edge, top), (edge, end), (left, end)] for end in ends]
    title, transform = matrix.bar_title or "", matrix.scale.transform
    if transform != "linear":
        title = strings.TRANSFORMED.format(title=title, transform=strings.TRANSFORMS[transform])
    lines, texts = [], [Text(x=left, y=top - 1.5 * GAP, text=title, size=WORD, colour=GREY)]
    taken: list[float] = []
    for value, label in matrix.scale.ticks().items():
        share = float(matrix.scale.positions(np.array(value)))
        y = top + height * (1 - share)
        if any(abs(y - other) < 1.4 * TICK for other in taken):
            continue
        taken.append(y)
        lines.append(Line(x0=edge, y0=y, x1=edge + 2, y1=y, thickness=0.5, colour="#000000"))
        texts.append(Text(x=edge + GAP, y=y + 0.36 * TICK, text=label, size=TICK))
    right = max(text.x + fonts.width(text.text, text.size) for text in texts)
    return Page(
        width=right,
        height=top + height,
        fills=(Fills(np.array(steps), matrix.scale.colours(shares)),),
        lines=tuple(lines),
        frames=(Frame(x=left, y=top, width=_BAR_WIDTH, height=height, thickness=0.5),),
        texts=tuple(texts),
    )
