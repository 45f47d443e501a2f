"""Elements of a figure for print, positioned in points from the upper left corner, y downwards."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

GREY = "#444444"
"""Colour of titles and notes."""


@dataclass(frozen=True, kw_only=True)
class Text:
    """A line of text on its baseline, in logical order.

    Attributes:
        x, y: the point of the baseline that ``anchor`` names.
        upwards: True for text turned by 90 degrees, to be read from below.
    """

    x: float
    y: float
    text: str
    size: float
    anchor: Literal["left", "center", "right"] = "left"
    upwards: bool = False
    colour: str = "#000000"


@dataclass(frozen=True, eq=False)
class Fills:
    """Areas without an outline, painted in this order.

    Attributes:
        corners: x and y of the corners of each, [n, corners, 2].
        colours: sRGB, uint8 [n, 3].
    """

    corners: NDArray[np.float64]
    colours: NDArray[np.uint8]


@dataclass(frozen=True, kw_only=True)
class Frame:
    """The outline of a rectangle; ``thickness`` in points, half of it on either side."""

    x: float
    y: float
    width: float
    height: float
    thickness: float
    colour: str = "#000000"
    dashed: bool = False


@dataclass(frozen=True, kw_only=True)
class Line:
    x0: float
    y0: float
    x1: float
    y1: float
    thickness: float
    colour: str


@dataclass(frozen=True, eq=False, kw_only=True)
class Page:
    """All elements of a figure, drawn in the order fills, lines, frames and texts."""

    width: float
    height: float
    fills: tuple[Fills, ...] = ()
    lines: tuple[Line, ...] = ()
    frames: tuple[Frame, ...] = ()
    texts: tuple[Text, ...] = ()
