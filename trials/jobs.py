"""SIGKILL at random moments of the runner of jobs, of the training, and of both, and stops; then all jobs go on."""

import os
import shutil
import signal
import subprocess
import time
from contextlib import suppress
from pathlib import Path
from random import Random

from nmt.errors import InputError
from nmt.jobs.job import JOB, LOG, Listed, Training, add, list_jobs, resume, stop
from nmt.jobs.runner import start
from trials import workshop
from trials.trial import Cases, Trial, must

_ROUNDS = 8
_NAMES = ("one", "two", "three")
_RUNNING = ("running", "stopping")
_SETTINGS = (*workshop.SETTINGS, "training.max_updates=600", "training.validate_every=200")
_PATIENCE = 120


def _run(random: Random, cases: Cases, folder: Path) -> None:
    data, log = folder / "data", folder / "log"
    workshop.make(log, workshop.prepare(workshop.write_corpus(folder / "corpus"), data))
    whole, root = folder / "whole", folder / "runs"
    training = Training(recipe="debug", data=data, assignments=_SETTINGS, device="cpu")
    add(whole, "one", training, by="the trial")
    _runner(whole).wait()
    expected = _content(whole / "one")
    for name in _NAMES:
        add(root, name, training, by="the trial")
    for _ in range(_ROUNDS):
        _disturb(random, cases, root)
    with cases.case("all jobs go on to their end"):
        _go_on(root)
        _runner(root).wait()
        for one in list_jobs(root):
            must(one.state == "done", f"{one.name} is {one.state}: {one.reason}")
            workshop.same(_content(one.run), expected)
    shutil.rmtree(root)


def _disturb(random: Random, cases: Cases, root: Path) -> None:
    """Let a runner work for a while, and end it, the training, or both, in one of the ways in which they can end."""
    what = random.choice(("runner", "training", "both", "stop"))
    moment = round(random.uniform(0, 8), 2)
    with cases.case(f"{what} after {moment} s"):
        runner = _runner(root)
        time.sleep(moment)
        active = [one for one in list_jobs(root) if one.state in _RUNNING]
        must(len(active) < 2, f"two trainings at one time: {[one.name for one in active]}")
        if what in ("runner", "both"):
            runner.kill()
            runner.wait()
        if what in ("training", "both"):
            for one in active:
                _kill(one)
        if what == "stop":
            for one in active:
                with suppress(InputError):  # it ended meanwhile
                    stop(root, one.name)
        for one in active:
            _rest(
                root, one.name, {"runner": ("running", "done"), "stop": ("stopped", "done")}.get(what, ("lost", "done"))
            )
        runner.kill()
        runner.wait()
        _go_on(root)


def _rest(root: Path, name: str, states: tuple[str, ...]) -> None:
    """Wait until a job is in one of the states."""
    end = time.monotonic() + _PATIENCE
    state = ""
    while time.monotonic() < end:
        (state,) = [one.state for one in list_jobs(root) if one.name == name]
        if state in states:
            return
        time.sleep(0.1)
    must(False, f"{name} is {state}, not {' or '.join(states)}")


def _go_on(root: Path) -> None:
    for one in list_jobs(root):
        if one.state in ("stopped", "lost"):
            resume(root, one.name)
        must(one.state != "failed", f"{one.name} failed: {one.reason}")


def _kill(one: Listed) -> None:
    process = None if one.job.process is None else one.job.process.found()
    if process is not None:
        with suppress(ProcessLookupError):
            os.kill(process.pid, signal.SIGKILL)


def _runner(root: Path) -> subprocess.Popen[bytes]:
    return start(["jobs", "--runs", str(root), "run"], root / "runner.log")


def _content(run: Path) -> dict[str, str]:
    """What training made, without the stops that the trial asked for."""
    found = {name: content for name, content in workshop.content(run).items() if name not in (JOB, LOG)}
    found["training.jsonl"] = "".join(e for e in found["training.jsonl"].split("{") if "interrupted" not in e)
    return found


TRIAL = Trial(
    name="jobs",
    tried="kill -9 at random moments of the runner of jobs, of a training, and of both, and stops, in a queue of three",
    holds="never two trainings at one time; a job that lost its runner goes on, one that was killed is lost, one that "
    "was stopped has saved; resumed, all end with the same weights and losses as without a kill",
    run=_run,
    pieces=12,
    ci=1,
    seconds=1800,
    case_seconds=300,
)
