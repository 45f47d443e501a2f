"""The interactive view of alignments: matrix, word links and bars that share one focus, in plain JavaScript.

Python provides the data, one panel per alignment and the settings common to all; JavaScript draws them and handles
pointer and keys. The same files serve the app (nmt/ui/components.py) and a page of its own, without server or network.

Paper: Figure 3
"""

from __future__ import annotations

import html
import json
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Literal, Protocol

from nmt.charts.colour_scales import DIFFERENCE, SCALES, ColourScale, ScaleName, stand_in_scale
from nmt.charts.style import Mark, explained, explained_gold
from nmt.charts.view_files import view_files
from nmt.results import Alignment
from nmt.texts import CHARTS, view_texts

Show = Literal["matrix", "links", "both"]
Layout = Literal["auto", "horizontal", "vertical"]
_ADDRESS = re.compile(r"(.+)\.((?:[0-9]{1,5}-)*[0-9]{1,5}|)\.((?:[0-9]{1,5}-)*[0-9]{1,5}|)", re.DOTALL)

Cells = Sequence[tuple[int, int]]
"""Cells (target word i, source word j), from 0."""

_AS_THEY_ARE = (
    *("title", "kind", "text", "condition", "own_text", "values", "not_attention", "note", "letter", "spoken_letter"),
    *("source_title", "target_title", "is_difference", "movable", "hint", "grid"),
)
"""Fields of a panel that the view gets unchanged."""


@dataclass(frozen=True, kw_only=True)
class Bars:
    """Bars, one per word of a side.

    Attributes:
        title: short name of the quantity, with its unit.
        explained: explanation of the quantity in a sentence.
        values: one per word, not below 0.
        most: the value of a full bar; longer bars are cut off.
        second: a part of each value, drawn in another tone; empty = none.
        line: a value to draw a line at; 0 = none.
        texts: for each word the text of its bar.
    """

    title: str
    explained: str
    values: Sequence[float]
    most: float
    second: Sequence[float] = ()
    line: float = 0.0
    texts: Sequence[str] = ()

    def to_dict(self) -> dict[str, Any]:
        return asdict(self) | {
            "values": rounded(self.values),
            "most": float(self.most),
            "second": rounded(self.second) or None,
            "line": float(self.line),
            "texts": list(self.texts) or [f"{value:.2f}" for value in self.values],
        }


