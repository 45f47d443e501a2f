"""The endpoints: a request in, the model's queue, an answer out."""

import asyncio
import re
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import asdict
from typing import Any, TypeVar

from pydantic import BaseModel
from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from nmt.aligners.aligner import Aligner
from nmt.answers.shared_search import Translating
from nmt.errors import InputError
from nmt.evaluation.links import THRESHOLD, Extraction
from nmt.records import as_record, parse_object
from nmt.serve import schemas
from nmt.serve.limits import READING, Limits, Refusal
from nmt.serve.metrics import MEDIA_TYPE, Metrics
from nmt.serve.models import Aligning, GivenPair, Scoring, ServedModel, ServedModels

Record = TypeVar("Record")

_JSON = "application/json"
_MEDIA_TYPE = re.compile(rf"\s*{_JSON}\s*(;(?!\s*charset\b)[^;]*|;\s*charset\s*=\s*\"?utf-?8\"?\s*)*", re.IGNORECASE)


async def read_body(request: Request, cls: type[Record], most_bytes: int) -> Record:
    """Read a request's JSON object as a record.

    The content type must be JSON: a web page of another origin may send plain text unasked, but not JSON.

    Raises:
        Refusal: 413 for a body of more than ``most_bytes``, 415 for another content type, 408 for a body that does not
            come to its end, 499 for a client that left.
        InputError: the body is not such an object; the sentence names the key.
    """
    if _MEDIA_TYPE.fullmatch(request.headers.get("content-type", "")) is None:
        raise Refusal(415, f"the body must be JSON in UTF-8, with the header Content-Type: {_JSON}")
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


Result = TypeVar("Result")


async def results_of(request: Request, futures: Sequence[Future[Result]]) -> list[Result]:
    """Wait for all results of a request whose body has been read. If the client leaves, or one of them fails, the
    others are cancelled.

    Raises Refusal (499) for a client that left, and what the first one that fails raises.
    """
    results = asyncio.create_task(_results(futures))
    left = asyncio.create_task(_left(request))
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


async def _results(futures: Sequence[Future[Result]]) -> list[Result]:
    return [await asyncio.wrap_future(future) for future in futures]


async def _left(request: Request) -> None:
    """Return when the client has closed the connection."""
    while (await request.receive())["type"] != "http.disconnect":
        pass


class Endpoints:
    """Handlers of all endpoints. They raise InputError for a fault of the request, and Refusal for anything else that
    keeps it from being answered."""

    def __init__(self, models: ServedModels, limits: Limits, metrics: Metrics) -> None:
        self._models, self._limits, self._metrics = models, limits, metrics

    async def translate(self, request: Request) -> Response:
        """Translate sentences by beam search."""
        request_body = await read_body(request, schemas.TranslateRequest, self._limits.body)
        model = self._models.find(request_body.model)
        run = model.run
        self._limits.check_texts("sentences", request_body.sentences)
        settings = run.search_settings.changed(
            beam=request_body.beam,
            n_best=request_body.n_best,
            length_penalty=request_body.length_penalty,
            no_unk=request_body.no_unk,
            replace_unk=request_body.replace_unk,
            hard_attention=request_body.hard_attention,
        )
        self._limits.check_settings(settings, run.search_settings)
        settings = run.resolved(settings)
        run.search(settings, request_body.alpha)
        sentences = await run_in_threadpool(lambda: [run.read(text) for text in request_body.sentences])
        if request_body.alpha:  # length_limits of nmt/search/limits.py, with the end-of-sentence tokens
            self._limits.check_weights((settings.n_best * (2 * len(each) + 9), len(each)) for each in sentences)
        work = Translating(run, settings, request_body.alpha)
        translations = await results_of(request, model.queue.submit(work, sentences))
        search = asdict(settings) | {"precision": run.precision, "engine": run.engine}
        return await _written(
            schemas.TranslateAnswer,
            lambda: {
                "model": run.name,
                "search": search,
                "translations": [one.to_dict() for one in translations],
            },
        )

    async def score(self, request: Request) -> Response:
        """Compute log p(target | source) of given pairs by forced decoding."""
        request_body = await read_body(request, schemas.ScoreRequest, self._limits.body)
        model = self._models.find(request_body.model)
        work = Scoring(model.run, request_body.alpha)
        pairs = await self._pairs(request_body, work, weights=request_body.alpha)
        scores = await results_of(request, model.queue.submit(work, pairs))
        return await _written(
            schemas.ScoreAnswer, lambda: {"model": model.name, "scores": [one.to_dict() for one in scores]}
        )

    async def align(self, request: Request) -> Response:
        """Link the words of given pairs."""
        request_body = await read_body(request, schemas.AlignRequest, self._limits.body)
        model = self._models.find(request_body.model)
        work = _aligning(model, request_body)
        pairs = await self._pairs(request_body, work, weights=True)
        maps = await results_of(request, model.queue.submit(work, pairs))
        return await _written(
            schemas.AlignAnswer, lambda: {"model": model.name, "pairs": [one.to_dict() for one in maps]}
        )

    async def models(self, _: Request) -> Response:
        """List the models of this service."""
        return await _written(schemas.ModelsAnswer, lambda: {"models": [model.to_dict() for model in self._models]})

    async def health(self, _: Request) -> Response:
        """Tell if the service answers requests: 200, or 503 while it stops."""
        stopping = any(model.queue.closed for model in self._models)
        answer = schemas.HealthAnswer(status="stopping" if stopping else "ok")
        return Response(answer.model_dump_json(), 503 if stopping else 200, media_type="application/json")

    async def metrics(self, _: Request) -> Response:
        """Give the counters in Prometheus' text format."""
        return Response(self._metrics.text(), media_type=MEDIA_TYPE)

    async def _pairs(
        self, request: schemas.ScoreRequest | schemas.AlignRequest, work: Scoring | Aligning, *, weights: bool
    ) -> list[GivenPair]:
        sources, targets = request.sources, request.targets
        self._limits.check_texts("sources", sources)
        self._limits.check_texts("targets", targets)
        if len(sources) != len(targets):
            raise InputError(f"there are {len(sources)} sources, but {len(targets)} targets")
        pairs = list(zip(sources, targets, strict=True))
        if weights:
            self._limits.check_weights((len(target) + 1, len(source) + 1) for source, target in pairs)
        costs = await run_in_threadpool(lambda: [work.cost(*pair) for pair in pairs])
        self._limits.check_costs(costs)
        return [GivenPair(*pair, cost) for pair, cost in zip(pairs, costs, strict=True)]


def _aligning(model: ServedModel, request: schemas.AlignRequest) -> Aligning:
    """The work of an alignment; InputError for a map or rule that the model does not have."""
    threshold = THRESHOLD if request.threshold is None else request.threshold
    loaded, usual = model.loaded, "argmax"
    if isinstance(loaded, Aligner):
        if request.map == "attention":
            raise InputError("the map of an aligner must be posterior")
        usual = loaded.extraction.rule
    elif not loaded.has_alignment:
        raise InputError(f"{loaded.name} is an RNNencdec: it has no alignment weights")
    return Aligning(
        model=loaded,
        map=request.map or "attention",
        extraction=Extraction(request.rule or usual, threshold),
        pretokenised=request.pretokenised,
    )


async def _written(cls: type[BaseModel], content: Callable[[], dict[str, Any]]) -> Response:
    """Write an answer, outside the thread that takes requests: alignment weights are many numbers."""
    body = await run_in_threadpool(lambda: cls.model_validate(content()).model_dump_json())
    return Response(body, media_type="application/json")
