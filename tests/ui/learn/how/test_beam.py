"""How it searches: the tree on the page, and the search from one of its hypotheses."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

import nmt

APP = Path(__file__).parents[4] / "app.py"
SENTENCE = "the girl has never seen the sea ."


@pytest.fixture
def both(runs: Path, random_runs: Path) -> Path:
    shutil.copytree(random_runs / "search-words", runs / "search")
    shutil.copytree(random_runs / "encdec-words", runs / "encdec")
    return runs


def opened(**asked: str | list[str]) -> AppTest:
    at = AppTest.from_file(str(APP), default_timeout=60).run()
    at.switch_page("pages/learn.py")
    for name, value in {"view": "beam", "s": SENTENCE, "beam": "3", **asked}.items():
        at.query_params[name] = value
    at.run()
    assert not at.exception
    return at


def components(at: AppTest) -> list[dict[str, Any]]:
    return [json.loads(found.proto.json) for found in at.get("bidi_component")]


def test_the_tree_and_the_weights_of_its_result(both: Path) -> None:
    best = nmt.load(both / "search").translate(SENTENCE, beam=3).best
    tree, matrix = components(opened())
    assert tree["nodes"][tree["best"]]["text"] == best.text
    assert tree["beam"] == 3
    assert matrix["panels"][0]["target"] == list(best.tokens)


def test_without_attention_there_is_a_tree_and_no_matrix(both: Path) -> None:
    (tree,) = components(opened(searched="encdec"))
    assert tree["nodes"][tree["best"]]["text"] == nmt.load(both / "encdec").translate(SENTENCE, beam=3).best.text


def test_it_goes_on_from_given_words_and_forgets_them(both: Path) -> None:
    at = opened(**{"from": ["la", "mer"]})
    tree = components(at)[0]
    assert tree["given"] == 2
    assert tree["nodes"][tree["best"]]["text"].lower().startswith("la mer")
    assert any("la mer" in text.value for text in at.text)
    (button,) = [button for button in at.button if button.label == "Search from the start"]
    button.click().run()
    assert components(at)[0]["given"] == 0
    assert not at.exception


def test_words_that_the_model_does_not_know_are_named(both: Path) -> None:
    at = opened(**{"from": ["zzz"]})
    assert any("zzz" in error.value for error in at.error)
    assert [button for button in at.button if button.label == "Search from the start"]
