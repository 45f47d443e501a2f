"""Layout of a printed curve over length: axes, lines, bands, marks, counts, legend."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from nmt.charts.fonts import Fonts
from nmt.charts.markers import marks, rgb
from nmt.charts.page import GREY, Fills, Frame, Line, Page, Path, Text
from nmt.charts.style import LineStyle
from nmt.results import LengthCurve, LengthCurves
from nmt.results.curve import CurvePoint

WIDTH, HEIGHT = 320, 216
"""Size of the area between the axes, in points. It is constant; the page grows with names and caption."""

MARGIN, GAP = 12, 4
_LABEL, _TITLE, _TICK, _COUNT = 8, 8, 7, 6
_SAMPLE, _LINE, _SIZE = 30, 1.4, 5.0
_GRID, _DOTS = "#e6e6e6", (1.0, 2.0)
_OPACITY = 0.18


@dataclass(frozen=True, kw_only=True)
class Drawing:
    """Content of the figure; see ``figure2``."""

    curves: LengthCurves
    styles: Mapping[str, LineStyle]
    longest: float | None
    highest: float | None
    bands: bool
    counts: bool
    training_marks: bool
    caption: str

    @cached_property
    def right(self) -> float:
        """Right end of the axis of lengths, in words."""
        if self.longest is not None:
            return self.longest
        lengths = [p.mean_length for p in self.curves.curves[0].points if p.mean_length is not None]
        lengths += [float(length) for length in self.trained_to if length <= 1.5 * max(lengths, default=0)]
        return math.ceil(max(lengths, default=1) / _step(max(lengths, default=1))) * _step(max(lengths, default=1))

    @cached_property
    def top(self) -> float:
        """Upper end of the scale."""
        if self.highest is not None:
            return self.highest
        highest = max([_upper(p, self.bands) for curve in self.curves.curves for p in self.shown(curve)], default=1)
        return max(1.0, math.ceil(1.02 * highest / _step(highest)) * _step(highest)) if highest else 1.0

    @property
    def visible(self) -> bool:
        return any(self.shown(curve) for curve in self.curves.curves)

    @property
    def trained_to(self) -> dict[int, list[str]]:
        """The lengths up to which systems were trained, ascending, with these systems."""
        found: dict[int, list[str]] = {}
        for curve in self.curves.curves if self.training_marks else ():
            if curve.trained_to is not None:
                found.setdefault(curve.trained_to, []).append(curve.system)
        return dict(sorted(found.items()))

    @property
    def titles(self) -> tuple[str, str]:
        """Titles of the axis of lengths and of the scale."""
        column = ", no UNK" if self.curves.no_unk else ""
        window = ""
        if self.curves.rolling:
            widest = max(span.last - span.first + 1 for span in self.curves.spans if span.last is not None)
            window = f", in windows of {widest}"
        return f"words of the {self.curves.side}{window}", f"{self.curves.metric}{column}"

    @property
    def notes(self) -> list[str]:
        """Notes on reading the figure."""
        found = ["scores stand at the mean length of their sentences"]
        if self.bands and any(point.interval for curve in self.curves.curves for point in self.shown(curve)):
            found.append("bands: 95 % intervals")
        if any(length <= self.right for length in self.trained_to):
            found.append("marks above: longest sentences of the training, in tokenised words")
        return found

    @property
    def texts(self) -> list[str]:
        return [*self.styles, *self.titles, *self.notes, self.caption, "0123456789.,n"]

    def told(self) -> list[CurvePoint]:
        """The points with a mark and a number of sentences; for windows those nearest to the ticks."""
        points = self.shown(self.curves.curves[0])
        if not self.curves.rolling or not points:
            return points
        nearest = (min(points, key=lambda p: abs((p.mean_length or 0) - tick)) for tick in _ticks(self.right) if tick)
        return list(dict.fromkeys(nearest))

    def shown(self, curve: LengthCurve) -> list[CurvePoint]:
        """The points on the axis."""
        return [p for run in self.runs(curve) for p in run]

    def runs(self, curve: LengthCurve) -> list[list[CurvePoint]]:
        """Runs of points on the axis that are not interrupted by a range without sentences."""
        runs: list[list[CurvePoint]] = [[]]
        for point in curve.points:
            if point.value is None or point.mean_length is None:
                runs.append([])
            elif self.longest is None or point.mean_length <= self.longest:
                runs[-1].append(point)
        return [run for run in runs if run]


@dataclass(frozen=True, kw_only=True)
class _Axes:
    """The upper left corner of the area, and the values at its right and upper ends."""

    left: float
    upper: float
    right: float
    top: float

    def x(self, length: float) -> float:
        return self.left + WIDTH * length / self.right

    def y(self, value: float) -> float:
        return self.upper + HEIGHT * (1 - min(value, self.top) / self.top)


def curve_page(drawing: Drawing, fonts: Fonts) -> Page:
    """Lay the figure out."""
    x_ticks, y_ticks = _ticks(drawing.right), _ticks(drawing.top)
    beside = max(fonts.width(f"{tick:g}", _TICK) for tick in y_ticks)
    above = (_SIZE + 3) * max((len(names) for names in drawing.trained_to.values()), default=0)
    axes = _Axes(
        left=math.ceil(MARGIN + _TITLE + 2 * GAP + beside + GAP),
        upper=math.ceil(MARGIN + above),
        right=drawing.right,
        top=drawing.top,
    )
    parts = [
        _area(axes, x_ticks, y_ticks),
        _training(drawing, axes),
        *(_curve(drawing, axes, curve) for curve in drawing.curves.curves),
        _legend(drawing, axes, fonts),
    ]
    bottom = axes.upper + HEIGHT + 2 * GAP + _TICK
    if drawing.counts:
        bottom += GAP + _COUNT
        parts.append(_counts(drawing, axes, bottom, fonts))
    bottom += GAP + _TITLE
    title, scale = drawing.titles
    texts = [
        Text(x=axes.left + WIDTH / 2, y=bottom, text=title, size=_TITLE, anchor="center"),
        Text(
            x=MARGIN + 0.8 * _TITLE, y=axes.upper + HEIGHT / 2, text=scale, size=_TITLE, anchor="center", upwards=True
        ),
    ]
    right = max(part.width for part in parts)
    bottom += GAP
    for line in _wrapped(drawing.caption, right - MARGIN, fonts):
        bottom += 1.5 * _TICK
        texts.append(Text(x=MARGIN, y=bottom, text=line, size=_TICK, colour=GREY))
    right = max([right, *(text.x + fonts.width(text.text, text.size) for text in texts if text.anchor == "left")])
    return Page(
        width=math.ceil(right) + MARGIN,
        height=math.ceil(max(bottom, *(part.height for part in parts))) + MARGIN,
        fills=tuple(fills for part in parts for fills in part.fills),
        lines=tuple(line for part in parts for line in part.lines),
        paths=tuple(path for part in parts for path in part.paths),
        marks=tuple(fills for part in parts for fills in part.marks),
        frames=tuple(frame for part in parts for frame in part.frames),
        texts=(*(text for part in parts for text in part.texts), *texts),
    )


def _area(axes: _Axes, x_ticks: Sequence[float], y_ticks: Sequence[float]) -> Page:
    """Frame, grid and ticks with their labels."""
    bottom, right = axes.upper + HEIGHT, axes.left + WIDTH
    levels = [axes.y(tick) for tick in y_ticks if 0 < tick < axes.top]  # areas, so that bands lie on them
    strips = [[(axes.left, y), (right, y), (right, y + 0.5), (axes.left, y + 0.5)] for y in levels]
    grid = (Fills(np.array(strips), np.repeat(rgb(_GRID)[None], len(strips), axis=0)),) if strips else ()
    lines = [
        Line(x0=axes.x(tick), y0=bottom, x1=axes.x(tick), y1=bottom + 3, thickness=0.5, colour="#000000")
        for tick in x_ticks
    ]
    lines += [
        Line(x0=axes.left - 3, y0=axes.y(tick), x1=axes.left, y1=axes.y(tick), thickness=0.5, colour="#000000")
        for tick in y_ticks
    ]
    texts = [
        Text(x=axes.x(tick), y=bottom + 2 * GAP + 0.72 * _TICK, text=f"{tick:g}", size=_TICK, anchor="center")
        for tick in x_ticks
    ]
    texts += [
        Text(x=axes.left - 3 - GAP / 2, y=axes.y(tick) + 0.36 * _TICK, text=f"{tick:g}", size=_TICK, anchor="right")
        for tick in y_ticks
    ]
    frame = Frame(x=axes.left, y=axes.upper, width=WIDTH, height=HEIGHT, thickness=0.5)
    return Page(width=right, height=bottom + _TICK, fills=grid, lines=tuple(lines), frames=(frame,), texts=tuple(texts))


def _curve(drawing: Drawing, axes: _Axes, curve: LengthCurve) -> Page:
    style = drawing.styles[curve.system]
    paths, bands = [], []
    for run in drawing.runs(curve):
        points = tuple(_place(axes, point, point.value) for point in run)
        if len(points) > 1:
            paths.append(Path(points=points, thickness=_LINE, colour=style.colour, dash=style.dash))
        if drawing.bands:
            bands += [_band(axes, some, style.colour) for some in _with_intervals(run)]
    told = {point.span for point in drawing.told()}
    at = [_place(axes, point, point.value) for point in drawing.shown(curve) if point.span in told]
    return Page(
        width=0, height=0, fills=tuple(bands), paths=tuple(paths), marks=(marks(style, at, _SIZE),) if at else ()
    )


def _place(axes: _Axes, point: CurvePoint, value: float | None) -> tuple[float, float]:
    assert point.mean_length is not None
    assert value is not None
    return axes.x(point.mean_length), axes.y(value)


def _with_intervals(run: Sequence[CurvePoint]) -> list[list[CurvePoint]]:
    """Sequences of two or more neighbours with intervals."""
    found: list[list[CurvePoint]] = [[]]
    for point in run:
        if point.interval is None:
            found.append([])
        else:
            found[-1].append(point)
    return [some for some in found if len(some) > 1]


def _band(axes: _Axes, run: Sequence[CurvePoint], colour: str) -> Fills:
    ends = [(point, point.interval) for point in run if point.interval is not None]
    upper = [_place(axes, point, interval.high) for point, interval in ends]
    lower = [_place(axes, point, interval.low) for point, interval in reversed(ends)]
    return Fills(np.array([[*upper, *lower]]), rgb(colour)[None], _OPACITY)


def _training(drawing: Drawing, axes: _Axes) -> Page:
    """A dotted line at each length up to which systems were trained, and their marks above it."""
    paths, fills = [], []
    for length, names in drawing.trained_to.items():
        if length > axes.right:
            continue
        x = axes.x(length)
        paths.append(Path(points=((x, axes.upper), (x, axes.upper + HEIGHT)), thickness=0.6, colour=GREY, dash=_DOTS))
        for k, name in enumerate(names):
            y = axes.upper - (k + 0.5) * (_SIZE + 3)
            fills.append(marks(drawing.styles[name], [(x, y)], _SIZE))
    return Page(width=0, height=0, paths=tuple(paths), marks=tuple(fills))


def _counts(drawing: Drawing, axes: _Axes, y: float, fonts: Fonts) -> Page:
    """The number of sentences of each score, as far as there is room."""
    texts = [Text(x=axes.left - GAP, y=y, text="n", size=_COUNT, anchor="right", colour=GREY)]
    end = axes.left - GAP
    for point in drawing.told():
        x, label = axes.x(point.mean_length or 0), f"{point.sentences:,}"
        half = fonts.width(label, _COUNT) / 2
        if x - half >= end + 2:
            texts.append(Text(x=x, y=y, text=label, size=_COUNT, anchor="center", colour=GREY))
            end = x + half
    return Page(width=end, height=y, texts=tuple(texts))


def _legend(drawing: Drawing, axes: _Axes, fonts: Fonts) -> Page:
    """The systems from top to bottom, right of the area."""
    left, y = axes.left + WIDTH + 3 * GAP, axes.upper + _LABEL
    paths, fills, texts, right = [], [], [], left
    for name, style in drawing.styles.items():
        middle = y - 0.36 * _LABEL
        paths.append(
            Path(
                points=((left, middle), (left + _SAMPLE, middle)), thickness=_LINE, colour=style.colour, dash=style.dash
            )
        )
        fills.append(marks(style, [(left + _SAMPLE / 2, middle)], _SIZE))
        texts.append(Text(x=left + _SAMPLE + GAP, y=y, text=name, size=_LABEL))
        right = max(right, left + _SAMPLE + GAP + fonts.width(name, _LABEL))
        y += 1.7 * _LABEL
    width = max(right - left, 100)
    for note in drawing.notes:
        y += 0.5 * _TICK
        for line in _wrapped(note, width, fonts):
            y += 1.2 * _TICK
            texts.append(Text(x=left, y=y, text=line, size=_TICK, colour=GREY))
            right = max(right, left + fonts.width(line, _TICK))
    return Page(width=right, height=y, paths=tuple(paths), marks=tuple(fills), texts=tuple(texts))


def _wrapped(text: str, width: float, fonts: Fonts) -> list[str]:
    """Lines no wider than ``width`` where possible, broken after spaces and, in signatures, after bars."""
    lines = [""]
    for part in text.replace("|", "|\n").replace(" ", " \n").split("\n") if text else []:
        if lines[-1] and fonts.width((lines[-1] + part).rstrip(), _TICK) > width:
            lines.append("")
        lines[-1] += part
    return [line.rstrip() for line in lines if line.strip()]


def _upper(point: CurvePoint, bands: bool) -> float:
    assert point.value is not None
    return max(point.value, point.interval.high) if bands and point.interval is not None else point.value


def _step(end: float) -> float:
    """Distance between two ticks: 1, 2, 5, 10, …, at most eight up to ``end``."""
    power = 10 ** math.floor(math.log10(end / 8)) if end > 0 else 1
    return next(power * k for k in (1, 2, 5, 10, 20) if end / (power * k) <= 8)


def _ticks(end: float) -> list[float]:
    step = _step(end)
    return [round(step * k, 10) for k in range(int(end / step + 1e-9) + 1)]
