"""Evaluations in the cache folder: found by what was asked, forgotten in time, never in the way."""

import os
from dataclasses import replace
from pathlib import Path

from nmt.evaluation.evaluation_files import MOST_KEPT, EvaluationCache, evaluate_external_system
from nmt.evaluation.test_set import TestSet
from nmt.results import Evaluation

TEST = TestSet(name="mine", sources=["the cat sleeps", "she reads"], references=["le chat dort", "elle lit"])


def evaluation(system: str = "moses") -> Evaluation:
    return evaluate_external_system(system, TEST, ["le chat dort bien", "elle lit"])


def test_found_by_all_that_was_asked(cache: Path) -> None:
    EvaluationCache().write(TEST, ["run", "key"], evaluation())
    again = EvaluationCache()
    assert again.folder.parent == cache
    found = again.read(TEST, ["run", "key"])
    assert found is not None
    assert found.to_dict() == evaluation().to_dict()
    for other in (["run", "another"], ["run"], ["run", "key", ""]):
        assert again.read(TEST, other) is None
    for changed in ({"name": "other"}, {"sources": ("a", "b")}, {"references": ("x", "y")}):
        assert again.read(replace(TEST, **changed), ["run", "key"]) is None


def test_a_broken_file_counts_as_none_and_is_replaced() -> None:
    evaluations = EvaluationCache()
    evaluations.write(TEST, ["key"], evaluation())
    (path,) = evaluations.folder.iterdir()
    for text in ("", "{", "{}", path.read_text()[:200]):
        path.write_text(text)
        assert evaluations.read(TEST, ["key"]) is None
    evaluations.write(TEST, ["key"], evaluation())
    assert evaluations.read(TEST, ["key"]) is not None


def test_those_not_used_for_longest_go_first() -> None:
    evaluations = EvaluationCache()
    for number, key in enumerate("ab"):
        evaluations.write(TEST, [key], evaluation())
        for path in evaluations.folder.iterdir():
            os.utime(path, (number, number)) if path.stat().st_mtime > 1000 else None
    assert evaluations.read(TEST, ["a"]) is not None
    for number in range(MOST_KEPT - 2):
        (evaluations.folder / f"{number}.json").touch()
    evaluations.write(TEST, ["c"], evaluation())
    assert [evaluations.read(TEST, [key]) is not None for key in "abc"] == [True, False, True]


def test_where_nothing_can_be_written_nothing_is_kept(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    evaluations = EvaluationCache(tmp_path / "file" / "evaluations")
    evaluations.write(TEST, ["key"], evaluation())
    assert evaluations.read(TEST, ["key"]) is None
