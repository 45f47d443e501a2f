"""Interface of work on several items at once, which may join and leave while it is under way."""

from __future__ import annotations

import contextlib
import itertools
import threading
import time
from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from concurrent.futures import Future, InvalidStateError
from dataclasses import dataclass, field
from typing import Any, Generic, Protocol, TypeVar

from nmt.answers.priority_lock import PriorityLock

Item = TypeVar("Item")
Result = TypeVar("Result")
_Item = TypeVar("_Item", contravariant=True)


@dataclass(frozen=True)
class Outcome(Generic[Result]):
    """Items that a step has ended: the result of each, or its own error, by number."""

    results: Mapping[int, Result] = field(default_factory=dict)
    errors: Mapping[int, Exception] = field(default_factory=dict)


class UnderWay(Protocol[_Item, Result]):
    """Work on items, one small step of all of them at a time; used by one thread. Each result must be that of the item
    alone."""

    def accepts(self, item: _Item) -> bool:
        """Return whether the item may join now. An item may always join work on nothing."""

    def join(self, number: int, item: _Item) -> None:
        """Take on an item, from the next step on."""

    def leave(self, numbers: Collection[int]) -> None:
        """Drop items."""

    def step(self) -> Outcome[Result]:
        """Take the next step of all items."""

    def progress(self) -> Mapping[int, tuple[int, int]]:
        """For each item that has begun the steps taken, and the largest possible number of them."""


class Work(Hashable, Protocol[_Item, Result]):
    """Kind of work on items; the items of equal works are worked on together."""

    def begin(self) -> UnderWay[_Item, Result]:
        """Begin, with no item yet. Raises InputError if it cannot be done."""


class AtOnce(Generic[Item, Result]):
    """Work whose single step does all items that wait, in one call.

    Args:
        work: returns a result for each item, in order. If it fails, it is called for each item alone, so that an item
            fails only for a fault of its own.
    """

    def __init__(self, work: Callable[[Sequence[Item]], Sequence[Result]]) -> None:
        self._work = work
        self._items: dict[int, Item] = {}

    def accepts(self, item: Item) -> bool:
        return True

    def join(self, number: int, item: Item) -> None:
        self._items[number] = item

    def leave(self, numbers: Collection[int]) -> None:
        for number in numbers:
            self._items.pop(number, None)

    def step(self) -> Outcome[Result]:
        items, self._items = self._items, {}
        if not items:
            return Outcome()
        try:
            return Outcome(dict(zip(items, self._work(list(items.values())), strict=True)))
        except Exception as error:
            if len(items) == 1:
                return Outcome({}, dict.fromkeys(items, error))
        return each_alone(items, lambda item: self._work([item])[0])

    def progress(self) -> dict[int, tuple[int, int]]:
        return {}


def each_alone(items: Mapping[int, Item], work: Callable[[Item], Result]) -> Outcome[Result]:
    """Do the work for one item after another."""
    results: dict[int, Result] = {}
    errors: dict[int, Exception] = {}
    for number, item in items.items():
        try:
            results[number] = work(item)
        except Exception as error:
            errors[number] = error
    return Outcome(results, errors)


_Result = TypeVar("_Result")


class Request(Future[_Result]):
    """An item that waits or is worked on. If it is cancelled, it leaves at the next step.

    Attributes:
        progress: steps taken, and the largest possible number of them; None before the first.
        seconds: time from joining the work under way to its result.
    """

    def __init__(self, work: Work[Any, _Result], item: Any) -> None:
        super().__init__()
        self.work, self.item = work, item
        self.progress: tuple[int, int] | None = None
        self.seconds = 0.0


@dataclass(eq=False)
class _Group:
    """Items under way that are worked on together, as their works are equal."""

    under_way: UnderWay[Any, Any]
    requests: dict[int, Request[Any]] = field(default_factory=dict)
    began: dict[int, float] = field(default_factory=dict)


class SharedQueue:
    """Queue served in order of arrival by a thread of its own. In each round, every work under way takes a step; before
    it, waiting items join as long as there is room. No item overtakes another, so none waits for ever. May be used by
    any thread.

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
        self._under_way: dict[Work[Any, Any], _Group] = {}
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
        """Finish the items that wait, and return after ``seconds`` at the latest. No more items may be submitted."""
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
        """Let waiting items join, and take a step of each work; False if nothing is left to do."""
        start = time.perf_counter()
        self._admit()
        answered = sum(self._step(group) for group in list(self._under_way.values()))
        self._under_way = {work: group for work, group in self._under_way.items() if group.requests}
        self._on_round(answered, time.perf_counter() - start)
        return bool(self._under_way or self._waiting)

    def _admit(self) -> None:
        room = self._most - sum(len(group.requests) for group in self._under_way.values())
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
            group = self._under_way.get(request.work) or _Group(request.work.begin())
            if group.requests and not group.under_way.accepts(request.item):
                return False
            number = next(self._numbers)
            group.under_way.join(number, request.item)
        except Exception as error:
            _settle(request, error=error)
            return True
        group.requests[number], group.began[number] = request, time.perf_counter()
        self._under_way[request.work] = group
        return True

    def _step(self, group: _Group) -> int:
        """Take a step; returns the number of items that it ended."""
        cancelled = [number for number, request in group.requests.items() if request.cancelled()]
        group.under_way.leave(cancelled)
        for number in cancelled:
            del group.requests[number], group.began[number]
        outcome = _outcome(group)
        for number, progress in group.under_way.progress().items():
            if number in group.requests:
                group.requests[number].progress = progress
        ended = [*outcome.results, *outcome.errors]
        for number in ended:
            request = group.requests.pop(number)
            request.seconds = time.perf_counter() - group.began.pop(number)
            _settle(request, outcome.results.get(number), outcome.errors.get(number))
        return len(ended)


def _outcome(group: _Group) -> Outcome[Any]:
    """Take a step. An exception is the error of every item: work that can tell which item is at fault raises none."""
    try:
        return group.under_way.step()
    except Exception as error:
        group.under_way.leave(list(group.requests))
        return Outcome({}, dict.fromkeys(group.requests, error))


def _settle(request: Request[Any], result: object = None, error: Exception | None = None) -> None:
    with contextlib.suppress(InvalidStateError):  # cancelled meanwhile
        if error is None:
            request.set_result(result)
        else:
            request.set_exception(error)
