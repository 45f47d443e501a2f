"""Outermost middleware of the service: checks the host name of requests, adds headers to answers, and counts them."""

from __future__ import annotations

import json
import logging
import time

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from nmt.serve.answers import ErrorAnswer
from nmt.serve.metrics import Metrics

LOOPBACK = frozenset({"localhost", "127.0.0.1", "[::1]"})
"""Names of this machine in a request's header Host."""

_HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
_OTHER = "other"
_log = logging.getLogger("nmt.serve")


class Guard:
    """ASGI middleware.

    Args:
        app: the application.
        metrics: counts the answers.
        endpoints: paths that are counted by name; all others are counted together.
        hosts: names that a request's header Host may have, without the port; None for any. With the names of this
            machine alone, requests of a web page whose host name was made to resolve to this machine are refused.
    """

    def __init__(self, app: ASGIApp, metrics: Metrics, endpoints: frozenset[str], hosts: frozenset[str] | None) -> None:
        self._app, self._metrics, self._endpoints, self._hosts = app, metrics, endpoints, hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        start, status = time.perf_counter(), 0

        async def with_headers(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                MutableHeaders(scope=message).update(_HEADERS)
            await send(message)

        try:
            if self._hosts is not None and _host(scope) not in self._hosts:
                refused = error_response(421, f"this service is reached as {' or '.join(sorted(self._hosts))}")
                await refused(scope, receive, with_headers)
            else:
                await self._app(scope, receive, with_headers)
        except Exception:
            _log.exception("a request to %s failed", scope["path"] if scope["path"] in self._endpoints else _OTHER)
            if not status:
                await error_response(500, "the service failed; its log says why")(scope, receive, with_headers)
        finally:
            endpoint = scope["path"] if scope["path"] in self._endpoints else _OTHER
            self._metrics.count_request(endpoint, status, time.perf_counter() - start)


def error_response(status: int, sentence: str, headers: dict[str, str] | None = None) -> Response:
    """Make the answer to a request that cannot be answered."""
    body = json.dumps(ErrorAnswer(error=sentence).model_dump(), ensure_ascii=False)
    return Response(body, status, headers, "application/json")


def _host(scope: Scope) -> str:
    host = Headers(scope=scope).get("host", "").lower()
    return host[: host.find("]") + 1] if host.startswith("[") else host.partition(":")[0]
