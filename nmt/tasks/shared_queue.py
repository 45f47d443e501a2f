"""Queue of items that are processed together: each joins the running batch at its next step, in order of arrival."""

from __future__ import annotations

import contextlib
import itertools
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future, InvalidStateError
from dataclasses import dataclass, field
from typing import Any, TypeVar

from nmt.tasks.priority_lock import PriorityLock
from nmt.tasks.under_way import Item, Outcome, Result, UnderWay, Work

_Result = TypeVar("_Result")


class Request(Future[_Result]):
    """An item that waits or is worked on. Cancelled, it leaves at the next step.

    Attributes:
        progress: steps taken, and the largest possible number of them; None before the first.
        seconds: from its turn to its result.
    """

    def __init__(self, work: Work[Any, _Result], item: Any) -> None:
        super().__init__()
        self.work, self.item = work, item
        self.progress: tuple[int, int] | None = None
        self.seconds = 0.0


@dataclass(eq=False)
class _Company:
    """The items of equal works that are under way."""

    under_way: UnderWay[Any, Any]
    requests: dict[int, Request[Any]] = field(default_factory=dict)
    began: dict[int, float] = field(default_factory=dict)


class SharedQueue:
    """First come, first served, by one thread of its own: all works under way take a step in turn, and before each
    round those who have waited longest join, as many as there is room for. Nobody overtakes, so nobody starves. May be
    used by any thread.

    Args:
        name: of the thread.
        most: number of items that may be under way.
        priority_lock: held while a step is taken; others in the foreground have a turn between two rounds.
        on_round: called with the number of items answered and the seconds of each round.
    """

    def __init__(
        self,
        name: str,
        most: int,
        priority_lock: PriorityLock,
        on_round: Callable[[int, float], None] = lambda answered, seconds: None,
    ) -> None:
        self._name, self._most, self._priority_lock, self._on_round = name, most, priority_lock, on_round
        self._changed = threading.Condition()
        self._waiting: list[Request[Any]] = []
        self._under_way: dict[Work[Any, Any], _Company] = {}
        self._numbers = itertools.count()
        self._closed = False
        self._thread: threading.Thread | None = None

    @property
    def waiting(self) -> int:
        """Number of items that wait."""
        with self._changed:
            return sum(not request.cancelled() for request in self._waiting)

    def submit(self, work: Work[Item, Result], items: Sequence[Item]) -> list[Request[Result]]:
        """Append items; returns a request for each."""
        requests = [Request(work, item) for item in items]
        with self._changed:
            assert not self._closed, "the queue is closed"
            self._waiting += requests
            if self._thread is None:
                self._thread = threading.Thread(target=self._serve, name=self._name, daemon=True)
                self._thread.start()
            self._changed.notify_all()
        return requests

    def close(self, seconds: float | None = None) -> None:
        """Finish what waits, and return; after ``seconds`` at the latest. Nothing may be submitted any more."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        if self._thread is not None:
            self._thread.join(seconds)

    def _serve(self) -> None:
        while self._wait():
            with self._priority_lock.foreground():
                while self._round():
                    self._priority_lock.give_way()

    def _wait(self) -> bool:
        """Wait until there is something to do; False after ``close``."""
        with self._changed:
            self._changed.wait_for(lambda: self._waiting or self._closed)
            return bool(self._waiting)

    def _round(self) -> bool:
        """Let those who wait join, and take a step of each work; False if there is nothing under way."""
        start = time.perf_counter()
        self._admit()
        answered = sum(self._step(company) for company in list(self._under_way.values()))
        self._under_way = {work: company for work, company in self._under_way.items() if company.requests}
        self._on_round(answered, time.perf_counter() - start)
        return bool(self._under_way or self._waiting)

    def _admit(self) -> None:
        room = self._most - sum(len(company.requests) for company in self._under_way.values())
        while room > 0:
            with self._changed:
                while self._waiting and self._waiting[0].cancelled():
                    del self._waiting[0]
                request = self._waiting[0] if self._waiting else None
            if request is None or not self._join(request):
                return
            with self._changed:
                self._waiting.remove(request)
            room -= 1

    def _join(self, request: Request[Any]) -> bool:
        """Let an item join the others of its work; False if there is no room for it among them."""
        try:
            company = self._under_way.get(request.work) or _Company(request.work.begin())
            if company.requests and not company.under_way.accepts(request.item):
                return False
            number = next(self._numbers)
            company.under_way.join(number, request.item)
        except Exception as error:
            _settle(request, error=error)
            return True
        company.requests[number], company.began[number] = request, time.perf_counter()
        self._under_way[request.work] = company
        return True

    def _step(self, company: _Company) -> int:
        """Take a step; returns the number of items that it ended."""
        gone = [number for number, request in company.requests.items() if request.cancelled()]
        company.under_way.leave(gone)
        for number in gone:
            del company.requests[number], company.began[number]
        outcome = _outcome(company)
        for number, progress in company.under_way.progress().items():
            if number in company.requests:
                company.requests[number].progress = progress
        ended = [*outcome.results, *outcome.errors]
        for number in ended:
            request = company.requests.pop(number)
            request.seconds = time.perf_counter() - company.began.pop(number)
            _settle(request, outcome.results.get(number), outcome.errors.get(number))
        return len(ended)


def _outcome(company: _Company) -> Outcome[Any]:
    """Take a step. If it fails as a whole, all items have failed; work that can tell whose fault it is does so."""
    try:
        return company.under_way.step()
    except Exception as error:
        company.under_way.leave(list(company.requests))
        return Outcome({}, dict.fromkeys(company.requests, error))


def _settle(request: Request[Any], result: object = None, error: Exception | None = None) -> None:
    with contextlib.suppress(InvalidStateError):  # cancelled meanwhile
        if error is None:
            request.set_result(result)
        else:
            request.set_exception(error)
