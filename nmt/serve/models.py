"""The models of the service: each with its queue, found by name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from nmt.aligners.aligner import Aligner
from nmt.errors import InputError, refuse_repeated
from nmt.inference.translator import Translator
from nmt.serve.limits import Limits
from nmt.serve.metrics import Metrics
from nmt.serve.queue import BoundedQueue
from nmt.serve.refusal import Refusal


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
            return _aligner_dict(self.loaded)
        run = self.loaded
        weights = [] if run.fingerprint is None else [{"run": run.name, "sha256": run.fingerprint.weights}]
        return {
            "name": run.name,
            "kind": "run",
            "architecture": run.config.model.architecture,
            "source_language": run.source_language,
            "target_language": run.target_language,
            "weights": weights,
            "search": asdict(run.search_settings) | {"precision": run.precision},
        }


class ServedModels:
    """All models of the service, in the order in which they were given. InputError for two of the same name."""

    def __init__(self, loaded: Sequence[Translator | Aligner], limits: Limits, metrics: Metrics) -> None:
        refuse_repeated((model.name for model in loaded), "models")
        self._models = {model.name: _served(model, limits, metrics) for model in loaded}

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

    def waiting(self) -> Mapping[str, int]:
        """Number of sentences that wait, by model."""
        return {name: model.queue.waiting for name, model in self._models.items()}

    def close(self, seconds: float | None = None) -> None:
        """Finish what waits and refuse the rest; each model has ``seconds``."""
        for model in self._models.values():
            model.queue.close(seconds)

    def _names(self) -> str:
        return ", ".join(self._models)


def _served(model: Translator | Aligner, limits: Limits, metrics: Metrics) -> ServedModel:
    def count(sentences: int, seconds: float) -> None:
        metrics.count_round(model.name, sentences, seconds)

    return ServedModel(model, BoundedQueue(model.name, limits.waiting, limits.together, count))


def _aligner_dict(aligner: Aligner) -> dict[str, Any]:
    settings = aligner.settings
    return {
        "name": aligner.name,
        "kind": "aligner",
        "architecture": settings.map,
        "source_language": settings.source_language,
        "target_language": settings.target_language,
        "weights": [{"run": run.name, "sha256": run.sha256} for run in settings.runs],
        "search": None,
    }
