"""The commands in two processes: the same results, one voice, and an end for all when one ends."""

import io
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import redirect_stdout, suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import nmt
from nmt.cli import build_parser, main
from nmt.cli.evaluate import _evaluate
from nmt.distributed import Processes
from nmt.evaluation.evaluation_files import read_evaluation
from nmt.results import Evaluation
from nmt.runs.folder import RESUME, TRAINING
from tests.oracles.random_run import ENGLISH, FRENCH
from tests.oracles.toy_corpus import toy_corpus
from tests.oracles.two_processes import TwoProcesses, loopback
from tests.programs import Commands

SETTINGS = ["model.embedding=8", "model.hidden=12", "training.batch_size=8", "training.log_every=5"]


@pytest.fixture
def test_set(tmp_path: Path) -> dict[str, str]:
    """Sentences of 0 to 12 words, a few of them unknown; an odd number of sentences."""
    rng = np.random.default_rng(3)
    for name, words in (("source", ENGLISH), ("target", FRENCH)):
        lines = [" ".join(rng.choice([*words, "unknown"], rng.integers(0, 13))) for _ in range(31)]
        (tmp_path / name).write_text("".join(line + "\n" for line in lines), encoding="utf-8")
    return {name: str(tmp_path / name) for name in ("source", "target")}


def evaluate(processes: Processes, arguments: list[str]) -> str:
    with redirect_stdout(io.StringIO()) as out:
        options = build_parser().parse_args(arguments)
        for run in options.run_folders:
            _evaluate(options, run, processes)
    return out.getvalue()


def without_nats(evaluation: Evaluation) -> dict[str, Any]:
    """Log-probabilities are the same to rounding alone when others are in the same batch."""
    data = evaluation.to_dict()
    del data["pairs"]["reference_log_probability"]
    for column in filter(None, (data["all"], data["no_unk"])):
        del column["hypotheses"]["log_probability"]
    return data


def translate(processes: Processes, run: str, texts: list[str]) -> list[str]:
    model = nmt.load(run)
    return processes.spread(texts, len, lambda part: [t.text for t in model.translate(part, beam=3)])


@pytest.mark.slow
@pytest.mark.parametrize("more", [["--by-length"], ["--no-unk"], ["--table-1"]])
def test_evaluate_shared_out(
    more: list[str],
    random_runs: Path,
    tmp_path: Path,
    test_set: dict[str, str],
    two_processes: TwoProcesses,
    cli: Commands,
) -> None:
    run = str(shutil.copytree(random_runs / "search-words", tmp_path / "run"))
    files = ["--source", test_set["source"], "--reference", test_set["target"]]
    arguments = ["evaluate", run, *files, "--beam", "3", "--json", "--name", "own", *more]
    expected = cli.printed(*arguments)
    kept = tmp_path / "run" / "evaluation" / "own.json"
    alone = read_evaluation(kept)
    kept.unlink()
    assert two_processes(evaluate, arguments) == [expected, ""]
    together = read_evaluation(kept)
    assert without_nats(together) == without_nats(alone)
    found, other = together.pairs.reference_log_probability, alone.pairs.reference_log_probability
    np.testing.assert_allclose(found, other, atol=2e-3)  # type: ignore[arg-type]
    texts = Path(test_set["source"]).read_text("utf-8").splitlines()
    one = [translation.text for translation in nmt.load(run).translate(texts, beam=3)]
    assert two_processes(translate, run, texts) == [one, one]


def start(*arguments: str, restarts: int = 0) -> "subprocess.Popen[str]":
    launcher = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2"]
    launcher += ["--max-restarts", str(restarts)]
    return subprocess.Popen(
        [*launcher, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ
        | {
            "PYTHONPATH": str(Path(nmt.__file__).parent.parent),
            "GLOO_SOCKET_IFNAME": loopback()["GLOO_SOCKET_IFNAME"],
            "OMP_NUM_THREADS": "1",
        },
    )


def training(tmp_path: Path, *more: str) -> list[str]:
    data = tmp_path / "prepared"
    if not data.exists():
        toy_corpus(tmp_path)
    arguments = ["train", "debug", "--data", str(data), "--run", str(tmp_path / "run"), "--device", "cpu", "--json"]
    return [*arguments, *(part for setting in SETTINGS for part in ("--set", setting)), *more]


def said(errors: str) -> list[str]:
    """What the program itself says; torchrun has much to say of its own."""
    return re.findall(r"^jointly train: .*", errors, re.MULTILINE)


def wait_for_events(run: Path, size: int = 0) -> None:
    """Wait until the file of events has more than so many bytes."""
    until = time.monotonic() + 180
    while not (run / TRAINING).exists() or (run / TRAINING).stat().st_size <= size:
        assert time.monotonic() < until
        time.sleep(0.05)


def events(output: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in output.splitlines()]


@pytest.mark.thorough
@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="finds the processes in /proc")
def test_trained_stopped_resumed_and_ended_by_the_end_of_one_process(tmp_path: Path) -> None:
    process = start("-m", "--", "nmt", *training(tmp_path))
    wait_for_events(tmp_path / "run")
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=60)
    last = events(out)[-1]
    assert "SIGINT" in last["reason"]
    assert [event["event"] for event in events(out)].count("stop") == 1

    before = (tmp_path / "run" / TRAINING).stat().st_size
    process = start("-m", "--", "nmt", *training(tmp_path), "--resume")
    wait_for_events(tmp_path / "run", before)
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
    os.kill(int(children[-1]), signal.SIGKILL)
    out, errors = process.communicate(timeout=60)
    trained = [event["update"] for event in events(out) if "update" in event]
    assert trained
    assert min(trained) > last["update"]
    assert process.returncode != 0
    assert all(re.search(r"\bprocess\b", line) for line in said(errors))
    assert len(said(errors)) <= 1  # none if torchrun ended the other one before it noticed
    assert (tmp_path / "run" / RESUME).is_file()


