"""Every view in use: what it draws, and what each pointer, key, size of the page and span of time changes in it.

The views run in node on a page without a browser (page/page.js), so that all of their script is in reach of a quick
test; what only a browser knows, such as fonts and stylesheets, is tested in tests/browser.
"""

import json
import re
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from nmt.charts.beam_view import beam_view_data
from nmt.charts.colour_scales import POSTERIOR, STAND_IN
from nmt.charts.film_view import film_data
from nmt.charts.step_view import step_view_data
from nmt.results import Alignment
from nmt.texts import speaking, view_texts
from tests.charts.examples import (
    ALPHA,
    SMALL_FIGURE,
    SOURCE,
    beam_tree,
    events,
    film_steps,
    long_alignment,
    long_steps,
    panel,
    ribbon_systems,
    step_drawings,
)
from tests.charts.node import CHARTS, run_node
from tests.charts.view_data import VIEWS, Bars, Panel, RibbonSystem, handle, ribbons_data, view_data
from tests.kept import compare_with_kept
from tests.oracles.crossing import Crossing

HERE = Path(__file__).parent
KEPT = HERE / "kept"


@dataclass(frozen=True, kw_only=True)
class Session:
    """A view, and what a reader does with it, one after the other.

    Attributes:
        view: folder of the view.
        data: what it shows at first.
        actions: names of events with the elements that they come to, or of what else happens (page/session.js).
        page: width, height and so on of the page.
    """

    view: str
    data: dict[str, Any]
    actions: list[list[Any]]
    page: dict[str, Any] = field(default_factory=dict)


def over(selector: str, *numbers: int) -> list[list[Any]]:
    """The pointer comes to some elements and leaves each again."""
    return [[name, selector, k] for k in numbers for name in ("pointerenter", "pointerleave")]


def at(name: str, selector: str, x: float, y: float, k: int = 0, **more: Any) -> list[Any]:
    """An event at a point of the page."""
    return [name, selector, k, {"clientX": x, "clientY": y, **more}]


def inside(name: str, selector: str, x: float, y: float, k: int = 0, **more: Any) -> list[Any]:
    """An event at a point of an element."""
    return [name, selector, k, {"x": x, "y": y, **more}]


def keys(*names: str) -> list[list[Any]]:
    return [["key", name] for name in names]


CANVAS = "canvas"
TWO = [panel(), panel(title="other", said_of_source=(), said_of_target=(), coverage=None, movable=False)]
STAND_IN_PANEL = panel(not_attention="Not attention", row_scales=[STAND_IN] * 3 + [POSTERIOR] * 2, hatched_rows=[0, 4])
LONG, MANY = long_alignment(18), long_alignment(26)


def plain(source: int, target: int, **changes: Any) -> dict[str, Any]:
    """A panel of words of one letter and of equal weights, without marks, bars and notes but for changes."""
    weights = np.full((target, source), 1 / max(1, source))
    alignment = Alignment(source=("s",) * source, target=("t",) * target, weights=weights)
    panels: list[dict[str, Any]] = view_data([Panel(alignment=alignment, title="plain", **changes)])["panels"]
    return panels[0]


def even(words: int) -> Bars:
    """A bar of equal height at each word."""
    return Bars(title="bars", explained="Even.", values=[1.0] * words, most=2.0)


def film_step(target: int, source: int) -> dict[str, Any]:
    """A step of the film with equal weights."""
    return {"update": 10, "text": "", "entropy": 1, "weights": [[1 / source] * source] * target}


def sentences(number: int, repeated: int, word: str = "word") -> dict[str, Any]:
    """Ribbons of a text of some sentences, with the handle that adds more."""
    system = replace(ribbon_systems()[1], source=(word,) * repeated)
    return ribbons_data([system], handle=handle(number, 9, ""))


def long_ribbons(words: int, crossing: Crossing) -> RibbonSystem:
    """A system of a long sentence whose third target word looks at one of the last source words."""
    alignment = long_alignment(words)
    alignment.weights[2] = 0
    alignment.weights[2, words - 2] = 1
    system = ribbon_systems(alignment)[0]
    return replace(system, crossing=crossing, former=(), hint="", remarks=[], notes=[])


