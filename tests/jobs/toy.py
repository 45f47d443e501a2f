"""A toy corpus, jobs on it, and processes of the program that can be killed."""

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from nmt.jobs.job import Listed, Training, add, find
from nmt.jobs.runner import alone, start

LONG = ("training.max_updates=4000", "training.save_every=5", "training.log_every=5", "training.validate_every=2000")
"""Settings of a training that is killed or stopped before it ends."""


def ask(root: Path, name: str, data: Path, *assignments: str) -> Listed:
    training = Training(recipe="debug", data=data, assignments=assignments, device="cpu")
    return add(root, name, training, by="a test")


def run(root: Path, *words: str) -> int:
    """Run ``jointly jobs`` to its end; returns its status."""
    command = [sys.executable, "-m", "nmt", "jobs", "--runs", str(root), *words]
    return subprocess.run(command, check=False, capture_output=True, timeout=240).returncode


def begin(root: Path) -> subprocess.Popen[bytes]:
    """A runner, as the page starts it."""
    return start(["jobs", "--runs", str(root), "run"], root / "runner.log")


def at_work(root: Path) -> bool:
    """Whether a runner holds the lock."""
    with alone(root) as free:
        return not free


def until(holds: Callable[[], bool], seconds: float = 400) -> None:
    """Wait until something holds, and fail if it does not in time."""
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, "waited too long"
        time.sleep(0.05)


def state(root: Path, name: str) -> str:
    return find(root, name).state


def updates(root: Path, name: str) -> int:
    """Events that the training has written."""
    log = root / name / "training.jsonl"
    return log.read_bytes().count(b"\n") if log.is_file() else 0


def process_of(root: Path, name: str) -> int:
    process = find(root, name).job.process
    assert process is not None
    return process.id


def kill(process: int) -> None:
    os.kill(process, 9)
