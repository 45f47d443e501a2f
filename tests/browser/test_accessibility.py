"""axe-core finds no serious or critical fault in any place or view, in light and in dark, once its picture is there."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from nmt.texts import MODELS
from nmt.ui.present.page import scenes

axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is not installed")

pytestmark = pytest.mark.browser

SENTENCE = "the cat has never seen the zorp ."
BOTH = {"s": SENTENCE, "models": ["search", "encdec"], "beam": "2"}
ONE = {"s": SENTENCE, "models": ["search"], "beam": "2"}
SERIOUS = ("serious", "critical")
OF_COLOURS = ("color-contrast", "link-in-text-block")
"""Rules whose outcome the colours decide; all others see the same page in light and in dark."""
DARK = "getComputedStyle(document.querySelector('[data-testid=stApp]')).colorScheme === 'dark'"


@dataclass(frozen=True, kw_only=True)
class View:
    """A view of a place.

    Attributes:
        place: path of its page.
        asked: parameters of its address.
        picture: what must be there before it is looked at.
        presses: button to press then; "" = none.
        opens: title of a closed part to open then; "" = none.
    """

    place: str = ""
    asked: dict[str, Any] = field(default_factory=dict)
    picture: str
    presses: str = ""
    opens: str = ""


def _section(name: str, picture: str, **asked: Any) -> View:
    return View(asked={**ONE, "do": name, **asked}, picture=picture)


def _learn(name: str, picture: str, **asked: Any) -> View:
    return View(place="/learn", asked={"view": name, **asked}, picture=picture)


def _models(name: str, picture: str, **asked: Any) -> View:
    return View(place="/models", asked={"show": name, **asked}, picture=picture)


TABLE = "[data-testid=stDataFrame] canvas"
CURVE = ".js-plotly-plot .scatterlayer .point"
OWN = {"models": ["search", "encdec"], "beam": "2"}
SENTENCES = {"sets": "jointly-300", "bucket": "21-30"}
VIEWS = {
    "look": View(asked={"do": "length"}, picture=".small-figure"),
    "look, typed sentence": View(
        asked=BOTH | {"show": "both", "bars": "true", "with": ["difference"]},
        picture=".lines path.line",
        presses="Settings",
    ),
    "look, empty": View(asked={"s": " "}, picture=".st-key-example-0"),
    "look, pinned": _section("explain", "[role=status]", pin="search.1.2"),
    "look, maps": _section("explain", "#explained .panel", pin="search.1.2", maps="true"),
    "look, what if": _section("what-if", ".former", change="begin:0::la", pin="search.1.2"),
    "look, effect": View(asked=BOTH | {"effect": "true"}, picture=".panel.not-attention"),
    "look, gold": _section("gold", ".gold.sure >> nth=0", gold="0-0 1p1", show="both"),
    "look, table": _section("export", "#export table", **{"take-format": "Table"}),
    "look, export": _section("export", "text=Save as"),
    "look, text": View(asked={"mode": "text", "text": "She reads. A cat.", **OWN}, picture=".st-key-sentence-2"),
    "length": View(place="/length", picture=CURVE, presses="Settings"),
    "length, sentences": View(place="/length", asked=SENTENCES, picture=TABLE),
    "length, sentence": View(
        place="/length", asked=SENTENCES | {"sentence": "4", "then": "tables"}, picture=".word-diff"
    ),
    "length, no such set": View(place="/length", asked={"sets": "captions"}, picture="text=captions"),
    "look, added": View(asked={"s": "She has never seen the sea.", "k": "4"}, picture=".alone del"),
    "length, together": View(place="/length", asked={"view": "together"}, picture=CURVE),
    "learn, how": _learn("how", ".drawing", s=SENTENCE),
    "learn, beam": _learn("beam", ".tree", s=SENTENCE, beam="4"),
    "learn, explanation": _learn("explanation", ".js-plotly-plot", s=SENTENCE),
    "learn, training": _learn("training", ".strip canvas"),
    "learn, draw": _learn("draw", ".panel"),
    "learn, uncovered": _learn("draw", ".panel >> nth=1", uncovered="1", mine="0-0"),
    "models": View(place="/models", picture="text=Use this to"),
    "models, scores": _models("scores", TABLE),
    "models, trainings": _models("trainings", TABLE),
    "models, cards": _models("cards", ".st-key-card-encdec", runs=["search", "encdec"]),
    "models, compared": replace(
        _models("cards", ".st-key-card-encdec", runs=["search", "encdec"], all="true"), opens=MODELS.settings_compared
    ),
    "models, upload": _models("upload", "input[type=file]"),
    "models, train": _models("train", "text=Start training"),
}
COLOURS_STAND = "document.getAnimations().every(each => each.playState !== 'running')"
"""Whether no colour is on its way to that of the other scheme."""
FIRST = {"look", "look, typed sentence", "length", "learn, how", "models"}
"""Views that `make test` looks at; the others are looked at with all tests."""


def _serious(page: Any, rules: Sequence[str] = ()) -> list[tuple[str, list[str]]]:
    """What axe finds, by all rules or by these: the rule, and the elements."""
    options: dict[str, Any] = {"resultTypes": ["violations"]}  # else it lists all that has no fault, too
    if rules:
        options["runOnly"] = {"type": "rule", "values": list(rules)}
    found = axe.Axe().run(page, options=options).response["violations"]
    return [
        (fault["id"], [node["html"][:300] for node in fault["nodes"]]) for fault in found if fault["impact"] in SERIOUS
    ]


def _in_both_schemes(page: Any, settle: Callable[[Any], None]) -> dict[str, list[tuple[str, list[str]]]]:
    """The same page in light and in dark, which follows the system at once."""
    light = _serious(page)
    page.emulate_media(color_scheme="dark")
    page.wait_for_function(DARK)
    settle(page)
    page.wait_for_function(COLOURS_STAND)
    return {"light": light, "dark": _serious(page, OF_COLOURS)}


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.journey("accessibility")] * (name in FIRST)) for name in VIEWS]
)
def test_axe_finds_no_serious_fault(
    server: str, page: Any, visit: Callable[..., None], settle: Callable[[Any], None], name: str
) -> None:
    view = VIEWS[name]
    page.emulate_media(color_scheme="light", reduced_motion="reduce")
    visit(f"{server}{view.place}", **view.asked)
    page.locator(view.picture).first.wait_for(state="attached", timeout=90_000)
    settle(page)
    if view.presses:
        page.get_by_role("button", name=view.presses).first.click()
        page.locator(".st-key-settings").wait_for()
        settle(page)
    if view.opens:
        page.locator("summary", has_text=view.opens).click()
        page.locator(TABLE).first.wait_for()
        settle(page)
    assert _in_both_schemes(page, settle) == {"light": [], "dark": []}


def test_axe_finds_no_serious_fault_in_the_presentation(
    server: str, page: Any, visit: Callable[..., None], settle: Callable[[Any], None]
) -> None:
    """Its scenes at their last steps, in light; the first and the black screen in dark too."""
    page.emulate_media(color_scheme="light", reduced_motion="reduce")
    for scene in scenes([]):
        visit(f"{server}/present", scene=scene.name, step=str(scene.steps))
        page.get_by_role("heading", name=scene.title).wait_for(state="attached")
        page.locator(".ribbon, .kept-words, .small-figure, .drawing, .st-key-presentation-end").first.wait_for()
        settle(page)
        if scene.name in ("figure-3", "end"):
            assert _in_both_schemes(page, settle) == {"light": [], "dark": []}
            page.emulate_media(color_scheme="light")
            page.wait_for_function(f"!({DARK})")
        else:
            assert _serious(page) == [], scene.name
