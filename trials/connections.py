"""The HTTP service over real connections: what is not HTTP, clients that send slowly or leave, and the stop."""

import json
import os
import random
import re
import signal
import socket
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import psutil

from nmt.inference.translator import load
from nmt.serve.messages import READING, Limits
from nmt.serve.server import serve
from tests.oracles.random_run import ENGLISH, random_run
from trials.children import start, wait
from trials.trial import Cases, Trial, drawn_bytes, must

_MALFORMED, _SLOW, _LEAVING, _STOPPED = 1_500, 150, 300, 40
"""Requests of each kind."""
_STATUSES = {200, 400, 404, 405, 408, 413, 415, 421, 422, 429, 503}
_SOON, _LONGEST_STOP = 5.0, 25.0
"""Seconds in which others are answered meanwhile, and in which the service has stopped whatever clients do."""
_HIDDEN, _WORDS, _WIDEST = 256, 150, 20
"""Units, words and beam of sentences that take long."""
_STARTED = re.compile(r"http://127\.0\.0\.1:(\d+)\n")
_SENTENCE = {"model": "words", "sentences": ["the cat reads ."]}
_HEADERS = (
    "Host: localhost", "Host: localhost", "Host: a.example", "Host:", "Host: [::1].a.example",
    "Content-Type: application/json",
    "Content-Type: text/plain", "Transfer-Encoding: chunked", "Transfer-Encoding: gzip", "Content-Length: -1",
    "Content-Length: 5, 6", "Expect: 100-continue", "Upgrade: websocket", "Connection: Upgrade", "Connection: close",
    "X: " + "a" * 70_000, "X : y", "\x00: y", "X: a\r\n b", "Origin: https://a.example",
)  # fmt: skip
_PATHS = (
    "/translate", "/score", "/align", "/health", "/models", "/metrics", "/translate/", "//", "/../etc/passwd", "*",
    "http://a.example/translate", "/%0d%0aX:y", "/translate?" + "a" * 9_000, "/" + "a" * 70_000, "é", "",
)  # fmt: skip


@dataclass(frozen=True)
class Service:
    """A service in a process of its own.

    Attributes:
        process: its id.
        port: the port that it listens on.
        log: file of what it writes.
    """

    process: int
    port: int
    log: Path

    def connect(self) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port), timeout=60)

    def send(self, body: dict[str, Any], path: str = "/translate", cut: int = 0) -> socket.socket:
        """Send a request, without its last ``cut`` bytes."""
        connection = self.connect()
        connection.sendall(_request("POST", path, json.dumps(body).encode())[: -cut or None])
        return connection

    def must_answer(self) -> float:
        """Return the seconds after which somebody else is answered."""
        began = time.monotonic()
        status, _ = _answer(self.send(_SENTENCE))
        seconds = time.monotonic() - began
        must(status == 200, f"others are answered with {status}")
        must(seconds <= _SOON, f"others are answered after {seconds:.1f} s")
        return seconds

    def said(self) -> str:
        """What it has written since it began to serve."""
        return _STARTED.split(self.log.read_text(encoding="utf-8", errors="replace"))[-1]


@contextmanager
def _serving(folder: Path) -> Iterator[Service]:
    log = folder / "log"

    def work() -> int:
        loaded = [
            load(random_run(folder / "words")),
            load(random_run(folder / "endless", hidden=_HIDDEN, endless=True)),
        ]
        limits = Limits(waiting=10_000)
        serve(loaded, host="127.0.0.1", port=0, limits=limits, on_start=lambda address: print(address, flush=True))
        return 0

    process = start(log, work)
    try:
        while (found := _STARTED.search(log.read_text() if log.exists() else "")) is None:
            must(psutil.pid_exists(process), "the service did not start")
            time.sleep(0.05)
        yield Service(process, int(found[1]), log)
    finally:
        with suppress(ProcessLookupError):
            os.kill(process, signal.SIGKILL)


def _request(method: str, path: str, body: bytes, headers: Sequence[str] = ()) -> bytes:
    given = headers or ("Host: localhost", "Content-Type: application/json", f"Content-Length: {len(body)}")
    return "\r\n".join([f"{method} {path} HTTP/1.1", *given, "", ""]).encode("latin-1", "replace") + body


