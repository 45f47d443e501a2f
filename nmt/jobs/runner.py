"""The runner takes the job that has waited longest, trains it in a new process, and then takes the next job.

The process of a training writes its id into job.json, and outlives the runner. If a runner is killed, the next runner
therefore knows the training and waits for it.
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
"""Seconds between two checks of the jobs."""
_LONGEST_REASON = 500


def run_jobs(root: Path, *, wait: bool = False) -> None:
    """Run the jobs of a folder one after the other until none waits, or for ever if ``wait`` is true. Raises InputError
    if another runner is at work at the start. Returns early if another runner begins between two rounds."""
    first = True
    while first or waiting(root):
        with alone(root) as free:
            if not free and first:
                raise InputError(f"another runner works on the jobs of {root}")
            if not free:
                return
            _run_all(root, wait)
        first = False  # a job that was added under this lock started no runner, so check the queue again


def ensure_runner(root: Path) -> None:
    """Start a runner that outlives this process if jobs wait and no runner is at work."""
    if waiting(root):
        with alone(root) as free:
            pass
        if free:
            start(["jobs", "--runs", str(root.resolve()), "run"], root / ".runner.log")


def waiting(root: Path) -> list[Listed]:
    """The waiting jobs, the oldest first."""
    return [job for job in list_jobs(root) if job.state == "queued"]


def start(words: Sequence[str], log: Path) -> subprocess.Popen[bytes]:
    """Start a command of this program in a new session. Its stderr goes into the file ``log``. Unless OMP_NUM_THREADS
    is set, the process leaves one core to the app: with a thread on every core, the threads would wait for one another
    whenever another process computes."""
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
    """Take the lock of the runner for the block. Yields False if another process holds the lock."""
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
        queued = [job for job in jobs if job.state == "queued"]
        busy = any(job.state in ("running", "stopping") for job in jobs)  # also with a job of an earlier runner
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
        if job.process is None and job.queued == one.job.queued and job.asked == "run":  # else it would wait for ever
            reason = f"it could not be started: {last_line(one.run / LOG)}"
            write_job(one.run, replace(job, process=Process(process.pid, created), error=reason))


def train_here(root: Path, name: str, main: Callable[[list[str]], int]) -> int:
    """Train a waiting job in this process, and return the exit status. For any other job, do nothing and return 0.
    ``main``: function that runs a command. It writes errors to stderr, which is the log of the job."""
    this_process = psutil.Process()
    with changing(root):
        listed = find(root, name)
        if listed.state != "queued":
            return 0  # the job was stopped, or another process took it
        write_job(listed.run, replace(listed.job, process=Process.of(this_process), error=""))
        words = arguments(listed.run, listed.job)
    status, error = 1, ""
    try:
        status = main(words)
    except Exception as fault:
        traceback.print_exc()
        error = f"{type(fault).__name__}: {fault}"
    if status not in (0, 130):
        with changing(root):
            reason = (error or last_line(listed.run / LOG))[:_LONGEST_REASON]
            write_job(listed.run, replace(read_job(listed.run), error=reason))
    return status


def last_line(log: Path) -> str:
    """Return the last line of the log that is not blank, without the command's name. If the log is blank or missing,
    return a remark."""
    lines = log.read_text(encoding="utf-8", errors="replace").split("\n") if log.is_file() else []
    last = next((line.strip() for line in reversed(lines) if line.strip()), "it gave no reason")
    return last.removeprefix("jointly train: ").removeprefix("jointly: ")
