"""Marks of points on a figure for print, as areas, so that they are the same in every format."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from nmt.charts.page import Fills
from nmt.charts.style import LineStyle


def marks(style: LineStyle, points: Sequence[tuple[float, float]], size: float) -> Fills:
    """The mark of a style at each point, about ``size`` points wide."""
    outline = _OUTLINES[style.marker] * size / 2
    corners = np.array(points)[:, None, :] + outline[None, :, :]
    return Fills(corners, np.repeat(rgb(style.colour)[None], len(points), axis=0))


def rgb(colour: str) -> NDArray[np.uint8]:
    """The three bytes of "#rrggbb"."""
    return np.array([int(colour[k : k + 2], 16) for k in (1, 3, 5)], dtype=np.uint8)


def _polygon(corners: int, radius: float, turned: float = 0.0) -> NDArray[np.float64]:
    """A regular polygon, a corner at the top unless ``turned`` (as a share of a full turn)."""
    angle = 2 * np.pi * (np.arange(corners) / corners + turned)
    return radius * np.stack([np.sin(angle), -np.cos(angle)], axis=1)


_CROSS = np.array(
    [(-1, -3), (1, -3), (1, -1), (3, -1), (3, 1), (1, 1), (1, 3), (-1, 3), (-1, 1), (-3, 1), (-3, -1), (-1, -1)]
)
_OUTLINES = {
    "circle": _polygon(24, 1.0),
    "square": _polygon(4, 1.25, 1 / 8),
    "triangle": _polygon(3, 1.35),
    "diamond": _polygon(4, 1.4),
    "nabla": _polygon(3, 1.35, 1 / 2),
    "pentagon": _polygon(5, 1.2),
    "cross": _CROSS / 2.4,
}
"""Marks of about the same area, around (0, 0), y downwards."""