def _answer(connection: socket.socket) -> tuple[int, Any]:
    """Status and JSON of an answer, whose form is checked; 0 if the connection was closed without one."""
    with connection, connection.makefile("rb") as file:
        line = file.readline()
        if not line:
            return 0, None
        status = int(line.split()[1])
        headers = dict(each.decode("latin-1").lower().strip().split(": ", 1) for each in iter(file.readline, b"\r\n"))
        if status == 100:
            return 100, None
        content = file.read(int(headers["content-length"]))
    must("x" not in headers, "a header was injected")
    must(status in _STATUSES, f"status {status}: {content[:300]!r}")
    must(headers.get("x-content-type-options") == "nosniff", f"status {status} without nosniff")
    if headers["content-type"] != "application/json":
        must(status == 200, f"status {status}, not as JSON: {content[:300]!r}")
        return status, None
    told = json.loads(content)
    sentence = told.get("error", "")
    must(status == 200 or (sentence and len(sentence) < 1_000), f"status {status} says {sentence[:300]!a}")
    return status, told


def _malformed(service: Service, draw: Random, cases: Cases) -> None:
    for number in range(_MALFORMED):
        body = json.dumps(_SENTENCE).encode()
        headers = [*draw.sample(_HEADERS, draw.randint(0, 4)), f"Content-Length: {len(body) + draw.choice((0, 0, -1))}"]
        method = draw.choice(("POST", "POST", "GET", "HEAD", "A" * 5_000, "post", "P T"))
        data = _request(method, draw.choice(_PATHS), body, [] if draw.random() < 0.3 else headers)
        done, data = ("whole", data) if draw.random() < 0.5 else drawn_bytes(draw, data)
        with (
            cases.case(f"{number}: {data[:300]!a}, {done}"),
            service.connect() as connection,
            suppress(ConnectionError),
        ):
            connection.sendall(data)
            if done != "whole" or method == "HEAD":
                connection.shutdown(socket.SHUT_WR)  # what is not complete is not waited for
            if method != "HEAD":
                _answer(connection)
    with cases.case("others afterwards"):
        service.must_answer()
    with cases.case("the log"):
        must(not service.said(), f"the log says {service.said()[:1000]}")


def _slow(service: Service, draw: Random, cases: Cases) -> None:
    """Requests that are cut at a random byte and go on byte by byte, or not at all; others are answered meanwhile."""
    whole = _request("POST", "/translate", json.dumps(_SENTENCE).encode())
    slow = [service.connect() for _ in range(_SLOW)]
    cuts = [draw.randrange(len(whole) - 40) for _ in slow]
    for connection, cut in zip(slow, cuts, strict=True):
        connection.sendall(whole[:cut])
    waited = 0.0
    for step in range(int(READING)):
        with cases.case(f"others after {step} s"):
            waited = max(waited, service.must_answer())
        for connection, cut in zip(slow[::2], cuts[::2], strict=True):
            with suppress(OSError):
                connection.sendall(whole[cut + step : cut + step + 1])
        time.sleep(1)
    began = time.monotonic()
    for connection, cut in zip(slow, cuts, strict=True):
        with cases.case(f"a request cut at byte {cut}"):
            with suppress(ConnectionError):
                status, _ = _answer(connection)
                must(status in (0, 408), f"status {status}")
            seconds = time.monotonic() - began
            # The head of a request has this time, and so has its body, once the head is complete.
            must(seconds <= READING + _SOON, f"open {seconds:.1f} s later than {READING} s")
    cases.figures = (
        f"slow: {_SLOW} requests that are never complete are over {time.monotonic() - began:.1f} s after {READING} s; "
        f"others were answered within {waited:.2f} s"
    )


def _long(number: int) -> dict[str, Any]:
    text = " ".join(ENGLISH[(number + 7 * place) % len(ENGLISH)] for place in range(_WORDS))
    return {"model": "endless", "sentences": [text] * 8, "beam": _WIDEST}


