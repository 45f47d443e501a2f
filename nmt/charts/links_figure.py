"""Alignment weights as lines between two sentences, for print."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from nmt.charts import strings
from nmt.charts.figure3 import check_values
from nmt.charts.fonts import Fonts, fonts_for, typesetting
from nmt.charts.hatching import BAND, hatched_frame
from nmt.charts.page import GREY, Line, Page, Text
from nmt.charts.page_drawing import PageDrawing
from nmt.charts.print_figure import PrintFigure
from nmt.charts.stand_in import COLOUR
from nmt.charts.stand_in import TITLE as STAND_IN_TITLE
from nmt.charts.style import BLUE
from nmt.errors import InputError
from nmt.results import Alignment

_WORD, _NOTE = 9, 8
_MARGIN, _SPACE, _DISTANCE, _CLEAR = 12, 10, 90, 4
"""Distances in points: around the page, between words, between the two baselines, between a word and its lines."""

_THICKNESS = 3
"""Width in points of a line of weight 1."""


def links_figure(
    alignment: Alignment,
    *,
    source_title: str = "source",
    target_title: str = "target",
    threshold: float = 0.1,
    value_title: str = "",
    leave_one_out: bool = False,
    caption: str = "",
) -> PrintFigure:
    """Draw the source above and the target below, and a line for each weight from ``threshold`` on, with a width
    proportional to the weight, explained by a legend. The other arguments are as in ``figure3``.

    InputError for a threshold not above 0 or above 1, no words, or weights outside 0 to 1.
    """
    if not 0 < threshold <= 1:
        raise InputError(f"a threshold must be above 0 and at most 1, not {threshold:g}")
    check_values(alignment.weights, 0, 1)
    value_title = value_title or (strings.EFFECT if leave_one_out else "αᵢⱼ")
    return _drawn(alignment, (source_title, target_title), threshold, value_title, leave_one_out, caption)


def _drawn(
    alignment: Alignment,
    titles: tuple[str, str],
    threshold: float,
    value_title: str,
    leave_one_out: bool,
    caption: str,
) -> PrintFigure:
    colour, head = (COLOUR, 2 * _NOTE + 2 * BAND) if leave_one_out else (BLUE, 0)
    above = _MARGIN + head + _WORD
    below = above + _DISTANCE
    with typesetting():
        fonts = fonts_for([*alignment.source, *alignment.target, *titles, value_title, STAND_IN_TITLE, caption])
        beside = max(fonts.width(title, _NOTE) for title in titles)
        left = _MARGIN + (beside + _SPACE if beside else 0)
        widths = [[fonts.width(word, _WORD) for word in words] for words in (alignment.source, alignment.target)]
        longest = max(_length(row) for row in widths)
        sources, targets = (_middles(row, left + (longest - _length(row)) / 2) for row in widths)
        legend = _legend(left, below + 2.5 * _WORD + head / 4, threshold, value_title, colour, fonts)
        notes = [Text(x=_MARGIN, y=legend.height + 2 * _NOTE, text=caption, size=_NOTE, colour=GREY)] if caption else []
        right = max(left + longest, legend.width, _MARGIN + fonts.width(caption, _NOTE))
        right = max(right, _MARGIN + fonts.width(STAND_IN_TITLE, _NOTE)) if leave_one_out else right
    texts = [
        Text(x=x, y=above, text=word, size=_WORD, anchor="center")
        for x, word in zip(sources, alignment.source, strict=True)
    ]
    texts += [
        Text(x=x, y=below, text=word, size=_WORD, anchor="center")
        for x, word in zip(targets, alignment.target, strict=True)
    ]
    texts += [
        Text(x=_MARGIN, y=y, text=title, size=_NOTE, colour=GREY)
        for y, title in zip((above, below), titles, strict=True)
    ]
    upper, lower = above + _CLEAR, below - 0.8 * _WORD - _CLEAR
    weights = alignment.weights
    order = np.argsort(weights, axis=None, kind="stable")  # the strongest on top
    links = [divmod(k, weights.shape[1]) for k in order.tolist() if weights.flat[k] >= threshold]
    lines = [
        Line(
            x0=sources[j], y0=upper, x1=targets[i], y1=lower, thickness=_THICKNESS * float(weights[i, j]), colour=colour
        )
        for i, j in links
    ]
    if leave_one_out:
        notes.append(Text(x=_MARGIN, y=_MARGIN + 0.8 * _NOTE, text=STAND_IN_TITLE, size=_NOTE, colour=COLOUR))
        lines += hatched_frame(
            left - _CLEAR, above - _WORD - _CLEAR, longest + 2 * _CLEAR, _DISTANCE + 1.3 * _WORD + 2 * _CLEAR, COLOUR
        )
    page = Page(
        width=math.ceil(right) + _MARGIN + (BAND + _CLEAR if leave_one_out else 0),
        height=math.ceil(max([legend.height, *(note.y for note in notes)])) + _MARGIN,
        lines=(*lines, *legend.lines),
        texts=(*texts, *legend.texts, *notes),
    )
    return PrintFigure(PageDrawing(page), fonts)


def _length(widths: Sequence[float]) -> float:
    return sum(widths) + _SPACE * (len(widths) - 1)


def _middles(widths: Sequence[float], left: float) -> list[float]:
    """The middles of consecutive words from ``left`` on."""
    middles = []
    for width in widths:
        middles.append(left + width / 2)
        left += width + _SPACE
    return middles


def _legend(left: float, y: float, threshold: float, value_title: str, colour: str, fonts: Fonts) -> Page:
    """Sample lines of known weights, and the threshold of the lines."""
    texts, lines = [Text(x=left, y=y, text=value_title, size=_NOTE, colour=GREY)], []
    x = left + fonts.width(value_title, _NOTE) + _SPACE
    for weight in dict.fromkeys((1.0, max(0.5, threshold), threshold)):
        label = f"{weight:g}"
        lines.append(
            Line(x0=x, y0=y - 0.3 * _NOTE, x1=x + 18, y1=y - 0.3 * _NOTE, thickness=_THICKNESS * weight, colour=colour)
        )
        texts.append(Text(x=x + 22, y=y, text=label, size=_NOTE, colour=GREY))
        x += 22 + fonts.width(label, _NOTE) + _SPACE
    note = strings.NO_LINE.format(threshold=threshold)
    texts.append(Text(x=x, y=y, text=note, size=_NOTE, colour=GREY))
    return Page(width=x + fonts.width(note, _NOTE), height=y, lines=tuple(lines), texts=tuple(texts))
