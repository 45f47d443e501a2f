"""Counts of what the service did, in Prometheus' text format."""

from collections.abc import Callable

import prometheus_client
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

MEDIA_TYPE = "text/plain; version=0.0.4; charset=utf-8"

_BOUNDS = (0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0)
"""Upper bounds of the histogram of seconds."""

prometheus_client.disable_created_metrics()  # type: ignore[no-untyped-call]


class Metrics:
    """Counters since the start. Safe to share between threads."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        self._requests = self._counter("requests", "Requests by endpoint and HTTP status.", "endpoint", "status")
        self._seconds = Histogram(
            "jointly_request_seconds",
            "Seconds from a request to the end of its answer.",
            ("endpoint",),
            registry=self._registry,
            buckets=_BOUNDS,
        )
        self._sentences = self._counter("sentences", "Sentences, or pairs of them, answered by a model.", "model")
        self._steps = self._counter(
            "steps", "Steps that a model took; each gives every sentence in progress its next word.", "model"
        )
        self._busy = self._counter("busy_seconds", "Seconds in which a model was at work.", "model")
        self._waiting = Gauge(
            "jointly_waiting_sentences", "Sentences that wait for a model.", ("model",), registry=self._registry
        )

    def add_model(self, model: str, waiting: Callable[[], int]) -> None:
        """Count the work of a model from now on. ``waiting`` returns the number of its sentences that wait."""
        for counter in (self._sentences, self._steps, self._busy):
            counter.labels(model)
        self._waiting.labels(model).set_function(waiting)

    def count_request(self, endpoint: str, status: int, seconds: float) -> None:
        """Count an answered request, and the seconds from its start to the end of its answer."""
        self._requests.labels(endpoint, str(status)).inc()
        self._seconds.labels(endpoint).observe(seconds)

    def count_round(self, model: str, sentences: int, seconds: float) -> None:
        """Count a round in which a model took a step of all sentences under way: the sentences that it answered, and
        the seconds it took."""
        self._sentences.labels(model).inc(sentences)
        self._steps.labels(model).inc()
        self._busy.labels(model).inc(seconds)

    def text(self) -> bytes:
        """Write all metrics."""
        return generate_latest(self._registry)

    def _counter(self, name: str, meaning: str, *labels: str) -> Counter:
        return Counter(f"jointly_{name}", meaning, labels, registry=self._registry)
