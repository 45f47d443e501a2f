"""The view "Concatenate sentences" over tiny checkpoints with random weights, and over the released ones."""

import json
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from urllib.parse import unquote

import pytest
from streamlit.testing.v1 import AppTest

import nmt
from nmt.charts.style import line_style
from nmt.config import SearchSettings
from nmt.evaluation.concatenation import short_sentences
from nmt.evaluation.evaluate import StressTest
from nmt.evaluation.measurement_files import read_stress
from nmt.evaluation.test_set import from_folder
from nmt.texts import APP, TOGETHER
from nmt.ui.formatting import escaped
from nmt.ui.length.together import curves_so_far, what_to_see
from nmt.ui.resources import compute_service
from tests.answers.onlooker import Onlooker
from tests.ui.opened import busy, opened

ROOT = Path(__file__).parents[3]


@pytest.fixture(autouse=True)
def checkpoints(fresh_server: None, random_runs: Path, look_in: Callable[..., None]) -> None:
    look_in(random_runs)


def figure(at: AppTest) -> Any:
    (chart,) = at.get("plotly_chart")
    return json.loads(chart.proto.spec)


@pytest.mark.usefixtures("shipped")
def test_a_checkpoint_has_the_colour_that_it_has_on_look() -> None:
    models = ["rnnsearch-en-fr", "rnnencdec-en-fr"]
    at = opened("length", view="together", models=models)
    drawn = {line["name"]: line["line"]["color"] for line in figure(at)["data"] if line.get("line")}
    assert [drawn[name] for name in models] == [line_style(k).colour for k in range(2)]


@pytest.mark.slow
def test_without_a_stored_curve_the_button_computes_it(random_runs: Path) -> None:
    at = opened("length", view="together", models=["search-words", "encdec-words"], beam="1", words="5", sample="16")
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
    at.segmented_control(key="choice-measure").set_value("log_probability").run()
    assert figure(at)["data"][0]["y"][0] < 0
    assert not at.exception


def test_what_waits_can_be_stopped_and_goes_on() -> None:
    at = opened("length", view="together", models=["search-words"], beam="1", words="5", sample="16")
    with busy():
        at.button(key="stress-start").click().run()
        assert len(at.get("progress")) == 1
        assert figure(at)["layout"]["xaxis"]["range"] == [0.7, 1.3]  # there is no point yet
        at.button(key="cancel-stress-").click().run()
        at.run()
        assert at.button(key="stress-start").label == APP.go_on
        at.button(key="stress-start").click().run()
        at.slider(key="words").set_value(6).run()  # another question ends this one
        assert [job.state.status for job in compute_service().jobs.all()] == ["running", "cancelled"]
    assert at.button(key="stress-start").label != APP.go_on


@pytest.fixture
def shipped(look_in: Callable[..., None], monkeypatch: pytest.MonkeyPatch) -> None:
    """The released checkpoints, of which no model may be loaded."""
    look_in(ROOT / "checkpoints")

    def refuse(run: Path) -> None:
        raise AssertionError(f"{run.name} was loaded")

    monkeypatch.setattr("nmt.ui.resources.read_translator", refuse)


@pytest.mark.usefixtures("shipped")
def test_released_runs_are_shown_without_a_model() -> None:
    runs = ["rnnsearch-50", "rnnencdec-50"]
    at = opened("length", view="together", models=runs)
    assert "stress-start" not in [button.key for button in at.button]
    stored = {name: read_stress(ROOT / "checkpoints" / name)["jointly-300"] for name in runs}
    for line in figure(at)["data"]:
        assert line["y"] == [point.bleu for point in stored[line["name"]].points]
    (link,) = (link for link in at.get("page_link") if link.proto.label == TOGETHER.see_it)
    assert "rnnencdec-50" in unquote(link.proto.query_string)


@pytest.mark.usefixtures("shipped")
def test_only_what_is_not_stored_is_offered() -> None:
    at = opened("length", view="together", models=["rnnsearch-50", "scrubber-128"])
    assert [line["name"] for line in figure(at)["data"]] == ["rnnsearch-50"]
    assert at.button(key="stress-start").label.replace("\\", "") == TOGETHER.compute.format(names="scrubber-128")
    assert not opened("length", view="together", models=["rnnsearch-50"], words="12").get(
        "plotly_chart"
    )  # other sentences


def test_the_languages_are_chosen_as_for_a_curve(runs: Path, write_run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nmt.ui.length.page.show_curves", lambda view: None)
    write_run(runs / "to-french")
    write_run(runs / "to-german", target="de")
    at = opened("length", view="together")
    assert at.multiselect(key="choice-models").value == ["to-french"]
    at.selectbox(key="choice-pair").set_value("en-de").run()
    assert at.multiselect(key="choice-models").value == ["to-german"]
    at = opened("length", view="together", models=["to-german", "to-french"])
    assert at.multiselect(key="choice-models").value == ["to-french"]
    said = APP.left_out.format(languages="English to French", names=escaped("to-german"))
    assert any(caption.value.endswith(said) for caption in at.caption)


def test_no_sentence_is_short_enough(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    folder = tmp_path / "testsets" / "long"
    folder.mkdir(parents=True)
    for language in ("en", "fr"):
        (folder / f"sentences.{language}").write_text("a b c d e f g\n")
    monkeypatch.setattr("nmt.ui.length.together.ROOT", tmp_path)
    at = opened("length", view="together", models=["search-words"], words="5")
    assert at.error[0].value.startswith("long ")


def test_the_address_has_names() -> None:
    at = opened("length", view="together", models=["search-words", "gone"], measure="log_probability")
    assert at.segmented_control(key="choice-measure").value == "log_probability"
    assert any("gone" in str(each.value) for each in at.caption)
    assert at.query_params["measure"] in ("log_probability", ["log_probability"])


def test_the_oldest_points_are_forgotten() -> None:
    for k in range(40):
        curves_so_far(f"task {k}")["a"] = ()
    assert curves_so_far("task 39") == {"a": ()}
    assert curves_so_far("task 1") == {}


def test_what_is_lost_is_told_of_curves_with_two_points_or_more() -> None:
    points: Any = [SimpleNamespace(bleu=bleu) for bleu in (40.0, 30.0, 20.0)]
    changes = ", ".join(TOGETHER.change.format(name=name, first=40, last=last) for name, last in (("b", 30), ("c", 20)))
    found = what_to_see({"a": points[:1], "b": points[:2], "c": points})
    assert found == TOGETHER.from_single.format(most=3, changes=changes)
    assert what_to_see({"a": points[:1], "b": points[:1]}) == ""
