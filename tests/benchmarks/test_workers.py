"""The worker of our own as a real process, and `bench-quick` with it on either side."""

import json
import platform
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
from benchmarks.systems import AVX2, Systems
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
        """Twice as fast as JoeyNMT, four times in bf16, and its bf16 is the slower one; held to AVX2, where none has
        bf16, three times. OpenNMT-py cannot be set up there."""

        def __init__(self, name: str, held: bool) -> None:
            self.name, self.held = name, held

        def ask(self, request: dict[str, Any]) -> dict[str, Any]:
            ours = {"fp32": 3.0 if self.held else 2.0, "bf16": 4.0}
            speeds = {OURS: ours, "JoeyNMT": {"fp32": 1.0, "bf16": 0.5}, "OpenNMT-py": {"fp32": 5.0, "bf16": 8.0}}
            return {"seconds": 1.0, "units": speeds[self.name][request["precision"]], "parameters": 1}

    def start(self: Systems, peers: object) -> None:
        held = self.variables == AVX2
        found = ["fp32"] if held else ["fp32", "bf16"]
        for name in (OURS, "JoeyNMT", *([] if held else ["OpenNMT-py"])):
            self.workers[name] = Answers(name, held)  # type: ignore[assignment]
            self.described[name] = {"precisions": {"train": found, "decode": found}}
        if held:
            self.failed["OpenNMT-py"] = "not installed"

    monkeypatch.setattr(Systems, "start", start)
    monkeypatch.setattr(platform, "machine", lambda: "x86_64")
    monkeypatch.setattr(sys, "argv", ["benchmarks", "--quick", "--tiny"])
    assert program.main() == 0
    result = json.loads(capsys.readouterr().out.splitlines()[-1])
    found = {key: value for key, value in result.items() if "_ratio" in key}
    decoding = ("decode_small_batch", "decode_small_single")
    assert found == {
        "train_small_ratio": 2.0,
        "train_small_bf16_ratio": 4.0,
        "train_small_opennmt_ratio": 0.4,
        "train_small_bf16_opennmt_ratio": 0.5,
        **{f"{key}_ratio": 4.0 for key in decoding},
        **{f"{key}_opennmt_ratio": 0.5 for key in decoding},
        **{f"{key}_ratio_avx2": 3.0 for key in decoding},
        **{f"{key}_opennmt_ratio_avx2": None for key in decoding},
    }
    assert result["train_small_bf16_precisions"] == "bf16 / fp32"
    assert result["decode_small_batch_opennmt_precisions"] == "bf16 / bf16"
    assert result["decode_small_batch_precisions_avx2"] == "fp32 / fp32"
    assert result["failed"] == {}
    assert result["failed_avx2"] == {"OpenNMT-py": "not installed"}


@pytest.mark.parametrize(("variables", "said"), [({}, "elsewhere"), ({"JOINTLY_NATIVE": "off"}, "off")])
def test_a_worker_has_further_variables(variables: dict[str, str], said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JOINTLY_NATIVE", "elsewhere")
    program = "import json, os, sys; sys.stdin.readline(); print(json.dumps({'native': os.environ['JOINTLY_NATIVE']}))"
    with WorkerProcess([sys.executable, "-c", program], threads=1, further=variables) as process:
        assert process.ask({"work": "describe"}) == {"native": said}
