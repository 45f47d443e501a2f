"""One piece of a trial, run in a process of its own, so that a crash, a hang or excessive memory use is still
reported."""

import json
import os
import resource
import shutil
import signal
import sys
import tempfile
import time
import traceback
from contextlib import suppress
from dataclasses import asdict, replace
from pathlib import Path

from trials.results import PieceResult
from trials.trial import Cases, Fault, NotRun, Trial

_OUTCOME, _AT, _ERRORS = "outcome.json", "at", "errors"
_POLL_SECONDS, _LAST_FRAMES = 0.05, 8
_LEAST_LIMIT, _ROOM = 4 * 2**30, 2
"""Memory limit of a piece, enforced by the system: the first number of bytes or, if more, the second number times what
the trial allows. Excessive use is then still measured, but does not disturb the machine."""
_MOST_ERRORS = 3000
"""Characters kept of the beginning and of the end of a process's output."""


def run_piece(trial: Trial, piece: int, commit: str) -> PieceResult:
    """Run a piece, and end whatever it started. Its output is kept only for faults."""
    sys.stdout.flush()
    sys.stderr.flush()
    with tempfile.TemporaryDirectory(prefix=f"jointly-{trial.name}-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        began = time.monotonic()
        child = os.fork()
        if child == 0:
            _in_child(trial, piece, folder)
        try:
            status, peak = _wait(child, began + trial.seconds)
        finally:
            with suppress(ProcessLookupError):
                os.killpg(child, signal.SIGKILL)
        seconds = time.monotonic() - began
        result = _result(trial, piece, commit, folder, status)
        for path in folder.rglob("*"):
            if path.is_dir() and not path.is_symlink():
                path.chmod(0o700)
    memory = peak / 1024
    if memory > trial.megabytes:
        fault = Fault(case="the whole piece", fault=f"used {memory:,.0f} MB; the bound is {trial.megabytes:,} MB")
        result = result.losing(fault)
    return result.measured(seconds, memory)


def _in_child(trial: Trial, piece: int, folder: Path) -> None:
    """Run the cases and end the process, whatever happens."""
    os.setsid()
    limit = max(_LEAST_LIMIT, _ROOM * trial.megabytes * 2**20)
    resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))
    errors = (folder / _ERRORS).open("w", encoding="utf-8", errors="backslashreplace")
    os.dup2(errors.fileno(), 1)
    os.dup2(errors.fileno(), 2)
    work = folder / "work"
    work.mkdir()
    os.chdir(work)
    os.environ["JOINTLY_CACHE"] = str(folder / "cache")
    os.environ["JOINTLY_RESULTS"] = str(folder / "results")
    status = 1
    try:
        cases = Cases(at=folder / _AT, errors=errors, seconds=trial.case_seconds, piece=piece)
        not_run = ""
        try:
            trial.run(trial.random(piece), cases, work)
        except NotRun as reason:
            not_run = str(reason)
        outcome = {
            "tried": cases.tried,
            "refused": cases.refused,
            "lost": cases.lost,
            "faults": [asdict(fault) for fault in cases.faults],
            "slowest": cases.slowest,
            "figures": cases.figures,
            "group": cases.group,
            "not_run": not_run,
        }
        (folder / _OUTCOME).write_text(json.dumps(outcome), encoding="utf-8")
        status = 0
    except BaseException as error:
        stack = "".join(traceback.format_tb(error.__traceback__)[-_LAST_FRAMES:])
        print(f"{type(error).__name__}: {str(error)[:_MOST_ERRORS]}\n{stack}", file=errors)
    finally:
        sys.stdout.flush()
        errors.flush()
        os._exit(status)


def _wait(child: int, end: float) -> tuple[int, int]:
    """Wait for the process, killing it at the end of its time; returns its status and its largest memory in kB."""
    killed = False
    while True:
        found, status, usage = os.wait4(child, os.WNOHANG)
        if found:
            return status, usage.ru_maxrss // (1024 if sys.platform == "darwin" else 1)
        if not killed and time.monotonic() > end:
            os.killpg(child, signal.SIGKILL)
            killed = True
        time.sleep(_POLL_SECONDS)


def _result(trial: Trial, piece: int, commit: str, folder: Path, status: int) -> PieceResult:
    begun = PieceResult(trial=trial.name, piece=piece, commit=commit)
    try:
        outcome = json.loads((folder / _OUTCOME).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        at = folder / _AT
        case = at.read_text(encoding="utf-8") if at.exists() else "before the first case"
        said = (folder / _ERRORS).read_text(encoding="utf-8", errors="replace") if (folder / _ERRORS).exists() else ""
        if len(said) > 2 * _MOST_ERRORS:
            said = f"{said[:_MOST_ERRORS]}\n…\n{said[-_MOST_ERRORS:]}"
        fault = f"the process ended with status {status} within {trial.seconds:g} s\n{said}"
        return replace(begun, tried=1, lost=1, faults=(Fault(case=case, fault=fault),))
    outcome["faults"] = tuple(Fault(**fault) for fault in outcome["faults"])
    return replace(begun, **outcome)


def available() -> bool:
    """Whether pieces can run: not on Windows, which has neither fork nor process groups."""
    return hasattr(os, "fork") and shutil.which("sh") is not None
