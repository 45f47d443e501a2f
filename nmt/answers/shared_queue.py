"""Work on several items at once, a queue of items, and a lock by which requests of pages go before background jobs.
Items join and leave work under way: a waiting item joins at the next step, in order of arrival."""

import contextlib
import itertools
import threading
import time
from collections import deque
from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence
from concurrent.futures import Future, InvalidStateError, wait
from contextlib import contextmanager
from typing import Any, Generic, Protocol, TypeVar

_POLL_SECONDS = 0.2
"""Seconds between two calls of ``on_wait``, or two reports of progress."""


class PriorityLock:
    """A lock with two priorities. Foreground requests get it first, in order of arrival. While a caller waits,
    ``on_wait`` is called again and again. An exception of ``on_wait`` ends the wait."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._taken = False
        self._foreground: deque[object] = deque()  # waiting requests in order of arrival

    @property
    def waiting(self) -> int:
        """Number of foreground requests that wait for the lock."""
        return len(self._foreground)

    @contextmanager
    def foreground(self, on_wait: Callable[[], None] = lambda: None) -> Iterator[None]:
        """Hold the lock for a request while a user waits for the result."""
        request = object()
        with self._changed:
            self._foreground.append(request)
        self._take_in_turn(request, on_wait)
        try:
            yield
        finally:
            self._leave()

    def give_way(self) -> None:
        """Give the lock to the foreground request that has waited longest, if any, and take the lock back afterwards,
        before background work. The caller must hold the lock in the foreground."""
        request = object()
        with self._changed:
            if not self._foreground:
                return
            self._foreground.insert(1, request)
            self._taken = False
            self._changed.notify_all()
        self._take_in_turn(request)

    @contextmanager
    def background(self, on_wait: Callable[[], None] = lambda: None) -> Iterator[None]:
        """Hold the lock for long work when no foreground request is waiting. The work must call ``yield_`` often."""
        self._take(self._idle, on_wait)
        try:
            yield
        finally:
            self._leave()

    def yield_(self) -> None:
        """Let waiting foreground requests go first. The caller must hold the lock in the background."""
        if self._foreground:
            self._leave()
            self._take(self._idle)

    def _take_in_turn(self, request: object, on_wait: Callable[[], None] = lambda: None) -> None:
        try:
            self._take(lambda: not self._taken and self._foreground[0] is request, on_wait)
        finally:
            with self._changed:
                self._foreground.remove(request)
                self._changed.notify_all()

    def _idle(self) -> bool:
        return not self._taken and not self._foreground

    def _take(self, free: Callable[[], bool], on_wait: Callable[[], None] = lambda: None) -> None:
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


Item = TypeVar("Item")
Result = TypeVar("Result")
_Item = TypeVar("_Item", contravariant=True)
_Result = TypeVar("_Result", covariant=True)


class UnderWay(Protocol[_Item, _Result]):
    """Work on items, one small step of all items at a time, in one thread. No result may depend on other items."""

    def accepts(self, item: _Item) -> bool:
        """Return whether the item may join now. Work without items accepts every item."""

    def join(self, number: int, item: _Item) -> None:
        """Add an item, which takes part from the next step on."""

    def leave(self, numbers: Collection[int]) -> None:
        """Remove the items with these numbers. They get no result."""

    def step(self) -> Mapping[int, _Result | Exception]:
        """Take the next step of all items. Returns the items that end in it, each with its result or its own error."""

    def progress(self) -> Mapping[int, tuple[int, int]]:
        """For each item that has begun, by number: the steps taken, and the largest possible number of steps."""


class Work(Hashable, Protocol[_Item, _Result]):
    """A kind of work on items. Items of equal ``Work`` objects take their steps together."""

    def begin(self) -> UnderWay[_Item, _Result]:
        """Begin work to which items can be added. Raises InputError if the work cannot be done."""


class InGroups(Generic[Item, Result]):
    """Work that finishes a group of items in each step, by one call. Between two steps items may join or leave.

    Args:
        work: returns a result for each item, in order. If it fails, it is called for each item alone.
        most: largest total cost of a group. A group of one item may cost more.
    """

    def __init__(
        self, work: Callable[[Sequence[Item]], Sequence[Result]], cost: Callable[[Item], int], most: int
    ) -> None:
        self._work, self._cost, self._most = work, cost, most
        self._items: dict[int, Item] = {}

    def accepts(self, item: Item) -> bool:
        return True

    def join(self, number: int, item: Item) -> None:
        self._items[number] = item

    def leave(self, numbers: Collection[int]) -> None:
        for number in numbers:
            self._items.pop(number, None)

    def step(self) -> dict[int, Result | Exception]:
        costs = itertools.accumulate(map(self._cost, self._items.values()))
        taken = max(1, sum(cost <= self._most for cost in costs))
        items = dict(itertools.islice(self._items.items(), taken))
        self.leave(items)
        if not items:
            return {}
        try:
            return dict(zip(items, self._work(list(items.values())), strict=True))
        except Exception as error:
            if len(items) == 1:
                return dict.fromkeys(items, error)
        return each_alone(items, lambda item: self._work([item])[0])

    def progress(self) -> dict[int, tuple[int, int]]:
        return {}


def each_alone(items: Mapping[int, Item], work: Callable[[Item], Result]) -> dict[int, Result | Exception]:
    """Do the work for one item after another. Returns the result or the error of each item."""
    ended: dict[int, Result | Exception] = {}
    for number, item in items.items():
        try:
            ended[number] = work(item)
        except Exception as error:
            ended[number] = error
    return ended


class Pending(Future[Result]):
    """An item that waits or is under way. A cancelled item leaves at the next step.

    Attributes:
        progress: steps taken, and the largest possible number of steps, or None before the first step.
        askers: number of callers of ``SharedQueue.result`` that still wait for the item.
    """

    def __init__(self, work: Work[Any, Result], item: Any) -> None:
        super().__init__()
        self.work, self.item = work, item
        self.progress: tuple[int, int] | None = None
        self.askers = 0

    def settle(self, end: Result | Exception) -> None:
        """Set the item's result or its error, unless the item was cancelled."""
        with contextlib.suppress(InvalidStateError):
            if isinstance(end, Exception):
                self.set_exception(end)
            else:
                self.set_result(end)


