"""A lock with two priorities: page requests pre-empt background jobs."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager

_POLL_SECONDS = 0.2
"""Seconds between two calls of ``on_wait``."""


def _nothing() -> None:
    pass


class PriorityLock:
    """Lock with two priorities, held by foreground requests in the order in which they came. While a caller waits,
    ``on_wait`` is polled; an exception it raises abandons the wait."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._taken = False
        self._foreground: deque[object] = deque()  # those who wait, the first to come first; all before the background

    @property
    def taken(self) -> bool:
        """Whether somebody holds the lock."""
        return self._taken

    @contextmanager
    def foreground(self, on_wait: Callable[[], None] = _nothing) -> Iterator[None]:
        """Hold the lock for a request whose result somebody is waiting for."""
        request = object()
        with self._changed:
            self._foreground.append(request)
        self._take_in_turn(request, on_wait)
        try:
            yield
        finally:
            self._leave()

    def give_way(self) -> None:
        """Let the foreground request that has waited longest, if any, go first; to be called while holding the lock in
        the foreground. No background work comes between."""
        request = object()
        with self._changed:
            if not self._foreground:
                return
            self._foreground.insert(1, request)
            self._taken = False
            self._changed.notify_all()
        self._take_in_turn(request, _nothing)

    @contextmanager
    def background(self, on_wait: Callable[[], None] = _nothing) -> Iterator[None]:
        """Hold the lock for long-running work when no foreground request is waiting. The work must call ``yield_``
        often."""
        self._take(self._idle, on_wait)
        try:
            yield
        finally:
            self._leave()

    def yield_(self) -> None:
        """Let waiting foreground requests go first; to be called while holding the lock in the background."""
        if self._foreground:
            self._leave()
            self._take(self._idle, _nothing)

    def _take_in_turn(self, request: object, on_wait: Callable[[], None]) -> None:
        try:
            self._take(lambda: not self._taken and self._foreground[0] is request, on_wait)
        finally:
            with self._changed:
                self._foreground.remove(request)
                self._changed.notify_all()

    def _idle(self) -> bool:
        return not self._taken and not self._foreground

    def _take(self, free: Callable[[], bool], on_wait: Callable[[], None]) -> None:
        while True:
            with self._changed:
                if self._changed.wait_for(free, _POLL_SECONDS):
                    self._taken = True
                    return
            on_wait()

    def _leave(self) -> None:
        with self._changed:
            self._taken = False
            self._changed.notify_all()
