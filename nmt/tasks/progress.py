"""Progress of a piece of work, and the points at which it can be cancelled."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True)
class Progress:
    """How far a stage of the work has come.

    Attributes:
        done, total: sentences; for translations, those that were there already count as done.
        words_done, words_left: whitespace words of the sentences that were and are still to be translated; 0 in a stage
            of another kind.
    """

    done: int
    total: int
    words_done: int = 0
    words_left: int = 0


class ProgressReporter(Protocol):
    """Looks on. What its methods raise, and what ``stage`` gives, ends the work."""

    def stage(self, name: str, total: int) -> AbstractContextManager[Callable[[Progress], None]]:
        """A stage begins, over so many sentences; gives what is to be told how far it has come."""

    def checkpoint(self) -> None:
        """Called before each target word of a batch."""
