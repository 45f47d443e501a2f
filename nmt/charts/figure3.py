"""The alignment matrix as a figure for print: words along its sides, square cells, colour bar. Paper: Figure 3."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from string import ascii_lowercase
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from nmt.alignments.measures import difference_of_pairs, marks
from nmt.alignments.policy import Policy
from nmt.charts.colour_scales import DIFFERENCE, STAND_IN_FRAME, ColourScale, colour_scale, stand_in_scale
from nmt.charts.print_figure import GREY, PrintFigure, drawn, fit_page, page_of, wrapped
from nmt.errors import InputError
from nmt.results import Alignment
from nmt.results.record import ALPHA, LEAVE_ONE_OUT, LINKS, GoldLinks, SentenceRecord, System, WeightMap
from nmt.texts import APP, CHARTS, INSTRUMENT

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

CELL, WORD, TITLE, TICK, GAP = 12, 9, 8, 7, 4
"""In points: side of a cell, sizes of words, titles and ticks, a distance. All constant: the page grows with words."""

BAND = 5
"""Width in points of the hatched frame around a map that is not attention."""

_BAR_WIDTH, _BAR_HEIGHT, _BAR_DISTANCE, _BAR_STEPS = 8, 144, 16, 128


@dataclass(frozen=True, kw_only=True)
class PrintSettings:
    """Settings for printing the maps of a record. For the exact look of the paper, leave out titles and colour bar.

    Attributes:
        policy: choice between words and tokens, and whether end marks and punctuation are shown.
        scale: colour scale of alpha, a name in ``SCALES``: "paper" (0 black, 1 white), "light paper", "ink" (0 white, 1
            blue), "colour-blind safe", "square root" or "log".
        transform: a name in ``TRANSFORMS``, in place of the scale's transform: "linear", "square root" or "log".
        colour_bar: whether the colour bar, and the meaning of frames and signs below the matrix, are drawn.
        marks: whether signs mark the words that are hardly or often attended to, or repeated.
        transposed: whether target words are on top, and source words down the side.
        difference: whether the second map minus the first is drawn, from -1 (blue) over 0 to 1 (vermillion), without
            gold links. Words that only one of the maps has are marked.
        lettered: whether even a single map has a caption with a letter, the system's name and the sentence.
        caption: a line below a single matrix.
    """

    policy: Policy = field(default_factory=Policy)
    scale: str = "paper"
    transform: str | None = None
    titles: bool = True
    colour_bar: bool = True
    marks: bool = False
    transposed: bool = False
    difference: bool = False
    lettered: bool = False
    caption: str = ""


_USUAL = PrintSettings()


def figure3(*records: SentenceRecord, settings: PrintSettings = _USUAL) -> PrintFigure:
    """Draw the maps of the best translation of each system in the records, two maps to a row. They look like alpha in
    the paper: source words on top, target words down, square cells, and a scale that is fixed from 0 to 1.

    A sure gold link has a solid frame, and a link that is only possible a dashed frame. A map that is not attention is
    white to purple, with the transform of the scale. It has a hatched frame, and a title that says what it shows.

    Raises:
        InputError: an unknown scale or transform, no map, or a single map for a difference. Or there are no words, a
            weight is not from 0 to 1, or a gold link refers to a missing word.

    Paper: Figure 3.
    """
    maps = [
        (record, system, weights)
        for record in records
        for system in record.systems
        if system.rank == 1
        for weights in system.maps
    ]
    if len(maps) < 1 + settings.difference:
        raise InputError("a record without a map cannot be drawn, nor the difference of one map")
    pairs = [(maps[0], maps[1])] if settings.difference else [(shown, None) for shown in maps]
    matrices = [_matrix(*minuend, settings, other) for minuend, other in pairs]
    if len(matrices) > 1 or settings.lettered:
        for k, (record, system, _) in enumerate(maps[: len(matrices)]):
            caption = ": ".join(filter(None, (system.name, record.source.text)))
            matrices[k] = replace(matrices[k], caption=f"({ascii_lowercase[k % 26]}) {caption}")
    if settings.transposed:
        matrices = [matrix.transposed() for matrix in matrices]

    def draw(as_typed: bool) -> Figure:
        from matplotlib.figure import Figure

        alone = [matrix.draw(as_typed) for matrix in matrices]
        if len(alone) == 1:
            return alone[0]
        sizes = np.array([figure.get_size_inches() * 72 for figure in alone])
        widths = [float(sizes[k::2, 0].max(initial=0)) for k in (0, 1)]
        heights = [float(sizes[k : k + 2, 1].max()) for k in range(0, len(sizes), 2)]
        page = Figure(figsize=(sum(widths) / 72, sum(heights) / 72), dpi=72)
        for k, (matrix, figure) in enumerate(zip(matrices, alone, strict=True)):
            box, (width, height) = figure.axes[0].get_position(), matrix.size
            left = sum(widths[: k % 2]) + box.x0 * sizes[k, 0]
            top = sum(heights[: k // 2]) + (1 - box.y1) * sizes[k, 1]
            place = (left / sum(widths), 1 - (top + height) / sum(heights), width / sum(widths), height / sum(heights))
            matrix.fill(page.add_axes(place), as_typed)
        return page

    return PrintFigure([text for matrix in matrices for text in matrix.texts], draw)


_SIGNS = {"often": "+", "hardly": "∅", "repeated": "↻", "only_before": "−", "only_after": "+"}


def _matrix(
    record: SentenceRecord,
    system: System,
    one: WeightMap,
    settings: PrintSettings,
    minuend: tuple[SentenceRecord, System, WeightMap] | None,
) -> Matrix:
    """The printed matrix of a map, or of ``minuend`` minus the map."""
    shown, kind, names = settings.policy.applied(system.alignment(one)).alignment, one.kind, INSTRUMENT.by_key.maps
    values, frames, gold = names.get(kind, kind), list[_Frame](), list[str]()
    said = INSTRUMENT.by_key.marks | (INSTRUMENT.by_key.of_effect if kind == LEAVE_ONE_OUT else {})
    columns, rows, weights = shown.source, shown.target, shown.weights
    read, written = dict[int, str](), dict[int, str]()
    if minuend is None:
        scale = colour_scale(settings.scale, settings.transform)
        scale = scale if one.is_attention else stand_in_scale(scale.transform)
        symbol = {ALPHA: CHARTS.alpha, "weights": CHARTS.alpha, LINKS: INSTRUMENT.by_key.letters[LINKS]}.get(
            kind, values
        )
        not_attention = "" if one.is_attention else INSTRUMENT.not_alpha.format(values=values)
        links = record.gold or GoldLinks(source=(), target=())
        sure, possible = sorted({*links.sure}), sorted({*links.possible} - {*links.sure})
        for some, text, dashed in ((sure, INSTRUMENT.sure, False), (possible, INSTRUMENT.possible, True)):
            gold += [text.format(place=INSTRUMENT.frame)] * bool(some)
            frames += [_frame(shown, link, scale.over, dashed=dashed) for link in some]
        if settings.marks and kind != LINKS:
            marked = marks(shown)
            read = dict.fromkeys(marked.attended_often, "often") | dict.fromkeys(marked.dropped, "hardly")
            written = dict.fromkeys(marked.repeated, "repeated")
    else:
        _, second, other = minuend
        delta = difference_of_pairs(shown, settings.policy.applied(second.alignment(other)).alignment)
        columns, rows, weights, scale = delta.source, delta.target, delta.delta, DIFFERENCE
        effect = LEAVE_ONE_OUT in (kind, other.kind)
        symbol = f"{names.get(other.kind, other.kind)} − {values}"
        symbol = "Δ" if effect else CHARTS.alpha_difference if kind == other.kind else symbol
        not_attention = INSTRUMENT.no_difference_of_attention if effect else ""
        said = {"only_before": INSTRUMENT.only_before, "only_after": INSTRUMENT.only_after}
        sides = {"first": "only_before", "second": "only_after"}
        read, written = (
            {k: sides[of] for k, of in enumerate(some) if of != "both"}
            for some in (delta.source_sides, delta.target_sides)
        )
    signs = [f"{_SIGNS[name]} {said[name]}" for name in dict.fromkeys((*read.values(), *written.values()))]
    return Matrix(
        rows=_signed(rows, written),
        columns=_signed(columns, read),
        values=weights,
        rows_title=settings.titles * _title(INSTRUMENT.target, system.language),
        columns_title=settings.titles * _title(INSTRUMENT.source, record.source.language),
        scale=scale,
        bar_title=symbol if settings.colour_bar else None,
        frames=tuple(frames),
        caption=settings.caption,
        signs=(*signs, *gold) if settings.colour_bar else (),
        not_attention=not_attention,
    )


def _title(template: str, language: str | None) -> str:
    """A title such as "source: English", without the language if it is unknown."""
    return template.format(language=APP.by_key.languages.get(language or "", language or "")).removesuffix(": ")


def _signed(words: tuple[str, ...], marks: Mapping[int, str]) -> tuple[str, ...]:
    return tuple(f"{word} {_SIGNS[marks[k]]}" if k in marks else word for k, word in enumerate(words))


@dataclass(frozen=True, kw_only=True)
class _Frame:
    """The outline of a rectangle, in units of a cell from the upper left corner of the matrix."""

    x: int
    y: int
    width: int
    height: int
    colour: str
    dashed: bool


def _frame(alignment: Alignment, link: tuple[int, int], colour: str, *, dashed: bool) -> _Frame:
    """Frame around the cells of a link's source word and target word. InputError if the figure lacks one of them."""
    columns = [k for k, word in enumerate(alignment.source_words) if word == link[0]]
    rows = [k for k, word in enumerate(alignment.target_words) if word == link[1]]
    if not columns or not rows:
        raise InputError(f"the link {link[0]}-{link[1]} refers to a word that is not in the figure")
    return _Frame(x=columns[0], y=rows[0], width=len(columns), height=len(rows), colour=colour, dashed=dashed)