class SharedQueue:
    """A queue that its own thread serves in order of arrival. At the beginning of a round, waiting items join while
    there is room. Then every work under way takes a step. No item overtakes another. Any thread may call.

    Args:
        priority_lock: held while a step is taken. Other foreground requests have a turn between two rounds.
        on_round: called after each round with the number of items that the round finished, and its seconds.
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
        self._waiting: list[Pending[Any]] = []
        self._under_way: dict[Work[Any, Any], UnderWay[Any, Any]] = {}
        self._items: dict[int, Pending[Any]] = {}  # items under way, by number
        self._asked: dict[tuple[Work[Any, Any], Any], Pending[Any]] = {}  # items of ``result``, by work and item
        self._numbers = itertools.count()
        self.closed = False
        self._thread: threading.Thread | None = None

    @property
    def waiting(self) -> int:
        """Number of items that wait."""
        with self._changed:
            return sum(not pending.cancelled() for pending in self._waiting)

    @property
    def askers(self) -> int:
        """Number of callers that wait for the ``result`` of an item."""
        with self._changed:
            return sum(pending.askers for pending in self._asked.values())

    def submit(self, work: Work[Item, Result], items: Sequence[Item]) -> list[Pending[Result]]:
        """Append items, and return a future for each. If a future is cancelled while its item waits, the item never
        begins. If it is cancelled later, the item is dropped at the next step."""
        pending = [Pending(work, item) for item in items]
        with self._changed:
            assert not self.closed, "the queue is closed"
            self._waiting += pending
            if self._thread is None:
                self._thread = threading.Thread(target=self._serve, name=self._name, daemon=True)
                self._thread.start()
            self._changed.notify_all()
        return pending

    def result(
        self,
        work: Work[Item, Result],
        item: Item,
        on_progress: Callable[[int, int], None],
        on_wait: Callable[[], None],
    ) -> Result:
        """Wait for the result of an item. Callers with the same work and item share its result. The item is cancelled
        when the last of these callers leaves.

        Until the first step, ``on_wait`` is called again and again. After it, ``on_progress`` is called with the steps
        taken and the largest possible number of steps. Their exceptions end the request. Raises the item's error.
        """
        with self._changed:
            pending = self._asked.get((work, item)) or self.submit(work, [item])[0]
            self._asked[work, item] = pending
            pending.askers += 1
        try:
            while not wait([pending], _POLL_SECONDS).done:
                if pending.progress is None:
                    on_wait()
                else:
                    on_progress(*pending.progress)
            return pending.result()
        finally:
            with self._changed:
                pending.askers -= 1
                if not pending.askers:
                    pending.cancel()
                    del self._asked[work, item]

    def close(self, seconds: float | None = None) -> None:
        """Accept no more items, and wait until all items are finished, but at most ``seconds``. None = no limit."""
        with self._changed:
            self.closed = True
            self._changed.notify_all()
        if self._thread is not None:
            self._thread.join(seconds)

    def _serve(self) -> None:
        while self._wait():
            with self._priority_lock.foreground():
                while self._round():
                    self._priority_lock.give_way()

    def _wait(self) -> bool:
        """Wait until an item waits or the queue is closed. False if no item waits."""
        with self._changed:
            self._changed.wait_for(lambda: self._waiting or self.closed)
            return bool(self._waiting)

    def _round(self) -> bool:
        """Let waiting items join, and take a step of each work. False if no item is left."""
        start = time.perf_counter()
        self._admit()
        answered = sum(self._step(work) for work in list(self._under_way))
        self._on_round(answered, time.perf_counter() - start)
        return bool(self._items or self._waiting)

    def _admit(self) -> None:
        while len(self._items) < self._most:
            with self._changed:
                while self._waiting and self._waiting[0].cancelled():
                    del self._waiting[0]
                pending = self._waiting[0] if self._waiting else None
            if pending is None or not self._join(pending):
                return
            with self._changed:
                self._waiting.remove(pending)

    def _join(self, pending: Pending[Any]) -> bool:
        """Let an item join its work. False if there is no room for the item."""
        try:
            begun = self._under_way.get(pending.work)
            if begun is not None and not begun.accepts(pending.item):
                return False
            under_way = begun or pending.work.begin()
            number = next(self._numbers)
            under_way.join(number, pending.item)
        except Exception as error:
            pending.settle(error)
            return True
        self._under_way[pending.work], self._items[number] = under_way, pending
        return True

    def _step(self, work: Work[Any, Any]) -> int:
        """Take a step of the items of a work. Returns how many end. An exception is the error of every item."""
        under_way = self._under_way[work]
        items = {number: pending for number, pending in self._items.items() if pending.work == work}
        cancelled = [number for number, pending in items.items() if pending.cancelled()]
        under_way.leave(cancelled)
        for number in cancelled:
            del items[number], self._items[number]
        try:
            ended = under_way.step()
        except Exception as error:
            under_way.leave(list(items))
            ended = dict.fromkeys(items, error)
        for number, progress in under_way.progress().items():
            if number in items:
                items[number].progress = progress
        for number, end in ended.items():
            self._items.pop(number).settle(end)
        if len(ended) == len(items):
            del self._under_way[work]
        return len(ended)
