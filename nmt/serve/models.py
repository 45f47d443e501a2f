"""The models of the service, each with a queue of waiting items, and counts of their work. Items that wait for the
same work (run and settings) are processed in one batch, oldest first."""

import math
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache, partial
from operator import itemgetter
from typing import Any, TypeAlias

import prometheus_client
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

from nmt.aligners.aligner import Aligner
from nmt.aligners.pairs import PairAligner, RunAligner
from nmt.alignments.links import Extraction
from nmt.answers.shared_queue import InGroups, Item, Pending, PriorityLock, Result, SharedQueue, Work
from nmt.config import SearchSettings, require
from nmt.errors import InputError, refuse_repeated
from nmt.inference.translator import Translator
from nmt.inspection.maps import cost_of
from nmt.results import ForcedScore, WordAlignment
from nmt.results.links import ATTENTION, POSTERIOR
from nmt.serve.messages import AlignRequest, Limits, ModelAnswer, Refusal, SearchAnswer, WeightsAnswer

_FIRST_GUESS = 0.1
"""Seconds per item that are assumed before the first answer."""
_MEMORY = 0.8
"""Weight of the earlier mean when a new time enters the running mean of the seconds per item."""
_LONGEST_RETRY = 120
"""Largest number of seconds after which a client is asked to try again."""
MEDIA_TYPE = "text/plain; version=0.0.4; charset=utf-8"
_BUCKETS = (0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0)  # upper bounds in seconds
Loaded: TypeAlias = Translator | Aligner

prometheus_client.disable_created_metrics()  # type: ignore[no-untyped-call]

Pair: TypeAlias = tuple[str, str, int]
"""Source, target, and cost of the pair."""
_GROUP = 20_000
"""Cost of a group of pairs: about a second of one thread."""


@dataclass(frozen=True)
class Scoring:
    """Forced decoding of pairs by a run."""

    run: Translator
    alpha: bool

    def cost(self, source: str, target: str) -> int:
        """Cost of a pair, in softmaxes over the target vocabulary."""
        return cost_of(*self.run.pair(source, target), ATTENTION)

    def begin(self) -> InGroups[Pair, ForcedScore]:
        return InGroups(self._score, itemgetter(2), _GROUP)

    def _score(self, pairs: Sequence[Pair]) -> list[ForcedScore]:
        return list(self.run.score_stream((pair[:2] for pair in pairs), alpha=self.alpha))


@dataclass(frozen=True)
class Aligning:
    """Links of pairs by an aligner, or by a run from one of its maps."""

    aligner: PairAligner
    extraction: Extraction
    pretokenised: bool

    def cost(self, source: str, target: str) -> int:
        """Cost of a pair, in softmaxes over the target vocabulary."""
        return self.aligner.cost(source, target, pretokenised=self.pretokenised)

    def begin(self) -> InGroups[Pair, WordAlignment]:
        return InGroups(self._align, itemgetter(2), _GROUP)

    def _align(self, pairs: Sequence[Pair]) -> list[WordAlignment]:
        texts = (pair[:2] for pair in pairs)
        return list(self.aligner.stream(texts, pretokenised=self.pretokenised, extraction=self.extraction))


aligner_of_run = lru_cache(RunAligner)
"""Return the same aligner for the same run and map, so that the requests for this aligner are batched."""


class Metrics:
    """Counts of the work of the service, for Prometheus. Several threads may share an instance."""

    def __init__(self) -> None:
        registry = self._registry = CollectorRegistry()
        counter, model = partial(Counter, registry=registry), ("model",)
        about, steps = "Seconds from a request to the end of its answer.", "Steps that a model took; each gives every "
        self._seconds = Histogram("jointly_request_seconds", about, ("endpoint",), registry=registry, buckets=_BUCKETS)
        self._requests = counter("jointly_requests", "Requests by endpoint and HTTP status.", ("endpoint", "status"))
        self._sentences = counter("jointly_sentences", "Sentences, or pairs of them, answered by a model.", model)
        self._steps = counter("jointly_steps", steps + "sentence in progress its next word.", model)
        self._busy = counter("jointly_busy_seconds", "Seconds in which a model was at work.", model)
        waiting = "jointly_waiting_sentences", "Sentences that wait for a model."
        self._waiting = Gauge(*waiting, model, registry=registry)

    def add_model(self, model: str, waiting: Callable[[], int]) -> None:
        """Count the work of a model from now on. ``waiting`` returns the number of sentences that wait for it."""
        for counter in (self._sentences, self._steps, self._busy):
            counter.labels(model)
        self._waiting.labels(model).set_function(waiting)

    def count_request(self, endpoint: str, status: int, seconds: float) -> None:
        """Count an answered request. ``seconds``: from the start of the request to the end of the answer."""
        self._requests.labels(endpoint, str(status)).inc()
        self._seconds.labels(endpoint).observe(seconds)

    def count_round(self, model: str, sentences: int, seconds: float) -> None:
        """Count a step of a model over its current sentences: the sentences it finished, and the seconds it took."""
        self._sentences.labels(model).inc(sentences)
        self._steps.labels(model).inc()
        self._busy.labels(model).inc(seconds)

    def text(self) -> bytes:
        """All metrics in Prometheus' text format."""
        return generate_latest(self._registry)


