"""Sentences added at the end of the first one: which come next, what is kept of them, and what is forgotten."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

import nmt
from nmt.answers.shipped import CONCATENATED, beginnings, read_shipped
from nmt.evaluation.concatenation import kept_words
from nmt.texts import LOOK
from tests.ui.drawn import Send, ask, data_of, drawn, enter, field_of, pin, tell
from tests.ui.opened import ROOT
from tests.ui.opened import opened as page

pytestmark = pytest.mark.usefixtures("random_checkpoints")

OWN = ["The cat sleeps.", "She reads.", "A girl has seen the sea."]


def opened(**asked: str | list[str]) -> AppTest:
    return page(**({"models": ["search-words", "encdec-words"], "beam": "2"} | asked))


def ribbons(at: AppTest) -> dict[str, Any]:
    """The lines of the picture, and the handle that adds a sentence: their number, the most, and the next one."""
    data = data_of(at)
    assert data is not None
    number, others = data["number"], [one for one in data["sentences"] if one != data["base"]]
    handle = {"number": number, "most": 1 + len(others), "next": (*others, "")[number - 1]}
    return drawn(at) | {"handle": handle if others else None}


def values(at: AppTest, name: str) -> list[str]:
    value = at.query_params.get(name, [])
    return [value] if isinstance(value, str) else list(value)


@pytest.mark.parametrize("number", [1, 2, 3])
def test_own_sentences_are_translated_as_one_and_compared_with_one_by_one(random_runs: Path, number: int) -> None:
    at = opened(s=OWN[0], own=OWN[1:], k=str(number))
    data, text = ribbons(at), " ".join(OWN[:number])
    following = OWN[number] if number < len(OWN) else ""
    assert data["handle"] == {"number": number, "most": 3, "next": following}
    for system, name in zip(data["systems"], ("search-words", "encdec-words"), strict=True):
        model = nmt.load(random_runs / name)
        together = model.translate(text, beam=2).text
        assert system["text"] == together
        if number == 1:
            assert not system["kept"]
            assert not system["alone"]
            continue
        found = kept_words([model.translate(one, beam=2).text for one in OWN[:number]], together, "fr")
        everything = found.kept == found.words
        template = LOOK.kept_all if everything else LOOK.kept_some
        assert system["kept"] == template.format(count=number, kept=found.kept, words=found.words)
        fates = [(fate.word, fate.kept is False) for sentence in found.sentences for fate in sentence]
        shown = [(word, lost) for some, lost in system["alone"] for word in some.split()]
        assert shown == ([] if everything else fates)


def test_examples_come_next_and_the_last_one_ends_them(send: Send) -> None:
    at = opened(s="The cat sleeps.")
    examples = CONCATENATED["en"]
    assert ribbons(at)["handle"] == {"number": 1, "most": 1 + len(examples), "next": examples[0]}
    ask(send, at, "translate", number=2)
    assert values(at, "k") == ["2"]
    assert " ".join(ribbons(at)["systems"][0]["source"]).startswith("The cat sleeps .")
    assert ribbons(at)["handle"]["next"] == examples[1]
    ask(send, at, "translate", number=1 + len(examples))
    assert ribbons(at)["handle"]["next"] == ""
    for sent in (0, 2 + len(examples), True, "2", None):
        ask(send, at, "translate", number=sent)
        assert values(at, "k") == [str(1 + len(examples))]
    first = opened(s=examples[0])
    assert ribbons(first)["handle"] == {"number": 1, "most": len(examples), "next": examples[1]}


def test_one_sentence_more_forgets_changes_and_one_less_is_as_at_first(send: Send) -> None:
    at = opened(s=OWN[0], own=OWN[1:])
    first, address = ribbons(at), dict(at.query_params)
    moved = "weights:0:search-words:0,1,0,0,0"
    ask(send, at, "change", changes=[moved])
    assert values(at, "change") == [moved]
    ask(send, at, "translate", number=2)
    assert not values(at, "change")
    assert values(at, "own") == OWN[1:]
    ask(send, at, "change", changes=[moved])
    assert values(at, "change")
    ask(send, at, "change", changes=[])
    assert not values(at, "change")
    assert values(at, "k") == ["2"]
    ask(send, at, "translate", number=1)
    assert dict(at.query_params) == address
    assert ribbons(at)["systems"] == first["systems"]


def test_a_pin_of_one_sentence_is_none_of_the_next(send: Send) -> None:
    """The browser forgets it with the sentence; until it says so, the page explains nothing by it."""
    at = opened(s=OWN[0], own=OWN[1:])
    tell(send, at, pin=pin("search-words", 0))
    assert (data_of(at) or {})["explanation"]
    ask(send, at, "translate", number=2)
    assert not (data_of(at) or {})["explanation"]
    assert not values(at, "pin")


def test_a_new_sentence_forgets_what_was_added() -> None:
    at = opened(s=OWN[0], own=OWN[1:], k="3")
    enter(at, "the girl reads")
    assert not values(at, "k")
    assert not values(at, "own")
    assert ribbons(at)["handle"]["number"] == 1


@pytest.mark.parametrize("number", ["0", "9", "x", "1.5", "-1", "٣"])
def test_a_number_that_is_not_there_is_named(number: str) -> None:
    at = opened(s=OWN[0], own=OWN[1:], k=number)
    assert any(LOOK.sentence_number in str(caption.value) for caption in at.caption)
    assert not values(at, "k")
    assert ribbons(at)["handle"]["number"] == 1


def test_no_more_is_offered_than_the_page_translates() -> None:
    at = opened(s="cat " * 90, own=["the sea " * 55, "she reads", "the cat"])
    assert ribbons(at)["handle"]["most"] == 2


def test_several_sentences_in_the_field_can_be_added_one_by_one() -> None:
    at = opened(s=" ".join(OWN))
    assert at.button(key="one-by-one").label == LOOK.one_by_one
    at.button(key="one-by-one").click().run()
    assert not at.exception
    assert field_of(at) == OWN[0]
    assert values(at, "own") == OWN[1:]
    assert ribbons(at)["handle"] == {"number": 1, "most": 3, "next": OWN[1]}


def test_a_sentence_of_a_text_goes_on_with_those_after_it() -> None:
    at = opened(mode="text", text=" ".join(OWN))
    while not [button for button in at.button if button.key == "look-2"]:  # it is translated in the background
        at.run()
    at.button(key="look-2").click().run()
    assert not at.exception
    assert field_of(at) == OWN[1]
    assert values(at, "own") == OWN[2:]
    assert ribbons(at)["handle"]["next"] == OWN[2]


def test_of_released_runs_rnnencdec_loses_words_and_rnnsearch_keeps_them(
    look_in: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """No model is loaded for the sentences of the presentation."""
    look_in(ROOT / "checkpoints")

    def refuse(run: Path) -> None:
        raise AssertionError(f"{run.name} was loaded")

    monkeypatch.setattr("nmt.ui.resources.read_translator", refuse)
    search, encdec = drawn(page("present", scene="together", step="6"))["systems"]
    texts = {file.run: {each.name: each.head["text"] for each in file.answers if each.head} for file in read_shipped()}
    together = beginnings(CONCATENATED["en"], "en")[-1]
    for system in (search, encdec):
        assert system["text"] == texts[system["title"]][together]
    lost = [some for some, is_lost in encdec["alone"] if is_lost]
    assert len(" ".join(lost).split()) > 10
    assert not [some for some, is_lost in search["alone"] if is_lost]
    assert search["weights"] is not None


def test_at_most_twelve_sentences_are_translated_as_one() -> None:
    many = [f"She reads {k}." for k in range(13)]
    assert ribbons(opened(s=many[0], own=many[1:]))["handle"] == {"number": 1, "most": 12, "next": many[1]}
    at = opened(s=" ".join(many))
    at.button(key="one-by-one").click().run()
    assert (field_of(at), values(at, "own")) == (many[0], many[1:12])


def test_where_none_can_be_added_there_is_no_handle() -> None:
    assert ribbons(opened(s="cat " * 150, own=["the sea " * 30]))["handle"] is None


def test_a_sentence_that_was_translated_alone_is_not_translated_again(
    runs: Path, translators: dict[str, Any], write_run: Any
) -> None:
    write_run(runs / "search-words")
    opened(s=OWN[0], models="search-words")
    assert translators["search-words"].calls == 1
    opened(s=OWN[0], own=OWN[1:], models="search-words", k="2")
    assert translators["search-words"].calls == 3  # both as one, and the second
