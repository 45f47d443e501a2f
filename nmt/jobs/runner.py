"""The runner: takes the job that has waited longest, lets it train in a process of its own, and takes the next.

A training is a process that outlives whoever started it. It enters its id into job.json itself, so that a runner that
is killed between two of its steps leaves no training that nobody knows; the next runner waits for it.
"""

import os
import subprocess
import sys
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import portalocker
import psutil

from nmt.errors import InputError
from nmt.files import CHECKOUT
from nmt.jobs.job import LOG, Listed, Process, arguments, changing, find, list_jobs, read_job, write_job

_POLL = 0.25
"""Seconds between two looks at the jobs."""
_LONGEST_REASON = 500


def run_jobs(root: Path, *, wait: bool = False) -> None:
    """Run the jobs of a folder one after the other until none waits, or for ever; returns early if another runner has
    taken over. InputError if another one is at work."""
    first = True
    while first or waiting(root):
        with alone(root) as free:
            if not free and first:
                raise InputError(f"another runner works on the jobs of {root}")
            if not free:
                return
            _run_all(root, wait)
        first = False  # a job that came at the last moment found the lock held, so the queue is looked at once more


def ensure_runner(root: Path) -> None:
    """Start a runner that outlives this process if jobs wait and no runner is at work."""
    if waiting(root):
        with alone(root) as free:
            pass
        if free:
            start(["jobs", "--runs", str(root.resolve()), "run"], root / ".runner.log")


def waiting(root: Path) -> list[Listed]:
    """The jobs that wait, the oldest first."""
    return [one for one in list_jobs(root) if one.state == "queued"]


def start(words: Sequence[str], log: Path) -> subprocess.Popen[bytes]:
    """Start a command of this program in a process of its own session, whose errors go into a file. Unless
    OMP_NUM_THREADS says otherwise, it leaves a core to the app: as many threads as cores wait for one another as soon
    as anything else computes."""
    threads = {"OMP_NUM_THREADS": str(max(1, (os.cpu_count() or 1) - 1))}
    paths = [str(CHECKOUT), *filter(None, [os.environ.get("PYTHONPATH")])]
    with log.open("wb") as errors:
        return subprocess.Popen(
            [sys.executable, "-m", "nmt", *words],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=errors,
            env=threads | os.environ | {"PYTHONPATH": os.pathsep.join(paths)},
            start_new_session=True,
        )


@contextmanager
def alone(root: Path) -> Iterator[bool]:
    """Hold the lock of the runner, if nobody does."""
    root.mkdir(parents=True, exist_ok=True)
    with (root / ".runner.lock").open("w") as file:
        try:
            portalocker.lock(file, portalocker.LockFlags.EXCLUSIVE | portalocker.LockFlags.NON_BLOCKING)
        except portalocker.LockException:
            yield False
            return
        yield True


def _run_all(root: Path, wait: bool) -> None:
    while True:
        jobs = list_jobs(root)
        queued = [one for one in jobs if one.state == "queued"]
        busy = any(one.state in ("running", "stopping") for one in jobs)  # with one of a runner before this one
        if queued and not busy:
            _run_one(root, queued[0])
        elif busy or wait:
            time.sleep(_POLL)
        else:
            return


def _run_one(root: Path, one: Listed) -> None:
    process = start(["jobs", "--runs", str(root.resolve()), "run", one.name], one.run / LOG)
    created = time.time()
    process.wait()
    with changing(root):
        if not one.run.is_dir():
            return
        job = read_job(one.run)
        if job.process is None and job.queued == one.job.queued and job.asked == "run":  # it would wait for ever
            reason = f"it could not be started: {last_line(one.run / LOG)}"
            write_job(one.run, replace(job, process=Process(process.pid, created), error=reason))


def train_here(root: Path, name: str, main: Callable[[list[str]], int]) -> int:
    """Train a job that waits in this process, whose errors are written to its log; returns the exit status.

    Args:
        main: runs a command.
    """
    own = psutil.Process()
    with changing(root):
        one = find(root, name)
        if one.state != "queued":
            return 0  # stopped meanwhile, or another process was quicker
        write_job(one.run, replace(one.job, process=Process.of(own), error=""))
        words = arguments(one.run, one.job)
    status, error = 1, ""
    try:
        status = main(words)
    except Exception as fault:
        traceback.print_exc()
        error = f"{type(fault).__name__}: {fault}"
    if status not in (0, 130):
        with changing(root):
            reason = (error or last_line(one.run / LOG))[:_LONGEST_REASON]
            write_job(one.run, replace(read_job(one.run), error=reason))
    return status


def last_line(log: Path) -> str:
    """The last line of a log, without the name of the command that wrote it."""
    lines = log.read_text(encoding="utf-8", errors="replace").split("\n") if log.is_file() else []
    last = next((line.strip() for line in reversed(lines) if line.strip()), "it gave no reason")
    return last.removeprefix("jointly train: ").removeprefix("jointly: ")
