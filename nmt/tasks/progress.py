"""Progress of a piece of work, and the points at which it can be cancelled."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import KW_ONLY, dataclass
from typing import Protocol

LOADING = "load the model"
"""Stage in which a model is loaded."""


@dataclass(frozen=True)
class Progress:
    """Progress of one stage of the work.

    Attributes:
        done, total: number of items; cached translations count as done.
        words_done, words_left: whitespace tokens of the sentences already translated and still to be translated; 0 in
            other kinds of stage.
        unit: name of the items.
    """

    done: int
    total: int
    _: KW_ONLY
    words_done: int = 0
    words_left: int = 0
    unit: str = "sentences"


class ProgressReporter(Protocol):
    """Receiver of progress. An exception raised by any method, or by the callback that ``stage`` yields, aborts the
    work."""

    def stage(self, name: str, total: int) -> AbstractContextManager[Callable[[Progress], None]]:
        """Begin a stage over ``total`` sentences; yields the callback that takes its progress."""

    def checkpoint(self) -> None:
        """Pass a point at which the work can be cancelled; called before each target word of a batch."""
