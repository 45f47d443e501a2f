"""Input windows, and batches of similar length within them."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")

WINDOW = 4096
"""Maximum number of sentences in a window."""

_FIRST = 64
"""Number of sentences in the first window."""
WINDOW_COST = 2**24
"""Approximate limit on the numbers that the records of a window hold; the last sentence may exceed it."""
PADDED_TOKENS = 4000
"""Maximum number of tokens in a batch, padding included. A longer sentence forms a batch of its own."""


def windows(
    items: Iterable[Item],
    cost: Callable[[Item], int],
    *,
    first: int | None = None,
    most: int = WINDOW,
    limit: int | None = None,
    at_hand: Callable[[], bool] | None = None,
) -> Iterator[list[Item]]:
    """Split a possibly endless stream of items into lists, each read only when it is requested.

    Args:
        items: the stream; if it raises, the items read before are yielded first.
        cost: approximate size of an item's record, in numbers.
        first, most: number of items in the first window (None = a few, so that the first results come soon; each full
            window doubles the next) and in the largest.
        limit: largest sum of the costs in a window, which its last item may exceed; None = ``WINDOW_COST``.
        at_hand: tells if the next item is available without waiting; if not, the window ends early.

    >>> [len(window) for window in windows(range(10), lambda _: 1, first=1, most=4)]
    [1, 2, 4, 3]
    """
    source = iter(items)
    size = min(_FIRST if first is None else first, most)
    limit = WINDOW_COST if limit is None else limit
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
        full = len(window) >= size or total >= limit
        if full or (at_hand is not None and not at_hand()):
            yield window
            window, total = [], 0
            if full:
                size = min(2 * size, most)
    if window:
        yield window


def groups(lengths: Sequence[int], most: int) -> Iterator[list[int]]:
    """Group the indices of ``lengths`` (tokens) by similar length, longest first: at most ``most`` per group, and no
    more than the memory for padded sentences allows."""
    group: list[int] = []
    for i in sorted(range(len(lengths)), key=lambda i: (-lengths[i], i)):
        if group and (len(group) >= most or lengths[group[0]] * (len(group) + 1) > PADDED_TOKENS):
            yield group
            group = []
        group.append(i)
    if group:
        yield group


def in_groups(
    items: Iterable[Item],
    work: Callable[[list[Item]], Iterable[Result]],
    *,
    cost: Callable[[Item], int],
    length: Callable[[Item], int],
    most: int = WINDOW,
    on_progress: Callable[[int], None] | None = None,
) -> Iterator[Result]:
    """Work on a possibly endless stream in groups of similar length, and yield the results in the order of the items.

    Args:
        work: returns a result for each item of a group.
        cost, most: as for ``windows``; at most one window is read ahead.
        length: number of tokens of an item, padding excluded.
        on_progress: called with the number of items done, after each group.
    """
    done = 0
    for window in windows(items, cost, first=most, most=most):
        results: dict[int, Result] = {}
        for group in groups([length(item) for item in window], most):
            results.update(zip(group, work([window[i] for i in group]), strict=True))
            done += len(group)
            if on_progress is not None:
                on_progress(done)
        yield from (results[i] for i in range(len(window)))
