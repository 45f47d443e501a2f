"""Interface of work on several items at once, which may join and leave while it is under way."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Generic, Protocol, TypeVar

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
