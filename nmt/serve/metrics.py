"""Counts of what the service did, in Prometheus' text format."""

from collections.abc import Callable
from functools import partial

import prometheus_client
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

MEDIA_TYPE = "text/plain; version=0.0.4; charset=utf-8"
_BUCKETS = (0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0)  # upper bounds in seconds

prometheus_client.disable_created_metrics()  # type: ignore[no-untyped-call]


class Metrics:
    """Counters since the start. Safe to share between threads."""

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
        """Count the work of a model from now on. ``waiting`` returns the number of its sentences that wait."""
        for counter in (self._sentences, self._steps, self._busy):
            counter.labels(model)
        self._waiting.labels(model).set_function(waiting)

    def count_request(self, endpoint: str, status: int, seconds: float) -> None:
        """Count an answered request, and the seconds from its start to the end of its answer."""
        self._requests.labels(endpoint, str(status)).inc()
        self._seconds.labels(endpoint).observe(seconds)

    def count_round(self, model: str, sentences: int, seconds: float) -> None:
        """Count a step of all sentences under way: the sentences that a model answered, and the seconds it took."""
        self._sentences.labels(model).inc(sentences)
        self._steps.labels(model).inc()
        self._busy.labels(model).inc(seconds)

    def text(self) -> bytes:
        """Write all metrics."""
        return generate_latest(self._registry)
