"""The service as an ASGI application. It puts requests into the models' queues and answers them. Errors are answers."""

import asyncio
import json
import logging
import re
import time
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import asdict, fields
from typing import Any, TypeAlias, TypeVar, cast

from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from nmt.aligners.pairs import MOST_COST, check_cost
from nmt.answers.searches import Translating
from nmt.config import SearchChanges, SearchSettings, require
from nmt.errors import InputError
from nmt.records import FORMAT_VERSION, as_record, parse_object
from nmt.serve import messages
from nmt.serve.messages import COST, READING, Limits, Refusal, check_weights, description
from nmt.serve.models import MEDIA_TYPE, Aligning, Loaded, Metrics, Pair, Scoring, ServedModels, search_of

LONGEST_CLOSE = 3
"""Seconds that the models have to finish their current step after all requests have ended."""
LOOPBACK = frozenset({"localhost", "127.0.0.1", "[::1]"})
"""Names of this machine in the header Host of a request."""
NOT_HTTP = "this is not a request of HTTP/1.1"
OTHER = "other"
"""Endpoint in the metrics for all requests with an unknown path."""
_OPENAPI = "/openapi.json"
_POSTS = "/translate", "/score", "/align"
_HOST = re.compile(r"(\[[0-9a-f:.]+\]|[^:\[\]]+)(?::([0-9]{0,5}))?")
HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
JSON = "application/json"
_MEDIA_TYPE = re.compile(rf"\s*{JSON}\s*(;(?!\s*charset\b)[^;]*|;\s*charset\s*=\s*\"?utf-?8\"?\s*)*", re.IGNORECASE)
_log = logging.getLogger("nmt.serve")
Record = TypeVar("Record")
Result = TypeVar("Result")
_Endpoint: TypeAlias = Callable[[Request], Awaitable[Response]]


class Service:
    """The service as an ASGI application. The threads of its models start at once and end with its lifespan.

    Args:
        loaded: the models, at least one. Raises InputError for a repeated name.
        hosts: allowed names in the header Host of a request, without the port. None for any name. If only names of
            this machine are allowed, no web page reaches the service by a foreign name that resolves to this machine.
    """

    def __init__(
        self, loaded: Iterable[Loaded], limits: Limits | None = None, hosts: frozenset[str] | None = None
    ) -> None:
        self.metrics, self._hosts, self._limits = Metrics(), hosts, limits or Limits()
        self._models = ServedModels(loaded, self._limits, self.metrics)
        posts = dict(zip(_POSTS, (self._translate, self._score, self._align), strict=True))
        gets = {"/models": self._list, "/health": self._health, "/metrics": self._count, _OPENAPI: self._describe}
        self._endpoints: Mapping[str, _Endpoint] = {**posts, **gets}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await receive()
            await send({"type": "lifespan.startup.complete"})
            await receive()
            await run_in_threadpool(self._models.close, LONGEST_CLOSE)
            await send({"type": "lifespan.shutdown.complete"})
            return
        start = time.perf_counter()
        response = await self._answer(Request(scope, receive))
        response.headers.update(HEADERS)
        with suppress(asyncio.CancelledError):  # the service stops before the client took the answer
            await response(scope, receive, send)
        endpoint = scope["path"] if scope["path"] in self._endpoints else OTHER
        self.metrics.count_request(endpoint, response.status_code, time.perf_counter() - start)

    async def _answer(self, request: Request) -> Response:
        """Answer a request. Every exception becomes an answer with an error status."""
        path = request.scope["path"]
        try:
            if request.scope.get("http_version", "1.1") not in ("1.0", "1.1"):
                return error_response(400, NOT_HTTP)
            if self._hosts is not None and _host(request) not in self._hosts:
                return error_response(421, f"this service is reached as {' or '.join(sorted(self._hosts))}")
            if path not in self._endpoints:
                return error_response(404, f"there is nothing at this path; {_OPENAPI} describes all paths")
            if request.method != (method := "POST" if path in _POSTS else "GET"):
                refused = f"{path} does not take {request.method[:20]}"
                return error_response(405, refused, {"Allow": method})
            return await self._endpoints[path](request)
        except InputError as error:
            return error_response(422, str(error))
        except Refusal as error:
            again = {} if error.retry_after is None else {"Retry-After": str(error.retry_after)}
            return error_response(error.status, error.sentence, again)
        except asyncio.CancelledError:
            return error_response(503, "the service is stopping and gave this request up")
        except Exception:
            _log.exception("a request to %s failed", path)
            return error_response(500, "the service failed; its log says why")

    async def _translate(self, request: Request) -> Response:
        """Translate sentences by beam search."""
        body = await read_body(request, messages.TranslateRequest, self._limits.body)
        model = self._models.find(body.model)
        run = model.run
        self._limits.check_texts("sentences", body.sentences)
        changes = {field.name: getattr(body, field.name) for field in fields(SearchSettings)}
        settings = run.search_settings.changed(**cast(SearchChanges, changes))
        widest = max(self._limits.widest_beam, run.search_settings.beam)
        require(settings.beam <= widest, f"beam must be at most {widest:,}, not {settings.beam:,}")
        settings = run.resolved(settings)
        run.search(settings, body.alpha)
        sentences = await run_in_threadpool(lambda: [run.read(text) for text in body.sentences])
        if body.alpha:  # length_limits of nmt/search/limits.py, with the end-of-sentence tokens
            check_weights((settings.n_best * (2 * len(sentence) + 9), len(sentence)) for sentence in sentences)
        futures = model.submit(Translating(run, settings, body.alpha), sentences)
        about = {"model": run.name, "search": asdict(search_of(run, settings))}
        return await _written(about, "translations", await results_of(request, futures))

    async def _score(self, request: Request) -> Response:
        """Compute log p(target | source) of given pairs by forced decoding."""
        body = await read_body(request, messages.ScoreRequest, self._limits.body)
        model = self._models.find(body.model)
        work = Scoring(model.run, body.alpha)
        futures = model.submit(work, await self._pairs(body, work, weights=body.alpha))
        return await _written({"model": model.name}, "scores", await results_of(request, futures))

    async def _align(self, request: Request) -> Response:
        """Link the words of given pairs."""
        body = await read_body(request, messages.AlignRequest, self._limits.body)
        model = self._models.find(body.model)
        work = model.aligning(body)
        futures = model.submit(work, await self._pairs(body, work, weights=True))
        return await _written({"model": model.name}, "pairs", await results_of(request, futures))

    async def _list(self, _: Request) -> Response:
        """List the models of this service."""
        return await _written({}, "models", list(self._models.values()))

    async def _health(self, _: Request) -> Response:
        """Tell if the service answers requests: 200, or 503 while it stops."""
        stopping = any(model.closed for model in self._models.values())
        return json_response({"status": "stopping" if stopping else "ok"}, 503 if stopping else 200)

    async def _count(self, _: Request) -> Response:
        """Return the counters in Prometheus' text format."""
        return Response(self.metrics.text(), media_type=MEDIA_TYPE)

    async def _describe(self, _: Request) -> Response:
        """Describe the paths, requests and answers as an OpenAPI document."""
        return Response(json.dumps(description()), media_type=JSON)

    async def _pairs(self, request: messages.PairsRequest, work: Scoring | Aligning, *, weights: bool) -> list[Pair]:
        sources, targets = request.sources, request.targets
        self._limits.check_texts("sources", sources)
        self._limits.check_texts("targets", targets)
        require(len(sources) == len(targets), f"there are {len(sources)} sources, but {len(targets)} targets")
        pairs = list(zip(sources, targets, strict=True))
        if weights:
            check_weights((len(target) + 1, len(source) + 1) for source, target in pairs)
        costs = await run_in_threadpool(lambda: [work.cost(*pair) for pair in pairs])
        for number, cost in enumerate(costs):
            check_cost(f"sources[{number}] and targets[{number}]", cost, MOST_COST)
        total = sum(costs)
        require(total <= COST, f"the pairs have a cost of {total:,}; the limit is {COST:,}: send fewer at a time")
        return [(*pair, cost) for pair, cost in zip(pairs, costs, strict=True)]


