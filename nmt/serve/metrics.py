"""Counts of what the service did, in Prometheus' text format."""

from __future__ import annotations

import threading
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Mapping

_BOUNDS = (0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0)
"""Upper bounds of the histogram of seconds."""


class Metrics:
    """Counters since the start. Safe to share between threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._requests: Counter[tuple[str, int]] = Counter()
        self._seconds: Counter[str] = Counter()
        self._within: Counter[tuple[str, int]] = Counter()
        self._sentences: Counter[str] = Counter()
        self._rounds: Counter[str] = Counter()
        self._busy: dict[str, float] = {}

    def count_request(self, endpoint: str, status: int, seconds: float) -> None:
        """Count an answered request, and the seconds from its start to the end of its answer."""
        with self._lock:
            self._requests[endpoint, status] += 1
            self._seconds[endpoint] += seconds  # type: ignore[assignment]
            self._within[endpoint, bisect_left(_BOUNDS, seconds)] += 1

    def count_round(self, model: str, sentences: int, seconds: float) -> None:
        """Count a round in which a model took a step of all sentences under way: the sentences that it answered, and
        the seconds it took."""
        with self._lock:
            self._sentences[model] += sentences
            self._rounds[model] += 1
            self._busy[model] = self._busy.get(model, 0.0) + seconds

    def text(self, waiting: Mapping[str, int]) -> str:
        """Write all metrics. ``waiting``: number of sentences that wait, by model."""
        with self._lock:
            return "".join(line + "\n" for line in self._lines(waiting))

    def _lines(self, waiting: Mapping[str, int]) -> Iterator[str]:
        yield from _head("jointly_requests_total", "counter", "Requests by endpoint and HTTP status.")
        for (endpoint, status), number in sorted(self._requests.items()):
            yield f'jointly_requests_total{{endpoint="{endpoint}",status="{status}"}} {number}'
        yield from _head("jointly_request_seconds", "histogram", "Seconds from a request to the end of its answer.")
        for endpoint in sorted(self._seconds):
            yield from self._histogram(endpoint)
        totals: tuple[tuple[str, str, Mapping[str, float]], ...] = (
            ("jointly_sentences_total", "Sentences, or pairs of them, answered by a model.", self._sentences),
            (
                "jointly_steps_total",
                "Steps that a model took; each gives every sentence in progress its next word.",
                self._rounds,
            ),
            ("jointly_busy_seconds_total", "Seconds in which a model was at work.", self._busy),
        )
        for name, meaning, values in totals:
            yield from _head(name, "counter", meaning)
            for model in sorted(waiting):
                yield f'{name}{{model="{_escaped(model)}"}} {values.get(model, 0):g}'
        yield from _head("jointly_waiting_sentences", "gauge", "Sentences that wait for a model.")
        for model, number in sorted(waiting.items()):
            yield f'jointly_waiting_sentences{{model="{_escaped(model)}"}} {number}'

    def _histogram(self, endpoint: str) -> Iterator[str]:
        name, total = "jointly_request_seconds", 0
        for place, bound in enumerate((*map(str, _BOUNDS), "+Inf")):
            total += self._within[endpoint, place]
            yield f'{name}_bucket{{endpoint="{endpoint}",le="{bound}"}} {total}'
        yield f'{name}_sum{{endpoint="{endpoint}"}} {self._seconds[endpoint]:.6f}'
        yield f'{name}_count{{endpoint="{endpoint}"}} {total}'


def _head(name: str, kind: str, meaning: str) -> Iterator[str]:
    yield f"# HELP {name} {meaning}"
    yield f"# TYPE {name} {kind}"


def _escaped(label: str) -> str:
    return label.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
