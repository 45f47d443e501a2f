"""How it works: a drawing without typing, and one for the sentence and the checkpoints that the address names."""

import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

import nmt
from nmt.answers.keys import STEPS
from nmt.answers.shipped import SENTENCES as SENTENCES_SHOWN
from nmt.answers.shipped import read_shipped
from nmt.released import OPENS_FIRST
from nmt.runs.folder import read_settings, write_settings
from nmt.texts import APP as APP_TEXTS
from nmt.texts import LEARN
from nmt.ui.learn.form import FIRST_SENTENCE, short_enough
from tests.ui.drawn import Send, ask, field_of
from tests.ui.learn.learn_page import APP, SENTENCE, compare_page_with_kept, components, opened


def drawn(at: AppTest) -> dict[str, Any]:
    return components(at)[0]


def test_the_papers_sentence_is_there_without_typing(both: Path) -> None:
    models = drawn(opened())["models"]
    assert [model["kind"] for model in models] == ["RNNsearch", "RNNencdec"]
    words = FIRST_SENTENCE.replace(".", " .").split()
    assert all(model["source"] == [*words, "</s>"] for model in models)


def test_who_reads_korean_begins_with_korean_examples(both: Path, random_runs: Path) -> None:
    korean = Path(shutil.copytree(random_runs / "search-words", both / "korean"))
    write_settings(korean, replace(read_settings(korean), source_language="ko", target_language="en"))
    at = opened(lang="ko")
    examples = [each for each in SENTENCES_SHOWN if each.languages == ("ko", "en")]
    assert drawn(at)["models"][0]["source"] == [*examples[0].sentence.replace(".", " .").split(), "</s>"]
    (menu,) = at.get("menu_button")
    assert [each.sentence for each in examples] == list(menu.options)


def test_the_field_has_the_sentence_and_a_blank_one_brings_back_the_first(both: Path, send: Send) -> None:
    at = opened()
    assert field_of(at, "learn-sentence") == FIRST_SENTENCE
    ask(send, at, "translate", "learn-sentence", typed=" the  sea\n", entered=True)
    assert field_of(at, "learn-sentence") == "the sea"
    assert drawn(at)["models"][0]["source"] == ["the", "sea", "</s>"]
    ask(send, at, "translate", "learn-sentence", typed=" ", entered=True)
    assert field_of(at, "learn-sentence") == FIRST_SENTENCE
    at.get("menu_button")[0].set_value(SENTENCES_SHOWN[1].sentence).run()
    assert field_of(at, "learn-sentence") == SENTENCES_SHOWN[1].sentence


def test_a_sentence_from_the_address(both: Path) -> None:
    at = opened(s=SENTENCE, beam="3")
    best = nmt.load(both / "search").translate(SENTENCE, beam=3).best
    model = drawn(at)["models"][0]
    assert model["target"] == list(best.tokens)
    assert model["text"] == best.text
    assert [step["log_probability"] for step in model["steps"]] == pytest.approx(best.token_log_probabilities, abs=1e-3)


def test_another_checkpoint_and_one_that_is_not_there(both: Path, random_runs: Path) -> None:
    shutil.copytree(random_runs / "search-bpe", both / "pieces")
    assert drawn(opened(rnnsearch="pieces"))["models"][0]["name"] == "pieces"
    at = opened(rnnsearch="lost")
    assert any("lost" in caption.value for caption in at.caption)
    assert drawn(at)["models"]


def test_whole_words_until_subwords_are_asked_for(both: Path, random_runs: Path) -> None:
    shutil.copytree(random_runs / "search-bpe", both / "pieces")
    asked = {"s": SENTENCE, "rnnsearch": "pieces", "beam": "3"}
    best = nmt.load(both / "pieces").translate(SENTENCE, beam=3).best
    assert best.alignment is not None
    merged = best.alignment.merged()
    words = drawn(opened(**asked))["models"][0]
    assert words["source"] == list(merged.source)
    assert words["target"] == list(merged.target)
    np.testing.assert_allclose([step["alpha"] for step in words["steps"]], merged.weights, atol=1e-3)
    at = opened(**asked, units="pieces")
    assert len(drawn(at)["models"][0]["target"]) == len(best.tokens)
    assert any(LEARN.pieces in caption.value for caption in at.caption)
    (fold,) = (each for each in at.expander if each.label == LEARN.in_a_transformer)
    assert (fold.proto.expanded, fold.markdown[0].value) == (False, LEARN.query_key_value)


