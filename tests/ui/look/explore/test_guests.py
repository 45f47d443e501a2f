"""Look over a folder of Hugging Face beside runs: what it draws is what the model says."""

import csv
import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import streamlit as st

from nmt.errors import InputError
from nmt.inference.systems import load_hugging_face
from nmt.inspection.what_if import what_if
from nmt.results import Intervention
from nmt.texts import INSTRUMENT, say
from nmt.ui.formatting import as_sentence
from tests.made_once import made_once
from tests.oracles.hugging_face_folders import build
from tests.ui.drawn import Send, ask, data_of, save
from tests.ui.look.explore.test_page import explore, panels, systems, weights

pytestmark = pytest.mark.slow
SENTENCE = "The girl reads a book."


@pytest.fixture(scope="session")
def marian(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made_once(tmp_path_factory, "guest-of-look", lambda place: build("marian", place / "marian"))


@pytest.fixture
def folder(random_runs: Path, marian: Path, tmp_path: Path, look_in: Callable[..., None]) -> Path:
    """The folder among the runs."""
    runs = tmp_path / "runs"
    shutil.copytree(marian / "marian", runs / "marian")
    shutil.copytree(random_runs / "search-words", runs / "search-words")
    look_in(runs)
    st.cache_resource.clear()
    load_hugging_face(runs / "marian")  # imports what takes long on a busy machine
    return runs / "marian"


def test_its_translation_and_alpha_stand_beside_a_run(folder: Path) -> None:
    at = explore(s=SENTENCE, models=["search-words", "marian"], beam="2")
    best = load_hugging_face(folder).translate(SENTENCE, beam=2).best
    assert best.alignment is not None
    assert [each["title"] for each in systems(at)] == ["search-words", "marian"]
    assert systems(at)[1]["text"] == best.text
    assert weights(panels(at)[1]) == pytest.approx(best.alignment.merged().weights, abs=1e-5)


def test_it_is_not_chosen_by_itself(folder: Path) -> None:
    assert [each["title"] for each in systems(explore(s=SENTENCE))] == ["search-words"]


@pytest.mark.parametrize("part", ["2.1", "0"])
def test_a_head_or_a_layer_is_chosen(folder: Path, part: str) -> None:
    at = explore(s=SENTENCE, models=["marian"], beam="2", map=f"head.{part}")
    model = load_hugging_face(folder)
    best = model.translate(SENTENCE, beam=2).best
    assert best.encoded is not None
    every = model.every_head(model.source.encode(SENTENCE), best.encoded)
    layer, _, head = part.partition(".")
    rows = every[int(layer)].mean(0) if not head else every[int(layer), int(head)]
    (panel,) = panels(at)
    assert weights(panel) == pytest.approx(
        model.source.encode(SENTENCE).aligned(best.encoded, rows).merged().weights, abs=1e-5
    )
    data = data_of(at)
    assert data is not None
    alpha, *heads = data["record"]["systems"][0]["maps"]
    assert alpha["kind"] == "alpha"
    assert [(each["layer"], each["head"]) for each in heads] == [*np.ndindex(every.shape[:2])]
    assert np.array([each["weights"] for each in heads]) == pytest.approx(every.reshape(-1, *every.shape[2:]), abs=1e-5)


@pytest.mark.parametrize("part", ["1.2", "1"])
def test_the_head_that_is_shown_is_saved(folder: Path, part: str, send: Send) -> None:
    at = explore(s=SENTENCE, models=["marian"], beam="2", map=f"head.{part}", do="export")
    model = load_hugging_face(folder)
    best = model.translate(SENTENCE, beam=2).best
    assert best.encoded is not None
    x = model.source.encode(SENTENCE)
    layer = model.every_head(x, best.encoded)[1]
    expected = x.aligned(best.encoded, layer[2] if part == "1.2" else layer.mean(0)).merged().weights
    _, *rows = csv.reader(save(send, at, "Table", "marian").data.decode().splitlines())
    assert np.array([row[1:] for row in rows], float) == pytest.approx(expected, abs=1e-5)
    head = INSTRUMENT.head.format(head=2) if part == "1.2" else INSTRUMENT.mean_of_heads
    named = ", ".join((INSTRUMENT.by_key.maps["head"], INSTRUMENT.layer.format(layer=1), head))
    assert f"marian: {named}" in save(send, at, "SVG", "marian").data.decode()


@pytest.mark.parametrize("name", ["head.9.0", "head.0.9", "posterior", "head"])
def test_a_map_that_is_not_there_is_alpha(folder: Path, name: str) -> None:
    usual, other = (explore(s=SENTENCE, models=["marian"], beam="2", **more) for more in ({}, {"map": name}))
    assert weights(panels(other)[0]) == pytest.approx(weights(panels(usual)[0]))


def test_a_given_target_is_forced(folder: Path) -> None:
    at = explore(s=SENTENCE, models=["marian"], of="typed", t="La fille lit.")
    score = load_hugging_face(folder).score(SENTENCE, "La fille lit.")
    data = data_of(at)
    assert data is not None
    (system,) = data["record"]["systems"]
    assert (system["text"], system["forced"]) == ("La fille lit.", True)
    assert system["log_probability"] == pytest.approx(score.log_probability, abs=1e-3)


def test_a_word_is_required_and_a_moved_row_is_one_sentence(folder: Path, send: Send) -> None:
    model = load_hugging_face(folder)
    begun = what_if(model, SENTENCE, Intervention(prefix="La fille"))  # type: ignore[arg-type]
    assert begun.best.text.startswith("La fille")
    with pytest.raises(InputError, match="no single row"):
        what_if(model, SENTENCE, Intervention(weights=((0, (1.0,) + (0.0,) * 5),)))  # type: ignore[arg-type]
    at = explore(s=SENTENCE, models=["marian"], beam="2")
    words = len(panels(at)[0]["source"])
    ask(send, at, "change", changes=[f"weights:0:marian:1{',0' * (words - 1)}"])
    said = as_sentence(say("errors.many_heads", name="marian"))
    assert said in [each.value for each in at.error]
