"""The app under load: several readers at once, each in a session of their own, each with a new sentence every time.

    python -m benchmarks.load --users 5 --seconds 60 checkpoints/scrubber-128

Starts a server with an empty cache on a free port, opens all sessions, then measures with the sessions open. Every
translation is held against that of the Python API, which is asked afterwards. One JSON object on stdout.
"""

import argparse
import json
import math
import os
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import asdict, dataclass, field
from itertools import count
from pathlib import Path

import psutil
from websockets.exceptions import WebSocketException

from benchmarks.app_session import AppError, AppSession, PageAnswer

ROOT = Path(__file__).resolve().parents[1]
_SENTENCES = Path(__file__).with_name("sentences.txt")
_FIRST = "The doors open at nine."
_START, _SAMPLE = 120, 0.2
"""Seconds that the server may take to start, and between two looks at its memory."""


@dataclass(frozen=True, kw_only=True)
class LoadReport:
    """Result of a measurement with several readers.

    Attributes:
        users, seconds, beam, checkpoints: as asked for; ``measured_seconds`` is the time until the last answer.
        answers: number of sentences answered, by all checkpoints asked.
        answers_per_second: of all readers together.
        median, ninety_percent, worst: seconds from sending a sentence to its last translation; None without answers.
        errors: messages of the app, or of the connection, in place of an answer.
        differing: number of translations that are not those of the Python API; ``differences`` has the first of them.
        idle_mb, peak_mb: memory of the server and its children, 10^6 bytes, with all sessions open and the models
            loaded, and at most.
    """

    users: int
    seconds: float
    measured_seconds: float
    beam: int
    checkpoints: list[str]
    answers: int
    answers_per_second: float
    median: float | None
    ninety_percent: float | None
    worst: float | None
    errors: list[str]
    differing: int
    differences: list[dict[str, str]]
    idle_mb: float
    peak_mb: float


@dataclass(kw_only=True)
class Records:
    """Answers and errors recorded by the readers, to whom ``sentences`` gives new sentences."""

    sentences: Iterator[str]
    answers: dict[str, PageAnswer] = field(default_factory=dict)
    errors: list[str] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def next_sentence(self) -> str:
        with self.lock:
            return next(self.sentences)


def new_sentences(lines: Sequence[str]) -> Iterator[str]:
    """Yield the lines, then the lines with a number before them: no sentence comes twice, so none is remembered.

    >>> from itertools import islice
    >>> list(islice(new_sentences(["a b .", "c ."]), 5))
    ['a b .', 'c .', '1: a b .', '1: c .', '2: a b .']
    """
    for round_number in count():
        for line in lines:
            yield f"{round_number}: {line}" if round_number else line


@dataclass(frozen=True)
class Server:
    """A running app."""

    address: str
    process: psutil.Process

    def megabytes(self) -> float:
        """Resident memory of the server and its children, 10^6 bytes."""
        total = 0
        for process in (self.process, *self.process.children(recursive=True)):
            with suppress(psutil.Error):
                total += process.memory_info().rss
        return total / 1e6


