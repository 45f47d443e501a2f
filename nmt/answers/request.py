"""Interface of a task: its key, its stored result if there is one, its work, and its progress."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import KW_ONLY, dataclass
from typing import ClassVar, Protocol, TypeVar

LOADING = "load the model"
"""Stage in which a model is loaded."""


@dataclass(frozen=True)
class Progress:
    """Progress of one stage of the work.

    Attributes:
        done, total: number of items. Cached translations count as done.
        words_done, words_left: number of whitespace tokens in the sentences that this stage has translated, and in
            the sentences that it has still to translate. Both are 0 in stages without translation.
    """

    done: int
    total: int
    _: KW_ONLY
    words_done: int = 0
    words_left: int = 0
    unit: str = "sentences"


class ProgressReporter(Protocol):
    """A receiver of progress. An exception of any method, or of the callback from ``stage``, ends the work."""

    def stage(self, name: str, total: int) -> AbstractContextManager[Callable[[Progress], None]]:
        """Begin a stage over ``total`` items. Yields a callback that receives the progress of the stage."""

    def checkpoint(self) -> None:
        """Pass a point at which the work can be cancelled. Called before each target word of a batch."""

    def wait(self) -> None:
        """Call ``checkpoint``. Waiting work calls this method again and again until other work ends."""
        self.checkpoint()


Result = TypeVar("Result", covariant=True)


class Task(Protocol[Result]):
    """Requested work, the same for every user and in every process. ``alone``: whether no other task may run while this
    task runs. False for work in a shared queue (shared_queue.py)."""

    alone: ClassVar[bool] = True

    @property
    def key(self) -> str:
        """Name of the work, the same in every process. Equal keys have equal results."""

    def stored(self) -> Result | None:
        """The result saved on disk. None if the result must be computed. Loads no model."""
        return None

    def run(self, progress: ProgressReporter) -> Result:
        """Do the work, and save on disk what may be requested again. Raises InputError if the work cannot be done, and
        any exception of ``progress``."""
