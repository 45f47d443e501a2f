"""Ctrl-C at random moments of every command, and a training that goes on after a change of code."""

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from random import Random

from nmt.cli import main
from nmt.runs.provenance import read_provenance
from trials import workshop
from trials.children import start, wait
from trials.command_lines import FORMS
from trials.small_files import write_small_files
from trials.trial import Cases, Trial, must

ROOT = Path(__file__).parents[1]
_TIMES, _POLL, _LONGEST = 2, 0.005, 1000
"""Interrupts of each command."""
_LEFT_OUT = ("jobs",)
"""Commands that start processes of their own, which go on (the trial of jobs)."""


def _interrupted(log: Path, words: list[str], seconds: float, place: Path) -> int:
    """Run a command in a folder and interrupt it after so many seconds; returns its status."""

    ready, begun = os.pipe()

    def work() -> int:
        os.chdir(place)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        os.write(begun, b"x")
        status = main(words)
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        return status

    child = start(log, work)
    os.read(ready, 1)
    os.close(ready)
    os.close(begun)
    end = time.monotonic() + max(seconds, _POLL)
    while time.monotonic() < end:
        if os.waitid(os.P_PID, child, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None:
            break
        time.sleep(_POLL)
    os.kill(child, signal.SIGINT)
    return wait(child)


def _run(random: Random, cases: Cases, folder: Path) -> None:
    made, place, log = folder / "made", folder / "place", folder / "log"
    write_small_files(made)
    for form in FORMS:
        if form.command[0] in _LEFT_OUT:
            continue
        words = [word for part in form.drawn(random, 0.2) for word in part]
        for _ in range(_TIMES):
            shutil.rmtree(place, ignore_errors=True)
            shutil.copytree(made, place, symlinks=True)
            moment = round(random.choice((0.05, 0.4, 1.5)) * random.random(), 3)
            with cases.case(f"{' '.join(words)} interrupted after {moment} s"):
                status = _interrupted(log, words, moment, place)
                said = log.read_text(encoding="utf-8", errors="replace")
                must(status in (0, 2, 130), f"status {status}: {said[-_LONGEST:]}")
                must("Traceback" not in said, said[-_LONGEST:])
                left = [str(path) for path in place.rglob("*") if ".partial-" in path.name or path.suffix == ".tmp"]
                must(not left, f"left over: {left}")
    _change_of_code(cases, folder)


def _change_of_code(cases: Cases, folder: Path) -> None:
    corpus, data = workshop.write_corpus(folder / "corpus"), folder / "data"
    workshop.make(folder / "log", workshop.prepare(corpus, data))
    workshop.make(folder / "log", workshop.train(data, folder / "whole"))
    code, run = folder / "code", folder / "run"
    shutil.copytree(ROOT / "nmt", code / "nmt", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", code)

    def train(*more: str, resume: bool = False) -> tuple[int, str]:
        command = [sys.executable, "-m", "nmt", *workshop.train(data, run, resume=resume), *more]
        done = subprocess.run(
            command, cwd=code, env=os.environ | {"PYTHONPATH": str(code)}, capture_output=True, text=True, check=False
        )
        return done.returncode, done.stderr

    with cases.case("a training goes on after a comment was added to its code"):
        status, said = train("--set", "training.max_updates=10")
        must(status == 0, said)
        for name in ("trainer", "saving"):
            with (code / "nmt" / "training" / f"{name}.py").open("a", encoding="utf-8") as file:
                file.write("# changed\n")
        status, said = train("--set", "training.max_updates=24", resume=True)
        must(status == 0, said)
        found, expected = workshop.content(run), workshop.content(folder / "whole")
        for content in (found, expected):  # with the stop after ten updates, and its validation
            for name in ("training.jsonl", "config.json"):
                content.pop(name)
        workshop.same(found, expected)
        provenance = read_provenance(run)
        must(provenance is not None and len(provenance.sessions) == 2, "its provenance has not two sessions")
    with cases.case("a state of a later format is refused"):
        files = code / "nmt" / "records.py"
        text = files.read_text(encoding="utf-8")
        files.write_text(text.replace("FORMAT_VERSION = 1", "FORMAT_VERSION = 2"), encoding="utf-8")
        must(files.read_text(encoding="utf-8") != text, "the version is elsewhere")
        status, said = train("--set", "training.max_updates=30", resume=True)
        must(status == 2 and said.count("\n") == 1 and "Traceback" not in said, f"status {status}: {said[-_LONGEST:]}")


TRIAL = Trial(
    name="interrupts",
    tried=f"Ctrl-C at {_TIMES} random moments of every command but those of jobs; a training resumed after its code "
    "has changed, and by one of another format",
    holds="status 130 and a sentence, or the end it would have had; nothing half written; the same weights; a sentence",
    run=_run,
    pieces=4,
    ci=1,
    seconds=1800,
    case_seconds=60,
    megabytes=3000,
)
