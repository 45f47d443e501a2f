"""Parallel work in processes, with results in order and a bounded number of pending items."""

from __future__ import annotations

import multiprocessing
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from contextlib import contextmanager
from itertools import islice
from typing import TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")


@contextmanager
def executor(workers: int) -> Iterator[Executor | None]:
    """Yield a pool of ``workers`` processes, or None, for work in this process, if there is only one. Ctrl-C reaches
    this process only, which then ends the others.

    The processes are spawned, not forked: SentencePiece (like other libraries with threads) hangs in a fork of a
    process that has used it.
    """
    if workers <= 1:
        yield None
        return
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(workers, context, _leave_interrupts_to_the_parent)
    try:
        yield pool
    finally:
        pool.shutdown(cancel_futures=True)


def _leave_interrupts_to_the_parent() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def ordered_map(
    function: Callable[[Item], Result], items: Iterable[Item], pool: Executor | None, ahead: int = 8
) -> Iterator[Result]:
    """Apply a function like ``map``, with at most ``ahead`` items whose results have not been consumed."""
    if pool is None:
        yield from map(function, items)
        return
    pending: deque[Future[Result]] = deque()
    for item in items:
        pending.append(pool.submit(function, item))
        if len(pending) >= ahead:
            yield pending.popleft().result()
    while pending:
        yield pending.popleft().result()


def chunks(items: Iterable[Item], size: int) -> Iterator[list[Item]]:
    """Split items into lists of ``size``; the last one may be shorter.

    >>> list(chunks("abc", 2))
    [['a', 'b'], ['c']]
    """
    iterator = iter(items)
    while chunk := list(islice(iterator, size)):
        yield chunk
