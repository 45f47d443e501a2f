"""A lock with two priorities: page requests pre-empt background jobs."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

_LOOK = 0.2
"""Seconds between two calls of ``on_wait``."""


def _nothing() -> None:
    pass


class PriorityLock:
    """Lock with two priorities. While a caller waits, ``on_wait`` is polled; an exception it raises abandons the
    wait."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._taken = False
        self._foreground = 0  # so many wait who go before work in the background

    @contextmanager
    def foreground(self, on_wait: Callable[[], None] = _nothing) -> Iterator[None]:
        """Hold the lock for a request whose result somebody is waiting for."""
        with self._changed:
            self._foreground += 1
        try:
            self._take(lambda: not self._taken, on_wait)
        finally:
            with self._changed:
                self._foreground -= 1
                self._changed.notify_all()
        try:
            yield
        finally:
            self._leave()

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

    def _idle(self) -> bool:
        return not self._taken and not self._foreground

    def _take(self, free: Callable[[], bool], on_wait: Callable[[], None]) -> None:
        while True:
            with self._changed:
                if self._changed.wait_for(free, _LOOK):
                    self._taken = True
                    return
            on_wait()

    def _leave(self) -> None:
        with self._changed:
            self._taken = False
            self._changed.notify_all()
