"""Which sentences are read, and which are worked on, at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeVar

Item = TypeVar("Item")

WINDOW = 4096
"""Most sentences of a window."""

_FIRST = 64
"""Sentences of the first window."""
_COST = 2**24
"""Numbers that the records of a window may hold, about; the last sentence may pass it."""
_PADDED_TOKENS = 4000
"""Tokens that are worked on at a time, padding included. A longer sentence is alone."""


def windows(
    items: Iterable[Item],
    cost: Callable[[Item], int],
    *,
    first: int | None = None,
    most: int = WINDOW,
    at_hand: Callable[[], bool] | None = None,
) -> Iterator[list[Item]]:
    """``items``, which may never end, in lists; each is read when it is asked for.

    Args:
        items: what to read; if it raises, what was read before is given out first.
        cost: numbers that the record of an item will hold, about.
        first, most: items of the first window (None = a few, so that the first results come soon; each full window
            doubles the next) and of the largest.
        at_hand: whether the next item can be had without waiting; if not, the window ends early.

    >>> [len(window) for window in windows(range(10), lambda _: 1, first=1, most=4)]
    [1, 2, 4, 3]
    """
    source = iter(items)
    size = min(_FIRST if first is None else first, most)
    window: list[Item] = []
    total = 0
    while True:
        try:
            item = next(source)
        except StopIteration:
            break
        except Exception:
            if window:
                yield window
            raise
        window.append(item)
        total += cost(item)
        full = len(window) >= size or total >= _COST
        if full or (at_hand is not None and not at_hand()):
            yield window
            window, total = [], 0
            if full:
                size = min(2 * size, most)
    if window:
        yield window


def groups(lengths: Sequence[int], most: int) -> Iterator[list[int]]:
    """The places of ``lengths`` (tokens) in groups of similar length, longest first: at most ``most`` in each, and
    no more than the memory for padded sentences allows."""
    group: list[int] = []
    for i in sorted(range(len(lengths)), key=lambda i: (-lengths[i], i)):
        if group and (len(group) >= most or lengths[group[0]] * (len(group) + 1) > _PADDED_TOKENS):
            yield group
            group = []
        group.append(i)
    if group:
        yield group