class ServedModel(SharedQueue):
    """A run or an aligner with a queue of limited length. Any thread may use it."""

    def __init__(self, loaded: Loaded, limits: Limits, metrics: Metrics) -> None:
        self.name, self._loaded, self._most_waiting, self._metrics = loaded.name, loaded, limits.waiting, metrics
        self._seconds_per_item, self._seconds = _FIRST_GUESS, 0.0
        super().__init__(f"queue of {self.name}", limits.together, PriorityLock(), self._count)
        metrics.add_model(self.name, lambda: self.waiting)

    def submit(self, work: Work[Item, Result], items: Sequence[Item]) -> list[Pending[Result]]:
        """Append all items or none. Returns a future for each item.

        Raises Refusal: 429 if more items would wait than the limit allows, 503 after ``close``.
        """
        with self._changed:
            if self.closed:
                raise Refusal(503, "the service is stopping")
            before, most = self.waiting, self._most_waiting
            if before + len(items) > most:
                again = max(1, min(_LONGEST_RETRY, math.ceil(before * self._seconds_per_item)))
                full = f"{before:,} sentences wait for {self.name}, and the limit is {most:,}; try again later"
                raise Refusal(429, full, again)
            return super().submit(work, items)

    def _count(self, answered: int, seconds: float) -> None:
        self._seconds += seconds
        if answered:
            mean = self._seconds_per_item
            self._seconds_per_item = _MEMORY * mean + (1 - _MEMORY) * self._seconds / answered
            self._seconds = 0.0
        self._metrics.count_round(self.name, answered, seconds)

    @property
    def run(self) -> Translator:
        """The run. Raises InputError for an aligner."""
        if isinstance(self._loaded, Aligner):
            raise InputError(f"{self.name} is an aligner: it links the words of given pairs, and nothing else")
        return self._loaded

    def aligning(self, request: AlignRequest) -> Aligning:
        """The work for an alignment request. Raises InputError for an RNNencdec, any map but "posterior" of an
        aligner, and an unknown rule."""
        loaded = self._loaded
        if isinstance(loaded, Aligner):
            require(request.map in (None, POSTERIOR), "the map of an aligner must be posterior")
        else:
            require(loaded.has_alignment, f"{self.name} is an RNNencdec: it has no alignment weights")
        aligner = loaded if isinstance(loaded, Aligner) else aligner_of_run(loaded, request.map or ATTENTION)
        rule = Extraction.asked(request.rule or aligner.extraction.rule, request.threshold)
        return Aligning(aligner, rule, request.pretokenised)

    def to_dict(self) -> dict[str, Any]:
        """The description of the model in answers, JSON-ready."""
        about: Any = self._loaded.settings if isinstance(self._loaded, Aligner) else self._loaded
        is_aligner = isinstance(self._loaded, Aligner)
        if is_aligner:
            weights = {run.name: run.sha256 for run in about.runs}
        else:
            weights = {} if about.fingerprint is None else {self.name: about.fingerprint.weights}
        described = ModelAnswer(
            name=self.name,
            kind="aligner" if is_aligner else "run",
            architecture=about.map if is_aligner else about.config.model.architecture,
            source_language=about.source_language,
            target_language=about.target_language,
            weights=tuple(WeightsAnswer(run=run, sha256=sha256) for run, sha256 in weights.items()),
            search=None if is_aligner else search_of(about, about.search_settings),
        )
        return asdict(described)


def search_of(run: Translator, settings: SearchSettings) -> SearchAnswer:
    """The search settings as answers give them, with what computes the search."""
    return SearchAnswer(**asdict(settings), precision=run.precision, engine=run.engine)


class ServedModels(dict[str, ServedModel]):
    """All models of the service by name, in the order of ``loaded``. Raises InputError for a repeated name."""

    def __init__(self, loaded: Iterable[Loaded], limits: Limits, metrics: Metrics) -> None:
        for model in loaded:
            refuse_repeated((*self, model.name), "models")
            self[model.name] = ServedModel(model, limits, metrics)

    def find(self, name: str | None) -> ServedModel:
        """Return the model of this name. Without a name, return the only model. Raises Refusal (404) for an unknown
        name, and InputError for a missing name if there are several models."""
        if name is None and len(self) > 1:
            raise InputError(f"model is missing; this service has {', '.join(self)}")
        if name is not None and name not in self:
            raise Refusal(404, f"there is no model of this name; this service has {', '.join(self)}")
        return next(iter(self.values())) if name is None else self[name]

    def close(self, seconds: float) -> None:
        """Close the queues of all models. Wait for their threads, ``seconds`` in all at most."""
        end = time.monotonic() + seconds
        for model in self.values():
            model.close(0)
        for model in self.values():
            model.close(max(0.0, end - time.monotonic()))
