"""The application: routes, errors, and the description of both as OpenAPI."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from http import HTTPStatus
from typing import Any

from fastapi import FastAPI
from fastapi.telemetry import TelemetryConfig
from pydantic import BaseModel, TypeAdapter
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from nmt.aligners.aligner import Aligner
from nmt.errors import InputError
from nmt.inference.translator import Translator
from nmt.serve.answers import AlignAnswer, ErrorAnswer, HealthAnswer, ModelsAnswer, ScoreAnswer, TranslateAnswer
from nmt.serve.endpoints import Endpoints
from nmt.serve.guard import Guard, error_response
from nmt.serve.limits import Limits
from nmt.serve.metrics import Metrics
from nmt.serve.models import ServedModels
from nmt.serve.refusal import Refusal
from nmt.serve.requests import AlignRequest, ScoreRequest, TranslateRequest

LONGEST_STOP = 20
"""Seconds that requests have to finish when the service stops."""

_OPENAPI = "/openapi.json"
_PATHS = frozenset({"/translate", "/score", "/align", "/models", "/health", "/metrics", _OPENAPI})
_NO_TELEMETRY: TelemetryConfig = {
    "tracing": False,
    "metrics": False,
    "logs": False,
    "operation_spans": False,
    "auto_configure": False,
}
"""The service sends nothing to anybody, whatever the environment says."""


def build_app(
    loaded: Sequence[Translator | Aligner], limits: Limits | None = None, hosts: frozenset[str] | None = None
) -> FastAPI:
    """Build the application; its models' threads start at once and end with its lifespan.

    Args:
        loaded: the models, at least one.
        limits: limits of requests; None for the defaults.
        hosts: as for ``Guard``.

    InputError for two models of the same name.
    """
    limits, metrics = limits or Limits(), Metrics()
    models = ServedModels(loaded, limits, metrics)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        yield
        await run_in_threadpool(models.close, LONGEST_STOP)

    app = FastAPI(
        title="Jointly",
        version="1",
        summary="Translations, scores and word links of RNNsearch and RNNencdec.",
        docs_url=None,
        redoc_url=None,
        openapi_url=_OPENAPI,
        lifespan=lifespan,
        telemetry=_NO_TELEMETRY,
    )
    _add_routes(app, Endpoints(models, limits, metrics))
    app.add_exception_handler(InputError, _invalid)
    app.add_exception_handler(Refusal, _refused)
    app.add_exception_handler(HTTPException, _no_such)
    app.add_middleware(Guard, metrics=metrics, endpoints=_PATHS, hosts=hosts)
    return app


def _add_routes(app: FastAPI, endpoints: Endpoints) -> None:
    posts: tuple[tuple[str, Callable[[Request], Awaitable[Response]], type[Any], type[BaseModel]], ...] = (
        ("/translate", endpoints.translate, TranslateRequest, TranslateAnswer),
        ("/score", endpoints.score, ScoreRequest, ScoreAnswer),
        ("/align", endpoints.align, AlignRequest, AlignAnswer),
    )
    for path, handler, body, answer in posts:
        schema = TypeAdapter(body).json_schema()
        app.add_api_route(
            path,
            handler,
            methods=["POST"],
            operation_id=path[1:],
            responses=_responses(answer, 404, 413, 415, 422, 429, 503),
            openapi_extra={"requestBody": {"required": True, "content": {"application/json": {"schema": schema}}}},
        )
    app.add_api_route("/models", endpoints.models, operation_id="models", responses=_responses(ModelsAnswer))
    app.add_api_route("/health", endpoints.health, operation_id="health", responses=_responses(HealthAnswer, 503))
    app.add_api_route("/metrics", endpoints.metrics, operation_id="metrics", include_in_schema=False)


def _responses(answer: type[BaseModel], *errors: int) -> dict[int | str, dict[str, Any]]:
    responses: dict[int | str, dict[str, Any]] = {200: {"model": answer}}
    return responses | {status: {"model": ErrorAnswer, "description": HTTPStatus(status).phrase} for status in errors}


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
        return error_response(405, f"{request.url.path} does not take {request.method}", dict(error.headers or {}))
    return error_response(error.status_code, f"there is nothing at this path; {_OPENAPI} describes all paths")
