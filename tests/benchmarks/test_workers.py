"""The worker of our own as a real process, and `bench-quick` with it on either side."""

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from benchmarks import __main__ as program
from benchmarks.batches import make_minibatches, save_minibatches
from benchmarks.measure import OURS
from benchmarks.process import WorkerFailed, WorkerProcess
from benchmarks.systems import Systems
from tests.oracles.random_run import random_run


@pytest.fixture(scope="module")
def worker() -> Iterator[WorkerProcess]:
    with WorkerProcess([sys.executable, "-m", "benchmarks.workers.jointly"], threads=1) as process:
        yield process


@pytest.mark.slow
def test_a_portion_of_each_work(worker: WorkerProcess, tmp_path: Path) -> None:
    batches = make_minibatches(50, 1, sentences=12, per_batch=4)
    save_minibatches(tmp_path / "batches.npz", batches)
    described = worker.ask({"work": "describe"})
    assert described["threads"] == 1
    train = {"work": "train", "size": "TINY", "minibatches": str(tmp_path / "batches.npz"), "numbers": [0, 2]}
    for precision in described["precisions"]["train"]:
        answer = worker.ask(train | {"precision": precision})
        assert answer["units"] == batches[0].target_tokens + batches[2].target_tokens
        assert answer["seconds"] > 0
    decode = {"work": "decode", "size": "TINY", "beam": 3, "seed": 1, "sentences": 5}
    for precision in described["precisions"]["decode"]:
        for at_once in (5, 1):
            answer = worker.ask(decode | {"precision": precision, "at_once": at_once})
            assert answer["units"] == 5


@pytest.mark.slow
def test_sentences_of_a_file_by_a_run(worker: WorkerProcess, tmp_path: Path) -> None:
    run = random_run(tmp_path / "run")
    lines = ["the cat sleeps on the mat .", "a girl reads", "she is seen", "a cat", "the sea"]
    (tmp_path / "lines").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    request = {"work": "real", "run": str(run), "text": str(tmp_path / "lines"), "beam": 2, "precision": "fp32"}
    for sentences, at_once, forced in ((5, 5, True), (5, 2, False), (3, 1, False)):
        portion = {"sentences": sentences, "at_once": at_once, "forced": forced}
        answer = worker.ask(request | portion)
        assert answer["units"] == sentences
        assert answer["seconds"] > 0


@pytest.mark.slow
def test_what_goes_wrong_is_an_answer_and_the_worker_lives_on(worker: WorkerProcess) -> None:
    answer = worker.ask({"work": "fly"})
    assert answer.keys() == {"error"}
    assert re.match("ValueError: .*'fly'", answer["error"])
    assert worker.ask({"work": "describe"})["system"] == OURS


def test_a_worker_that_ends_leaves_its_last_line() -> None:
    program = "import sys; sys.stdin.readline(); sys.exit('first\\nno memory left\\n')"
    with (
        WorkerProcess([sys.executable, "-c", program], threads=1) as process,
        pytest.raises(WorkerFailed, match=r"^no memory left$"),
    ):
        process.ask({"work": "describe"})


def test_quick_prints_json_last(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    class Answers:
        """Twice as fast as the peer, four times in bf16, and the peer's bf16 is the slower one."""

        def __init__(self, name: str) -> None:
            self.name = name

        def ask(self, request: dict[str, Any]) -> dict[str, Any]:
            speeds = {OURS: {"fp32": 2.0, "bf16": 4.0}, "JoeyNMT": {"fp32": 1.0, "bf16": 0.5}}
            return {"seconds": 1.0, "units": speeds[self.name][request["precision"]], "parameters": 1}

    def start(self: Systems, peers: object) -> None:
        for name in (OURS, "JoeyNMT"):
            self.workers[name] = Answers(name)  # type: ignore[assignment]
            self.described[name] = {"precisions": {"train": ["fp32", "bf16"], "decode": ["fp32", "bf16"]}}

    monkeypatch.setattr(Systems, "start", start)
    monkeypatch.setattr(sys, "argv", ["benchmarks", "--quick", "--tiny"])
    assert program.main() == 0
    result = json.loads(capsys.readouterr().out.splitlines()[-1])
    found = {key: (result[f"{key}_ratio"], result[f"{key}_precisions"]) for key in _KEYS}
    assert found == {
        "train_small": (2.0, "fp32 / fp32"),
        "train_small_bf16": (4.0, "bf16 / fp32"),
        "decode_small_batch": (4.0, "bf16 / fp32"),
        "decode_small_single": (4.0, "bf16 / fp32"),
    }


_KEYS = ("train_small", "train_small_bf16", "decode_small_batch", "decode_small_single")


@pytest.mark.parametrize(("native", "said"), [(True, "elsewhere"), (False, "off")])
def test_a_worker_can_compute_as_without_a_compiler(native: bool, said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JOINTLY_NATIVE", "elsewhere")
    program = "import json, os, sys; sys.stdin.readline(); print(json.dumps({'native': os.environ['JOINTLY_NATIVE']}))"
    with WorkerProcess([sys.executable, "-c", program], threads=1, native=native) as process:
        assert process.ask({"work": "describe"}) == {"native": said}
