"""Progress of a piece of work, and the points at which it can be cancelled."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import KW_ONLY, dataclass
from typing import Any, Protocol, TypeVar

from nmt.answers.shared_queue import UnderWay, Work

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


@dataclass(frozen=True)
class Share:
    """Item to be worked on, and the work, which the items of others may join."""

    work: Work[Any, Any]
    item: Any


class SharedTask(Task[Result]):
    """Work that is done together with the equal work of others.

    Attributes:
        stage: name of its stage.
    """

    stage: str

    def share(self, progress: ProgressReporter) -> Share:
        """Load what is needed, and return the item with its work."""
        raise NotImplementedError

    def keep(self, result: Any) -> None:
        """Save the result on disk, if it may be asked for again."""

    def steps(self, done: int, most: int) -> Progress:
        """Describe the progress: steps taken, and the largest possible number of them."""
        raise NotImplementedError

    def run(self, progress: ProgressReporter) -> Result:
        """Do the work for this task alone."""
        share = self.share(progress)
        with progress.stage(self.stage, 0) as show:
            alone: UnderWay[Any, Result] = share.work.begin()
            alone.join(0, share.item)
            while True:
                outcome = alone.step()
                if 0 in outcome.errors:
                    raise outcome.errors[0]
                if 0 in outcome.results:
                    break
                show(self.steps(*alone.progress()[0]))
        self.keep(outcome.results[0])
        return outcome.results[0]


def task_key(kind: str, *parts: object) -> str:
    """Name a task by its kind and a checksum of all that determines its result, which must be of JSON types.

    >>> task_key("add", 1, 2) == task_key("add", 1, 2), task_key("add", 1, 2) == task_key("add", 12)
    (True, False)
    """
    text = json.dumps(parts, sort_keys=True)
    return f"{kind} {hashlib.sha256(text.encode()).hexdigest()}"
