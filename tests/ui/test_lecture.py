"""What is added to the lecture on Look, and how Present shows it."""

from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

import nmt
from nmt.instrument.changes import Change
from nmt.texts import LOOK, PRESENT
from nmt.ui.lecture import LectureScene, unpacked_scene
from nmt.ui.present.page import scenes
from tests.ui.drawn import Send, ask, data_of, drawn
from tests.ui.opened import opened

pytestmark = pytest.mark.usefixtures("random_checkpoints")

SENTENCE = "A girl has seen the sea."
MODELS = ("search-words", "encdec-words")
BEGINS = Change(kind="begin", text="la").address
SCENE = LectureScene(sentences=(SENTENCE,), models=MODELS, changes=(BEGINS,), beam=2)


def data(at: AppTest) -> dict[str, Any]:
    found = data_of(at)
    assert found is not None
    return found


def listed(at: AppTest) -> list[LectureScene | None]:
    """The scenes in the address of Present."""
    values = at.query_params.get("look", [])
    return [unpacked_scene(value) for value in ([values] if isinstance(values, str) else values)]


def to_present(at: AppTest) -> AppTest:
    at.query_params.clear()  # as the menu opens it
    at.switch_page("pages/present.py").run()
    assert not at.exception, at.exception
    return at


def test_what_look_shows_becomes_a_scene_and_can_be_taken_out(send: Send) -> None:
    at = opened(s=SENTENCE, models=[*MODELS], beam="2", change=[BEGINS])
    assert [offer["text"] for offer in data(at)["offers"]] == [LOOK.to_lecture]
    ask(send, at, "scene")
    assert [offer["text"] for offer in data(at)["offers"]] == [LOOK.from_lecture, LOOK.open_lecture]  # nothing moves
    lecture = opened(s=SENTENCE, models=[*MODELS], beam="2", change=[BEGINS])
    ask(send, lecture, "scene")
    ask(send, lecture, "lecture")
    names = [scene.name for scene in scenes([], [SCENE.packed])]
    place = PRESENT.place.format(number=names.index("look-1") + 1, total=len(names) - 1)
    assert any(caption.value.startswith(place) for caption in lecture.caption)
    ask(send, at, "scene")
    assert [offer["text"] for offer in data(at)["offers"]] == [LOOK.to_lecture]
    ask(send, at, "scene")
    assert listed(to_present(at)) == [SCENE]


def test_a_typed_sentence_goes_along_without_being_added_and_one_of_ours_does_not() -> None:
    at = opened(s=SENTENCE, models=[*MODELS], beam="2")
    assert listed(to_present(at)) == [LectureScene(sentences=(SENTENCE,), models=MODELS, beam=2)]
    assert listed(to_present(opened())) == []


def test_each_step_shows_a_translation_more_and_then_a_change_more(random_runs: Path) -> None:
    """The model's own translations, and what it writes after the beginning that was asked for."""
    plain = [nmt.load(random_runs / name).translate(SENTENCE, beam=2).text for name in MODELS]
    for step in (1, 2, 3):
        at = opened("present", look=SCENE.packed, scene="look-1", step=str(step))
        systems = drawn(at)["systems"]
        assert [system["title"] for system in systems] == [*MODELS][:step]
        if step < 3:
            assert [system["text"] for system in systems] == plain[:step]
        else:
            assert all(system["text"].startswith("la") for system in systems)
            assert [system["former"] == [] for system in systems] == [system["text"] in plain for system in systems]
    assert [scene.steps for scene in scenes([], [SCENE.packed]) if scene.name == "look-1"] == [3]


@pytest.mark.parametrize(
    "text",
    [
        *("", "x", "[" * 3000, "{}", '{"sentences": [], "models": ["a"]}', '{"sentences": "a"}'),
        *(r'{"sentences": [" "], "models": ["a"]}', r'{"sentences": ["A cat.", "\u001c"], "models": ["a"]}'),
        '{"sentences": ["A cat."], "models": ["a"], "beam": 21}',
    ],
)
def test_an_address_without_a_scene_has_none(text: str) -> None:
    assert unpacked_scene(text) is None
    assert [scene.name for scene in scenes([], [text])] == [scene.name for scene in scenes([])]


def test_a_scene_whose_checkpoints_are_not_here_says_so() -> None:
    scene = LectureScene(sentences=(SENTENCE,), models=("gone",))
    at = opened("present", look=scene.packed, scene="look-1")
    assert at.info[0].value == LOOK.scene_lacks_models.format(names="gone")
