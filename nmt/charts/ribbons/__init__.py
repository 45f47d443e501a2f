"""Two lines of words with ribbons of alpha between them, and a small Figure 2: the first picture of the app.

Python provides the data, JavaScript draws them (js/ here and in nmt/charts/small_figure) and reports what the reader
chooses and drags.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from nmt.alignments.measures import Crossing
from nmt.charts.alignment_view import right_to_left
from nmt.charts.print_figure import GREY, PrintFigure, drawn, fit_page, page_of, text_width
from nmt.charts.style import LineStyle
from nmt.errors import InputError
from nmt.results import Alignment
from nmt.texts import CHARTS

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from matplotlib.patches import PathPatch


@dataclass(frozen=True, eq=False, kw_only=True)
class RibbonSystem:
    """One system's translation.

    Attributes:
        title: name of the checkpoint.
        kind: remark beside the title, such as "RNNencdec: one vector, no alpha".
        style: of its line in charts; the ribbons have its colour.
        source, target: words, the end mark left out.
        text: the translation as a sentence.
        alignment: alpha over these words; None for a system without attention.
        log_probability: of each target word, nats; empty = unknown.
        crossing: where the order of words changes; None = nowhere.
        source_title, target_title: names of the lines for screen readers.
        remarks: sentences on what to look at, directly below the ribbons.
        hint: what is shown in place of the read-out until a word is pointed at.
        notes: sentences on this translation, below it.
        movable: True if a ribbon's end can be dragged to another source word; ``Move.checked`` reads what is reported.
        former: target words before a change that the reader made, shown in grey beneath, with a button that takes it
            back; empty = nothing was changed.
        changed: what was changed, in a few words.
        kept: how many words of several sentences are kept where they are translated as one; "" for a single sentence.
        alone: the words of the sentences one by one where some are lost: some words, and whether these are.
    """

    title: str
    kind: str
    style: LineStyle
    source: Sequence[str]
    target: Sequence[str]
    text: str
    alignment: Alignment | None = None
    log_probability: Sequence[float] = ()
    crossing: Crossing | None = None
    source_title: str = field(default_factory=lambda: CHARTS.source)
    target_title: str = field(default_factory=lambda: CHARTS.target)
    remarks: Sequence[str] = ()
    hint: str = ""
    notes: Sequence[str] = ()
    movable: bool = False
    former: Sequence[str] = ()
    changed: str = ""
    kept: str = ""
    alone: Sequence[tuple[str, bool]] = ()

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready; weights rounded to 4 decimals."""
        weights, crossing = None, None
        if self.alignment is not None:
            weights = [[round(float(a), 4) for a in row] for row in self.alignment.weights]
        if self.crossing is not None:
            crossing = {"source": list(self.crossing.source), "target": list(self.crossing.target)}
        same = ("title", "kind", "text", "source_title", "target_title", "hint", "changed")
        return {name: getattr(self, name) for name in same} | {
            "colour": self.style.colour,
            "source": list(self.source),
            "target": list(self.target),
            "weights": weights,
            "log_probability": [round(float(value), 3) for value in self.log_probability] or None,
            "crossing": crossing,
            "source_rtl": right_to_left(self.source),
            "target_rtl": right_to_left(self.target),
            "remarks": list(self.remarks),
            "notes": list(self.notes),
            "movable": self.movable and self.alignment is not None,
            "former": list(self.former),
            "kept": self.kept,
            "alone": [list(each) for each in self.alone],
        }


@dataclass(frozen=True, kw_only=True)
class Handle:
    """The handle at the end of the source, which adds a sentence.

    Attributes:
        number: of sentences that are translated as one.
        most: largest number.
        next: the sentence that comes next; "" after the last one.
    """

    number: int
    most: int
    next: str


@dataclass(frozen=True, kw_only=True)
class SmallCurve:
    """A system's line in the small Figure 2.

    Attributes:
        name: of the system.
        style: of the line.
        points: (source words, BLEU), sorted by words.
    """

    name: str
    style: LineStyle
    points: Sequence[tuple[float, float]]