@dataclass(frozen=True, eq=False, kw_only=True)
class Panel:
    """Drawing of one alignment.

    Attributes:
        alignment: alpha, or another map of its shape.
        title: title, such as the name of a checkpoint.
        kind: kind of model, such as "RNNsearch".
        text: the detokenised target sentence.
        condition: condition under which ``text`` was written, such as that it is forced; empty = none.
        own_text: what the model writes without that condition, said in a sentence; empty = nothing else.
        values: name of the values for screen readers: "alignment weights alpha".
        not_attention: title of a map that takes the place of alpha, which has a scale and a frame of its own; empty for
            all others.
        note: remark on the map.
        letter, spoken_letter: symbol of a value in the read-out, and for screen readers.
        source_title, target_title: of the axes.
        coverage, entropy: bars of the source and of the target words; None = no bars.
        source_marks, target_marks: by number of the word.
        sure, possible: gold links.
        rings, ring: cells with a ring around them, and what it means.
        row_scales: where the target words are rows of different maps, the scale of each, whose symbol names the map;
            empty = one scale for all.
        hatched_rows: those of ``row_scales`` that are a map in place of alpha.
        shown: the links that are drawn between words.
        log_probability: of each target word, nats; empty = unknown.
        said_of_source, said_of_target: for each word additional text of the read-out; empty = none.
        is_difference: True for values from -1 to 1, which have a scale of their own.
        movable: True if a bright cell can be dragged along its row.
        hint: how to use it, shown while nothing is pointed at; "" = as any matrix.
        grid: True for lines between the cells, as in an empty form that is filled in by clicks.
    """

    alignment: Alignment
    title: str
    kind: str = ""
    text: str = ""
    condition: str = ""
    own_text: str = ""
    values: str = field(default_factory=lambda: CHARTS.alpha_values)
    not_attention: str = ""
    note: str = ""
    letter: str = field(default_factory=lambda: CHARTS.alpha_letter)
    spoken_letter: str = field(default_factory=lambda: CHARTS.alpha_spoken)
    source_title: str = field(default_factory=lambda: CHARTS.source)
    target_title: str = field(default_factory=lambda: CHARTS.target)
    coverage: Bars | None = None
    entropy: Bars | None = None
    source_marks: Mapping[int, Mark] = field(default_factory=dict)
    target_marks: Mapping[int, Mark] = field(default_factory=dict)
    sure: Cells = ()
    possible: Cells = ()
    rings: Cells = ()
    ring: str = ""
    row_scales: Sequence[ColourScale] = ()
    hatched_rows: Sequence[int] = ()
    shown: Cells = ()
    log_probability: Sequence[float] = ()
    said_of_source: Sequence[str] = ()
    said_of_target: Sequence[str] = ()
    is_difference: bool = False
    movable: bool = False
    grid: bool = False
    hint: str = ""

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready; weights rounded to 6 decimals."""
        source, target, weights = self.alignment.source, self.alignment.target, self.alignment.weights
        bars = None
        if self.coverage is not None and self.entropy is not None:
            bars = {"source": self.coverage.to_dict(), "target": self.entropy.to_dict()}
        descriptions = None
        if self.said_of_source and self.said_of_target:
            descriptions = {"source": list(self.said_of_source), "target": list(self.said_of_target)}
        return {name: getattr(self, name) for name in _AS_THEY_ARE} | {
            "source": list(source),
            "target": list(target),
            "weights": [[round(float(a), 6) for a in row] for row in weights],
            "source_rtl": right_to_left(source),
            "target_rtl": right_to_left(target),
            "bars": bars,
            "marks": {
                "source": [_mark(self.source_marks.get(j)) for j in range(len(source))],
                "target": [_mark(self.target_marks.get(i)) for i in range(len(target))],
            },
            "signs": self._signs(),
            "sure": [list(cell) for cell in self.sure],
            "possible": [list(cell) for cell in self.possible],
            "rings": [list(cell) for cell in self.rings],
            "row_scales": [scale.to_dict() for scale in self.row_scales] or None,
            "hatched_rows": list(self.hatched_rows),
            "links_shown": [[i, j, round(float(weights[i, j]), 4)] for i, j in self.shown],
            "log_probability": rounded(self.log_probability) or None,
            "said": descriptions,
        }

    def _signs(self) -> dict[str, list[str]]:
        """Explanations of the signs in use: beside words, in the matrix, and between the links."""
        hatched = self.entropy is not None and self.coverage is not None and any(self.entropy.second)
        places = (CHARTS.frame, CHARTS.thin_line)
        frames, lines = (explained_gold(place, self.sure, self.possible) for place in places)
        return {
            "words": explained([*self.source_marks.values(), *self.target_marks.values()]),
            "matrix": [
                *frames,
                *[CHARTS.ring.format(meaning=self.ring)] * bool(self.rings),
                *[CHARTS.hatched_row] * bool(self.hatched_rows),
                *[CHARTS.hatched_bars] * hatched,
            ],
            "links": lines,
        }


@dataclass(frozen=True)
class Pin:
    """Fixed focus: words of one side of a panel, or one word of each side: a cell.

    Attributes:
        panel: number of the panel, from 0.
        source, target: numbers of words, from 0.
    """

    panel: int
    source: tuple[int, ...] = ()
    target: tuple[int, ...] = ()

    @property
    def cell(self) -> tuple[int, int] | None:
        """(target word i, source word j) if the pin is a cell."""
        return (self.target[0], self.source[0]) if len(self.source) == len(self.target) == 1 else None

    @classmethod
    def checked(cls, data: object, panels: Sequence[Panel]) -> Pin | None:
        """Parse a pin from a browser or an address; None unless it fits the panels."""
        if not isinstance(data, Mapping) or not isinstance(data.get("panel"), int):
            return None
        if not 0 <= data["panel"] < len(panels):
            return None
        alignment = panels[data["panel"]].alignment
        sides = []
        for side, words in (("source", alignment.source), ("target", alignment.target)):
            numbers = data.get(side, ())
            if not isinstance(numbers, Sequence) or isinstance(numbers, str):
                return None
            if not all(isinstance(k, int) and 0 <= k < len(words) for k in numbers):
                return None
            sides.append(tuple(sorted(set(numbers))))
        return cls(data["panel"], *sides) if any(sides) else None

    @classmethod
    def from_address(cls, text: str, panels: Mapping[str, Panel]) -> Pin | None:
        """Parse what ``address`` gives; None for anything else, and unless it fits the panels, given by name."""
        match = _ADDRESS.fullmatch(text)
        if match is None or match[1] not in panels:
            return None
        target, source = ([int(k) for k in side.split("-") if k] for side in (match[2], match[3]))
        data = {"panel": [*panels].index(match[1]), "source": source, "target": target}
        return cls.checked(data, [*panels.values()])

    def address(self, name: str) -> str:
        """The pin in the address of a page: the name of its panel, target words and source words.

        >>> Pin(0, source=(1,), target=(3, 4)).address("run-5.1"), Pin(1, source=(2,)).address("a")
        ('run-5.1.3-4.1', 'a..2')
        """
        return ".".join([name, *("-".join(map(str, side)) for side in (self.target, self.source))])

    def to_dict(self) -> dict[str, Any]:
        return {"panel": self.panel, "source": list(self.source), "target": list(self.target)}


def view_data(
    panels: Sequence[Panel],
    *,
    show: Show = "matrix",
    scale: ScaleName = "paper",
    transpose: bool = False,
    layout: Layout = "auto",
    heading: bool = True,
    pin: Pin | None = None,
    most_height: str = "42rem",
) -> dict[str, Any]:
    """The data of the view, JSON-ready.

    Args:
        show: the matrix, the links between words, or both.
        scale: of all panels but differences; a map in place of alpha takes only its transform.
        transpose: target words on top.
        layout: of the links: source words above ("horizontal") or at the left ("vertical"); "auto": above if there is
            room.
        heading: True to show the title of each panel.
        most_height: of a matrix with its words, a length in CSS, or "window" for the room down to the lower edge of the
            window; the cells shrink to it.
    """
    return {
        "panels": [panel.to_dict() for panel in panels],
        "show": show,
        "scale": SCALES[scale].to_dict(),
        "difference_scale": DIFFERENCE.to_dict(),
        "stand_in_scale": stand_in_scale(SCALES[scale].transform).to_dict(),
        "transpose": transpose,
        "layout": layout,
        "heading": heading,
        "pin": None if pin is None else pin.to_dict(),
        "most_height": most_height,
    }


def right_to_left(words: Sequence[str]) -> bool:
    """True if the first letter with a direction is written from right to left.

    >>> right_to_left(["«", "مرحبا"]), right_to_left(["a", "مرحبا"]), right_to_left([])
    (True, False, False)
    """
    for character in "".join(words):
        direction = unicodedata.bidirectional(character)
        if direction in ("L", "R", "AL"):
            return direction != "L"
    return False


def _mark(mark: Mark | None) -> dict[str, str] | None:
    return None if mark is None else asdict(mark)


def rounded(values: Iterable[float]) -> list[float]:
    """Numbers for JSON, to 4 decimals."""
    return [round(float(value), 4) for value in values]


class Movable(Protocol):
    """A panel, or a system of the ribbons, whose weights a reader may drag."""

    @property
    def alignment(self) -> Alignment | None: ...
    @property
    def movable(self) -> bool: ...


@dataclass(frozen=True, kw_only=True)
class Move:
    """A cell, or the end of a ribbon, that was dragged to another source word.

    Attributes:
        panel: number of the panel, from 0.
        target: number of its target word i.
        source: number of the source word that it was taken from.
        goal: number of the source word that it was left at.
    """

    panel: int
    target: int
    source: int
    goal: int

    @classmethod
    def checked(cls, data: object, panels: Sequence[Movable]) -> Move | None:
        """Parse a move from a browser; None unless it fits a panel, or a system of the ribbons, that is movable."""
        if not isinstance(data, Mapping):
            return None
        numbers = [data.get(name) for name in ("panel", "i", "from", "to")]
        panel, i, source, goal = (number if type(number) is int else -1 for number in numbers)
        alignment = panels[panel].alignment if 0 <= panel < len(panels) and panels[panel].movable else None
        if alignment is None:
            return None
        rows, columns = alignment.weights.shape
        within = 0 <= i < rows and 0 <= source < columns and 0 <= goal < columns
        return cls(panel=panel, target=i, source=source, goal=goal) if within and source != goal else None


def standalone_html(title: str, data: Mapping[str, Any], about: Sequence[tuple[str, str]] = ()) -> str:
    """Build a page that shows the result of ``view_data`` and opens from disk.

    Args:
        title: of the page, as text.
        about: names and values below the view, such as the checkpoint and the signature.
    """
    files = view_files("alignment_view", "standalone_page")
    facts = "".join(f"<dt>{html.escape(name)}</dt><dd>{html.escape(value)}</dd>" for name, value in about)
    content = json.dumps({**data, "texts": view_texts("alignment_view")}, ensure_ascii=False).replace("<", "\\u003c")
    page, theme = (Path(__file__).with_name(f"standalone_page.{kind}").read_text("utf-8") for kind in ("html", "css"))
    return page.format(title=html.escape(title), theme=theme, view=files, facts=facts, content=content)