@dataclass(frozen=True, eq=False, kw_only=True)
class Matrix:
    """Content of the figure.

    Attributes:
        values: the values of the cells, [rows, columns].
        bar_title: title of the colour bar, or None for no colour bar.
        signs: meanings of signs and frames, listed below the matrix.
        not_attention: title of a map that takes the place of alpha and has a hatched frame. "" for another map.

    Raises InputError without values, and for a value outside the range of the scale by more than rounding errors."""

    rows: tuple[str, ...]
    columns: tuple[str, ...]
    values: NDArray[np.float32]
    rows_title: str = ""
    columns_title: str = ""
    scale: ColourScale
    bar_title: str | None = None
    frames: tuple[_Frame, ...] = ()
    caption: str
    signs: tuple[str, ...] = ()
    not_attention: str = ""

    def __post_init__(self) -> None:
        low, high = self.scale.low, self.scale.high
        if not self.values.size:
            raise InputError("an alignment without words cannot be drawn")
        if not np.all((self.values >= low - 1e-4) & (self.values <= high + 1e-4)):
            raise InputError(f"all values must lie between {low:g} and {high:g} to be drawn")

    @property
    def texts(self) -> tuple[str, ...]:
        """All texts, for the choice of fonts."""
        titles = (self.rows_title, self.columns_title, self.bar_title or "", self.caption)
        return (*self.rows, *self.columns, *titles, *self.signs, self.not_attention)

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the matrix in points."""
        return CELL * len(self.columns), CELL * len(self.rows)

    @property
    def _band(self) -> int:
        """Points from the matrix to the outer edge of its hatched frame."""
        return BAND if self.not_attention else 0

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

    def draw(self, as_typed: bool) -> Figure:
        """Draw the figure, within ``typesetting``. Without ``as_typed``, invisible characters are left out. Cells have
        corners at whole points, so that they are sharp in a PNG."""
        width, height = self.size
        figure, axes = page_of(width, height)
        self.fill(axes, as_typed)
        fit_page(figure, axes, width, height)
        return figure

    def fill(self, axes: Axes, as_typed: bool) -> None:
        """Draw into and around axes of ``size`` points."""
        axes.set(xlim=(0, len(self.columns)), ylim=(len(self.rows), 0))
        self._draw_cells(axes)
        self._write_words(axes, as_typed)
        if self.bar_title is not None:
            self._draw_bar(axes, drawn(self.bar_title, as_typed))
        self._write_around(axes, as_typed)

    def _draw_cells(self, axes: Axes) -> None:
        """Draw the cells, and over them the frames, inset by a rim. Each cell has an edge of its own colour, so that no
        viewer shows the background as a hairline between two cells."""
        from matplotlib.patches import Rectangle

        colours = self.scale.colours(self.scale.positions(self.values))
        axes.pcolormesh(colours, edgecolors="face", linewidth=1)
        axes.spines[:].set_linewidth(0.5)
        rim, band = 1 / CELL, self._band / CELL
        for frame in self.frames:
            corner = (frame.x + rim, frame.y + rim)
            look: dict[str, Any] = {"fill": False, "edgecolor": frame.colour, "linewidth": 1.2, "zorder": 3}
            dash = (0, (2, 1.2)) if frame.dashed else "solid"
            axes.add_patch(Rectangle(corner, frame.width - 2 * rim, frame.height - 2 * rim, linestyle=dash, **look))
        if band:
            outer = (len(self.columns) + 2 * band, len(self.rows) + 2 * band)
            hatched: dict[str, Any] = {"fill": False, "edgecolor": STAND_IN_FRAME, "linewidth": 0, "hatch": 7 * "/"}
            axes.add_patch(Rectangle((-band, -band), *outer, clip_on=False, zorder=0, **hatched))

    def _write_words(self, axes: Axes, as_typed: bool) -> None:
        """Write the words beside and above the matrix, and the titles of the two sides. The titles begin or end at the
        upper left corner of the matrix."""
        axes.xaxis.tick_top()
        axes.xaxis.set_label_position("top")
        for axis, words, turn in ((axes.xaxis, self.columns, 90), (axes.yaxis, self.rows, 0)):
            places = np.arange(len(words)) + 0.5
            axis.set_ticks(places, [drawn(word, as_typed) for word in words], rotation=turn, fontsize=WORD)
        axes.tick_params(length=0, pad=GAP + self._band)
        look: dict[str, Any] = {"fontsize": TITLE, "color": GREY, "labelpad": GAP}
        axes.set_xlabel(drawn(self.columns_title, as_typed), loc="left", **look)
        axes.set_ylabel(drawn(self.rows_title, as_typed), loc="top", **look)

    def _draw_bar(self, axes: Axes, title: str) -> None:
        """Draw the colour bar, the lowest value at its bottom, with as many labels as fit."""
        from matplotlib.cm import ScalarMappable
        from matplotlib.colors import ListedColormap

        width, height = self.size
        tall = min(height, _BAR_HEIGHT)
        left = width + self._band + _BAR_DISTANCE
        place = axes.inset_axes((left / width, 1 - tall / height, _BAR_WIDTH / width, tall / height))
        colours = ListedColormap(self.scale.colours(np.linspace(0, 1, _BAR_STEPS)) / 255)
        bar = axes.figure.colorbar(ScalarMappable(cmap=colours), cax=place)
        assert bar.solids is not None
        bar.solids.set(edgecolor="face", rasterized=False)
        bar.outline.set_linewidth(0.5)
        labels: dict[float, str] = {}
        for value, label in self.scale.ticks().items():
            share = float(self.scale.positions(np.array(value)))
            if all(tall * abs(share - other) >= 1.4 * TICK for other in labels):
                labels[share] = label
        bar.set_ticks(list(labels), labels=list(labels.values()))
        place.tick_params(length=2, width=0.5, pad=2, labelsize=TICK)
        transform = self.scale.transform
        if transform != "linear":
            title = CHARTS.transformed.format(title=title, transform=CHARTS.by_key.transforms[transform])
        place.set_title(title, loc="left", fontsize=WORD, color=GREY, pad=1.5 * GAP)

    def _write_around(self, axes: Axes, as_typed: bool) -> None:
        """Write the meanings of the signs below the figure, in lines as wide as the figure, and then the caption. The
        title of a map that is not attention goes above the figure."""
        box, area = axes.get_tightbbox(), axes.get_window_extent()
        assert box is not None
        left, y = box.x0 - area.x0, box.y0 - area.y0 - 2 * GAP
        look: dict[str, Any] = {"xycoords": "axes points", "linespacing": 1.4}
        if self.signs:
            lines = wrapped(self.signs, CHARTS.between_signs, box.width, TICK)
            text = "\n".join(drawn(line, as_typed) for line in lines)
            axes.annotate(text, (left, y), va="top", fontsize=TICK, color=GREY, **look)
            y -= 1.4 * TICK * len(lines) + GAP
        caption = "\n".join(wrapped(drawn(self.caption, as_typed).split(" "), " ", box.width, TITLE))
        axes.annotate(caption, (left, y), va="top", fontsize=TITLE, color=GREY, **look)
        title, above = drawn(self.not_attention, as_typed), box.y1 - area.y0 + GAP
        axes.annotate(title, (left, above), va="bottom", fontsize=TITLE, color=STAND_IN_FRAME, **look)
