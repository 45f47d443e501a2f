"""How it works: a drawing without typing, and one for the sentence and the checkpoints that the address names."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

import nmt
from nmt.ui.learn.how.form import PAPER_SENTENCE

APP = Path(__file__).parents[4] / "app.py"
SENTENCE = "the girl has never seen the sea ."


@pytest.fixture
def both(runs: Path, random_runs: Path) -> Path:
    shutil.copytree(random_runs / "search-words", runs / "search")
    shutil.copytree(random_runs / "encdec-words", runs / "encdec")
    return runs


def opened(**asked: str) -> AppTest:
    at = AppTest.from_file(str(APP), default_timeout=60).run()
    at.switch_page("pages/learn.py")
    for name, value in asked.items():
        at.query_params[name] = value
    at.run()
    assert not at.exception
    return at


def drawn(at: AppTest) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(at.get("bidi_component")[0].proto.json)
    return data


def test_the_papers_sentence_is_there_without_typing(both: Path) -> None:
    models = drawn(opened())["models"]
    assert [model["kind"] for model in models] == ["RNNsearch", "RNNencdec"]
    words = PAPER_SENTENCE.replace(".", " .").split()
    assert all(model["source"] == [*words, "</s>"] for model in models)


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


def test_with_one_kind_of_checkpoint_alone(runs: Path, random_runs: Path) -> None:
    shutil.copytree(random_runs / "encdec-words", runs / "encdec")
    assert [model["kind"] for model in drawn(opened())["models"]] == ["RNNencdec"]


def test_unknown_words_and_too_many_words_are_named(both: Path) -> None:
    at = opened(s="the zorp .")
    assert any("zorp" in text.value for text in at.text)
    at = opened(s="the cat " * 40)
    assert any("80 words" in warning.value for warning in at.warning)
    assert not at.get("bidi_component")


def test_without_checkpoints_it_says_how_to_get_them(runs: Path) -> None:
    assert any("no checkpoint yet" in info.value for info in opened().info)
