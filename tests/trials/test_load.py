"""The app under load: sentences that never come twice, answers held against the API, and one small load in earnest."""

from itertools import islice
from pathlib import Path

import pytest

import nmt
from trials.app import served
from trials.app_session import PageAnswer
from trials.load import ask, differences, new_sentences

ROOT = Path(__file__).parents[2]
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
    assert [*differences(answers, run)] == ["a sea"]


@pytest.mark.thorough
@pytest.mark.slow
def test_two_readers_of_the_real_app_get_what_the_api_gives(tmp_path: Path) -> None:
    with served(tmp_path) as server:
        asked = ask(server, "scrubber-128", LINES, users=2, seconds=1, beam=2)
    assert len(asked.answers) >= 2
    assert asked.errors == []
    assert differences(asked.answers, ROOT / "checkpoints" / "scrubber-128", beam=2) == {}
    assert min(megabytes for _, megabytes in asked.memory) > 100
