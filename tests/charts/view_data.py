"""Data of the views of matrices and of ribbons, as nmt/instrument/js/drawing.js makes them of a record, but with any
content; and pages that show a view alone."""

import json
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from nmt.charts.colour_scales import DIFFERENCE, SCALES, ColourScale, ScaleName, stand_in_scale
from nmt.charts.style import LineStyle
from nmt.charts.view_files import one_script, view_style
from nmt.instrument import FOLDER as INSTRUMENT
from nmt.instrument import themed
from nmt.results import Alignment
from nmt.texts import INSTRUMENT as TEXTS
from nmt.texts import view_texts
from tests.oracles.crossing import Crossing

HERE = Path(__file__).parent / "page"
HATCHED_BARS = "hatched bar: share of the weight on the end-of-sentence token and on punctuation"
HATCHED_ROW = "hatched row: not attention: effect of leaving a word out"
VIEWS = ("alignment_view", "ribbons")
"""Views whose host is the instrument; tests show them by page/NAME.html and page/NAME.js."""


@dataclass(frozen=True)
class Mark:
    """A sign beside a word, and its meaning."""

    sign: str
    text: str


def explained(marks: Iterable[Mark]) -> list[str]:
    """Return each sign with its meaning, once, in order."""
    return list(dict.fromkeys(f"{mark.sign} {mark.text}" for mark in marks))


def explained_gold(place: str, sure: Sequence[object], possible: Sequence[object]) -> list[str]:
    """Explain the outlines of gold links that are there; ``place`` names what is outlined."""
    drawn = ((sure, TEXTS.sure), (possible, TEXTS.possible))
    return [text.format(place=place) for links, text in drawn if links]


@dataclass(frozen=True, kw_only=True)
class Bars:
    """Bars, one per word of a side."""

    title: str
    explained: str
    values: Sequence[float]
    most: float
    second: Sequence[float] = ()
    line: float = 0.0
    texts: Sequence[str] = ()

    def to_dict(self) -> dict[str, Any]:
        return asdict(self) | {
            "values": _rounded(self.values),
            "most": float(self.most),
            "second": _rounded(self.second) or None,
            "line": float(self.line),
            "texts": list(self.texts) or [f"{value:.2f}" for value in self.values],
        }


@dataclass(frozen=True, eq=False, kw_only=True)
class Panel:
    """A panel of the view of matrices."""

    alignment: Alignment
    title: str
    kind: str = ""
    text: str = ""
    condition: str = ""
    own_text: str = ""
    values: str = "alignment weights alpha"
    not_attention: str = ""
    note: str = ""
    letter: str = "α"
    spoken_letter: str = "alpha"
    source_title: str = "source"
    target_title: str = "target"
    coverage: Bars | None = None
    entropy: Bars | None = None
    source_marks: Mapping[int, Mark] = field(default_factory=dict)
    target_marks: Mapping[int, Mark] = field(default_factory=dict)
    sure: Sequence[tuple[int, int]] = ()
    possible: Sequence[tuple[int, int]] = ()
    rings: Sequence[tuple[int, int]] = ()
    ring: str = ""
    row_scales: Sequence[ColourScale] = ()
    hatched_rows: Sequence[int] = ()
    shown: Sequence[tuple[int, int]] = ()
    log_probability: Sequence[float] = ()
    said_of_source: Sequence[str] = ()
    said_of_target: Sequence[str] = ()
    is_difference: bool = False
    movable: bool = False

    hint: str | None = None

    def to_dict(self) -> dict[str, Any]:
        source, target, weights = self.alignment.source, self.alignment.target, self.alignment.weights
        bars = said = None
        if self.coverage is not None and self.entropy is not None:
            bars = {"source": self.coverage.to_dict(), "target": self.entropy.to_dict()}
        if self.said_of_source and self.said_of_target:
            said = {"source": list(self.said_of_source), "target": list(self.said_of_target)}
        same = (
            *("title", "kind", "text", "condition", "own_text", "values", "not_attention", "note", "letter"),
            *("spoken_letter", "source_title", "target_title", "is_difference", "movable", "hint"),
        )
        return {name: getattr(self, name) for name in same} | {
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
            **{name: [list(cell) for cell in getattr(self, name)] for name in ("sure", "possible", "rings")},
            "row_scales": [scale.to_dict() for scale in self.row_scales] or None,
            "hatched_rows": list(self.hatched_rows),
            "links_shown": [[i, j, round(float(weights[i, j]), 4)] for i, j in self.shown],
            "log_probability": _rounded(self.log_probability) or None,
            "said": said,
        }

    def _signs(self) -> dict[str, list[str]]:
        hatched = self.entropy is not None and self.coverage is not None and any(self.entropy.second)
        frames, lines = (explained_gold(place, self.sure, self.possible) for place in ("frame", "thin line"))
        return {
            "words": explained([*self.source_marks.values(), *self.target_marks.values()]),
            "matrix": [
                *frames,
                *[f"ring: {self.ring}"] * bool(self.rings),
                *[HATCHED_ROW] * bool(self.hatched_rows),
                *[HATCHED_BARS] * hatched,
            ],
            "links": lines,
        }


