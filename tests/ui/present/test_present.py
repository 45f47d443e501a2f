"""The presentation: its scenes, its keys as far as Python sees them, and the address for the class."""

import html
import io
import json
import re
import struct
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import segno
import streamlit as st
from streamlit.testing.v1 import AppTest

from nmt.instrument import texts
from nmt.runs.folder import read_run
from nmt.texts import APP as APP_TEXTS
from nmt.texts import LOOK, PRESENT
from nmt.ui.checkpoints import trained_concatenated, unequal_updates
from nmt.ui.learn.wording import STAGES
from nmt.ui.present.page import Scene, public_address, scenes
from tests.ui.drawn import data_of, drawn, field_of
from tests.ui.opened import opened

APP = Path(__file__).parents[3] / "app.py"


SCENES = scenes([])


def presented(scene: str = "", **asked: str | list[str]) -> AppTest:
    return opened("present", **({"scene": scene} | asked if scene else asked))


def picture(at: AppTest) -> dict[str, Any]:
    """The ribbons."""
    found = drawn(at)
    assert found["systems"]
    assert not found["panels"]
    return found


def title(at: AppTest) -> str:
    """The first line of the page."""
    (found,) = re.findall("<h1>(.*?)</h1>", at.get("html")[0].proto.body)
    return html.unescape(found)


def press(at: AppTest, label: str) -> None:
    next(button for button in at.button if button.label == label).click().run()
    assert not at.exception


def test_ribbons_of_a_scene_are_not_dragged_and_nobody_is_told_to() -> None:
    systems = picture(presented("figure-3", step="2"))["systems"]
    assert [system["movable"] for system in systems] == [False, False]
    assert [system["blocked"] for system in systems] == [[], []]
    assert [system["hint"] for system in systems] == [texts()["hints"]["pin"], ""]


