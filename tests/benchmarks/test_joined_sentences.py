"""The comparison of sentences that share a search with the same sentences alone."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks.joined_sentences import main
from nmt.answers.shared_search import SharedSearch
from nmt.results import Translation

SENTENCES = ("the cat sleeps .", "a girl and a boy", "", "the sea", "she is seen") * 4


def arguments(random_runs: Path, tmp_path: Path) -> list[str]:
    (tmp_path / "sentences").write_text("".join(f"{line}\n" for line in SENTENCES), encoding="utf-8")
    return [str(random_runs / "search-words"), str(tmp_path / "sentences"), "--beam", "2", "--together", "3"]


def test_all_are_equal(random_runs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments(random_runs, tmp_path)) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["ended"] + found["left"] == found["sentences"] == len(SENTENCES)
    assert (found["equal"], found["differing"]) == (found["ended"], [])
    assert max(found["log_p_off"], found["alpha_off"]) < 1e-4


def test_an_answer_of_another_sentence_is_found(
    random_runs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    step, first = SharedSearch.step, list[Translation]()

    def exchanged(search: SharedSearch) -> dict[int, Translation | Exception]:
        ended = step(search)
        first.extend(end for end in ended.values() if isinstance(end, Translation))
        return {number: end if isinstance(end, Exception) else first[0] for number, end in ended.items()}

    monkeypatch.setattr(SharedSearch, "step", exchanged)
    assert main(arguments(random_runs, tmp_path)) == 1
    found = json.loads(capsys.readouterr().out)
    assert len(found["differing"]) == found["ended"] - found["equal"] > 0
