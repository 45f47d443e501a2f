"""The page "Explore" over tiny checkpoints with random weights: what it draws is what the models say."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

import nmt
from nmt.inspection.leave_one_out import leave_one_out_of
from nmt.inspection.what_if import Intervention, what_if

APP = Path(__file__).parents[2] / "app.py"
SENTENCE = "the cat has never seen the sea ."


@pytest.fixture(autouse=True)
def checkpoints(random_runs: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setattr("nmt.ui.checkpoints.folders", lambda: (random_runs,))
    st.cache_resource.clear()
    yield
    st.cache_resource.clear()


def explore(**parameters: str | list[str]) -> AppTest:
    at = AppTest.from_file(str(APP), default_timeout=60)
    for name, value in parameters.items():
        at.query_params[name] = value
    at.run()
    at.switch_page("pages/explore.py").run()
    assert not at.exception, at.exception
    return at


def views(at: AppTest) -> list[dict[str, Any]]:
    return [json.loads(element.proto.json) for element in at.get("bidi_component")]


def panels(at: AppTest) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = views(at)[0]["panels"]
    return found


def weights(panel: dict[str, Any]) -> Any:
    return np.array(panel["weights"])


def test_alpha_of_the_best_translation_and_the_stand_in(random_runs: Path) -> None:
    at = explore(s=SENTENCE, models=["search-words", "encdec-words"], beam="3")
    search, encdec = panels(at)
    best = nmt.load(random_runs / "search-words").translate(SENTENCE, beam=3).best
    assert best.alignment is not None
    assert search["text"] == best.text
    assert weights(search) == pytest.approx(best.alignment.weights, abs=1e-5)
    assert search["log_probability"] == pytest.approx(best.token_log_probabilities, abs=1e-3)
    assert search["bars"]["source"]["values"] == pytest.approx(best.alignment.weights.sum(axis=0), abs=1e-3)
    assert search["note"] == ""
    model = nmt.load(random_runs / "encdec-words")
    other = model.translate(SENTENCE, beam=3).best
    pair = model.source.encode(SENTENCE), model.target.encode_tokens(other.tokens)
    expected = next(leave_one_out_of(model, [pair]))
    assert weights(encdec) == pytest.approx(expected.weights, abs=1e-5)
    assert encdec["note"].startswith("Stand-in")
    assert encdec["letter"] != "α"


def test_any_of_the_list_can_be_shown(random_runs: Path) -> None:
    at = explore(s=SENTENCE, models=["search-words"], beam="4", of="One of the list", rank="3")
    third = nmt.load(random_runs / "search-words").translate(SENTENCE, beam=4, n_best=3).hypotheses[2]
    assert panels(at)[0]["text"] == third.text


@pytest.mark.parametrize("kind", ["words", "bpe"])
def test_a_typed_target_is_forced(random_runs: Path, kind: str) -> None:
    target = "la fille dort ."
    at = explore(s=SENTENCE, models=[f"search-{kind}"], of="Typed target", t=target)
    score = nmt.load(random_runs / f"search-{kind}").score(SENTENCE, target)
    assert score.alignment is not None
    (panel,) = panels(at)
    assert weights(panel) == pytest.approx(score.alignment.merged().weights, abs=1e-5)
    assert sum(panel["log_probability"]) == pytest.approx(score.log_probability, abs=1e-2)
    assert panel["target"] == ["la", "fille", "dort", ".", "</s>"]
    pieces = explore(
        s=SENTENCE, models=[f"search-{kind}"], of="Typed target", t=target, **{"with": ["Pieces of words"]}
    )
    bare = panels(pieces)[0]
    assert len(bare["target"]) >= len(bare["log_probability"]) == len(bare["weights"])
    assert "</s>" not in bare["target"]


def test_a_typed_target_is_waited_for() -> None:
    at = explore(s=SENTENCE, models=["search-words"], of="Typed target")
    assert "Type the target" in at.info[0].value
    assert not at.get("bidi_component")


def test_without_end_mark_and_punctuation_rows_sum_to_one_and_it_is_said() -> None:
    at = explore(s=SENTENCE, models=["search-words"], of="Typed target", t="la fille dort .", **{"with": ["Bars"]})
    (panel,) = panels(at)
    assert panel["target"] == ["la", "fille", "dort"]
    assert "." not in panel["source"]
    assert weights(panel).sum(axis=1) == pytest.approx(1, abs=1e-4)
    assert "Without the end mark and punctuation" in panel["note"]


def test_the_difference_is_the_second_less_the_first_on_the_first_ones_target(random_runs: Path) -> None:
    options = ["Bars", "End mark", "Punctuation", "Difference"]
    at = explore(s=SENTENCE, models=["search-words", "search-bpe"], beam="2", **{"with": options})
    first, second, delta = panels(at)
    text = nmt.load(random_runs / "search-words").translate(SENTENCE, beam=2).text
    assert first["text"] == second["text"] == text
    assert delta["is_difference"]
    if first["target"] == second["target"]:
        assert weights(delta) == pytest.approx(weights(second) - weights(first), abs=1e-5)
    else:
        assert delta["note"].startswith("No difference")


def test_links_are_pruned_by_weight_or_mass() -> None:
    at = explore(s=SENTENCE, models=["search-words"], show="Both", least="0.3")
    (panel,) = panels(at)
    alpha = weights(panel)
    assert {(i, j) for i, j, _ in panel["links_shown"]} == {(i, j) for i, j in np.argwhere(alpha >= 0.3).tolist()}
    at = explore(s=SENTENCE, models=["search-words"], show="Links", by="Mass", least="0.5")
    (panel,) = panels(at)
    for i, row in enumerate(weights(panel)):
        kept = [j for k, j, _ in panel["links_shown"] if k == i]
        assert row[kept].sum() >= 0.5 - 1e-4
        assert row[kept].sum() - row[kept].min() < 0.5


def test_a_pinned_cell_of_the_address_is_explained() -> None:
    at = explore(s=SENTENCE, models=["search-words"], beam="2", do="Explain a cell", pin="0.1.2")
    assert views(at)[0]["pin"] == {"panel": 0, "source": [2], "target": [1]}
    alpha = next(metric.value for metric in at.metric if metric.label == "αᵢⱼ")
    assert float(alpha) == pytest.approx(weights(panels(at)[0])[1, 2], abs=1e-3)
    (energies,) = [frame.value for frame in at.dataframe if "e" in frame.value.columns]
    row = np.exp(energies["e"] - energies["e"].max())
    assert (row / row.sum()).to_numpy() == pytest.approx(energies["alpha"].to_numpy(), abs=1e-4)
    assert explore(s=SENTENCE, models=["search-words"], do="Explain a cell", pin="7.1.2").info


def test_what_if_shows_what_the_core_decodes(random_runs: Path) -> None:
    at = explore(s=SENTENCE, models=["search-words", "encdec-words"], beam="2", do="What if", wprefix="une fille")
    after = views(at)[1]["panels"]
    for name, panel in zip(("search-words", "encdec-words"), after, strict=True):
        expected = what_if(nmt.load(random_runs / name), SENTENCE, Intervention(prefix="une fille"), beam=2)
        assert panel["text"] == expected.text
        assert panel["text"].startswith("une fille")
    forced = explore(s=SENTENCE, models=["search-words"], beam="2", do="What if", wat="2", wword="chat")
    assert views(forced)[1]["panels"][0]["target"][1] == "chat"
    unknown = explore(s=SENTENCE, models=["search-words"], beam="2", do="What if", wforbid="xylophone")
    assert any("xylophone" in error.value for error in unknown.error)
    assert len(views(unknown)) == 1


def test_weights_of_the_address_are_moved(random_runs: Path) -> None:
    model = nmt.load(random_runs / "search-words")
    columns = len(model.source.encode(SENTENCE).tokens)
    row = [0.0] * columns
    row[3] = 1.0
    at = explore(s=SENTENCE, models=["search-words"], beam="2", do="What if", moved="0:" + ",".join(map(str, row)))
    (after,) = views(at)[1]["panels"]
    assert weights(after)[0] == pytest.approx(row, abs=1e-6)
    moved = "0:" + ",".join(map(str, row))
    at = explore(s=SENTENCE, models=["search-words"], beam="2", do="What if", moved=moved, pin="0.0.1")
    assert weights(views(at)[1]["panels"][0])[0] == pytest.approx(row, abs=1e-6)


def test_what_if_goes_on_from_targets_that_were_made_common() -> None:
    models = ["search-words", "encdec-words", "encdec-bpe"]
    at = explore(s=SENTENCE, models=models, do="What if", wprefix="une", **{"with": ["Bars", "Difference"]})
    assert all(panel["text"].startswith("une") for panel in views(at)[1]["panels"] if not panel["is_difference"])


def test_the_stand_in_of_a_model_of_pieces_is_over_words(random_runs: Path) -> None:
    at = explore(s=SENTENCE, models=["encdec-bpe"], beam="2")
    (panel,) = panels(at)
    best = nmt.load(random_runs / "encdec-bpe").translate(SENTENCE, beam=2).best
    assert sum(panel["log_probability"]) == pytest.approx(best.log_probability, abs=1e-2)
    assert not any("▁" in word for word in panel["target"])


def test_gold_links_are_drawn_and_measured() -> None:
    at = explore(s=SENTENCE, models=["search-words"], of="Typed target", t="la fille dort .", do="Gold links",
                 gold="0-0 1p1 6-3")  # fmt: skip
    (panel,) = panels(at)
    assert panel["sure"] == [[0, 0], [3, 6]]
    assert panel["possible"] == [[1, 1]]
    (table,) = [frame.value for frame in at.dataframe if "AER" in frame.value.columns]
    assert 0 <= table["AER"][0] <= 100
    broken = explore(s=SENTENCE, models=["search-words"], do="Gold links", gold="0-0 x")
    assert "is not a link" in broken.warning[0].value.replace("\\", "")
    beyond = explore(s=SENTENCE, models=["search-words"], do="Gold links", gold="0-0 99-0")
    assert "99-0" in beyond.warning[0].value.replace("\\", "")


def test_unknown_words_and_where_unk_looks() -> None:
    at = explore(s="the zorp reads", models=["search-words"], do="Unknown words")
    assert any("zorp" in text.value for text in at.text)
    typed = explore(s="the zorp reads", models=["search-words"], do="Unknown words", of="Typed target", t="la fille")
    assert any("zorp" in text.value for text in typed.text)


def test_a_table_of_what_is_drawn() -> None:
    at = explore(s=SENTENCE, models=["search-words"], do="Table")
    table = at.dataframe[-1].value
    assert np.asarray(table, dtype=float) == pytest.approx(weights(panels(at)[0]), abs=1e-3)


@pytest.mark.parametrize("kind", ["PDF", "SVG", "PNG", "HTML", "CSV", "JSON", "Pharaoh", "Nematus / SoftAlignments"])
def test_every_format_can_be_taken_away(kind: str) -> None:
    at = explore(s=SENTENCE, models=["search-words"], do="Take away")
    at.selectbox(key="take-format").set_value(kind).run()
    assert not at.exception
    assert any(kind in button.label for button in at.get("download_button"))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("of", "x"),
        ("rank", "99"),
        ("least", "7"),
        ("scale", "x"),
        ("with", "x"),
        ("pin", "a.b.c"),
        ("moved", "0:x"),
        ("do", "x"),
        ("layout", "x"),
    ],
)
def test_nonsense_in_the_address_is_ignored(name: str, value: str) -> None:
    at = explore(s=SENTENCE, models=["search-words"], **{name: value})
    assert len(panels(at)) == 1
