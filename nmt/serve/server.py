"""The server: its socket, its handling of signals, and its shutdown."""

import asyncio
import os
import signal
import socket
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from ipaddress import ip_address
from types import FrameType
from typing import cast

import h11
import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

from nmt.errors import InputError
from nmt.serve.app import HEADERS, LOOPBACK, NOT_HTTP, OTHER, Service, error_response
from nmt.serve.messages import READING, Limits
from nmt.serve.models import Loaded

LONGEST_STOP = 20
"""Seconds that requests have to finish when the service stops. Unfinished requests then get an error."""
_LAST_GROUP = 4
"""Seconds after LONGEST_STOP that models have to finish their current sentences. The process then ends in any case,
since no client waits for an answer."""


def serve(loaded: Sequence[Loaded], *, host: str, port: int, limits: Limits, on_start: Callable[[str], None]) -> None:
    """Serve until SIGINT or SIGTERM. Then refuse new connections, finish the current requests, and return.

    Args:
        host: address to listen on. On a loopback address, only requests whose Host names this machine are answered.
        port: port to listen on. 0 for any free port.
        on_start: called with the address when connections are accepted.

    Raises InputError if the address cannot be used, or if two models have the same name.
    """
    with _listener(host, port) as listener:
        server = server_of(Service(loaded, limits, LOOPBACK if _is_loopback(host) else None))
        name = f"[{host}]" if ":" in host else host
        on_start(f"http://{name}:{listener.getsockname()[1]}")
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda *_: None)  # the server raises them again after it has stopped
        server.run(sockets=[listener])


def server_of(app: ASGIApp) -> uvicorn.Server:
    """Build the server of an application."""
    config = uvicorn.Config(
        app,
        log_level="error",  # lower levels log requests, and warnings about them
        proxy_headers=False,
        server_header=False,
        timeout_graceful_shutdown=LONGEST_STOP,
        ws="none",
        http=_Connection,
    )
    return _Server(config)


class _Server(uvicorn.Server):
    """A server that stops within a limited time, even if clients keep it busy."""

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        super().handle_exit(sig, frame)
        end = threading.Timer(LONGEST_STOP + _LAST_GROUP, os._exit, (0,))
        end.daemon = True
        end.start()


class _Connection(H11Protocol):
    """A connection whose requests must be complete within READING seconds. Invalid HTTP gets an error in JSON."""

    _waiting: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._wait()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._stop_waiting()

    def _wait(self) -> None:
        """Start the timer of the next request, unless the timer runs. While a request is answered, stop the timer."""
        if self.cycle is not None and not self.cycle.response_complete:
            self._stop_waiting()
        elif self._waiting is None:
            self._waiting = self.loop.call_later(READING, self._give_up)

    def _stop_waiting(self) -> None:
        if self._waiting is not None:
            self._waiting.cancel()
            self._waiting = None

    def _give_up(self) -> None:
        begun = self.conn.trailing_data[0] and self.conn.our_state is h11.IDLE
        self._end(bool(begun), 408, f"the request was not complete after {READING} seconds")

    def send_400_response(self, msg: str) -> None:
        self._end(self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE), 400, NOT_HTTP)

    def _end(self, told: bool, status: int, sentence: str) -> None:
        """Close the connection. ``told``: whether to send and count an error response first."""
        if told:
            cast(Service, self.config.app).metrics.count_request(OTHER, status, 0.0)
            answer = error_response(status, sentence, HEADERS | {"Connection": "close"})
            start = h11.Response(status_code=status, headers=answer.raw_headers)
            for event in (start, h11.Data(data=bytes(answer.body)), h11.EndOfMessage()):
                self.transport.write(self.conn.send(event) or b"")
        self.transport.close()


def _listener(host: str, port: int) -> socket.socket:
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        return socket.create_server((host, port), family=family)
    except OSError as error:
        raise InputError(f"cannot listen on {host}, port {port}: {error.strerror}") from None


def _is_loopback(host: str) -> bool:
    with suppress(ValueError):
        return ip_address(host).is_loopback
    return host == "localhost"
