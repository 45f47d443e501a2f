"""What a checkpoint scored, as tables that say what the files say."""

from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from nmt.evaluation.alignment_error_rate import AlignmentErrorRate
from nmt.evaluation.evaluation_files import write_evaluation
from nmt.evaluation.measurement_files import MeasuredErrorRate, write_error_rates
from nmt.evaluation.metrics import corpus_scores
from nmt.texts import MODELS
from tests.evaluation.evaluations import evaluated
from tests.evaluation.texts import texts

EVALUATION = evaluated("search", "toy", texts([3, 4, 4, 5, 7, 12, 14]), unknown=[0, 1, 0, 2, 0, 0, 1])


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
    write_evaluation(run, EVALUATION)
    error = AlignmentErrorRate(links=10, sure=8, possible=12, sure_found=6, possible_found=9, sentences=2)
    rates = MeasuredErrorRate(**vars(error), run="search", update=1200, map="attention", rule="argmax")
    write_error_rates(run, "gold", [rates], into_run=False)
    at = opened(run)
    scores, lengths = frames(at, "Test set")
    everything, no_unk = EVALUATION.everything, EVALUATION.no_unk
    assert everything is not None
    assert no_unk is not None
    assert scores.iloc[0].to_dict() == {
        "Test set": "toy", "Sentences": 7, "BLEU": everything.bleu, "BLEU without unknown words": no_unk.bleu,
        "Sentences without unknown words": 4, "chrF": everything.chrf, "TER": everything.ter,
    }  # fmt: skip
    short = corpus_scores(EVALUATION.statistics().take(range(5)))  # type: ignore[union-attr]
    assert lengths.iloc[0]["1–10"] == pytest.approx(short.bleu)
    assert "61+" not in lengths.columns  # there is nothing to show in it
    (links,) = frames(at, "Gold links")
    assert links.iloc[0]["AER"] == pytest.approx(100 * (1 - (6 + 9) / (10 + 8)))
    assert any("|run:search|" in code.value for code in at.code)


def test_nothing_measured_is_said(run: Path) -> None:
    assert [caption.value for caption in opened(run).caption] == [MODELS.not_evaluated]


def test_a_broken_file_is_named(run: Path) -> None:
    write_evaluation(run, EVALUATION)
    path = run / "evaluation" / "toy.json"
    path.write_text(path.read_text("utf-8").replace('"bleu"', '"blue"'), "utf-8")
    assert any("toy" in warning.value for warning in opened(run).warning)
