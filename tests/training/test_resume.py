"""A training that is killed goes on as if nothing had happened: the same losses, bit for bit."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
import torch

from nmt.cli import main
from nmt.data.prepared import Prepared
from nmt.runs.folder import LAST, TRAINING
from nmt.training.trainer import Trainer
from tests.made_once import made_once

pytestmark = pytest.mark.slow  # five processes, each with a torch to import

SETTINGS = [
    "model.embedding=8",
    "model.hidden=12",
    "model.dropout=0.2",
    "training.batch_size=8",
    "training.pool_batches=4",
    "training.max_updates=60",
    "training.log_every=5",
    "training.validate_every=20",
    "training.save_every=7",
]


def command(prepared: Prepared, run: Path, *more: str) -> list[str]:
    sets = [part for setting in SETTINGS for part in ("--set", setting)]
    return [
        *(sys.executable, "-m", "nmt", "train", "debug", "--device", "cpu"),
        *("--data", str(prepared.folder), "--run", str(run), *(sets if "--resume" not in more else ()), *more),
    ]


def start(arguments: list[str]) -> "subprocess.Popen[bytes]":
    environment = os.environ | {"OMP_NUM_THREADS": "1"}
    return subprocess.Popen(
        arguments,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=environment,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # tests started in the background ignore it
    )


def deterministic(run: Path) -> list[dict[str, Any]]:
    """The events without what the clock says and without the interruptions."""
    events = [json.loads(line) for line in (run / TRAINING).read_text("utf-8").splitlines()]
    return [
        {key: value for key, value in event.items() if key not in ("seconds", "words_per_second")}
        for event in events
        if not (event["event"] == "stop" and "interrupted" in event["reason"])
    ]


def train_here(prepared: Prepared, run: Path, *more: str) -> None:
    """Train to the end in this process, with one thread as the others have."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        assert main(command(prepared, run, *more)[3:]) == 0
    finally:
        torch.set_num_threads(threads)


@pytest.fixture(scope="session")
def undisturbed(prepared: Prepared, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made_once(tmp_path_factory, "undisturbed", lambda folder: train_here(prepared, folder / "run")) / "run"


def wait_for_update(run: Path, update: int, process: "subprocess.Popen[bytes]") -> None:
    log = run / TRAINING
    while process.poll() is None:
        if log.exists() and f'"update": {update},' in log.read_text("utf-8"):
            return
        time.sleep(0.001)
    pytest.fail("the training ended before it could be killed")


def test_killed_at_several_points_and_resumed(prepared: Prepared, undisturbed: Path, tmp_path: Path) -> None:
    """Also where the last event was only half written: it is dropped."""
    run = tmp_path / "run"
    more: list[str] = []
    for update in (5, 20, 35):  # before the first save, at a validation, between saves
        process = start(command(prepared, run, *more))
        wait_for_update(run, update, process)
        process.send_signal(signal.SIGKILL)
        process.wait()
        with (run / TRAINING).open("ab") as file:
            file.write(b'{"event": "upd')
        more = ["--resume"]
    train_here(prepared, run, "--resume")
    assert deterministic(run) == deterministic(undisturbed)
    assert (run / LAST).read_bytes() == (undisturbed / LAST).read_bytes()


def test_ctrl_c_saves_and_exits(prepared: Prepared, undisturbed: Path, tmp_path: Path) -> None:
    run = tmp_path / "run"
    process = start(command(prepared, run))
    wait_for_update(run, 5, process)
    process.send_signal(signal.SIGINT)
    assert process.wait() == 130
    stopped_at = json.loads((run / TRAINING).read_text("utf-8").splitlines()[-1])
    assert "SIGINT" in stopped_at["reason"]
    assert Trainer.resume(run, prepared).update == stopped_at["update"]
    train_here(prepared, run, "--resume")
    assert deterministic(run) == deterministic(undisturbed)
    assert (run / LAST).read_bytes() == (undisturbed / LAST).read_bytes()


def test_a_reader_that_goes_away_ends_it_saved(prepared: Prepared, undisturbed: Path, tmp_path: Path) -> None:
    run = tmp_path / "run"
    process = subprocess.Popen(
        command(prepared, run),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=os.environ | {"OMP_NUM_THREADS": "1"},
    )
    assert process.stdout is not None
    process.stdout.readline()
    process.stdout.close()
    assert process.wait() == 130
    assert process.stderr is not None
    assert process.stderr.read() == b""
    train_here(prepared, run, "--resume")
    assert deterministic(run) == deterministic(undisturbed)
