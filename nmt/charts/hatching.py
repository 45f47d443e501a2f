"""Hatched frames for print."""

from __future__ import annotations

import math

from nmt.charts.page import Line

BAND = 5
"""Width of a frame in points."""

_STEP = 3.5
"""Distance between two strokes along an edge, in points."""


def hatched_frame(x: float, y: float, width: float, height: float, colour: str) -> tuple[Line, ...]:
    """Return the strokes of a frame of width ``BAND`` around a rectangle, all rising to the right at 45 degrees."""
    outer = width + 2 * BAND
    bands = (
        (x - BAND, y - BAND, outer, BAND),
        (x - BAND, y + height, outer, BAND),
        (x - BAND, y, BAND, height),
        (x + width, y, BAND, height),
    )
    return tuple(line for band in bands for line in _strokes(band, colour))


def _strokes(rectangle: tuple[float, float, float, float], colour: str) -> list[Line]:
    """Return the parts of the lines x + y = k * _STEP that lie within a rectangle (x, y, width, height)."""
    x, y, width, height = rectangle
    lines = []
    first, last = math.ceil((x + y) / _STEP), math.floor((x + width + y + height) / _STEP)
    for total in (k * _STEP for k in range(first, last + 1)):
        left, right = max(x, total - y - height), min(x + width, total - y)
        if right > left:
            lines.append(Line(x0=left, y0=total - left, x1=right, y1=total - right, thickness=0.7, colour=colour))
    return lines
