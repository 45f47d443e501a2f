"""Two lines of words with ribbons of alpha between them, for print. js/ draws the same in a browser. Paper: Figure 3"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from nmt.charts.print_figure import GREY, PrintFigure, drawn, fit_page, page_of, text_width
from nmt.errors import InputError
from nmt.results import Alignment

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from matplotlib.patches import PathPatch

_WORD, _CAPTION, _BETWEEN, _HEIGHT = 10, 8, 6, 60
"""Sizes of type, points between two words, and points between the lines."""
_LEAST, _THINNEST = 0.04, 0.7
"""Smallest weight that is drawn, and width in points of the thinnest ribbon."""


def ribbons_figure(alignment: Alignment, colour: str, caption: str = "") -> PrintFigure:
    """Draw alpha over whole words, [T_y, T_x], as ribbons. A weight of 0.3 takes 30 % of the target word's width.
    InputError if there are no words. Paper: Figure 3."""
    if not alignment.weights.size:
        raise InputError("an alignment without words cannot be drawn")

    def draw(as_typed: bool) -> Figure:
        lines = [alignment.source, alignment.target]
        widths = [[text_width(word, _WORD) for word in words] for words in lines]
        longest = max(sum(some) + _BETWEEN * (len(some) - 1) for some in widths)
        source, target = (_places(some, longest) for some in widths)
        figure, axes = page_of(longest, _HEIGHT)
        axes.set(xlim=(0, longest), ylim=(_HEIGHT, 0))
        axes.axis("off")
        for patch in _patches(alignment, colour, source, target):
            axes.add_patch(patch)
        for words, places, baseline in ((lines[0], source, -5), (lines[1], target, _HEIGHT + _WORD + 1)):
            for word, (left, _) in zip(words, places, strict=True):
                axes.text(left, baseline, drawn(word, as_typed), fontsize=_WORD, va="baseline")
        y = _HEIGHT + 3 + 2 * _WORD
        axes.text(0, y, drawn(caption, as_typed), fontsize=_CAPTION, color=GREY, va="top")
        fit_page(figure, axes, longest, _HEIGHT)
        return figure

    return PrintFigure((*alignment.source, *alignment.target, caption), draw)


def _patches(
    alignment: Alignment, colour: str, source: Sequence[tuple[float, float]], target: Sequence[tuple[float, float]]
) -> list[PathPatch]:
    """The ribbons. They fill a target word. Of a source word they fill the sum of its column, or all if above 1."""
    from matplotlib.patches import PathPatch
    from matplotlib.path import Path

    weights = alignment.weights.astype(float)
    sums, used = weights.sum(axis=0), [0.0] * len(source)
    codes = [Path.MOVETO, *[Path.CURVE4] * 3, Path.LINETO, *[Path.CURVE4] * 3, Path.CLOSEPOLY]
    half, patches = _HEIGHT / 2, []
    for row, (left, width) in zip(weights, target, strict=True):
        share = 0.0
        for j, weight in enumerate(row):
            scale = source[j][1] / max(1.0, sums[j])
            if weight >= _LEAST:
                a, c = source[j][0] + used[j] * scale, left + share * width
                b, d = a + max(_THINNEST, weight * scale), c + max(_THINNEST, weight * width)
                down = [(a, 0), (a, half), (c, half), (c, _HEIGHT)]
                path = Path([*down, (d, _HEIGHT), (d, half), (b, half), (b, 0), (a, 0)], codes)
                patches.append(PathPatch(path, facecolor=colour, alpha=0.12 + 0.55 * weight, linewidth=0))
            used[j] += weight
            share += weight
    return patches


def _places(widths: Sequence[float], longest: float) -> list[tuple[float, float]]:
    """(left, width) of each word of a line. The line is centred."""
    left = (longest - sum(widths) - _BETWEEN * (len(widths) - 1)) / 2
    places = []
    for width in widths:
        places.append((left, width))
        left += width + _BETWEEN
    return places
