"""Progress bars of commands, on stderr."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NoReturn

from tqdm import tqdm

from nmt.answers.request import Progress, ProgressReporter


def beside_output() -> bool:
    """Tell if a bar can be drawn while lines are printed: not if both go to the same terminal."""
    return sys.stderr.isatty() and not sys.stdout.isatty()


@contextmanager
def progress(description: str, total: int | None, shown: bool = True) -> Iterator[Callable[[int], None]]:
    """Show a bar with the number of sentences, their rate and the time left, if stderr is a terminal; without a
    ``total``, only number and rate. Yields a function that takes the number of sentences done.

    Sentences are processed in order of length, so the rate is averaged over all of them, not over the latest.
    """
    shown = shown and sys.stderr.isatty()
    with tqdm(total=total, desc=description, unit=" sentences", file=sys.stderr, smoothing=0, disable=not shown) as bar:

        def show(done: int) -> None:
            bar.update(done - bar.n)

        yield show


class Bar(ProgressReporter):
    """Progress reporter that draws one ``progress`` bar per stage of the work."""

    def __init__(self, shown: bool) -> None:
        self._shown = shown

    @contextmanager
    def stage(self, name: str, total: int) -> Iterator[Callable[[Progress], None]]:
        with progress(name, total, self._shown) as show:
            yield lambda progress: show(progress.done)

    def checkpoint(self) -> None:
        pass


class StageBars:
    """Consecutive progress bars on stderr, one per stage of the work.

    Args:
        style: tqdm's settings for the bar of a stage, such as its unit.
    """

    def __init__(self, style: Callable[[str], Mapping[str, Any]]) -> None:
        self._style = style
        self._stage = ""
        self._bar: tqdm[NoReturn] | None = None

    def __enter__(self) -> StageBars:
        return self

    def __exit__(self, *exception: object) -> None:
        if self._bar is not None:
            self._bar.close()

    def show(self, stage: str, done: int, total: int | None) -> None:
        """Show that ``done`` items of the stage are finished; ``total`` is None while it is unknown."""
        if stage != self._stage or self._bar is None:
            self.__exit__()
            self._stage = stage
            interval = 0.2 if sys.stderr.isatty() else 10
            self._bar = tqdm(desc=stage, total=total, initial=done, mininterval=interval, **self._style(stage))
        if total is not None:
            self._bar.total = total
        self._bar.update(done - self._bar.n)
