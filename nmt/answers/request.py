"""Interface of requested work: its key, its stored result if there is one, how it is done, and how far it is."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import KW_ONLY, dataclass
from typing import Any, Generic, Protocol, TypeVar

from nmt.answers.shared_queue import Work

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


Result = TypeVar("Result", covariant=True)
Kept = TypeVar("Kept")


class Task(Protocol[Result]):
    """Work on request. It does not matter who asks, or where it is done."""

    @property
    def key(self) -> str:
        """Name of the work, the same in every process: equal keys have equal results."""

    def stored(self) -> Result | None:
        """Result that was saved on disk before; None if it has to be computed. Loads no model."""
        return None

    def run(self, progress: ProgressReporter) -> Result:
        """Do the work, and save on disk what may be asked for again. Raises InputError if it cannot be done, and
        whatever ``progress`` raises to end it."""


class SharedTask(Generic[Result]):
    """Work that is done together with the equal work of others, in the foreground.

    Attributes:
        stage: name of its stage.
    """

    stage: str

    @property
    def key(self) -> str:
        """As in ``Task``."""
        raise NotImplementedError

    def stored(self) -> Result | None:
        """As in ``Task``."""
        return None

    def share(self, progress: ProgressReporter) -> tuple[Work[Any, Any], Any]:
        """Load what is needed, and return the work, which the items of others may join, and the item."""
        raise NotImplementedError

    def keep(self, result: Any) -> None:
        """Save the result on disk, if it may be asked for again."""

    def progress(self, done: int, most: int) -> Progress:
        """Describe the progress: steps taken, and the largest possible number of them."""
        raise NotImplementedError


@dataclass(frozen=True)
class Answer(Generic[Kept]):
    """A result, and the seconds it took to compute without loading models; None if it was looked up."""

    result: Kept
    seconds: float | None
