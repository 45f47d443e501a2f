"""The endpoints: a request in, the model's queue, an answer out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict
from typing import Any

from pydantic import BaseModel
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from nmt.aligners.aligner import Aligner
from nmt.answers.shared_queue import Work
from nmt.answers.shared_search import Translating
from nmt.errors import InputError
from nmt.evaluation.links import THRESHOLD, Extraction
from nmt.results import WordAlignment
from nmt.serve.answers import AlignAnswer, HealthAnswer, ModelsAnswer, ScoreAnswer, TranslateAnswer
from nmt.serve.body import read_body
from nmt.serve.limits import Limits
from nmt.serve.metrics import Metrics
from nmt.serve.models import ServedModel, ServedModels
from nmt.serve.requests import AlignRequest, ScoreRequest, TranslateRequest
from nmt.serve.waiting import results_of
from nmt.serve.work import AlignerAligning, Pair, RunAligning, Scoring


class Endpoints:
    """Handlers of all endpoints. They raise InputError for a fault of the request, and Refusal for anything else that
    keeps it from being answered."""

    def __init__(self, models: ServedModels, limits: Limits, metrics: Metrics) -> None:
        self._models, self._limits, self._metrics = models, limits, metrics

    async def translate(self, request: Request) -> Response:
        """Translate sentences by beam search."""
        request_body = await read_body(request, TranslateRequest, self._limits.body)
        model = self._models.find(request_body.model)
        run = model.run
        self._limits.check_texts("sentences", request_body.sentences)
        settings = run.search_settings.changed(
            beam=request_body.beam,
            n_best=request_body.n_best,
            length_penalty=request_body.length_penalty,
            no_unk=request_body.no_unk,
            replace_unk=request_body.replace_unk,
        )
        self._limits.check_settings(settings, run.search_settings)
        settings = run.resolved(settings)
        run.search(settings, request_body.alpha)
        if request_body.alpha:
            sizes = ((2 * len(text) + 10, len(text) + 1) for text in request_body.sentences)
            self._limits.check_weights((settings.n_best * rows, columns) for rows, columns in sizes)
        work = Translating(run, settings, request_body.alpha)
        sentences = await run_in_threadpool(lambda: [run.read(text) for text in request_body.sentences])
        translations = await results_of(request, model.queue.submit(work, sentences))
        search = asdict(settings) | {"precision": run.precision}
        return await _written(
            TranslateAnswer,
            lambda: {"model": run.name, "search": search, "translations": [one.to_dict() for one in translations]},
        )

    async def score(self, request: Request) -> Response:
        """Compute log p(target | source) of given pairs by forced decoding."""
        request_body = await read_body(request, ScoreRequest, self._limits.body)
        model = self._models.find(request_body.model)
        pairs = self._pairs(request_body.sources, request_body.targets, weights=request_body.alpha)
        work = Scoring(model.run, request_body.alpha)
        scores = await results_of(request, model.queue.submit(work, pairs))
        return await _written(ScoreAnswer, lambda: {"model": model.name, "scores": [one.to_dict() for one in scores]})

    async def align(self, request: Request) -> Response:
        """Link the words of given pairs."""
        request_body = await read_body(request, AlignRequest, self._limits.body)
        model = self._models.find(request_body.model)
        pairs = self._pairs(request_body.sources, request_body.targets, weights=True)
        work = _aligning(model, request_body)
        maps = await results_of(request, model.queue.submit(work, pairs))
        return await _written(AlignAnswer, lambda: {"model": model.name, "pairs": [one.to_dict() for one in maps]})

    async def models(self) -> Response:
        """List the models of this service."""
        return await _written(ModelsAnswer, lambda: {"models": [model.to_dict() for model in self._models]})

    async def health(self) -> Response:
        """Tell if the service answers requests: 200, or 503 while it stops."""
        stopping = any(model.queue.closed for model in self._models)
        answer = HealthAnswer(status="stopping" if stopping else "ok")
        return Response(answer.model_dump_json(), 503 if stopping else 200, media_type="application/json")

    async def metrics(self) -> Response:
        """Give the counters in Prometheus' text format."""
        text = self._metrics.text(self._models.waiting())
        return PlainTextResponse(text, media_type="text/plain; version=0.0.4; charset=utf-8")

    def _pairs(self, sources: Sequence[str], targets: Sequence[str], *, weights: bool) -> list[Pair]:
        self._limits.check_texts("sources", sources)
        self._limits.check_texts("targets", targets)
        if len(sources) != len(targets):
            raise InputError(f"there are {len(sources)} sources, but {len(targets)} targets")
        pairs = list(zip(sources, targets, strict=True))
        if weights:
            self._limits.check_weights((len(target) + 1, len(source) + 1) for source, target in pairs)
        return pairs


def _aligning(model: ServedModel, request: AlignRequest) -> Work[Pair, WordAlignment]:
    """The work of an alignment; InputError for a map or rule that the model does not have."""
    threshold = THRESHOLD if request.threshold is None else request.threshold
    if isinstance(model.loaded, Aligner):
        aligner = model.loaded
        if request.map == "attention":
            raise InputError("the map of an aligner must be posterior")
        extraction = Extraction(request.rule or aligner.extraction.rule, threshold)
        return AlignerAligning(aligner=aligner, extraction=extraction, pretokenised=request.pretokenised)
    run = model.loaded
    if not run.has_alignment:
        raise InputError(f"{run.name} is an RNNencdec: it has no alignment weights")
    return RunAligning(
        run=run,
        posterior=request.map == "posterior",
        extraction=Extraction(request.rule or "argmax", threshold),
        pretokenised=request.pretokenised,
    )


async def _written(cls: type[BaseModel], content: Callable[[], dict[str, Any]]) -> Response:
    """Write an answer, outside the thread that takes requests: alignment weights are many numbers."""
    body = await run_in_threadpool(lambda: cls.model_validate(content()).model_dump_json())
    return Response(body, media_type="application/json")
