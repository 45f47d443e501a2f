"""Real connections: what is not HTTP, requests that are never complete, clients that leave, and the stop."""

import json
import os
import re
import signal
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from nmt.aligners.aligner import Aligner
from nmt.answers.searches import SharedSearch
from nmt.inference.translator import Translator
from nmt.serve import app, server
from nmt.serve.app import LONGEST_CLOSE, Service
from nmt.serve.models import Scoring
from tests.serve.conftest import LIMITS

Loaded = dict[str, Translator | Aligner]
SHE = {"sentences": ["she"]}


class Serving:
    """A server in a thread; ``stop`` is what a signal does."""

    def __init__(self, app: Starlette) -> None:
        self.app, self._server = app, server.server_of(app)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._thread = threading.Thread(target=self._server.run, kwargs={"sockets": [self._listener]})
        self._thread.start()

    def connect(self) -> socket.socket:
        return socket.create_connection(self._listener.getsockname(), timeout=30)

    def send(self, path: str, body: dict[str, Any], *, cut: int = 0) -> socket.socket:
        """Send a request, without the last ``cut`` bytes."""
        data = json.dumps(body).encode()
        head = (
            f"POST {path} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: {len(data)}\r\n\r\n"
        )
        connection = self.connect()
        connection.sendall((head.encode() + data)[: -cut or None])
        return connection

    def stop(self) -> float:
        """Stop and return the seconds that it took."""
        began = time.monotonic()
        self._server.should_exit = True
        self._thread.join(60)
        assert not self._thread.is_alive()
        return time.monotonic() - began


@contextmanager
def serving(*models: Translator | Aligner) -> Iterator[Serving]:
    running = Serving(Service(models, LIMITS))
    try:
        yield running
    finally:
        running.stop()


def answer(connection: socket.socket) -> tuple[int, dict[str, str], Any]:
    """Status, headers and JSON of what comes until the server closes the connection or the answer is whole."""
    with connection, connection.makefile("rb") as file:
        status = int(file.readline().split()[1])
        lines = iter(file.readline, b"\r\n")
        headers = dict(line.decode().strip().lower().split(": ", 1) for line in lines)
        return status, headers, json.loads(file.read(int(headers["content-length"])))


