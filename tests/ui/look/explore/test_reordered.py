"""Source words in another order: what the models read then, how it is named, and which changes still count."""

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

import nmt
from nmt.inspection.what_if import what_if
from nmt.instrument.changes import Change
from nmt.results import Intervention
from nmt.texts import APP as APP_TEXTS
from nmt.texts import INSTRUMENT, LOOK
from nmt.ui.formatting import escaped
from tests.ui.drawn import drawn
from tests.ui.opened import opened as page

CHANGED = INSTRUMENT.by_key.changed
pytestmark = pytest.mark.usefixtures("random_checkpoints")

SENTENCE, OTHER = "A girl has seen the sea.", "the sea has seen A girl."
ORDER = Change(kind="source", text=OTHER).address
GIRL, SEA = Change(kind="blocked", row=1, text="girl"), Change(kind="blocked", row=1, text="sea")


def opened(*changes: str, models: tuple[str, ...] = ("search-words",)) -> AppTest:
    return page(s=SENTENCE, models=[*models], beam="2", change=[*changes])


def shown(*changes: str) -> dict[str, object]:
    (system,) = drawn(opened(*changes))["systems"]
    return dict(system)


def test_the_words_in_another_order_are_translated_as_that_sentence_and_said_to_be(random_runs: Path) -> None:
    system = shown(ORDER)
    assert system["text"] == nmt.load(random_runs / "search-words").translate(OTHER, beam=2).text
    assert system["source"] == ["the", "sea", "has", "seen", "A", "girl", "."]
    assert system["source_close"] == [False] * 6 + [True]
    assert system["changed"] == CHANGED["reordered"].format(text=OTHER).removesuffix(".")
    other = "A cat sleeps."
    said = CHANGED["source"].format(text=other).removesuffix(".")
    assert shown(Change(kind="source", text=other).address)["changed"] == said


def test_a_word_that_was_left_out_of_the_former_order_is_there_again(random_runs: Path) -> None:
    system = shown(GIRL.address, ORDER)
    assert system["text"] == nmt.load(random_runs / "search-words").translate(OTHER, beam=2).text
    assert system["blocked"] == [False] * 7
    assert system["changed"] == CHANGED["reordered"].format(text=OTHER).removesuffix(".")


def test_a_word_is_left_out_of_the_order_that_is_seen(random_runs: Path) -> None:
    model = nmt.load(random_runs / "search-words")
    expected = what_if(model, OTHER, Intervention(blocked=(1,)), model.search_settings.changed(beam=2, n_best=1))
    system = shown(ORDER, SEA.address)
    assert system["text"] == expected.text
    assert system["blocked"] == [False, True] + [False] * 5
    assert shown(ORDER, GIRL.address)["blocked"] == [False] * 7  # which is not its second word now


def test_weights_of_another_sentence_are_left_out_and_said_to_be() -> None:
    """A link whose drag has another number of words than the sentence."""
    at = opened(Change(kind="weights", row=1, name="search-words", weights=(0.1,)).address)
    assert any(LOOK.of_another_sentence in caption.value for caption in at.caption)
    assert not [error for error in at.error if "weights of" in error.value]
    (system,) = drawn(at)["systems"]
    assert (system["former"], system["changed"]) == ([], "")


@pytest.mark.parametrize("text", ["weights:6:0,0,0.1", "weights:6:search-words:x", "anything"])
def test_what_is_no_change_is_said_once_and_changes_nothing(text: str, random_runs: Path) -> None:
    at = opened(text, models=("search-words", "encdec-words"))
    said = APP_TEXTS.not_there.format(what=LOOK.a_change, value=escaped(text))
    assert [caption.value.endswith(said) for caption in at.caption].count(True) == 1
    assert [system["changed"] for system in drawn(at)["systems"]] == ["", ""]


@pytest.mark.parametrize(("change", "lost"), [(GIRL, 0), (SEA, 1), (Change(kind="blocked", row=9, text="girl"), 1)])
def test_a_word_that_the_sentence_does_not_have_is_said_once_to_be_lost(change: Change, lost: int) -> None:
    at = opened(change.address, models=("search-words", "search-bpe", "encdec-words"))
    assert [LOOK.of_another_sentence in caption.value for caption in at.caption].count(True) == lost
