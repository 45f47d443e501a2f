"""The models of the service, found by name, each with its queue and its kinds of work. Items that wait for equal
work are processed in one batch, oldest first."""

import math
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any

from nmt.aligners.aligner import Aligner
from nmt.aligners.pairs import PairAligner, RunAligner
from nmt.answers.shared_queue import InGroups, Item, Pending, PriorityLock, Result, SharedQueue, Work
from nmt.errors import InputError, refuse_repeated
from nmt.evaluation.links import Extraction
from nmt.inference.translator import Translator
from nmt.inspection.maps import cost_of
from nmt.results import ForcedScore, WordAlignment
from nmt.results.links import ATTENTION, MapName
from nmt.serve.limits import Limits, Refusal
from nmt.serve.metrics import Metrics

_FIRST_GUESS = 0.1
"""Assumed seconds per item before the first answer."""
_MEMORY = 0.8
"""Weight of the past in the running mean of the seconds per item."""
_LONGEST_RETRY = 120
"""Maximum number of seconds after which a client is asked to try again."""


class BoundedQueue(SharedQueue):
    """A queue that refuses what it has no room for. May be used by any thread.

    Args:
        name: name of the model, for messages.
        most_waiting: number of items that may wait.
        most_together: number of items that are worked on together.
        on_round: called with the number of items answered and the seconds of each round of steps.
    """

    def __init__(
        self, name: str, most_waiting: int, most_together: int, on_round: Callable[[int, float], None]
    ) -> None:
        super().__init__(f"queue of {name}", most_together, PriorityLock(), self._count)
        self._model, self._most_waiting, self._on_count = name, most_waiting, on_round
        self._seconds_per_item, self._seconds = _FIRST_GUESS, 0.0

    def submit(self, work: Work[Item, Result], items: Sequence[Item]) -> list[Pending[Result]]:
        """Append items, all or none; returns a future for each.

        Raises Refusal: 429 if there is no room for them, 503 after ``close``.
        """
        with self._changed:
            if self.closed:
                raise Refusal(503, "the service is stopping")
            before = self.waiting
            if before + len(items) > self._most_waiting:
                raise Refusal(
                    429,
                    f"{before:,} sentences wait for {self._model}, and the limit is {self._most_waiting:,}; "
                    "try again later",
                    retry_after=max(1, min(_LONGEST_RETRY, math.ceil(before * self._seconds_per_item))),
                )
            return super().submit(work, items)

    def _count(self, answered: int, seconds: float) -> None:
        self._seconds += seconds
        if answered:
            mean = self._seconds_per_item
            self._seconds_per_item = _MEMORY * mean + (1 - _MEMORY) * self._seconds / answered
            self._seconds = 0.0
        self._on_count(answered, seconds)


@dataclass(frozen=True)
class ServedModel:
    """A loaded run or aligner with its queue."""

    loaded: Translator | Aligner
    queue: BoundedQueue

    @property
    def name(self) -> str:
        return self.loaded.name

    @property
    def run(self) -> Translator:
        """The run; InputError for an aligner."""
        if isinstance(self.loaded, Aligner):
            raise InputError(f"{self.name} is an aligner: it links the words of given pairs, and nothing else")
        return self.loaded

    def to_dict(self) -> dict[str, Any]:
        """A ``ModelAnswer``."""
        if isinstance(self.loaded, Aligner):
            about: Any = self.loaded.settings
            kind, architecture, search = "aligner", about.map, None
            weights = {run.name: run.sha256 for run in about.runs}
        else:
            about = self.loaded
            kind, architecture = "run", about.config.model.architecture
            search = asdict(about.search_settings) | {"precision": about.precision, "engine": about.engine}
            weights = {} if about.fingerprint is None else {about.name: about.fingerprint.weights}
        return {
            "name": self.name,
            "kind": kind,
            "architecture": architecture,
            "source_language": about.source_language,
            "target_language": about.target_language,
            "weights": [{"run": run, "sha256": sha256} for run, sha256 in weights.items()],
            "search": search,
        }


class ServedModels:
    """All models of the service, in the order in which they were given. InputError for two of the same name."""

    def __init__(self, loaded: Sequence[Translator | Aligner], limits: Limits, metrics: Metrics) -> None:
        refuse_repeated((model.name for model in loaded), "models")
        self._models: dict[str, ServedModel] = {}
        for model in loaded:
            queue = BoundedQueue(model.name, limits.waiting, limits.together, partial(metrics.count_round, model.name))
            metrics.add_model(model.name, partial(getattr, queue, "waiting"))
            self._models[model.name] = ServedModel(model, queue)

    def __iter__(self) -> Iterator[ServedModel]:
        return iter(self._models.values())

    def find(self, name: str | None) -> ServedModel:
        """Return the model of this name, or the only one. Refusal (404) for an unknown name, InputError for none if
        there are several models."""
        if name is None:
            if len(self._models) > 1:
                raise InputError(f"model is missing; this service has {self._names()}")
            return next(iter(self._models.values()))
        if name not in self._models:
            raise Refusal(404, f"there is no model of this name; this service has {self._names()}")
        return self._models[name]

    def close(self, seconds: float) -> None:
        """Finish what waits and refuse the rest; return after ``seconds`` in all at the latest."""
        end = time.monotonic() + seconds
        for model in self._models.values():
            model.queue.close(0)
        for model in self._models.values():
            model.queue.close(max(0.0, end - time.monotonic()))

    def _names(self) -> str:
        return ", ".join(self._models)


_GROUP = 20_000
"""Cost of the pairs that are scored or aligned in one step, about a second of one thread."""


@dataclass(frozen=True)
class GivenPair:
    """A pair, and its cost."""

    source: str
    target: str
    cost: int


@dataclass(frozen=True)
class Scoring:
    """Forced decoding of pairs by a run."""

    run: Translator
    alpha: bool

    def cost(self, source: str, target: str) -> int:
        """As in ``PairAligner``."""
        return cost_of(*self.run.pair(source, target), ATTENTION)

    def begin(self) -> InGroups[GivenPair, ForcedScore]:
        return InGroups(self._score, lambda pair: pair.cost, _GROUP)

    def _score(self, pairs: Sequence[GivenPair]) -> list[ForcedScore]:
        return list(self.run.score_stream(((pair.source, pair.target) for pair in pairs), alpha=self.alpha))


@dataclass(frozen=True, kw_only=True)
class Aligning:
    """Links of pairs by an aligner, or by a run from one of its maps."""

    model: Aligner | Translator
    map: MapName
    extraction: Extraction
    pretokenised: bool

    @property
    def _aligner(self) -> PairAligner:
        return self.model if isinstance(self.model, Aligner) else RunAligner(self.model, self.map)

    def cost(self, source: str, target: str) -> int:
        """As in ``PairAligner``."""
        return self._aligner.cost(source, target, pretokenised=self.pretokenised)

    def begin(self) -> InGroups[GivenPair, WordAlignment]:
        return InGroups(self._align, lambda pair: pair.cost, _GROUP)

    def _align(self, pairs: Sequence[GivenPair]) -> list[WordAlignment]:
        texts = ((pair.source, pair.target) for pair in pairs)
        return list(self._aligner.stream(texts, pretokenised=self.pretokenised, extraction=self.extraction))