SESSIONS = {
    "matrix": Session(
        view="alignment_view",
        data=view_data(TWO, show="both", pin={"panel": 0, "source": [1], "target": [3]}),
        actions=[
            ["keydown", CANVAS, 0, {"key": "ArrowDown"}],
            ["blur", CANVAS],
            inside("pointermove", CANVAS, 50, 90),
            ["pointerleave", CANVAS],
            inside("click", CANVAS, 90, 18),
            inside("click", CANVAS, -1, 18),
            inside("pointerdown", CANVAS, 18, 18),
            inside("pointermove", CANVAS, 90, 54),
            inside("pointerup", CANVAS, 90, 54),
            ["key", "Escape"],
            ["focus", CANVAS, 1],
            *keys("ArrowRight", "ArrowDown", "End", "Home", " ", "Enter", "+", "+", "-", "x"),
            ["key", "End", {"ctrlKey": True}],
            ["key", "Home", {"metaKey": True}],
            ["key", "ArrowUp", {"altKey": True}],
            *over(".label", 1, 7),
            ["click", ".label", 1],
            ["click", ".label", 2],
            ["click", ".label", 1],
            ["focus", ".word", 2],
            *keys("ArrowRight", "ArrowLeft", "End"),
            ["blur", ".word", 4],
            ["click", ".word", 8],
            ["click", ".closer"],
            ["click", ".farther"],
            ["resize", 420],
            ["focus", CANVAS, 0],
            *keys("+", "+", "+", "End"),
            ["key", "End", {"ctrlKey": True}],
            ["data", {"transpose": False, "heading": False, "most_height": "200px"}],
            *keys("-", "-"),
            ["resize", 0],
            ["resize", 1300, 500],
            ["data", {"pin": {"panel": 1, "source": [0, 1], "target": []}}],
            ["data", {"pin": {"panel": 0, "source": [], "target": [0, 1, 2, 3, 4]}}],
            ["data", {"show": "links", "layout": "vertical", "heading": False}],
            ["data", {"transpose": True, "most_height": "window"}],
            ["scroll", ".view", 30],
            ["resize", 1300, 560],
            ["end"],
        ],
    ),
    "matrix-dragged": Session(
        view="alignment_view",
        data=view_data([panel(hint="Do it."), STAND_IN_PANEL], transpose=True, scale="log"),
        actions=[
            inside("pointermove", CANVAS, 90, 18),
            inside("pointermove", CANVAS, 18, 18),
            inside("pointerdown", CANVAS, 18, 18, button=1),
            inside("pointermove", CANVAS, 54, 90),
            inside("pointerdown", CANVAS, 18, 18, pointerType="touch"),
            inside("pointermove", CANVAS, 54, 54),
            inside("pointerdown", CANVAS, 18, 18),
            inside("pointermove", CANVAS, 54, 90),
            ["key", "Escape"],
            inside("pointermove", CANVAS, 54, 90),
            inside("pointerdown", CANVAS, 18, 18),
            inside("pointerup", CANVAS, 18, 18),
            inside("click", CANVAS, 18, 18),
            inside("pointerdown", CANVAS, 18, 18),
            inside("pointermove", CANVAS, 54, 90),
            inside("pointermove", CANVAS, 300, 900),
            inside("pointerup", CANVAS, 300, 900),
            inside("click", CANVAS, 54, 18),
            inside("pointerdown", CANVAS, 18, 18),
            inside("pointermove", CANVAS, 54, 90),
            ["pointercancel", CANVAS],
            ["pointerup", CANVAS],
            inside("pointermove", CANVAS, 18, 18, 1),
        ],
        page={"ratio": 2, "hover": False},
    ),
    "matrix-long": Session(
        view="alignment_view",
        data=view_data([panel(alignment=MANY, source_marks={}, target_marks={}, coverage=None, said_of_source=())] * 2),
        actions=[
            ["resize", 330],
            ["resize", 639],
            ["resize", 640],
            ["resize", 2400],
            ["data", {"most_height": "window"}],
            ["resize", 1200, 300],
            ["resize", 1200, 480],
            ["data", {"panels": [plain(24, 2), plain(2, 2)]}],
            ["data", {"panels": [plain(25, 2), plain(2, 2)]}],
            ["data", {"panels": [plain(25, 2, coverage=even(25), entropy=even(2))]}],
        ],
    ),
    "matrix-sizes": Session(
        view="alignment_view",
        data=view_data([replace(STAND_IN_PANEL, coverage=None, entropy=None)]),
        actions=[
            *[["resize", width] for width in (158, 163, 164, 183, 184, 185, 186, 187, 188, 189)],
            ["data", {"panels": [plain(40, 1)]}],
            ["data", {"panels": [plain(0, 2), plain(2, 0)], "show": "both"}],
            ["data", {"show": "links"}],
            *[["resize", width] for width in (260, 259, 258)],
        ],
    ),
    "matrix-of-differences": Session(
        view="alignment_view",
        data=view_data([panel(is_difference=True, alignment=replace(ALPHA, weights=ALPHA.weights - 0.5))], show="both"),
        actions=[["data", view_data([panel(title=f"step {k}")], show="both")] for k in range(2)] + [["end"]],
    ),
    "ribbons": Session(
        view="ribbons",
        data=ribbons_data(ribbon_systems(), chosen=(0, 1), handle=handle(2, 4, "Next.")),
        actions=[
            ["pass", 2499],
            ["pass", 1],
            ["resize", 0],
            ["resize", 800],
            ["pointerup", ".ribbons"],
            at("pointerdown", ".ribbon", 60, 70, 1),
            ["pointerup", ".ribbons"],
            *over(".word", 1, 6),
            ["click", ".word", 6],
            ["key", "Escape"],
            ["click", ".word", 11],
            ["pointerenter", ".ribbon", 2],
            ["pointerleave", ".ribbon", 2],
            at("pointerdown", ".ribbon", 60, 70, 1, pointerType="touch"),
            at("pointerdown", ".ribbon", 60, 70, 1),
            at("pointermove", ".ribbons", 250, 50),
            at("pointerup", ".ribbons", 250, 50),
            ["click", ".word", 5],
            ["key", "Escape"],
            ["data", {"large": True}],
            ["data", {}],
            inside("pointerdown", ".ribbon", 5, 5, 1),
            ["pointermove", ".ribbons"],
            ["key", "Escape"],
            inside("pointerdown", ".ribbon", 5, 5, 1, button=1),
            ["touchstart", ".grip"],
            ["focus", ".grip", 0],
            *keys("Escape", "ArrowRight", "ArrowRight", "x", "ArrowLeft", "Escape"),
            *[["key", "ArrowRight", {f"{held}Key": True}] for held in ("alt", "ctrl", "meta")],
            *keys(*["ArrowRight"] * 6, "Escape", *["ArrowDown"] * 5, *["ArrowUp"] * 5),
            *keys("ArrowDown", "ArrowDown", "ArrowUp", "x", "ArrowLeft"),
            *keys("Enter", "ArrowRight"),
            ["data", {"systems": [{**s.to_dict(), "changed": ""} for s in ribbon_systems()]}],
            ["key", "z", {"ctrlKey": True}],
            ["key", "z", {"ctrlKey": True, "shiftKey": True}],
            ["focus", ".handle"],
            *keys("ArrowRight", "ArrowRight", "ArrowRight", "Home", "ArrowLeft", "x"),
            at("pointerdown", ".handle", 300, 10),
            at("pointermove", ".handle", 390, 10),
            at("pointerup", ".handle", 375, 10),
            ["lostpointercapture", ".handle"],
            ["focus", ".word", 6],
            *keys("ArrowRight", "Home", "ArrowLeft"),
            ["blur", ".word", 0],
            ["data", {"systems": [{**s.to_dict(), "movable": False} for s in ribbon_systems()]}],
            ["data", {}],
            ["pass", 2499],
            ["pass", 1],
            ["resize", 300],
            ["focus", ".grip", 1],
            *keys("ArrowDown", "ArrowRight"),
            ["resize", 1400],
            ["data", {"large": True}],
            ["end"],
        ],
    ),
    "ribbons-in-bands": Session(
        view="ribbons",
        data=ribbons_data(
            [replace(s, crossing=None) for s in ribbon_systems(LONG)],
            animate=False,
            handle=handle(1, 2, ""),
        ),
        actions=[
            ["resize", 700],
            ["focus", ".grip", 3],
            ["key", "ArrowRight"],
            ["data", {"large": True}],
            ["resize", 500],
        ],
        page={"width": 1000, "height": 600},
    ),
    "ribbons-joined": Session(
        view="ribbons",
        data=sentences(1, 1),
        actions=[
            ["focus", ".handle"],
            *keys("ArrowRight", "ArrowUp", "Enter", " ", "ArrowLeft", "ArrowDown", "End", "Home"),
            *keys("ArrowRight", "ArrowRight"),
            ["data", sentences(2, 2)],
            ["key", "ArrowRight"],
            ["data", sentences(4, 4)],
            ["key", "ArrowRight"],
            ["data", sentences(7, 5, "other")],
            ["key", "ArrowLeft"],
            ["data", sentences(6, 6)],
            ["key", "ArrowLeft"],
            ["data", sentences(3, 3)],
            ["key", "ArrowRight"],
            at("pointerdown", ".handle", 300, 10),
            at("pointerup", ".handle", 300, 10),
            at("pointerdown", ".handle", 300, 10),
            at("pointermove", ".handle", 390, 10),
            at("pointerup", ".handle", 420, 10),
        ],
    ),
    "ribbons-long": Session(
        view="ribbons",
        data=ribbons_data([long_ribbons(18, Crossing(source=(1, 2), target=(1, 2)))]),
        actions=[
            *[["resize", width] for width in (1340, 1341, 1342, 1343, 1344)],
            ["resize", 700],
            ["data", ribbons_data([long_ribbons(18, Crossing(source=(3, 14), target=(3, 14)))])],
            ["data", ribbons_data([long_ribbons(18, Crossing(source=(14, 15), target=(3, 4)))])],
            ["resize", 60],
        ],
    ),
    "ribbons-from-the-right": Session(
        view="ribbons",
        data=ribbons_data(
            [replace(ribbon_systems()[0], source=("אב", "ג", "ד", "ה", "ו"), former=(), hint="", remarks=[], notes=[])]
        ),
        actions=[["focus", ".grip", 0], *keys("ArrowLeft", "ArrowRight"), *over(".word", 2), ["resize", 200]],
        page={"still": True},
    ),
    "small-figure": Session(
        view="small_figure",
        data=SMALL_FIGURE.to_dict(),
        actions=[["data", {"here": {"words": 40, "text": "40 words"}}], ["data", {"here": None, "large": True}]],
    ),
    "steps": Session(
        view="step_view",
        data=step_view_data(step_drawings()),
        actions=[
            ["click", ".forward"],
            ["click", ".back"],
            *keys("ArrowRight", "ArrowUp", "ArrowDown", "Home", "End", "x"),
            *[["key", "ArrowLeft", {f"{held}Key": True}] for held in ("alt", "ctrl", "meta")],
            ["click", ".stage", 1],
            ["click", ".target-word", 0],
            ["focus", ".target-word", 1],
            *[["click", ".target-word", k] for k in (1, 0)],
            *over(".part", 0, 1, 2, 3, 4, 5, 6, 7, 8),
            ["pointerenter", ".column", 2],
            ["focus", ".part", 3],
            *keys("Enter", " "),
            ["click", ".part", 6],
            ["click", ".model", 1],
            *over(".part", 1, 6),
            ["click", ".state"],
            ["click", ".model", 0],
            ["pointerenter", ".alpha"],
            ["click", ".model", 1],
            ["pointerleave", ".state"],
            ["key", "End"],
            ["click", ".play"],
            ["pass", 1500],
            ["pass", 3000],
            ["click", ".play"],
            ["pass", 9000],
            ["resize", 0],
            ["resize", 300],
            ["resize", 1300],
            ["data", {"large": True}],
            ["data", {"models": step_view_data(step_drawings()[:1])["models"]}],
            ["end"],
        ],
    ),
    "steps-long": Session(
        view="step_view",
        data=step_view_data([long_steps()]),
        actions=[
            *over(".energies", 0),
            *over(".alpha", 0),
            *over(".previous", 0),
            *over(".state", 0),
            *over(".context", 0),
            ["key", "End"],
            *over(".energies", 0),
            *over(".alpha", 0),
            *over(".previous", 0),
            *[["pointerenter", ".column", k] for k in (0, 2, 19, 20, 24, 39, 40, 59)],
            *[["resize", width] for width in (559, 560, 570, 579, 580, 615, 408, 240)],
            ["data", {"large": True}],
            ["resize", 1200],
        ],
    ),
    "beam": Session(
        view="beam_view",
        data=beam_view_data(beam_tree()),
        actions=[
            *over(".node", 3, 0),
            ["click", ".node", 2],
            ["click", ".begin"],
            ["focus", ".node", 2],
            *keys("ArrowUp", "ArrowRight", "ArrowDown", "ArrowDown", "ArrowLeft", "Enter", "x"),
            ["key", "ArrowLeft", {"ctrlKey": True}],
            ["resize", 0],
            ["resize", 160],
            ["resize", 1600],
            ["end"],
        ],
    ),
    "film": Session(
        view="film_view",
        data=film_data(film_steps(), events(), source=SOURCE, name="f"),
        actions=[
            ["pass", 899],
            ["pass", 1],
            ["pass", 900],
            ["pass", 500],
            ["click", ".picture", 0],
            ["pass", 399],
            ["pass", 1],
            *keys("ArrowRight", "End", "Home", "x"),
            at("pointerdown", ".scrubber", 700, 0),
            at("pointermove", ".scrubber", 20, 0),
            at("pointermove", ".scrubber", 20, 0, buttons=1),
            ["click", ".play"],
            ["click", ".play"],
            inside("pointerdown", ".scrubber", 410, 0),
            ["pass", 400],
            inside("pointerdown", ".scrubber", 410, 0),
            ["pass", 400],
            ["resize", 0],
            ["resize", 300],
            ["data", {"start": 2}],
            ["data", {"start": 2, "training": [], "development": []}],
            ["data", {"start": 0, "steps": [film_step(1, 4), film_step(5, 10)]}],
            ["data", {"start": 1, "steps": [film_step(50, 10), film_step(43, 10)]}],
            ["data", {"steps": [film_step(1, 2)]}],
            ["pass", 900],
            ["end"],
        ],
    ),
}


