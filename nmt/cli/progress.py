"""How far a command has come, on stderr."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from tqdm import tqdm


def beside_output() -> bool:
    """Whether there can be a bar while lines are printed: not if both go to the same terminal."""
    return sys.stderr.isatty() and not sys.stdout.isatty()


@contextmanager
def progress(description: str, total: int | None, shown: bool = True) -> Iterator[Callable[[int], None]]:
    """A bar with the number of sentences, their rate and the time left, if stderr is a terminal; without a
    ``total`` the number and rate alone. It is told how many are done.

    Sentences are worked on by length, so their rate is taken over all that were done, not over the last ones.
    """
    shown = shown and sys.stderr.isatty()
    with tqdm(total=total, desc=description, unit=" sentences", file=sys.stderr, smoothing=0, disable=not shown) as bar:

        def show(done: int) -> None:
            bar.update(done - bar.n)

        yield show
