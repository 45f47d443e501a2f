"""A phrase-based system beside the checkpoints: it is offered for its languages, translates what is typed, and its
phrases are a map."""

from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from nmt.inference.phrase_based import PHRASES, load_phrase_based
from nmt.texts import APP, LOOK
from tests.oracles.phrases import write_tiny
from tests.ui.drawn import drawn
from tests.ui.look.explore.test_page import explore, systems

pytestmark = pytest.mark.usefixtures("random_checkpoints")

SENTENCE = "a red cat sees Rex ."


@pytest.fixture
def tiny(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("JOINTLY_SYSTEMS", str(tmp_path / "systems"))
    write_tiny(tmp_path / "systems" / "tiny")
    return tmp_path / "systems" / "tiny"


def offered(at: AppTest) -> list[str]:
    return list(next(field for field in at.multiselect if field.label == APP.checkpoints).options)


def test_it_translates_beside_the_checkpoints(tiny: Path) -> None:
    at = explore(s=SENTENCE, models=["search-words", "encdec-words", "tiny"])
    first, second, found = systems(at)
    assert [first["title"], second["title"], found["title"]] == ["search-words", "encdec-words", "tiny"]
    expected = load_phrase_based(tiny).translate(SENTENCE)
    assert expected is not None
    assert found["text"] == expected.text
    assert found["kind"] == LOOK.phrase_based
    assert found["weights"] == pytest.approx(np.array(expected.maps[0].weights), abs=1e-6)
    said = str(drawn(at))
    assert LOOK.copied_words.format(words="Rex") in said
    (panel,) = [panel for panel in drawn(at)["panels"] if panel["title"] == "tiny"]
    assert "phrases that it translated as one" in panel["not_attention"]


def test_it_is_offered_and_computes_nothing_until_it_is_chosen(tiny: Path) -> None:
    at = explore(s=SENTENCE, models=["search-words"])
    assert "tiny" in offered(at)
    assert [each["title"] for each in systems(at)] == ["search-words"]
    field = next(field for field in at.multiselect if field.label == APP.checkpoints)
    field.set_value([*field.value, "tiny"]).run()
    assert [each["title"] for each in systems(at)] == ["search-words", "tiny"]
    assert at.query_params["models"] == ["search-words", "tiny"]


def test_it_is_not_offered_for_other_languages_and_texts(tiny: Path) -> None:
    write_tiny(tiny.with_name("german"), source="de")
    at = explore(s="a cat .", models=["search-words", "german"])
    assert "german" not in offered(at)
    assert [each["title"] for each in systems(at)] == ["search-words"]
    assert any("german" in each.value for each in (*at.warning, *at.toast, *at.caption)), "the address asked for it"
    at = explore(mode="text", text="A cat. A dog.", models=["search-words"])
    assert "tiny" not in offered(at)


def test_markup_is_text_and_a_word_without_a_phrase_is_copied(tiny: Path) -> None:
    at = explore(s="a <b>cat</b> ||| & [x](y) .", models=["search-words", "tiny"])
    (found,) = [each for each in systems(at) if each["title"] == "tiny"]
    assert "<b>" in found["text"].replace("< b >", "<b>")
    assert "chat" in found["text"]


@pytest.mark.parametrize("sentence", ["", "   ", "a " * 500])
def test_nothing_is_asked_of_it_for_no_sentence_and_one_that_is_too_long(tiny: Path, sentence: str) -> None:
    at = explore(s=sentence, models=["search-words", "tiny"])
    assert all(each["title"] != "tiny" for each in (systems(at) if at.get("bidi_component") else []))


def test_a_broken_file_is_said_and_the_checkpoints_answer(tiny: Path) -> None:
    whole = (tiny / PHRASES).read_bytes()
    (tiny / PHRASES).write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
    at = explore(s=SENTENCE, models=["search-words", "tiny"])
    assert [each["title"] for each in systems(at)] == ["search-words"]
    assert any("checksum" in each.value for each in at.error)
    (tiny / PHRASES).write_bytes(whole[:50])
    at = explore(s=SENTENCE, models=["search-words"])
    assert [each["title"] for each in systems(at)] == ["search-words"]
    assert any("safetensors" in each.value for each in at.warning), [each.value for each in (*at.warning, *at.error)]