@pytest.fixture
def gate(monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
    """Every step of a search waits until this is set."""
    gate = threading.Event()
    step = SharedSearch.step

    def slow(self: SharedSearch) -> Any:
        assert gate.wait(30)
        return step(self)

    monkeypatch.setattr(SharedSearch, "step", slow)
    yield gate
    gate.set()


@pytest.mark.parametrize(
    "sent",
    [
        b"x\r\n\r\n",
        b"GET / HTTP/1.1\r\n\r\n",
        b"GET /x HTTP/2.0\r\nHost: a\r\n\r\n",
        b"POST /score HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n",
    ],
)
def test_what_is_not_http_is_answered_like_everything_else(
    loaded: Loaded, caplog: pytest.LogCaptureFixture, sent: bytes
) -> None:
    with serving(loaded["search-words"]) as running:
        connection = running.connect()
        connection.sendall(sent)
        status, headers, told = answer(connection)
    counted = running.app.metrics.text().decode()  # at its end, as some are counted after the answer
    assert (status, list(told)) == (400, ["format", "error"])
    assert headers["x-content-type-options"] == "nosniff"
    assert 'jointly_requests_total{endpoint="other",status="400"} 1.0' in counted
    assert not caplog.records


def test_no_header_says_where_a_request_is_from_or_what_answers_it() -> None:
    """Whatever proxies say, or seem to: the service neither needs nor believes it."""

    async def scheme(request: Request) -> JSONResponse:
        return JSONResponse([request.url.scheme, request.client and request.client.host])

    running = Serving(Starlette(routes=[Route("/", scheme)]))
    try:
        with running.connect() as connection:
            told = b"X-Forwarded-Proto: https\r\nX-Forwarded-For: 192.0.2.7\r\n"
            connection.sendall(b"GET / HTTP/1.1\r\nHost: a\r\n" + told + b"\r\n")
            status, headers, found = answer(connection)
    finally:
        running.stop()
    assert (status, found) == (200, ["http", "127.0.0.1"])
    assert "server" not in headers


def test_a_request_has_a_time_in_which_it_must_be_complete(loaded: Loaded, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (server, app):
        monkeypatch.setattr(module, "READING", 0.5)
    with serving(loaded["search-words"]) as running:
        silent, headers, body = running.connect(), running.connect(), running.send("/translate", SHE, cut=3)
        headers.sendall(b"POST /translate HTTP/1.1\r\nHo")
        assert answer(running.send("/translate", SHE))[0] == 200
        for connection in (headers, body):
            status, _, told = answer(connection)
            assert (status, "0.5 seconds" in told["error"]) == (408, True)
        with silent:
            assert silent.recv(1) == b""


def test_who_is_given_up_by_a_stop_is_told(
    loaded: Loaded,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    capsys: pytest.CaptureFixture[str],
    gate: threading.Event,
) -> None:
    """Requests that wait, that are worked on, that are half sent, and clients who do not read: one line for all."""
    monkeypatch.setattr(server, "LONGEST_STOP", 1)
    with serving(loaded["search-words"]) as running:
        late = [running.send("/translate", SHE) for _ in range(4)] + [running.send("/translate", SHE, cut=3)]
        deaf, half = running.send("/translate", SHE), running.connect()
        half.sendall(b"POST /translate HTTP/1.1\r\nHo")
        time.sleep(0.5)
        threading.Timer(2, gate.set).start()
        seconds = running.stop()
        for connection in late:
            status, headers, told = answer(connection)
            assert (status, headers["x-content-type-options"]) == (503, "nosniff")
            assert "stopping" in told["error"]
        for connection in (deaf, half):
            connection.close()
        counted = running.app.metrics.text().decode()
    assert 'jointly_requests_total{endpoint="/translate",status="503"} 6.0' in counted
    assert seconds < 1 + 3 + 1
    (line,) = capsys.readouterr().err.splitlines()
    assert "6 running" in line
    assert not caplog.records


def test_what_is_in_time_is_answered_by_a_stop(
    loaded: Loaded, caplog: pytest.LogCaptureFixture, gate: threading.Event
) -> None:
    with serving(loaded["search-words"]) as running:
        waiting = [running.send("/translate", SHE) for _ in range(4)]
        time.sleep(0.3)
        threading.Timer(0.3, gate.set).start()
        running.stop()
        assert [answer(connection)[0] for connection in waiting] == [200] * 4
    assert not caplog.records


def test_long_work_ends_between_groups_when_its_client_leaves(loaded: Loaded, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nmt.serve.models._GROUP", 1)
    begun, go_on, worked = threading.Semaphore(0), threading.Semaphore(0), []
    score = Scoring._score

    def slow(self: Scoring, pairs: Any) -> Any:
        worked.append(len(pairs))
        begun.release()
        assert go_on.acquire(timeout=30)
        return score(self, pairs)

    monkeypatch.setattr(Scoring, "_score", slow)
    with serving(loaded["search-words"]) as running:
        many = running.send("/score", {"sources": ["she"] * 5, "targets": ["elle"] * 5})
        assert begun.acquire(timeout=30)
        other = running.send("/translate", SHE)
        many.close()
        time.sleep(0.3)
        go_on.release(100)
        assert answer(other)[0] == 200
    assert worked == [1]


def test_a_stop_takes_no_longer_than_the_document_says(monkeypatch: pytest.MonkeyPatch) -> None:
    """The process ends by a timer that begins with the signal; the requests have most of that time."""
    ends = []

    class Timer:
        daemon = False

        def __init__(self, seconds: float, end: Callable[[int], None], status: tuple[int]) -> None:
            assert (end, status) == (os._exit, (0,))
            ends.append(seconds)

        def start(self) -> None:
            assert self.daemon  # it never keeps a process that is done

    monkeypatch.setattr("nmt.serve.server.threading.Timer", Timer)
    stopping = server.server_of(Starlette())
    stopping.handle_exit(signal.SIGTERM, None)
    text = (Path(__file__).parents[2] / "docs" / "service.md").read_text("utf-8")
    (all_in_all,) = re.findall(r"\bwithin (\d+) seconds", text)
    (requests,) = re.findall(r"answers those that take longer than (\d+) seconds", text)
    (reading,) = re.findall(r"was not complete after (\d+) seconds", text)
    assert (int(requests), int(reading)) == (server.LONGEST_STOP, server.READING)
    graceful = stopping.config.timeout_graceful_shutdown
    assert graceful == server.LONGEST_STOP < ends[0] < int(all_in_all)
    assert ends[0] > server.LONGEST_STOP + LONGEST_CLOSE  # the models have all of their time


@pytest.mark.parametrize(
    ("host", "own"),
    [
        *(("127.0.0.1", True), ("127.0.0.9", True), ("::1", True), ("localhost", True)),
        *(("0.0.0.0", False), ("192.0.2.1", False), ("::", False), ("a.example", False)),
    ],
)
def test_what_is_this_machines_own_address(host: str, own: bool) -> None:
    assert server._is_loopback(host) == own