def free_port() -> int:
    """A port of this machine that nothing uses."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port


@contextmanager
def served(runs: Path | None = None) -> Iterator[Server]:
    """Start the app on a free port, with an empty cache; ``runs``: a folder of runs besides the released ones."""
    port = free_port()
    address = f"http://127.0.0.1:{port}"
    options = ["--server.headless", "true", "--server.address", "127.0.0.1", "--server.port", str(port)]
    with tempfile.TemporaryDirectory() as cache:
        started = subprocess.Popen(
            [sys.executable, "-m", "streamlit", "run", "app.py", *options],
            cwd=ROOT,
            env=os.environ | {"JOINTLY_CACHE": cache} | ({} if runs is None else {"JOINTLY_RUNS": str(runs)}),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            _wait_until_healthy(address, started)
            yield Server(address, psutil.Process(started.pid))
        finally:
            started.terminate()
            started.wait(30)


def _wait_until_healthy(address: str, started: subprocess.Popen[bytes]) -> None:
    until = time.monotonic() + _START
    while time.monotonic() < until:
        with suppress(OSError), urllib.request.urlopen(f"{address}/_stcore/health", timeout=5):
            return
        if started.poll() is not None:
            break
        time.sleep(0.1)
    raise RuntimeError("the app did not start")


def _reader(session: AppSession, records: Records, until: float) -> None:
    """Ask until the time is over. A reader whose connection breaks ends, and its error is recorded."""
    while time.monotonic() < until:
        sentence = records.next_sentence()
        try:
            answer = session.translate(sentence)
        except AppError as error:
            with records.lock:
                records.errors.append(str(error))
        except (OSError, WebSocketException) as error:
            with records.lock:
                records.errors.append(f"{type(error).__name__}: {error}")
            return
        else:
            with records.lock:
                records.answers[sentence] = answer


def differences(answers: Mapping[str, PageAnswer], runs: Mapping[str, Path], beam: int) -> list[dict[str, str]]:
    """List the translations that are not those of the Python API, one sentence at a time."""
    import nmt

    found = []
    for name, run in runs.items():
        model = nmt.load(run)
        settings = model.search_settings.changed(beam=beam, n_best=1)
        for sentence, answer in answers.items():
            expected = model.translate(sentence, settings=settings).text
            if answer.texts[name] != expected:
                found.append({"checkpoint": name, "sentence": sentence, "app": answer.texts[name], "api": expected})
    return found


@dataclass(frozen=True, kw_only=True)
class Asked:
    """Answers and errors of readers on a server that keeps running.

    Attributes:
        answers: by sentence.
        errors: messages of the app, or of the connection, in place of an answer.
        seconds: until the last answer.
        memory: (seconds since the beginning, 10^6 bytes) of the server, from just before the first sentence on.
    """

    answers: dict[str, PageAnswer]
    errors: list[str]
    seconds: float
    memory: list[tuple[float, float]]


def ask(
    server: Server, checkpoints: Sequence[str], lines: Sequence[str], *, users: int, seconds: float, beam: int
) -> Asked:
    """Open the sessions of all readers, load the models, let the readers ask for some seconds, and close them."""
    records = Records(sentences=new_sentences(lines))
    with ExitStack() as stack:
        sessions = [stack.enter_context(AppSession(server.address, checkpoints, beam)) for _ in range(users)]
        sessions[0].translate(_FIRST)  # loads the models, which a reader meets with only once
        memory = [(0.0, server.megabytes())]
        began = time.monotonic()
        readers = [threading.Thread(target=_reader, args=(one, records, began + seconds)) for one in sessions]
        for reader in readers:
            reader.start()
        while any(reader.is_alive() for reader in readers):
            memory.append((time.monotonic() - began, server.megabytes()))
            time.sleep(_SAMPLE)
        lasted = time.monotonic() - began
    return Asked(answers=records.answers, errors=records.errors, seconds=lasted, memory=memory)


def measure(runs: Mapping[str, Path], lines: Sequence[str], *, users: int, seconds: float, beam: int) -> LoadReport:
    """Open the sessions of all readers, let them ask for some seconds, and hold the answers against the API."""
    with served() as server:
        asked = ask(server, list(runs), lines, users=users, seconds=seconds, beam=beam)
    times = sorted(answer.seconds for answer in asked.answers.values())
    differing = differences(asked.answers, runs, beam)
    return LoadReport(
        users=users,
        seconds=seconds,
        measured_seconds=round(asked.seconds, 2),
        beam=beam,
        checkpoints=list(runs),
        answers=len(times),
        answers_per_second=round(len(times) / asked.seconds, 3),
        median=round(statistics.median(times), 3) if times else None,
        ninety_percent=round(times[math.ceil(0.9 * len(times)) - 1], 3) if times else None,
        worst=round(times[-1], 3) if times else None,
        errors=asked.errors,
        differing=len(differing),
        differences=differing[:10],
        idle_mb=round(asked.memory[0][1], 1),
        peak_mb=round(max(megabytes for _, megabytes in asked.memory), 1),
    )


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.load", description=__doc__.splitlines()[0])
    parser.add_argument("runs", nargs="+", type=Path, metavar="RUN", help="run folders in checkpoints/ to compare")
    parser.add_argument(
        "--users", type=int, nargs="+", default=[1], metavar="N", help="readers at once; several in turn"
    )
    parser.add_argument("--seconds", type=float, default=60, metavar="S", help="how long they ask (default 60)")
    parser.add_argument("--beam", type=int, default=5, metavar="K", help="beam, 1 to 20 (default 5)")
    parser.add_argument(
        "--sentences",
        type=Path,
        default=_SENTENCES,
        metavar="FILE",
        help="one a line (default benchmarks/sentences.txt)",
    )
    options = parser.parse_args(arguments)
    if not 1 <= options.beam <= 20 or min(options.users) < 1 or not options.seconds > 0:
        parser.error("--beam must be from 1 to 20, --users at least 1 and --seconds above 0")
    runs = {run.resolve().name: run.resolve() for run in options.runs}
    if strange := [name for name, run in runs.items() if run.parent != ROOT / "checkpoints"]:
        parser.error(
            f"a run is given by its path, such as checkpoints/{strange[0]}; the app knows those in checkpoints/"
        )
    lines = [line for line in options.sentences.read_text(encoding="utf-8").splitlines() if line.strip()]
    reports = []
    for users in options.users:
        print(f"{users} users for {options.seconds:g} s", file=sys.stderr, flush=True)
        reports.append(measure(runs, lines, users=users, seconds=options.seconds, beam=options.beam))
    print(json.dumps({"loads": [asdict(report) for report in reports]}, ensure_ascii=False, indent=1))
    return 0 if all(report.answers and not report.errors and not report.differing for report in reports) else 1


if __name__ == "__main__":
    sys.exit(main())