@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.name)
def test_every_scene_is_shown_without_settings_and_without_a_model(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(run: Path) -> None:
        raise AssertionError(f"{run.name} was loaded")

    monkeypatch.setattr("nmt.ui.resources.read_translator", refuse)
    st.cache_resource.clear()
    at = presented(scene.name, step=str(scene.steps))
    assert title(at) == scene.title
    assert len(at.get("bidi_component")) >= 2 or scene.name == "end"  # the keys, and a picture
    assert not [*at.text_input, *at.slider, *at.selectbox]
    assert not at.error


def test_a_scene_shows_more_at_every_step() -> None:
    """RNNencdec's translation, a sentence more, the next stage of a word."""

    first, second = presented("figure-3"), presented("figure-3", step="2")
    assert [len(picture(at)["systems"]) for at in (first, second)] == [1, 2]
    steps = [picture(presented("together", step=str(step))) for step in (1, 2, 6)]
    assert [sum(word == "." for word in data["systems"][0]["source"]) for data in steps] == [1, 2, 6]
    starts = []
    for step in ("1", "2", "5"):
        (drawing,) = (
            json.loads(element.proto.json)
            for element in presented("how", step=step).get("bidi_component")
            if "models" in element.proto.json
        )
        model = drawing["models"][0]
        starts.append(model["frames"][model["start"]]["stage"])
    assert starts == [STAGES[0], STAGES[1], STAGES[-1]]


def test_in_concatenated_sentences_words_are_lost_and_nothing_can_be_added() -> None:
    at = presented("together", step="6")
    search, encdec = picture(at)["systems"]
    assert any(lost for _, lost in encdec["alone"])
    assert not search["alone"]
    data = data_of(at)
    assert data is not None
    assert (data["ask"], data["sentences"]) == (False, [])


def test_the_figure_is_about_no_sentence() -> None:
    at = presented("figure-2")
    data = [json.loads(element.proto.json) for element in at.get("bidi_component") if element.proto.json]
    (figure,) = (one for one in data if "curves" in one)
    assert figure["here"] is None
    training = at.caption[0].value
    runs = {name: read_run(APP.parent / "checkpoints" / name) for name in ("rnnsearch-en-fr", "rnnencdec-en-fr")}
    assert all(run.config.training.concatenate for run in runs.values())
    assert training == f"{trained_concatenated(runs)} {unequal_updates(runs)}"
    assert LOOK.figure_spoken.format(curves="", words=12).split(".")[0] not in figure["spoken"]


def test_buttons_lead_from_step_to_step() -> None:
    at = presented()
    assert title(at) == SCENES[0].title
    assert next(button for button in at.button if button.label == PRESENT.back).disabled
    press(at, PRESENT.next)
    assert title(at) == SCENES[0].title
    assert at.query_params["step"] in ("2", ["2"])
    press(at, PRESENT.next)
    assert title(at) == SCENES[1].title
    assert "step" not in at.query_params
    press(at, PRESENT.back)
    assert at.query_params["step"] in ("2", ["2"])


def test_keys_lead_through_every_step_of_every_scene_and_back(monkeypatch: pytest.MonkeyPatch) -> None:
    """Beyond the end of a scene comes its neighbour, at either end nothing; other keys are not heard."""
    steps = {"one": 2, "two": 1, "three": 3, "end": 1}
    known = [
        Scene(name=name, title=name, steps=number, show=lambda _, step: st.text(str(step)))
        for name, number in steps.items()
    ]
    pressed: list[str] = []

    def keys(**_: Any) -> SimpleNamespace:
        return SimpleNamespace(key=pressed.pop() if pressed else None)

    monkeypatch.setattr("nmt.ui.present.page.scenes", lambda own, looks: known)
    monkeypatch.setattr("nmt.ui.present.page._keys", lambda: keys)
    way = [(name, step) for name, number in steps.items() for step in range(1, number + 1)]
    at = presented()

    def place() -> tuple[str, int]:
        scene, step = (at.query_params.get(name, [""]) for name in ("scene", "step"))
        found = ("".join(scene) or "one", int("".join(step) or 1))
        assert title(at) == found[0]
        assert found[0] == "end" or [text.value for text in at.text] == [str(found[1])]
        return found

    for key, expected in (("back", way[:1]), ("next", way[1:]), ("next", way[-1:]), ("back", way[-2::-1])):
        for each in expected:
            pressed.append("up")
            at.run()
            pressed.append(key)
            at.run()
            assert place() == each
    assert PRESENT.place.format(number=1, total=len(steps) - 1) in at.caption[0].value
    assert PRESENT.step.format(step=1, steps=2) in at.caption[0].value
    (back,) = [button for button in at.button if button.label == PRESENT.back]
    assert back.disabled
    pressed.append("leave")
    at.run()
    assert PRESENT.end not in [button.label for button in at.button]
    assert field_of(at)  # the page Look


def test_after_the_last_scene_the_screen_is_black_and_the_way_leads_back() -> None:
    at = presented("figure-2")
    press(at, PRESENT.next)
    assert title(at) == PRESENT.black
    assert [button.label for button in at.button] == [PRESENT.back, PRESENT.end]
    press(at, PRESENT.back)
    assert title(at) == PRESENT.figure_2


def test_sentences_of_the_address_are_scenes_of_their_own() -> None:
    names = [scene.name for scene in scenes(["The cat sleeps.", " ", "She reads."])]
    assert names[4:7] == ["own-1", "own-2", "how"]
    most = scenes([f"Sentence {k}." for k in range(13)])
    assert [scene.title for scene in most[4:17]] == [*(f"Sentence {k}." for k in range(12)), PRESENT.how]
    at = presented("own-2", s=["The cat  sleeps.", "She reads."])
    assert title(at) == "She reads."
    assert picture(at)["systems"][0]["source"][:2] == ["She", "reads"]
    assert title(at) == "She reads."


def test_a_scene_can_be_asked_for_by_its_number() -> None:
    at = presented("3")
    assert not at.caption[0].value.startswith(":material/link_off:")
    assert title(at) == SCENES[2].title


@pytest.mark.parametrize(("step", "shown"), [("1", 1), ("2", 2), ("3", 1), ("0", 1), ("x", 1)])
def test_a_step_that_is_not_there_is_the_first(step: str, shown: int) -> None:
    at = presented("figure-3", step=step)
    assert PRESENT.step.format(step=shown, steps=2) in at.caption[-1].value
    assert len(picture(at)["systems"]) == shown


def test_a_scene_that_is_not_there_is_named() -> None:
    at = presented("nowhere")
    said = APP_TEXTS.not_there.format(what=PRESENT.scene, value="nowhere")
    assert any(caption.value.endswith(said) for caption in at.caption)
    assert title(at) == SCENES[0].title


@pytest.mark.parametrize(
    ("here", "bound", "announced", "expected"),
    [
        ("http://localhost:8501/present", "127.0.0.1", "localhost", ""),
        ("http://127.0.0.1:8501/", "0.0.0.0", "10.0.0.7", "http://10.0.0.7:8501/"),
        ("http://127.0.0.1:8501/", "0.0.0.0", "localhost", ""),
        ("http://10.0.0.7:8501/learn?x=1", "0.0.0.0", "10.0.0.7", "http://10.0.0.7:8501/"),
        ("http://[::1]:8501/", "0.0.0.0", "10.0.0.7", "http://10.0.0.7:8501/"),
        ("http://[fd00::7]:8501/", "::", "fd00::7", "http://[fd00::7]:8501/"),
        ("https://jointly.example.org/", "127.0.0.1", "localhost", "https://jointly.example.org/"),
    ],
)
def test_the_address_for_the_class(here: str, bound: str, announced: str, expected: str) -> None:
    assert public_address(here, bound, announced) == expected


def test_the_address_is_shown_with_a_code_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """A point has eight pixels, and the border three points."""
    address, shown = "http://10.0.0.7/", list[Any]()
    options = {"server.address": "0.0.0.0", "browser.serverAddress": "10.0.0.7"}
    get_option, asked = st.get_option, list[Any]()
    monkeypatch.setattr(st, "get_option", lambda name: options[name] if name in options else get_option(name))
    monkeypatch.setattr("nmt.ui.present.page.public_address", lambda *given: (asked.append(given), address)[1])
    monkeypatch.setattr("nmt.ui.present.page.st.image", lambda *given, **settings: shown.append((*given, settings)))
    assert not presented("figure-2").info
    assert asked == [("", "0.0.0.0", "10.0.0.7")]
    ((image, settings),) = shown
    assert settings == {"width": 260, "caption": address}
    points = len(segno.make(address, micro=False).matrix) + 2 * 3
    assert struct.unpack(">II", image[16:24]) == (8 * points, 8 * points)


def test_a_qr_code_can_hold_any_address() -> None:
    image = io.BytesIO()
    segno.make("http://" + "x" * 60 + ".example.org:8501/", micro=False).save(image, kind="png", scale=8, border=3)
    assert image.getvalue().startswith(b"\x89PNG")
