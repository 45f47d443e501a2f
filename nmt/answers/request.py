"""Interface of requested work: its key, its stored result if there is one, how it is done, and how far it is."""

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

    def wait(self) -> None:
        """As ``checkpoint``; called again and again while the work waits for other work to end."""
        self.checkpoint()


Result = TypeVar("Result", covariant=True)


class Task(Protocol[Result]):
    """Work on request. It does not matter who asks, or where it is done.

    Attributes:
        alone: whether nothing else may be computed meanwhile; False for work that is done in a queue (shared_queue.py),
            together with that of others.
    """

    alone: ClassVar[bool] = True

    @property
    def key(self) -> str:
        """Name of the work, the same in every process: equal keys have equal results."""

    def stored(self) -> Result | None:
        """Result that was saved on disk before; None if it has to be computed. Loads no model."""
        return None

    def run(self, progress: ProgressReporter) -> Result:
        """Do the work, and save on disk what may be asked for again. Raises InputError if it cannot be done, and
        whatever ``progress`` raises to end it."""
