"""A lock with two priorities: what a page asks for goes before jobs in the background."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

_LOOK = 0.2
"""Seconds between two calls of ``on_wait``."""


def _nothing() -> None:
    pass


class PriorityLock:
    """Gives out turns. What ``on_wait`` raises, which is called again and again while one waits, ends the waiting."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._taken = False
        self._foreground = 0  # so many wait who go before work in the background

    @contextmanager
    def foreground(self, on_wait: Callable[[], None] = _nothing) -> Iterator[None]:
        """A turn for somebody who waits for the result."""
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
        """A turn for work that takes long, when nobody urgent waits. It must call ``yield_`` often."""
        self._take(self._idle, on_wait)
        try:
            yield
        finally:
            self._leave()

    def yield_(self) -> None:
        """Called in a background turn: let those who wait urgently go first."""
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
