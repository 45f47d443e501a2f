"""The app under load: sentences that never come twice, answers held against the API, and one small load in earnest."""

from itertools import islice
from pathlib import Path

import pytest

import nmt
from benchmarks.app_session import PageAnswer
from benchmarks.load import differences, main, measure, new_sentences

CHECKPOINT = Path(__file__).parents[2] / "checkpoints" / "scrubber-128"
LINES = ["The cat sleeps.", "A girl reads a book.", "It rains."]


def test_no_sentence_comes_twice() -> None:
    found = list(islice(new_sentences(LINES), 50))
    assert found[:3] == LINES
    assert len(set(found)) == 50


def test_a_translation_that_is_not_the_one_of_the_api_is_found(random_runs: Path) -> None:
    run = random_runs / "search-words"
    right = nmt.load(run).translate("the cat", beam=5).text
    answers = {
        "the cat": PageAnswer(texts={"mine": right}, seconds=1.0),
        "a sea": PageAnswer(texts={"mine": "of another"}, seconds=1.0),
    }
    (found,) = differences(answers, {"mine": run}, beam=5)
    assert (found["sentence"], found["app"]) == ("a sea", "of another")


@pytest.mark.thorough
@pytest.mark.slow
def test_two_readers_of_the_real_app_get_what_the_api_gives() -> None:
    report = measure({CHECKPOINT.name: CHECKPOINT}, LINES, users=2, seconds=1, beam=2)
    assert report.answers >= 2
    assert report.errors == []
    assert report.differing == 0
    assert report.median is not None
    assert report.worst is not None
    assert 0 < report.median <= report.worst
    assert report.peak_mb >= report.idle_mb > 100


def test_a_run_that_is_not_given_by_its_path_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["scrubber-128"])
    assert "such as checkpoints/scrubber-128" in capsys.readouterr().err
