"""A score over sentence length as a figure for print. Paper: Figure 2."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from nmt.charts.print_figure import GREY, PrintFigure, drawn, fit_page, page_of, text_width, wrapped
from nmt.charts.style import LineStyle, line_style
from nmt.errors import InputError
from nmt.results import LengthCurve, LengthCurves
from nmt.results.scores import CurvePoint
from nmt.texts import CHARTS

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.ticker import MaxNLocator


def figure2(
    curves: LengthCurves,
    *,
    longest: float | None = None,
    bands: bool = True,
    counts: bool = True,
    training_marks: bool = True,
    numbers: Mapping[str, int] | None = None,
    caption: str | None = None,
) -> PrintFigure:
    """Draw a line per system through its scores. Each score is at the mean length of its sentences.

    Colour, dashes and marks distinguish the systems, also in greyscale. A range without sentences interrupts the line.

    Args:
        longest: the right end of the axis, in words. Scores of longer sentences are left out. In the paper it is 60.
            None = up to the longest sentences.
        bands: whether available 95 % intervals are drawn.
        counts: whether the number of sentences of each score stands below the axis.
        training_marks: whether a mark above the figure shows the length up to which a system was trained.
        numbers: number of each system's style (``nmt.charts.style.line_style``). None = by order.
        caption: a line below the figure (None = the signature).

    Raises:
        InputError: ``longest`` is not above 0, or there is no score to draw.

    Paper: Figure 2
    """
    if longest is not None and not 0 < longest < float("inf"):
        raise InputError(f"the right end of the axis must be above 0, not {longest:g}")
    names = [curve.system for curve in curves.curves]
    signature = curves.signature if bands else curves.signature.partition("|bs:")[0]  # no resample is drawn
    drawing = CurveDrawing(
        curves=curves,
        styles={name: line_style((numbers or {}).get(name, k)) for k, name in enumerate(names)},
        longest=longest,
        bands=bands,
        counts=counts,
        training_marks=training_marks,
        caption=signature if caption is None else caption,
    )
    if not drawing.visible:
        raise InputError("there is no score to draw: no sentence has a length on the axis")
    return PrintFigure(drawing.texts, drawing.draw)


WIDTH, HEIGHT = 320, 216
"""Size of the area between the axes in points. It is constant. Matplotlib's layouts shrink the area until the names fit
beside it, but here the page grows with names and caption, as in Figure 3."""

_LABEL, _NOTE, _COUNT = 8, 7, 6
_EXPECTED_LINE: dict[str, Any] = {"color": GREY, "linewidth": 1, "linestyle": (0, (1, 1.5))}
"""The look of the curve ``expected``, which belongs to no system."""
_MARK, _ROW = 5, 8


@dataclass(frozen=True, kw_only=True)
class CurveDrawing:
    """Content of the figure. ``figure2`` explains the attributes."""

    curves: LengthCurves
    styles: Mapping[str, LineStyle]
    longest: float | None
    bands: bool
    counts: bool
    training_marks: bool
    caption: str

    @property
    def visible(self) -> bool:
        """True if there is a score on the axis."""
        return any(point.value is not None for curve in self.curves.curves for point in self._points(curve))

    @property
    def texts(self) -> list[str]:
        """All texts, for the choice of fonts."""
        expected = [] if self.curves.expected is None else [self.curves.expected.system]
        return [*self.styles, *expected, *self._titles, self._notes, self.caption, "0123456789.," + CHARTS.count]

    def draw(self, as_typed: bool) -> Figure:
        """Draw the figure, within ``typesetting``. Without ``as_typed``, invisible characters are left out."""
        import matplotlib

        with matplotlib.rc_context({"axes.labelsize": _LABEL}):
            figure, axes = page_of(WIDTH, HEIGHT)
            self._set_scales(axes)
            for curve in self.curves.curves:
                self._draw_curve(axes, curve)
            if self.curves.expected is not None:
                points = self._points(self.curves.expected)
                lengths, scores = ([_number(p, name) for p in points] for name in ("mean_length", "value"))
                axes.plot(lengths, scores, **_EXPECTED_LINE)
            self._draw_training(axes)
            if self.counts:
                self._draw_counts(axes)
            self._draw_legend(axes, as_typed)
            self._write_below(axes, as_typed)
            fit_page(figure, axes, WIDTH, HEIGHT)
        return figure

    @property
    def _titles(self) -> tuple[str, str]:
        """Titles of the axis of lengths and of the scale."""
        side, metric = CHARTS.by_key.sides[self.curves.side], self.curves.metric
        words = CHARTS.words_of.format(side=side)
        if self.curves.rolling:
            widest = max(span.last - span.first + 1 for span in self.curves.spans if span.last is not None)
            words = CHARTS.words_in_windows.format(side=side, widest=widest)
        return words, CHARTS.without_unk.format(metric=metric) if self.curves.no_unk else metric

    @property
    def _notes(self) -> str:
        """Remarks on reading the figure."""
        notes = [CHARTS.at_mean_length.format(unit=CHARTS.by_key.units[self.curves.unit])]
        if self.bands and any(point.interval for curve in self.curves.curves for point in self._points(curve)):
            notes.append(CHARTS.bands)
        if self.curves.expected is not None:
            notes.append(CHARTS.expected if self.curves.from_zero else CHARTS.control_note)
        if self._trained_to:
            notes.append(CHARTS.training_marks)
        return "; ".join(notes)

    def _points(self, curve: LengthCurve) -> list[CurvePoint]:
        """All points up to the right end of the axis, including points without sentences."""
        return [p for p in curve.points if self.longest is None or _length(p) <= self.longest]

    @property
    def _trained_to(self) -> dict[str, int]:
        """The lengths up to which systems were trained, as far as they are on the axis."""
        if not self.training_marks or self.curves.unit == "documents":
            return {}
        end = self.longest or 1.5 * max(map(_length, self._points(self.curves.curves[0])))
        return {c.system: c.trained_to for c in self.curves.curves if c.trained_to is not None and c.trained_to <= end}

    def _marked(self, axes: Axes) -> list[CurvePoint]:
        """The points at which a mark is drawn and the number of sentences is written. For rolling windows, these are
        the points nearest to the ticks."""
        points = [p for p in self._points(self.curves.curves[0]) if p.mean_length is not None]
        if not self.curves.rolling:
            return points
        ticks = [tick for tick in axes.get_xticks() if tick]
        return list(dict.fromkeys(min(points, key=lambda p: abs(_length(p) - tick)) for tick in ticks))

    def _set_scales(self, axes: Axes) -> None:
        """Set both scales. A scale begins at 0, or below negative scores. It ends at the first tick beyond the scores,
        and that of lengths at the given end."""
        from matplotlib.ticker import StrMethodFormatter

        drawn = [*self.curves.curves, *([] if self.curves.expected is None else [self.curves.expected])]
        points = [p for curve in drawn for p in self._points(curve) if p.value is not None]
        longest = max([*map(_length, points), *self._trained_to.values()])
        best = max(p.interval.high if self.bands and p.interval else _number(p, "value") for p in points)
        axes.set_xlim(0, self.longest or _locator().tick_values(0, longest)[-1])
        least = 0.0 if self.curves.from_zero else min(0.0, *(_number(p, "value") for p in points))
        axes.set_ylim(
            least and _locator().tick_values(1.02 * least, 0)[0],
            _locator().tick_values(0, max(1.0, 1.02 * best))[-1],
        )
        for axis in (axes.xaxis, axes.yaxis):
            axis.set_major_locator(_locator())
            axis.set_major_formatter(StrMethodFormatter("{x:g}"))
        axes.tick_params(width=0.5, length=3, labelsize=_NOTE)
        axes.spines[:].set_linewidth(0.5)
        axes.grid(axis="y", linewidth=0.5, color="#e6e6e6")
        axes.set_axisbelow(True)

    def _draw_curve(self, axes: Axes, curve: LengthCurve) -> None:
        points, style = self._points(curve), self.styles[curve.system]
        lengths, scores = ([_number(p, name) for p in points] for name in ("mean_length", "value"))
        axes.plot(lengths, scores, **_line(style))
        spans, top = {p.span for p in self._marked(axes)}, axes.get_ylim()[1]
        marks = [(x, y) for p, x, y in zip(points, lengths, scores, strict=True) if p.span in spans and y <= top]
        if marks:
            axes.plot(*zip(*marks, strict=True), **_mark(style))
        if self.bands:
            lows, highs = ([_number(p.interval, end) for p in points] for end in ("low", "high"))
            axes.fill_between(lengths, lows, highs, color=style.colour, alpha=0.18, linewidth=0, zorder=1)

    def _draw_training(self, axes: Axes) -> None:
        """Draw a dotted line at each length up to which systems were trained, and their marks above it."""
        rows: Counter[int] = Counter()
        for name, length in self._trained_to.items():
            rows[length] += 1
            height = 1 + (rows[length] - 0.3) * _ROW / HEIGHT
            axes.plot([length], [height], transform=axes.get_xaxis_transform(), **_mark(self.styles[name]))
        for length in rows:
            axes.axvline(length, linewidth=0.6, color=GREY, linestyle=":", zorder=1.5)

    def _draw_counts(self, axes: Axes) -> None:
        """Write the number of sentences of each score, as far as there is room."""
        look: dict[str, Any] = {
            "fontsize": _COUNT,
            "color": GREY,
            "verticalalignment": "top",
            "textcoords": "offset points",
            "xytext": (0, -2 * _NOTE),
            "xycoords": ("data", "axes fraction"),
        }
        axes.annotate(CHARTS.count, (0, 0), horizontalalignment="right", **look)
        end = -float(_NOTE)
        for point in self._marked(axes):
            label, length = f"{point.sentences:,}", _length(point)
            middle, half = WIDTH * length / axes.get_xlim()[1], text_width(label, _COUNT) / 2
            if middle - half >= end + 2:
                axes.annotate(label, (length, 0), horizontalalignment="center", **look)
                end = middle + half

    def _draw_legend(self, axes: Axes, as_typed: bool) -> None:
        """Name the systems from top to bottom, right of the axes."""
        styles, names = self.styles.values(), list(self.styles)
        samples = [axes.plot([], [], **_line(style), marker=style.matplotlib_marker)[0] for style in styles]
        if self.curves.expected is not None:
            samples += axes.plot([], [], **_EXPECTED_LINE)
            names.append(self.curves.expected.system)
        legend = axes.legend(
            samples,
            ["-"] * len(samples),
            loc="upper left",
            bbox_to_anchor=(1.01, 1.02),
            frameon=False,
            fontsize=_LABEL,
            handlelength=3.5,
        )
        for label, name in zip(legend.get_texts(), names, strict=True):
            label.set_text(drawn(name, as_typed))  # legend() itself leaves out names that begin with "_"

    def _write_below(self, axes: Axes, as_typed: bool) -> None:
        """Write titles, notes and caption. The notes are no wider than the rest of the figure, where possible."""
        length_title, score_title = (drawn(title, as_typed) for title in self._titles)
        axes.set_xlabel(length_title, labelpad=2 + (_COUNT + 4) * self.counts)
        axes.set_ylabel(score_title)
        names = [*self.styles, *([] if self.curves.expected is None else [self.curves.expected.system])]
        width = WIDTH + 70 + max(text_width(name, _LABEL) for name in names)
        texts = (re.findall(r"[^ |]*[ |]|[^ |]+", text) for text in (self._notes, self.caption))  # signatures have bars
        lines = [line for parts in texts for line in wrapped(parts, "", width, _NOTE)]
        axes.annotate(
            "\n".join(drawn(line, as_typed) for line in lines),
            (0, 0),
            (0, -_NOTE),
            xycoords=(axes.yaxis.label, axes.xaxis.label),
            textcoords="offset points",
            verticalalignment="top",
            fontsize=_NOTE,
            color=GREY,
            linespacing=1.4,
        )


def _length(point: CurvePoint) -> float:
    """Mean length of the sentences, or 0 if there are none."""
    return point.mean_length or 0


def _number(record: object, name: str) -> float:
    """An attribute as a number. If it is missing or None, the number is nan: matplotlib interrupts lines there."""
    value = getattr(record, name, None)
    return float("nan") if value is None else float(value)


def _locator() -> MaxNLocator:
    """Ticks at distances of 1, 2, 5, 10, …: at most eight ticks besides 0."""
    from matplotlib.ticker import MaxNLocator

    return MaxNLocator(8, steps=[1, 2, 5, 10])


def _line(style: LineStyle) -> dict[str, Any]:
    """The look of a line, in matplotlib's form."""
    dashes = (0, style.dash) if style.dash else "solid"
    return {"color": style.colour, "linewidth": 1.4, "linestyle": dashes, "markersize": _MARK, "markeredgewidth": 0}


def _mark(style: LineStyle) -> dict[str, Any]:
    """The look of marks without a line. Matplotlib draws them over lines, and whole even at the frame."""
    return _line(style) | {"linestyle": "none", "marker": style.matplotlib_marker, "clip_on": False, "zorder": 3}