@dataclass(frozen=True, kw_only=True)
class SmallFigure:
    """The small Figure 2. Paper: Figure 2.

    Attributes:
        title: what is measured on what.
        test_set: whose sentences are concatenated.
        spoken: a sentence on the curves, for screen readers.
        curves: one per system, at least one.
        words: length of the sentence that is shown, in source words; None = no sentence is shown.
        text: a sentence on this length.
        signature: of sacreBLEU, so that the figure can be cited; "" = unknown.
    """

    title: str
    test_set: str
    spoken: str
    curves: Sequence[SmallCurve]
    words: int | None = None
    text: str = ""
    signature: str = ""

    @classmethod
    def of(cls, curves: Sequence[SmallCurve], test_set: str, signature: str = "") -> SmallFigure:
        """Make the figure of some curves, described by the first and last point of each; no sentence is shown."""
        title = CHARTS.curve.format(test_set=test_set)
        ends = []
        for curve in curves:
            (begin, first), (end, last) = curve.points[0], curve.points[-1]
            ends.append(CHARTS.curve_ends.format(name=curve.name, first=first, begin=begin, last=last, end=end))
        spoken = CHARTS.curve_spoken.format(title=title, ends="; ".join(ends))
        return cls(title=title, test_set=test_set, spoken=spoken, curves=curves, signature=signature)

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready."""
        return {
            "title": self.title,
            "x_title": CHARTS.curve_x,
            "spoken": self.spoken,
            "curves": [
                {
                    "name": curve.name,
                    "colour": curve.style.colour,
                    "dash": " ".join(f"{2 * part:g}" for part in curve.style.dash),
                    "points": [[round(float(words), 2), round(float(score), 2)] for words, score in curve.points],
                }
                for curve in self.curves
            ],
            "signature": self.signature,
            "here": None if self.words is None else {"words": self.words, "text": self.text},
        }


def ribbons_data(
    systems: Sequence[RibbonSystem],
    *,
    animate: bool = True,
    large: bool = False,
    chosen: tuple[int, int] | None = None,
    handle: Handle | None = None,
) -> dict[str, Any]:
    """The data of the view, JSON-ready.

    Args:
        animate: write the words one after the other, with their ribbons.
        large: in the type of a presentation.
        chosen: number of the system and of its target word that is chosen.
        handle: None = no sentence can be added.
    """
    return {
        "systems": [system.to_dict() for system in systems],
        "animate": animate,
        "large": large,
        "handle": None if handle is None else asdict(handle),
        "chosen": None if chosen is None else {"system": chosen[0], "i": chosen[1]},
    }


_WORD, _CAPTION, _BETWEEN, _HEIGHT = 10, 8, 6, 60
"""Sizes of type, points between two words, and points between the lines."""
_LEAST, _THINNEST = 0.04, 0.7
"""Weights below the first are not drawn; no ribbon is thinner than the second, in points."""


def ribbons_figure(alignment: Alignment, colour: str, caption: str = "") -> PrintFigure:
    """Draw alpha [T_y, T_x] as ribbons, as wide at a target word as their share of it. Paper: Figure 3.

    Args:
        alignment: over whole words.
        colour: of the ribbons.

    Raises:
        InputError: there are no words.
    """
    if not alignment.weights.size:
        raise InputError("an alignment without words cannot be drawn")
    ribbons = _Ribbons(alignment, colour, caption)
    return PrintFigure((*alignment.source, *alignment.target, caption), ribbons.draw)


@dataclass(frozen=True, eq=False)
class _Ribbons:
    """Content of the figure."""

    alignment: Alignment
    colour: str
    caption: str

    def draw(self, as_typed: bool) -> Figure:
        """Draw the figure, within ``typesetting``."""
        lines = [self.alignment.source, self.alignment.target]
        widths = [[text_width(word, _WORD) for word in words] for words in lines]
        longest = max(sum(some) + _BETWEEN * (len(some) - 1) for some in widths)
        source, target = (_places(some, longest) for some in widths)
        figure, axes = page_of(longest, _HEIGHT)
        axes.set(xlim=(0, longest), ylim=(_HEIGHT, 0))
        axes.axis("off")
        for patch in self._ribbons(source, target):
            axes.add_patch(patch)
        for words, places, baseline in ((lines[0], source, -5), (lines[1], target, _HEIGHT + _WORD + 1)):
            for word, (left, _) in zip(words, places, strict=True):
                axes.text(left, baseline, drawn(word, as_typed), fontsize=_WORD, va="baseline")
        y = _HEIGHT + 3 + 2 * _WORD
        axes.text(0, y, drawn(self.caption, as_typed), fontsize=_CAPTION, color=GREY, va="top")
        fit_page(figure, axes, longest, _HEIGHT)
        return figure

    def _ribbons(self, source: Sequence[tuple[float, float]], target: Sequence[tuple[float, float]]) -> list[PathPatch]:
        """The ribbons. Those of a target word fill it together, those of a source word by the sum of its column."""
        from matplotlib.patches import PathPatch
        from matplotlib.path import Path

        weights = self.alignment.weights.astype(float)
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
                    patches.append(PathPatch(path, facecolor=self.colour, alpha=0.12 + 0.55 * weight, linewidth=0))
                used[j] += weight
                share += weight
        return patches


def _places(widths: Sequence[float], longest: float) -> list[tuple[float, float]]:
    """(left, width) of the words of a line, which is centred."""
    left = (longest - sum(widths) - _BETWEEN * (len(widths) - 1)) / 2
    places = []
    for width in widths:
        places.append((left, width))
        left += width + _BETWEEN
    return places
