"""Bounded queue of one model: items that wait for the same kind of work are processed in one batch, oldest first."""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Sequence

from nmt.answers.priority_lock import PriorityLock
from nmt.answers.shared_queue import Item, Request, Result, SharedQueue, Work
from nmt.serve.refusal import Refusal

_FIRST_GUESS = 0.1
"""Assumed seconds per item before the first answer."""
_MEMORY = 0.8
"""Weight of the past in the running mean of the seconds per item."""
_LONGEST_RETRY = 120
"""Maximum number of seconds after which a client is asked to try again."""


class BoundedQueue:
    """A ``SharedQueue`` that refuses what it has no room for. May be used by any thread.

    Args:
        name: name of the model, for messages.
        most_waiting: number of items that may wait.
        most_together: number of items that are worked on together.
        on_round: called with the number of items answered and the seconds of each round of steps.
    """

    def __init__(
        self, name: str, most_waiting: int, most_together: int, on_round: Callable[[int, float], None]
    ) -> None:
        self._name, self._most_waiting, self._on_round = name, most_waiting, on_round
        self._lock = threading.Lock()
        self._closed = False
        self._seconds_per_item, self._seconds = _FIRST_GUESS, 0.0
        self._queue = SharedQueue(f"queue of {name}", most_together, PriorityLock(), self._count)

    @property
    def waiting(self) -> int:
        """Number of items that wait."""
        return self._queue.waiting

    @property
    def closed(self) -> bool:
        return self._closed

    def submit(self, work: Work[Item, Result], items: Sequence[Item]) -> list[Request[Result]]:
        """Append items, all or none; returns a request for each. An item whose request is cancelled is left out or,
        once under way, dropped at the next step.

        Raises Refusal: 429 if there is no room for them, 503 after ``close``.
        """
        with self._lock:
            if self._closed:
                raise Refusal(503, "the service is stopping")
            before = self.waiting
            if before + len(items) > self._most_waiting:
                raise Refusal(
                    429,
                    f"{before:,} sentences wait for {self._name}, and the limit is {self._most_waiting:,}; "
                    "try again later",
                    retry_after=self._retry_after(before),
                )
            return self._queue.submit(work, items)

    def close(self, seconds: float | None = None) -> None:
        """Refuse new items, finish those that wait, and return; after ``seconds`` at the latest."""
        with self._lock:
            self._closed = True
        self._queue.close(seconds)

    def _retry_after(self, before: int) -> int:
        return max(1, min(_LONGEST_RETRY, math.ceil(before * self._seconds_per_item)))

    def _count(self, answered: int, seconds: float) -> None:
        self._seconds += seconds
        if answered:
            mean = self._seconds_per_item
            self._seconds_per_item = _MEMORY * mean + (1 - _MEMORY) * self._seconds / answered
            self._seconds = 0.0
        self._on_round(answered, seconds)
