"""Counts of the sessions that watch each background job, so that jobs that no session watches can be cancelled."""

from __future__ import annotations

import threading
from collections.abc import Iterable


class Subscriptions:
    """Sessions, and the keys of the tasks that each of them looks at, by kind of work. May be used by any thread.

    A session that is gone without turning to something else keeps its subscriptions: its work goes on to the end.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._wanted: dict[tuple[str, str], frozenset[str]] = {}

    def update(self, session: str, kind: str, wanted: Iterable[str]) -> list[str]:
        """Replace the session's subscriptions of the kind; returns what no session looks at any more."""
        with self._lock:
            before = self._wanted.pop((session, kind), frozenset())
            now = frozenset(wanted)
            if now:
                self._wanted[session, kind] = now
            others: frozenset[str] = frozenset().union(*self._wanted.values())
            return [key for key in before if key not in others]