@pytest.mark.usefixtures("without_integers")
def test_the_page_of_subwords_has_what_is_kept(both: Path, random_runs: Path, request: pytest.FixtureRequest) -> None:
    shutil.copytree(random_runs / "search-bpe", both / "pieces")
    at = opened(s="the zorp sleeps .", rnnsearch="pieces", beam="3", units="pieces")
    compare_page_with_kept(at, "learn-how-subwords", request)


def test_nothing_is_drawn_of_another_language_until_the_reader_decides(
    both: Path, random_runs: Path, send: Send
) -> None:
    korean = Path(shutil.copytree(random_runs / "search-words", both / "korean"))
    write_settings(korean, replace(read_settings(korean), source_language="ko", target_language="en"))
    at = opened()
    for typed, button, names in (
        ("나는 어제 사과를 먹었다.", "anyway", ["search", "encdec"]),
        ("나는 오늘 책을 읽었다.", "translate-as-ko-en", ["korean"]),
    ):
        ask(send, at, "translate", "learn-sentence", typed=typed, entered=True)
        assert not components(at)
        at.button(key=button).click().run()
        assert [model["name"] for model in drawn(at)["models"]] == names


def test_what_only_other_views_have_is_named_and_kept_for_them(both: Path) -> None:
    at = opened(s=SENTENCE, step="12345", word="99", **{"from": ["9", "9"]})
    (notice,) = [caption.value for caption in at.caption if "12345" in caption.value]
    asked = {"9 9": LEARN.first_words, "99": LEARN.word_of_translation, "12345": LEARN.snapshot}
    for value, title in asked.items():
        assert APP_TEXTS.not_in_view.format(value=value, title=title) in notice
    assert not {"step", "word", "from"} & {*at.query_params}
    at = opened(s=SENTENCE, view="explanation", word="1")
    at.segmented_control(key="choice-view").set_value("how").run()
    assert "word" not in at.query_params
    at.segmented_control(key="choice-view").set_value("explanation").run()
    assert at.query_params["word"] in ("1", ["1"])
    assert at.pills(key="choice-word").value == "1"


def test_with_one_kind_of_checkpoint_alone(encdec: Path) -> None:
    assert [model["kind"] for model in drawn(opened())["models"]] == ["RNNencdec"]


def test_unknown_words_and_too_many_words_are_named(both: Path) -> None:
    at = opened(s="the zorp .")
    assert LEARN.unknown_to_models.format(words="zorp") in [text.value for text in at.text]
    at = opened(s="the cat " * 40)
    assert LEARN.too_long_to_draw.format(words=80, most=60) in [warning.value for warning in at.warning]
    assert not components(at)


def test_without_checkpoints_it_says_how_to_get_them(runs: Path) -> None:
    assert len(opened().info) == 1


def test_the_released_runs_are_drawn_without_a_model(
    look_in: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(run: Path) -> None:
        raise AssertionError(f"{run.name} was loaded")

    look_in(APP.parent / "checkpoints")
    monkeypatch.setattr("nmt.ui.resources.read_translator", refuse)
    models = drawn(opened())["models"]
    assert [model["kind"] for model in models] == ["RNNsearch", "RNNencdec"]
    assert {model["name"]: model["text"] for model in models} == {
        file.run: next(each.head["text"] for each in file.answers if each.head and each.name == FIRST_SENTENCE)
        for file in read_shipped()
        if file.run in OPENS_FIRST and any(each.group == {"kind": STEPS} for each in file.answers)
    }


@pytest.mark.parametrize(("words", "drawn"), [((60, 3), True), ((3, 61), False)])
def test_so_many_words_can_be_drawn(words: tuple[int, int], drawn: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    monkeypatch.setattr(st, "warning", lambda text, icon: said.append(text))
    assert short_enough("{words} of {most}", *("cat " * number for number in words)) == drawn
    assert said == ([] if drawn else ["61 of 60"])