def view_data(
    panels: Sequence[Panel],
    *,
    show: str = "matrix",
    scale: ScaleName = "paper",
    transpose: bool = False,
    layout: str = "auto",
    heading: bool = True,
    pin: Mapping[str, Any] | None = None,
    most_height: str = "42rem",
) -> dict[str, Any]:
    """The data of the view of matrices."""
    return {
        "panels": [panel.to_dict() for panel in panels],
        "show": show,
        "scale": SCALES[scale].to_dict(),
        "difference_scale": DIFFERENCE.to_dict(),
        "stand_in_scale": stand_in_scale(SCALES[scale].transform).to_dict(),
        "transpose": transpose,
        "layout": layout,
        "heading": heading,
        "pin": pin,
        "most_height": most_height,
    }


@dataclass(frozen=True, eq=False, kw_only=True)
class RibbonSystem:
    """A system of the ribbons."""

    title: str
    kind: str
    style: LineStyle
    source: Sequence[str]
    target: Sequence[str]
    text: str
    alignment: Alignment | None = None
    log_probability: Sequence[float] = ()
    crossing: Crossing | None = None
    source_title: str = "source"
    target_title: str = "target"
    remarks: Sequence[str] = ()
    hint: str = ""
    notes: Sequence[str] = ()
    movable: bool = False
    former: Sequence[str] = ()
    former_text: str = ""
    changed: str = ""
    kept: str = ""
    alone: Sequence[tuple[str, bool]] = ()

    def to_dict(self) -> dict[str, Any]:
        weights = crossing = None
        if self.alignment is not None:
            weights = [[round(float(a), 4) for a in row] for row in self.alignment.weights]
        if self.crossing is not None:
            crossing = {"source": list(self.crossing.source), "target": list(self.crossing.target)}
        same = ("title", "kind", "text", "source_title", "target_title", "hint", "changed", "kept", "former_text")
        lists = ("source", "target", "remarks", "notes", "former")
        return {name: getattr(self, name) for name in same} | {
            **{name: list(getattr(self, name)) for name in lists},
            "colour": self.style.colour,
            "weights": weights,
            "log_probability": [round(float(value), 3) for value in self.log_probability] or None,
            "crossing": crossing,
            "source_rtl": right_to_left(self.source),
            "target_rtl": right_to_left(self.target),
            "movable": self.movable and self.alignment is not None,
            "alone": [list(each) for each in self.alone],
        }


def handle(number: int, most: int, following: str) -> dict[str, Any]:
    """The handle that adds a sentence: how many there are of how many, and the next one."""
    return {"number": number, "most": most, "next": following}


def ribbons_data(
    systems: Sequence[RibbonSystem],
    *,
    animate: bool = True,
    large: bool = False,
    chosen: tuple[int, int] | None = None,
    handle: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """The data of the ribbons."""
    return {
        "systems": [system.to_dict() for system in systems],
        "animate": animate,
        "large": large,
        "handle": handle,
        "chosen": None if chosen is None else {"system": chosen[0], "side": "target", "k": chosen[1]},
    }


def right_to_left(words: Sequence[str]) -> bool:
    """Whether the first letter with a direction is written from right to left, by Unicode's table."""
    for character in "".join(words):
        direction = unicodedata.bidirectional(character)
        if direction in ("L", "R", "AL"):
            return direction != "L"
    return False


def page_of_view(name: str, data: Mapping[str, Any] | None = None) -> str:
    """A page that shows a view, and nothing else but a text field; ``draw(data)`` shows other data in it, and ``told``
    has what it tells."""
    script = one_script(HERE / f"{name}.js").replace("export default", "const component =")
    theme = themed(INSTRUMENT / "page.css")
    content = json.dumps(data, ensure_ascii=False).replace("<", "\\u003c")
    return f"""<!doctype html><html lang="en"><title>{name}</title><style>{theme}{view_style(name)}</style>
<input id="field"><div id="view">{(HERE / f"{name}.html").read_text("utf-8")}</div>
<script type="module">{script}
const texts = {json.dumps(view_texts(name), ensure_ascii=False)};
globalThis.told = [];
const tell = (name, value) => told.push([name, value]);
globalThis.draw = (data) => component({{
  data: {{ texts, ...data }}, parentElement: document.getElementById("view"),
  setStateValue: tell, setTriggerValue: tell,
}});
const data = {content};
if (data) {{
  draw(data);
}}</script></html>"""


def _mark(mark: Mark | None) -> dict[str, str] | None:
    return None if mark is None else asdict(mark)


def _rounded(values: Iterable[float]) -> list[float]:
    return [round(float(value), 4) for value in values]
