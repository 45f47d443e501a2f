"""The page "Stress test" over tiny checkpoints with random weights: real jobs, no browser."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

import nmt
from nmt.alignments.summary import summary
from nmt.config import SearchSettings
from nmt.evaluation.concatenation import short_sentences
from nmt.evaluation.stress import StressTest
from nmt.evaluation.test_set_files import from_folder
from nmt.ui.length.stress.task import CurveBoard
from nmt.ui.resources import compute_service
from tests.evaluation.test_stress import Onlooker

ROOT = Path(__file__).parents[4]
OWN = "The cat sleeps.\nShe reads.\nA girl."


@pytest.fixture(autouse=True)
def checkpoints(random_runs: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr("nmt.ui.checkpoints.folders", lambda: (random_runs,))
    st.cache_resource.clear()
    yield
    for job in compute_service().jobs.all():
        job.cancel()
        assert job.wait(20)
    st.cache_resource.clear()


def open_page(**parameters: str | list[str]) -> AppTest:
    at = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    for name, value in parameters.items():
        at.query_params[name] = value
    at.query_params["view"] = "together"
    at.run()
    at.switch_page("pages/length.py").run()
    assert not at.exception, at.exception
    return at


def figure(at: AppTest) -> Any:
    (chart,) = at.get("plotly_chart")
    return json.loads(chart.proto.spec)


@contextmanager
def busy() -> Iterator[None]:
    """The server does something else in the background."""
    end = threading.Event()
    job = compute_service().jobs.start("something else", lambda reporter: end.wait(60))
    try:
        yield
    finally:
        end.set()
        assert job.wait(20)


@pytest.mark.slow
def test_nothing_is_computed_before_the_button_and_then_the_curves_are_the_models(random_runs: Path) -> None:
    at = open_page(models=["search-words", "encdec-words"], beam="1", words="5", sample="16")
    assert not compute_service().jobs.all()
    assert not at.get("plotly_chart")
    at.button(key="stress-start").click().run()
    (job,) = compute_service().jobs.all()
    assert job.wait(120)
    at.run()
    assert not at.exception
    assert job.state.problem == ""
    test = short_sentences(from_folder(ROOT / "testsets" / "jointly-300", "en", "fr"), 5, 16)
    for line, name in zip(figure(at)["data"], ("search-words", "encdec-words"), strict=True):
        expected = list(
            StressTest(model=nmt.load(random_runs / name), settings=SearchSettings(beam=1), reporter=Onlooker()).points(
                test
            )
        )
        assert line["name"] == name
        assert line["x"] == list(range(1, 9))
        assert line["y"] == pytest.approx([point.bleu for point in expected])
    assert len(at.dataframe[0].value) == 16
    at.button_group(key="measure").set_value("Log p").run()
    assert figure(at)["data"][0]["y"][0] < 0
    assert not at.exception


def test_what_waits_can_be_stopped_and_goes_on() -> None:
    with busy():
        at = open_page(models=["search-words"], beam="1", words="5", sample="16")
        at.button(key="stress-start").click().run()
        assert [bar.proto.text for bar in at.get("progress")] == ["Waiting for other work to end …"]
        at.button(key="cancel-stress-").click().run()
        at.run()
        assert at.button(key="stress-start").label == "Go on"
        at.button(key="stress-start").click().run()
        at.slider(key="words").set_value(6).run()  # another question ends this one
        assert [job.state.status for job in compute_service().jobs.all()] == ["running", "cancelled"]
    assert at.button(key="stress-start").label == "Start"


def test_no_sentence_is_short_enough(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    folder = tmp_path / "testsets" / "long"
    folder.mkdir(parents=True)
    for language in ("en", "fr"):
        (folder / f"sentences.{language}").write_text("a b c d e f g\n")
    monkeypatch.setattr("nmt.ui.length.stress.form.ROOT", tmp_path)
    monkeypatch.setattr("nmt.ui.length.stress.curve.ROOT", tmp_path)
    at = open_page(models=["search-words"], words="5")
    assert "long has no sentence of up to 5 words" in at.error[0].value
    assert at.text_area(key="own")


@pytest.mark.parametrize(("own", "k", "expected"), [
    (OWN, "1", "The cat sleeps."),
    (OWN, "2", "The cat sleeps. She reads."),
    (OWN, "8", "The cat sleeps. She reads. A girl."),
    ("She  reads.", "3", "She reads. She reads. She reads."),
])  # fmt: skip
def test_the_own_sentence_at_each_k(random_runs: Path, own: str, k: str, expected: str) -> None:
    at = open_page(models=["search-words", "encdec-words"], beam="2", own=own, k=k)
    shown = [element.value for element in at.text]
    assert shown[0] == expected
    search, encdec = (nmt.load(random_runs / n).translate(expected, beam=2) for n in ("search-words", "encdec-words"))
    assert shown[1:] == [search.text, encdec.text]
    (view,) = [json.loads(element.proto.json) for element in at.get("bidi_component")]
    assert search.alignment is not None
    assert view["panels"][0]["target"] == list(search.alignment.merged().target)
    covered = summary(search.alignment)
    assert covered is not None
    metrics = {metric.label: metric.value for metric in at.metric}
    assert metrics["Least coverage"] == f"{covered.least_coverage:.2f}"
    assert len([metric for metric in at.metric if metric.label == "Log-probability per word"]) == 2


def test_without_an_own_sentence_there_is_an_example() -> None:
    at = open_page(models=["search-words"], beam="1")
    assert "Type a sentence" in at.info[-1].value
    at.button(key="own-example").click().run()
    assert not at.exception
    assert at.text[0].value == "She has never seen the sea."


def test_an_own_sentence_that_gets_too_long_is_refused() -> None:
    at = open_page(models=["search-words"], own="cat " * 60, k="4")
    assert "240 words" in at.warning[0].value
    assert not at.get("bidi_component")


def test_the_board_forgets_the_oldest() -> None:
    board = CurveBoard(remembered=3)
    for k in range(5):
        board.begin(f"task {k}", ("a",))
    assert board.curves("task 1") == {}
    assert board.curves("task 4") == {"a": ()}
