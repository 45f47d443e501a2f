"""The comparison of two ways to translate one sentence at a time."""

import json
from pathlib import Path
from random import Random

import pytest

from benchmarks.one_sentence import compare, main
from nmt.model import kernels

SENTENCES = ("the cat sleeps .", "a girl and a boy", "the sea", "she is seen")


def test_both_ways_give_the_same_translations(
    random_runs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "sentences").write_text("".join(f"{line}\n" for line in SENTENCES), encoding="utf-8")
    least = kernels._LEAST_FOR_THREADS
    main(
        [
            str(random_runs / "search-words"),
            str(tmp_path / "sentences"),
            "--at-once",
            "1",
            "2",
            "--loads",
            "1",
            "--precision",
            "fp32",
        ]
    )
    found = json.loads(capsys.readouterr().out)
    assert (found["1 at once"]["of"], found["2 at once"]["of"]) == (4, 2)
    assert found["1 at once"]["differing"] == found["2 at once"]["differing"] == []
    assert least == kernels._LEAST_FOR_THREADS


def test_the_second_way_is_faster_by_the_ratio_of_the_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [0.0]
    monkeypatch.setattr("benchmarks.one_sentence.time.perf_counter", lambda: clock[0])

    def work(way: str, piece: int) -> bool:
        clock[0] += 3.0 if way == "threads" else 2.0
        return way == "threads" and piece == 1

    found = compare(["threads", "torch"], work, 3, Random(1))
    assert found["faster_median"] == found["faster_sums"] == 1.5
    assert found["milliseconds"] == {"threads": 3000, "torch": 2000}
    assert found["differing"] == [1]
