"""The server: its socket, its handling of signals, and its shutdown."""

from __future__ import annotations

import signal
import socket
from collections.abc import Callable, Sequence
from ipaddress import ip_address

import uvicorn

from nmt.aligners.aligner import Aligner
from nmt.errors import InputError
from nmt.inference.translator import Translator
from nmt.serve.app import LONGEST_STOP, LOOPBACK, build_app
from nmt.serve.limits import Limits


def serve(
    loaded: Sequence[Translator | Aligner], *, host: str, port: int, limits: Limits, on_start: Callable[[str], None]
) -> None:
    """Serve until SIGINT or SIGTERM; then refuse new connections, finish the requests under way, and return.

    Args:
        loaded: the models.
        host: address to listen on. On this machine's own address only requests to it by that address are answered.
        port: port to listen on; 0 for any that is free.
        limits: limits of requests.
        on_start: called with the address, once connections are accepted.

    InputError if the address cannot be used, or two models have the same name.
    """
    listener = _listener(host, port)
    with listener:
        app = build_app(loaded, limits, LOOPBACK if _is_loopback(host) else None)
        config = uvicorn.Config(
            app,
            access_log=False,
            log_level="warning",
            proxy_headers=False,
            server_header=False,
            timeout_graceful_shutdown=LONGEST_STOP,
            ws="none",
        )
        name = f"[{host}]" if ":" in host else host
        on_start(f"http://{name}:{listener.getsockname()[1]}")
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda *_: None)  # the server raises them once more when it has stopped
        uvicorn.Server(config).run(sockets=[listener])


def _listener(host: str, port: int) -> socket.socket:
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        return socket.create_server((host, port), family=family, backlog=128)
    except OSError as error:
        raise InputError(f"cannot listen on {host}, port {port}: {error.strerror}") from None


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