def _leaving(service: Service, draw: Random, cases: Cases) -> None:
    process = psutil.Process(service.process)
    before = process.num_fds()
    for number in range(_LEAVING):
        with cases.case(f"{number}: a client that leaves"):
            pairs = {
                "model": "endless",
                "sources": ["the cat . " * 30] * 8,
                "targets": ["le chat . " * 30] * 8,
                "map": "posterior",
            }
            body, path = draw.choice(((_long(number), "/translate"), (pairs, "/align")))
            connection = service.send(body, path, cut=draw.choice((0, 0, 5)))
            if number % 3:
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")  # a reset, no end
            connection.close()
    with cases.case("the model is free again"):
        began = time.monotonic()
        status, _ = _answer(service.send({"model": "endless", "sentences": ["the cat ."], "beam": 1}))
        free = time.monotonic() - began
        must(status == 200, f"status {status}")
        must(free <= _SOON, f"after {free:.1f} s")
    with cases.case("no descriptor is left"):
        until = time.monotonic() + _SOON
        while (left := process.num_fds()) > before + 2 and time.monotonic() < until:
            time.sleep(0.1)
        must(left <= before + 2, f"{left} descriptors, {before} before")
    with cases.case("the log"):
        must(not service.said(), f"the log says {service.said()[:1000]}")
    cases.figures = f"leaving: after {_LEAVING} clients that left the next was answered after {free:.2f} s"


def _stopped(service: Service, draw: Random, cases: Cases) -> None:
    """A stop under clients that wait for long answers, have sent half a request, or do not read."""
    waiting = [service.send(_long(number)) for number in range(_STOPPED)]
    short = [service.send(_SENTENCE) for _ in range(_STOPPED)]
    half = [service.send(_SENTENCE, cut=draw.randrange(1, 40)) for _ in range(_STOPPED)]
    idle = [service.connect() for _ in range(_STOPPED)]
    deaf = service.send({"model": "words", "sources": ["the cat ."], "targets": ["le chat"]}, "/score")
    for _ in range(200):
        deaf.sendall(_request("GET", "/models", b""))
    time.sleep(0.3)
    began = time.monotonic()
    os.kill(service.process, draw.choice((signal.SIGTERM, signal.SIGINT)))
    with cases.case("the end"):
        status = wait(service.process)
        seconds = time.monotonic() - began
        must(status == 0, f"status {status}")
        must(seconds <= _LONGEST_STOP, f"after {seconds:.1f} s")
    counted: dict[int, int] = {}
    for kind, connections, expected in (
        ("long", waiting, {200, 503}),
        ("short", short, {200}),
        ("half", half, {408, 503}),
    ):
        for connection in connections:
            with cases.case(f"a request: {kind}"):
                found, _ = _answer(connection)
                counted[found] = counted.get(found, 0) + 1
                must(found in expected, f"status {found}")
    for connection in (*idle, deaf):
        connection.close()
    with cases.case("the log"):
        must(service.said().count("\n") <= 1, f"the log says {service.said()[:1000]}")
    cases.figures = (
        f"stopped: the service ended after {seconds:.1f} s; answers by status: {counted}; lines in the log: "
        f"{service.said().count(chr(10))}"
    )


_KINDS: tuple[Callable[[Service, Random, Cases], None], ...] = (_malformed, _slow, _leaving, _stopped)


def _run(draw: random.Random, cases: Cases, folder: Path) -> None:
    with _serving(folder) as service:
        _KINDS[cases.piece % len(_KINDS)](service, draw, cases)


TRIAL = Trial(
    name="connections",
    tried="the HTTP service over real connections, a piece for each: requests that are not HTTP or have odd headers, "
    f"paths and lengths; {_SLOW} requests that are never complete; {_LEAVING} clients that leave; a stop under clients "
    "that wait, have sent half a request or do not read",
    holds=f"one of the documented answers, in its form; others are answered within {_SOON:g} s; what is not complete "
    f"is over after {READING + _SOON:g} s; a stop ends with status 0 within {_LONGEST_STOP:g} s, answers everybody and "
    "writes at most one line into the log",
    run=_run,
    pieces=12,
    ci=2,
    seconds=900,
    case_seconds=120,
)
