"""The page Learning: the slider shows what each step says, and moving it computes nothing."""

import shutil
from pathlib import Path
from typing import Any

import pytest
import torch
from streamlit.testing.v1 import AppTest

import nmt
from nmt.inference.checkpoint import load_model, save_weights
from nmt.runs.folder import read_run
from nmt.runs.snapshots import snapshot_file
from nmt.ui.resources import read_snapshot

APP = Path(__file__).parents[3] / "app.py"
SENTENCE = "the girl has never seen the zorp ."
UPDATES = [5, 700, 1300]


@pytest.fixture
def run(runs: Path, random_runs: Path) -> Path:
    """A run with three steps, beside one without any."""
    shutil.copytree(random_runs / "search-words", runs / "plain")
    folder = runs / "watched"
    shutil.copytree(random_runs / "search-words", folder)
    (folder / "steps").mkdir()
    for update, factor in zip(UPDATES, (0.1, 0.5, 1.0), strict=True):
        model = load_model(read_run(folder).settings, folder / "model.safetensors")
        with torch.no_grad():
            for parameter in model.parameters():
                parameter.mul_(factor)
        save_weights(folder / snapshot_file(update), model, {"update": update})
    return folder


@pytest.fixture
def loaded(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Updates of the steps that were loaded."""
    found: list[int] = []

    def read(run: Path, update: int) -> Any:
        found.append(update)
        return read_snapshot(run, update)

    monkeypatch.setattr("nmt.ui.resources.read_snapshot", read)
    return found


def opened(sentence: str = SENTENCE) -> AppTest:
    at = AppTest.from_file(str(APP), default_timeout=60).run()
    at.switch_page("pages/learn.py").run()
    if sentence:
        at.text_area(key="s").set_value(sentence).run()
    assert not at.exception
    return at


def said(at: AppTest) -> list[str]:
    return [text.value for text in at.text]


def test_each_step_is_shown_and_none_is_computed_twice(run: Path, loaded: list[int]) -> None:
    at = opened()
    assert at.selectbox(key="run").options == ["watched"]
    slider = at.select_slider(key="step")
    assert slider.options == ["5", "700", "1300"]
    assert slider.value == 1300  # what was learned
    for update in UPDATES:
        at.select_slider(key="step").set_value(update).run()
        best = nmt.load(run, weights=update).translate(SENTENCE, beam=12).best
        assert best.text in said(at)
    assert "Unknown to this model, read as [UNK]: zorp" in said(at)
    table = at.dataframe[0].value
    assert table["Updates"].tolist() == UPDATES
    assert sorted(loaded) == UPDATES


def test_earlier_later_and_play(run: Path) -> None:
    at = opened()
    (earlier,) = [button for button in at.button if button.label == "Earlier"]
    earlier.click().run()
    assert at.select_slider(key="step").value == 700
    (later,) = [button for button in at.button if button.label == "Later"]
    later.click().run()
    assert at.select_slider(key="step").value == 1300
    buttons = {button.label: button for button in at.button}
    assert buttons["Later"].disabled
    assert not buttons["Earlier"].disabled
    buttons["Play"].click().run()  # at the end: from the start
    assert at.select_slider(key="step").value == 5
    buttons = {button.label: button for button in at.button}
    buttons["Stop"].click().run()
    assert not at.exception
    assert "Play" in {button.label for button in at.button}


def test_one_target_for_all_steps(run: Path) -> None:
    at = opened()
    last = nmt.load(run, weights=1300).translate(SENTENCE, beam=12).best
    at.segmented_control(key="of").set_value("What the last step writes").run()
    assert last.text in said(at)
    table = at.dataframe[0].value
    assert table["Its log-probability"].tolist()[-1] == table["Log-probability of the same target"].tolist()[-1]
    at.segmented_control(key="of").set_value("Typed target").run()
    assert any("Type the target sentence" in info.value for info in at.info)
    at.text_input(key="t").set_value("la fille .").run()
    assert "la fille ." in said(at)
    assert not at.exception


def test_without_steps_it_says_how_to_get_them(runs: Path, random_runs: Path) -> None:
    shutil.copytree(random_runs / "search-words", runs / "plain")
    assert any("--keep" in info.value for info in opened("").info)


def test_a_broken_step_is_named(run: Path) -> None:
    (run / "steps" / "700.safetensors").write_bytes(b"junk")
    at = opened("")
    assert any("700" in warning.value for warning in at.warning)
