"""The application: routes, errors, headers, and the description of all of them as OpenAPI."""

import asyncio
import json
import logging
import re
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from functools import cache
from http import HTTPStatus
from typing import Any

from pydantic import BaseModel, TypeAdapter
from pydantic.json_schema import models_json_schema
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from nmt.aligners.aligner import Aligner
from nmt.errors import InputError
from nmt.inference.translator import Translator
from nmt.serve import schemas
from nmt.serve.endpoints import Endpoints
from nmt.serve.limits import Limits, Refusal
from nmt.serve.metrics import Metrics
from nmt.serve.models import ServedModels

LONGEST_CLOSE = 3
"""Seconds that the models have, when all requests are over, to end the step that they are taking."""
LOOPBACK = frozenset({"localhost", "127.0.0.1", "[::1]"})
"""Names of this machine in a request's header Host."""

_POSTS: dict[str, tuple[type[Any], type[BaseModel]]] = {
    "translate": (schemas.TranslateRequest, schemas.TranslateAnswer),
    "score": (schemas.ScoreRequest, schemas.ScoreAnswer),
    "align": (schemas.AlignRequest, schemas.AlignAnswer),
}
_POST_ERRORS = (400, 404, 408, 413, 415, 421, 422, 429, 500, 503)
_GETS: dict[str, tuple[type[BaseModel], tuple[int, ...]]] = {
    "models": (schemas.ModelsAnswer, ()),
    "health": (schemas.HealthAnswer, (503,)),
}
_OPENAPI = "/openapi.json"
_PATHS = frozenset({f"/{name}" for name in (*_POSTS, *_GETS)} | {"/metrics", _OPENAPI})
_OTHER = "other"
_HOST = re.compile(r"(\[[0-9a-f:.]+\]|[^:\[\]]+)(?::([0-9]{0,5}))?")
_LONGEST_METHOD = 20
NOT_HTTP = "this is not a request of HTTP/1.1"
_HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
_log = logging.getLogger("nmt.serve")


def build_app(
    loaded: Sequence[Translator | Aligner], limits: Limits | None = None, hosts: frozenset[str] | None = None
) -> Starlette:
    """Build the application; its models' threads start at once and end with its lifespan.

    Args:
        loaded: the models, at least one.
        limits: limits of requests; None for the defaults.
        hosts: as for ``Guard``.

    InputError for two models of the same name.
    """
    limits, metrics = limits or Limits(), Metrics()
    models = ServedModels(loaded, limits, metrics)
    endpoints = Endpoints(models, limits, metrics)

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        yield
        await run_in_threadpool(models.close, LONGEST_CLOSE)

    posts = [Route(f"/{name}", getattr(endpoints, name), methods=["POST"]) for name in _POSTS]
    gets = [Route(f"/{name}", getattr(endpoints, name)) for name in (*_GETS, "metrics")]
    gets.append(Route(_OPENAPI, _describe))
    for route in gets:
        route.methods = {"GET"}  # without HEAD, which Starlette adds
    app = Starlette(
        routes=[*posts, *gets],
        exception_handlers={InputError: _invalid, Refusal: _refused, HTTPException: _no_such},
        middleware=[Middleware(Guard, metrics=metrics, hosts=hosts)],
        lifespan=lifespan,
    )
    app.router.redirect_slashes = False
    app.state.metrics = metrics
    return app