_COMPARED = 100
"""Updates whose losses are compared; the trainings are stopped after them, so that none ends before it is killed."""


@pytest.mark.slow
@pytest.mark.thorough
@pytest.mark.skipif(sys.platform != "linux", reason="finds the processes in /proc")
def test_a_group_that_lost_a_process_restarts_from_the_last_state_with_the_same_losses(tmp_path: Path) -> None:
    """Whichever process is killed, also before anything was saved."""
    settings = ["--set", "training.save_every=20", "--set", "model.dropout=0.2", "--set", "training.max_updates=100000"]
    run = tmp_path / "run"
    alone = stopped_after(start("-m", "--", "nmt", *training(tmp_path, *settings)), run)
    shutil.rmtree(run)
    process = start("-m", "--", "nmt", *training(tmp_path, *settings), restarts=3)
    for which, update in ((0, 0), (1, 5), (0, 45)):
        wait_until(lambda update=update: max(losses(run), default=0) >= update and len(workers(process)) == 2, process)
        pair = workers(process)
        os.kill(pair[which], signal.SIGKILL)
        wait_until(lambda pair=pair: not set(pair) & set(workers(process)), process)
    assert stopped_after(process, run) == alone


@pytest.mark.slow
@pytest.mark.thorough
def test_a_restart_never_takes_another_run_for_its_own(tmp_path: Path) -> None:
    """torchrun starts a command again that was refused, too."""
    settings = ["--set", "training.max_updates=10", "--set", "training.save_every=5"]
    assert main(training(tmp_path, *settings)) == 0
    before = {path: path.read_bytes() for path in (tmp_path / "run").iterdir()}
    process = start("-m", "--", "nmt", *training(tmp_path, *settings), restarts=2)
    _, errors = process.communicate(timeout=180)
    assert process.returncode != 0
    assert {re.sub(".*: ", "", line) for line in said(errors)} == {
        f"{tmp_path / 'run'} already contains a run; continue it with --resume, or choose another name"
    }
    assert {path: path.read_bytes() for path in (tmp_path / "run").iterdir()} == before


def stopped_after(process: "subprocess.Popen[str]", run: Path) -> dict[int, float]:
    """Stop a training once it has made the updates that are compared; the losses of these."""
    wait_until(lambda: max(losses(run), default=0) >= _COMPARED, process)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=60)
    return {update: loss for update, loss in losses(run).items() if update <= _COMPARED}


def wait_until(holds: Callable[[], bool], process: "subprocess.Popen[str]") -> None:
    until = time.monotonic() + 180
    while not holds():
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < until
        time.sleep(0.02)


def workers(launcher: "subprocess.Popen[str]") -> list[int]:
    """The processes of a training that torchrun has started."""
    found = []
    for child in Path(f"/proc/{launcher.pid}/task/{launcher.pid}/children").read_text().split():
        with suppress(FileNotFoundError, ProcessLookupError):  # it ended meanwhile
            if b"train" in Path(f"/proc/{child}/cmdline").read_bytes():
                found.append(int(child))
    return sorted(found)


def losses(run: Path) -> dict[int, float]:
    """The logged loss by update; the last line may be half written."""
    lines = (run / TRAINING).read_text(encoding="utf-8").split("\n")[:-1] if (run / TRAINING).exists() else []
    found = [event for line in lines if (event := json.loads(line))["event"] == "update"]
    return {event["update"]: event["nll_per_word"] for event in found}


THREADS = """
import sys
from pathlib import Path
import torch
from nmt.distributed import joined

def threads():
    return sum("gloo" in (task / "comm").read_text() for task in Path("/proc/self/task").iterdir())

with joined("cpu") as processes:
    weight = torch.nn.Parameter(torch.ones(3))
    weight.grad = torch.ones(3)
    processes.sum_([weight.grad])
    torch.optim.Adam([weight]).step()
    within = threads()
Path(sys.argv[1], str(processes.rank)).write_text(f"{within > 0} {threads()}")
"""


@pytest.mark.thorough
@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="counts threads in /proc")
def test_no_thread_is_left_that_could_outlive_python(tmp_path: Path) -> None:
    (tmp_path / "script.py").write_text(THREADS)
    process = start(str(tmp_path / "script.py"), str(tmp_path))
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 0, errors
    assert [(tmp_path / str(rank)).read_text() for rank in range(2)] == ["True 0"] * 2


@pytest.mark.thorough
@pytest.mark.slow
def test_what_the_user_got_wrong_is_said_once(tmp_path: Path) -> None:
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "config.json").write_text("{}")
    for arguments, message in (
        (training(tmp_path), "already contains a run"),  # only the first process looks
        (training(tmp_path, "--set", "training.seed=-1"), "training.seed"),  # both processes see it
    ):
        process = start("-m", "--", "nmt", *arguments)
        out, errors = process.communicate(timeout=60)
        assert process.returncode != 0
        assert out == ""
        (line,) = said(errors)
        assert message in line
