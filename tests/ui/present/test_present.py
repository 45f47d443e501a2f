"""The presentation: its scenes, its keys as far as Python sees them, and the address for the class."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
import segno
from streamlit.testing.v1 import AppTest

from nmt.ui import strings as shared
from nmt.ui.look import strings as look
from nmt.ui.present import strings
from nmt.ui.present.address import public_address
from nmt.ui.present.page import STAGES

APP = Path(__file__).parents[3] / "app.py"


def presented(name: str = "") -> AppTest:
    at = AppTest.from_file(str(APP), default_timeout=60)
    at.query_params["present"] = name
    at.run()
    assert not at.exception
    return at


@pytest.mark.parametrize("stage", STAGES, ids=lambda stage: stage.name)
def test_every_scene_is_shown_without_settings(stage: object) -> None:
    at = presented(stage.name)  # type: ignore[attr-defined]
    assert at.title[0].value == stage.title  # type: ignore[attr-defined]
    assert len(at.get("bidi_component")) >= 2 or stage.name == "together"  # type: ignore[attr-defined] # keys, picture
    assert not at.text_input
    assert len(at.slider) == (stage.name == "together")  # type: ignore[attr-defined]
    assert not at.error


def test_concatenated_sentences_open_where_words_are_lost() -> None:
    at = presented("together")
    assert "<del>" in "".join(element.proto.body for element in at.get("html"))


def test_the_figure_is_about_no_sentence() -> None:
    at = presented("figure-2")
    data = [json.loads(element.proto.json) for element in at.get("bidi_component") if element.proto.json]
    (figure,) = (one for one in data if "curves" in one)
    assert figure["here"] is None
    assert look.FIGURE_SPOKEN.format(curves="", words=12).split(".")[0] not in figure["spoken"]


def test_buttons_lead_from_scene_to_scene_and_out() -> None:
    at = presented()
    assert at.title[0].value == STAGES[0].title
    by_label = {button.label: button for button in at.button}
    assert by_label[strings.BACK].disabled
    by_label[strings.NEXT].click().run()
    assert at.title[0].value == STAGES[1].title
    next(button for button in at.button if button.label == strings.END).click().run()
    assert "present" not in at.query_params
    assert at.text_input


def test_a_scene_can_be_asked_for_by_its_number() -> None:
    at = presented("3")
    assert not at.caption[0].value.startswith(":material/link_off:")
    assert at.title[0].value == STAGES[2].title


def test_a_scene_that_is_not_there_is_named() -> None:
    at = presented("nowhere")
    said = shared.NOT_THERE.format(what=strings.SCENE, value="nowhere")
    assert any(caption.value.endswith(said) for caption in at.caption)
    assert at.title[0].value == STAGES[0].title


@pytest.mark.parametrize(
    ("here", "bound", "announced", "expected"),
    [
        ("http://localhost:8501/?present=", "127.0.0.1", "localhost", ""),
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


def test_a_qr_code_can_hold_any_address() -> None:
    image = io.BytesIO()
    segno.make("http://" + "x" * 60 + ".example.org:8501/", micro=False).save(image, kind="png", scale=8, border=3)
    assert image.getvalue().startswith(b"\x89PNG")
