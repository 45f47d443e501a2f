"""Which checkpoint to use for what: chosen by its scores, and said with them."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

import pytest
from streamlit.testing.v1 import AppTest

from nmt.evaluation.evaluation_files import write_evaluation
from nmt.results import ALL_SETS
from nmt.runs.folder import read_run, read_settings, write_settings
from nmt.ui.models.guide import explained
from nmt.ui.models.purposes import LEARN, Measured, purposes
from tests.evaluation.evaluations import evaluated
from tests.evaluation.texts import texts

APP = Path(__file__).parents[3] / "app.py"
KNOWN = [
    Measured(
        name="a", attends=True, bleu={"laws": 30.0, "talk": 40.0, ALL_SETS: 35.0}, error_rate={"gold": 0.2},
        together=10.0, most_together=8,
    ),
    Measured(
        name="b", attends=True, bleu={"laws": 28.0, "talk": 41.5, ALL_SETS: 34.0}, error_rate={"gold": 0.1},
        together=30.0, most_together=8, steps=4,
    ),
    Measured(name="c", attends=False, bleu={"laws": 15.0, "talk": 30.0, ALL_SETS: 20.0}, together=2.0, most_together=8),
    Measured(name="d", attends=False, bleu={"laws": 14.0, ALL_SETS: 19.0}, together=50.0, most_together=4),
]  # fmt: skip


def test_each_purpose_has_the_best_checkpoint() -> None:
    found = {purpose.use: purpose for purpose in purposes(KNOWN)}
    assert {use: purpose.name for use, purpose in found.items()} == {
        "translate": "a",
        "translate texts like talk": "b",
        "align words": "b",
        "translate long sentences": "b",
        "see what attention is for": "c",
        LEARN: "b",
    }
    assert found["translate"].evidence == "BLEU 35.0 over all test sets, the best of 4."
    assert "BLEU 41.5 on it, 1.5 more" in found["translate texts like talk"].evidence
    assert "10.0 %" in found["align words"].evidence
    assert "15.0 BLEU less" in found["see what attention is for"].evidence


def test_nothing_is_recommended_that_was_not_measured() -> None:
    assert purposes([]) == []
    assert purposes([Measured(name="a", attends=True), Measured(name="b", attends=False)]) == []
    alone = purposes([replace(KNOWN[0], error_rate={"gold": 0.2})])
    assert [purpose.use for purpose in alone] == ["translate"]


def test_names_are_explained_by_the_settings(runs: Path, write_run: Any) -> None:
    for name, changes, expected in (
        ("mine-30", ["training.max_length=30"], "up to 30 words (“-30”)"),
        ("mine", ["training.max_length=30"], "up to 30 words."),
        ("mine-guided", ["training.guided=0.5"], "guided by given word links (“-guided”)"),
        ("mine-50-concatenated", ["training.concatenate=0.5"], "some of them put together (“-concatenated”)"),
    ):
        write_run(runs / name)
        settings = read_settings(runs / name)
        write_settings(runs / name, replace(settings, config=settings.config.override(changes)))
        assert expected in explained(read_run(runs / name))


def opened() -> AppTest:
    at = AppTest.from_file(str(APP), default_timeout=30).run()
    at.switch_page("pages/models.py").run()
    assert not at.exception
    return at


@pytest.fixture
def registry(runs: Path, write_run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("JOINTLY_SYSTEMS", str(tmp_path / "systems"))
    write_run(runs / "search")
    write_run(runs / "encdec", "rnnencdec")
    return runs


def test_the_page_opens_with_cards_that_lead_on(registry: Path) -> None:
    for name, kept in (("search", 0.9), ("encdec", 0.5)):
        for test_set in ("canada-laws-test", "tatoeba-test"):
            write_evaluation(registry / name, evaluated(name, test_set, texts(range(3, 15), kept=kept)))
    at = opened()
    said = [str(element.value) for element in at.markdown]
    assert "Use this to **translate**" in said
    assert "Use this to **see what attention is for**" in said
    assert said.index("Use this to **translate**") < said.index("**search**") < said.index("**encdec**")
    links = [(link.proto.label, link.proto.query_string) for link in at.get("page_link")]
    taken = [json.loads(parse_qs(query)["take"][0]) for label, query in links if label == "Translate with it"]
    assert taken == [{"models": ["search"]}, {"models": ["encdec"]}]


def test_without_scores_it_says_what_to_do(registry: Path) -> None:
    assert any("Nothing is measured yet" in info.value for info in opened().info)