class Guard:
    """Outermost middleware: checks the host name of requests, adds headers to answers, and counts them. A request whose
    task is cancelled, because the service stops, is answered with 503.

    Args:
        app: the application.
        metrics: counts the answers, by path; those to unknown paths are counted together.
        hosts: names that a request's header Host may have, without the port; None for any. With the names of this
            machine alone, requests of a web page whose host name was made to resolve to this machine are refused.
    """

    def __init__(self, app: ASGIApp, metrics: Metrics, hosts: frozenset[str] | None) -> None:
        self._app, self._metrics, self._hosts = app, metrics, hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        endpoint = scope["path"] if scope["path"] in _PATHS else _OTHER
        start, status = time.perf_counter(), 0

        async def with_headers(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                MutableHeaders(scope=message).update(_HEADERS)
            await send(message)

        try:
            if scope.get("http_version", "1.1") not in ("1.0", "1.1"):
                await error_response(400, NOT_HTTP)(scope, receive, with_headers)
            elif self._hosts is not None and _host(scope) not in self._hosts:
                refused = error_response(421, f"this service is reached as {' or '.join(sorted(self._hosts))}")
                await refused(scope, receive, with_headers)
            else:
                await self._app(scope, receive, with_headers)
        except asyncio.CancelledError:
            if not status:
                await error_response(503, "the service is stopping and gave this request up")(
                    scope, receive, with_headers
                )
        except Exception:
            _log.exception("a request to %s failed", endpoint)
            if not status:
                await error_response(500, "the service failed; its log says why")(scope, receive, with_headers)
        finally:
            self._metrics.count_request(endpoint, status, time.perf_counter() - start)


def error_response(status: int, sentence: str, headers: dict[str, str] | None = None) -> Response:
    """Make the answer to a request that cannot be answered."""
    body = json.dumps(schemas.ErrorAnswer(error=sentence).model_dump(), ensure_ascii=False)
    return Response(body, status, headers, "application/json")


def raw_error(metrics: Metrics, status: int, sentence: str) -> tuple[list[tuple[bytes, bytes]], bytes]:
    """Make headers and body of the answer to what never became a request, and count it."""
    metrics.count_request(_OTHER, status, 0.0)
    response = error_response(status, sentence, _HEADERS | {"Connection": "close"})
    return response.raw_headers, bytes(response.body)


def _host(scope: Scope) -> str:
    """The host of a request, without the port; "" if the header is not that of a host."""
    found = _HOST.fullmatch(Headers(scope=scope).get("host", "").lower())
    return found[1] if found and int(found[2] or 0) < 2**16 else ""


async def _invalid(_: Request, error: Exception) -> Response:
    return error_response(422, str(error))


async def _refused(_: Request, error: Exception) -> Response:
    assert isinstance(error, Refusal)
    headers = None if error.retry_after is None else {"Retry-After": str(error.retry_after)}
    return error_response(error.status, error.sentence, headers)


async def _no_such(request: Request, error: Exception) -> Response:
    """Answer a path that is not there, or a method that a path does not have."""
    assert isinstance(error, HTTPException)
    if error.status_code == 405:
        method = request.method[:_LONGEST_METHOD]
        return error_response(405, f"{request.url.path} does not take {method}", dict(error.headers or {}))
    return error_response(error.status_code, f"there is nothing at this path; {_OPENAPI} describes all paths")


async def _describe(_: Request) -> Response:
    return Response(description(), media_type="application/json")


@cache
def description() -> str:
    """Describe the paths, requests and answers as an OpenAPI document."""
    answers: list[type[BaseModel]] = [answer for _, answer in _POSTS.values()]
    answers += [*(answer for answer, _ in _GETS.values()), schemas.ErrorAnswer]
    _, models = models_json_schema(
        [(answer, "serialization") for answer in answers], ref_template="#/components/schemas/{model}"
    )
    paths: dict[str, Any] = {}
    for name, (body, answer) in _POSTS.items():
        request = {"required": True, "content": _json(TypeAdapter(body).json_schema())}
        paths[f"/{name}"] = {"post": _operation(name, answer, _POST_ERRORS) | {"requestBody": request}}
    for name, (answer, errors) in _GETS.items():
        paths[f"/{name}"] = {"get": _operation(name, answer, errors)}
    about = {
        "title": "Jointly",
        "summary": "Translations, scores and word links of RNNsearch and RNNencdec.",
        "version": "1",
    }
    return json.dumps({"openapi": "3.1.0", "info": about, "paths": paths, "components": {"schemas": models["$defs"]}})


def _operation(name: str, answer: type[BaseModel], errors: Sequence[int]) -> dict[str, Any]:
    responses = {
        str(status): {
            "description": HTTPStatus(status).phrase,
            "content": _json(
                {"$ref": f"#/components/schemas/{(answer if status == 200 else schemas.ErrorAnswer).__name__}"}
            ),
        }
        for status in (200, *errors)
    }
    return {"operationId": name, "description": getattr(Endpoints, name).__doc__, "responses": responses}


def _json(schema: dict[str, Any]) -> dict[str, Any]:
    return {"application/json": {"schema": schema}}