async def read_body(request: Request, cls: type[Record], most_bytes: int) -> Record:
    """Read a request's JSON object as a record.

    The content type must be JSON. Browsers let a page of another origin send plain text unasked, but not JSON.

    Raises:
        Refusal: 413 for a body of more than ``most_bytes``, 415 for another content type, 408 for a body that is not
            complete in time, 499 for a client that left.
        InputError: the body is not a record of ``cls``. The message names the key.
    """
    if _MEDIA_TYPE.fullmatch(request.headers.get("content-type", "")) is None:
        raise Refusal(415, f"the body must be JSON in UTF-8, with the header Content-Type: {JSON}")
    too_large = Refusal(413, f"the body has more than {most_bytes:,} bytes, which is the limit")
    stated = request.headers.get("content-length", "")
    if stated.isdecimal() and int(stated[:20]) > most_bytes:
        raise too_large
    body = bytearray()
    try:
        async with asyncio.timeout(READING):
            async for part in request.stream():
                body += part
                if len(body) > most_bytes:
                    raise too_large
    except TimeoutError:
        raise Refusal(408, f"the request was not complete after {READING} seconds") from None
    except ClientDisconnect:
        raise Refusal(499, "the client left before its request was complete") from None
    return as_record(cls, parse_object(bytes(body), "the body"))


async def results_of(request: Request, futures: Sequence[Future[Result]]) -> list[Result]:
    """Wait for all results of a request whose body has been read. If the client leaves or one fails, cancel all others.

    Raises Refusal (499) for a client that left, and the exception of the first result that failed.
    """

    async def all_results() -> list[Result]:
        return [await asyncio.wrap_future(future) for future in futures]

    async def end_of_connection() -> None:
        while (await request.receive())["type"] != "http.disconnect":
            pass

    results, left = asyncio.create_task(all_results()), asyncio.create_task(end_of_connection())
    try:
        await asyncio.wait((results, left), return_when=asyncio.FIRST_COMPLETED)
        if not results.done():
            raise Refusal(499, "the client left before its answer was complete")
        return results.result()
    finally:
        results.cancel()
        left.cancel()
        for future in futures:
            future.cancel()


async def _written(about: dict[str, Any], key: str, results: Sequence[Any]) -> Response:
    """Write an answer in another thread, since writing many alignment weights would delay other requests."""
    return await run_in_threadpool(lambda: json_response(about | {key: [result.to_dict() for result in results]}))


def json_response(answer: dict[str, Any], status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """Make a JSON response from an object, and add the version of the format."""
    body = json.dumps({"format": FORMAT_VERSION} | answer, ensure_ascii=False, separators=(",", ":"))
    return Response(body, status, headers, JSON)


def error_response(status: int, sentence: str, headers: dict[str, str] | None = None) -> Response:
    """Make a JSON response with an error message."""
    return json_response({"error": sentence}, status, headers)


def _host(request: Request) -> str:
    """The host in a request's header Host, without the port. "" if the header is invalid."""
    match = _HOST.fullmatch(request.headers.get("host", "").lower())
    return match[1] if match and int(match[2] or 0) < 2**16 else ""
