"""What a checkpoint scored, as tables that say what the files say."""

import json
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from nmt.evaluation.alignment_error_rate import AlignmentErrorRate
from nmt.evaluation.measurement_files import MeasuredErrorRate, write_error_rates
from nmt.ui.models import strings

EVALUATION: dict[str, Any] = {
    "format": 1, "run": "search", "test_set": "toy", "sentences_given": 7, "bleu": 31.25, "signature": "nrefs:1|run:x",
    "chrf": 50.5, "chrf_signature": "c", "ter": 60.75, "ter_signature": "t", "sentences": 7,
    "by_length": [
        {"first": 1, "last": 10, "sentences": 4, "bleu": 40.5},
        {"first": 61, "last": None, "sentences": 0, "bleu": None},
    ],
}  # fmt: skip


def write_evaluation(run: Path, **changes: object) -> None:
    (run / "evaluation").mkdir()
    (run / "evaluation" / "toy.json").write_text(json.dumps(EVALUATION | changes), "utf-8")


@pytest.fixture
def run(runs: Path, write_run: Any) -> Path:
    write_run(runs / "search")
    return runs / "search"


def opened(run: Path) -> AppTest:
    def page(path: str) -> None:
        from nmt.runs.folder import read_run
        from nmt.ui.models.card import show_scores

        show_scores(read_run(path), key="search")

    at = AppTest.from_function(page, default_timeout=20, kwargs={"path": str(run)}).run()
    assert not at.exception
    return at


def frames(at: AppTest, first: str) -> list[Any]:
    return [element.value for element in at.dataframe if element.value.columns[0] == first]


def test_scores_lengths_and_links(run: Path) -> None:
    no_unk = {key: EVALUATION[key] for key in ("chrf", "chrf_signature", "ter", "ter_signature", "by_length")}
    write_evaluation(run, no_unk={**no_unk, "bleu": 35.5, "signature": "no", "sentences": 3})
    error = AlignmentErrorRate(links=10, sure=8, possible=12, sure_found=6, possible_found=9, sentences=2)
    write_error_rates(
        run, "gold", [MeasuredErrorRate.of(error, run="search", update=1200, map="attention", rule="argmax")]
    )
    at = opened(run)
    scores, lengths = frames(at, "Test set")
    assert scores.iloc[0].to_dict() == {
        "Test set": "toy", "Sentences": 7, "BLEU": 31.25, "BLEU without unknown words": 35.5,
        "Sentences without unknown words": 3, "chrF": 50.5, "TER": 60.75,
    }  # fmt: skip
    assert lengths.iloc[0]["1–10"] == 40.5
    assert "61+" not in lengths.columns  # there is nothing to show in it
    (links,) = frames(at, "Gold links")
    assert links.iloc[0]["AER"] == pytest.approx(100 * (1 - (6 + 9) / (10 + 8)))
    assert any("nrefs:1|run:x" in code.value for code in at.code)


def test_nothing_measured_is_said(run: Path) -> None:
    assert [caption.value for caption in opened(run).caption] == [strings.NOT_EVALUATED]


def test_a_broken_file_is_named(run: Path) -> None:
    write_evaluation(run, bleu="high")
    assert any("toy" in warning.value for warning in opened(run).warning)