def _drawn(session: Session, last: bool = False) -> str:
    """What is drawn; at the end once more as a whole if ``last``."""
    script, frame = (CHARTS / session.view / part for part in ("js/component.js", "view.html"))
    if session.view in VIEWS:
        script, frame = (HERE / "page" / f"{session.view}.{kind}" for kind in ("js", "html"))
    given = {
        "script": script.as_uri(),
        "frame": frame.read_text("utf-8"),
        "data": {**session.data, "texts": view_texts(session.view)},
        "page": session.page,
        "actions": session.actions,
        "last": last,
    }
    return run_node(str(HERE / "page" / "session.js"), given=json.dumps(given))


@pytest.mark.parametrize("name", SESSIONS)
def test_a_view_is_drawn_and_used_as_it_is_kept(name: str, request: pytest.FixtureRequest) -> None:
    compare_with_kept(KEPT / f"{name}.txt", _drawn(SESSIONS[name]), request, texts=True, fold=True)


def test_the_film_names_the_weights_of_the_run_and_has_no_picture_taller_than_its_place() -> None:
    steps = [film_step(30, 7), film_step(7, 7) | {"update": 400}]
    data = film_data(film_steps(), events(), source=SOURCE) | {"used": 400, "steps": steps}
    drawn = _drawn(Session(view="film_view", data=data, actions=[]))
    assert drawn.count('aria-label="After 400 updates. These are the run\'s weights."') == 1
    assert re.findall(r"canvas.*width: (\d+)px; height: (\d+)px", drawn) == [("98", "100"), ("98", "98")]


CHOICES: dict[str, list[list[Any]]] = {
    "matrix": [["click", ".closer"], ["focus", CANVAS, 1], ["key", "ArrowDown"]],
    "ribbons": [["pass", 2500], ["focus", ".word", 7]],
    "steps": [["click", ".model", 1], *keys("End"), ["click", ".part", 4]],
    "beam": [["click", ".node", 2]],
    "film": [["pass", 900], ["click", ".picture", 1], ["pass", 400]],
}


@pytest.mark.parametrize("name", CHOICES)
def test_another_language_changes_words_alone(name: str) -> None:
    """What the reader chose, the place of the keyboard and what plays are as if it had been the language at first."""
    session = SESSIONS[name]
    session = replace(session, data=session.data | {"pin": None})
    with speaking("ko"):
        korean = ["data", {"texts": view_texts(session.view)}]
    ends = [
        re.sub(r" scrolled-to=\d+", "", _drawn(replace(session, actions=actions), last=True).partition("\n# last")[2])
        for actions in ([*CHOICES[name], korean], [korean, *CHOICES[name]], CHOICES[name])
    ]
    assert ends[0] == ends[1]
    assert ends[0] != ends[2]
