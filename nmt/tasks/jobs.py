"""Work in the background of a server: one job after the other, each to be looked at, and cancelled, from anywhere."""

from __future__ import annotations

import logging
import queue
import threading
import time
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any, Generic, Literal, TypeVar

from nmt.errors import InputError
from nmt.tasks.priority_lock import PriorityLock
from nmt.tasks.progress import Progress, ProgressReporter

Result = TypeVar("Result")
Status = Literal["waiting", "running", "finished", "cancelled", "failed"]

_REMEMBERED = 32
"""Jobs that are kept when they are over."""

_NOTHING = Progress(0, 0)

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class JobState:
    """A job at one moment.

    Attributes:
        status: "waiting" for its turn, "running", or how it ended.
        stage: what it does or did last, such as "translate".
        progress: of this stage.
        words_per_second: source words translated since the stage began; None where none were yet.
        seconds_left: of this stage, if it goes on as it went; None where that cannot be said.
        problem: why it failed, in one sentence.
    """

    status: Status = "waiting"
    stage: str = ""
    progress: Progress = _NOTHING
    words_per_second: float | None = None
    seconds_left: float | None = None
    problem: str = ""

    @property
    def over(self) -> bool:
        return self.status not in ("waiting", "running")


class Job(Generic[Result]):
    """Work that was asked for. All of it may be used by any thread.

    Attributes:
        key: what it is the work of.
    """

    def __init__(self, key: Hashable) -> None:
        self.key = key
        self._lock = threading.Lock()
        self._over = threading.Event()
        self._cancelled = threading.Event()
        self._state = JobState()
        self._result: Result | None = None

    @property
    def state(self) -> JobState:
        return self._state

    @property
    def result(self) -> Result | None:
        """What the work gave; None unless the status is "finished"."""
        return self._result

    def cancel(self) -> None:
        """End it at once if it waits, at its next step if it runs. What it has kept on disk stays there."""
        self._cancelled.set()
        with self._lock:
            if self._state.status == "waiting":
                self._end(replace(self._state, status="cancelled"))

    def wait(self, timeout: float | None = None) -> bool:
        """Wait until it is over; False if it is not after ``timeout`` seconds."""
        return self._over.wait(timeout)

    def _end(self, state: JobState) -> None:
        self._state = replace(state, seconds_left=None)
        self._over.set()


class _Cancelled(BaseException):
    """Ends the work; no Exception, so that no work takes it for a failure of its own."""


class _JobReporter(ProgressReporter):
    """Writes down how far a job is, lets others go first, and ends it if it was cancelled."""

    def __init__(self, job: Job[Any], priority_lock: PriorityLock, clock: Callable[[], float]) -> None:
        self._job, self._priority_lock, self._clock = job, priority_lock, clock

    @contextmanager
    def stage(self, name: str, total: int) -> Iterator[Callable[[Progress], None]]:
        began, before = self._clock(), None

        def show(progress: Progress) -> None:
            nonlocal before
            before = before or progress
            self._job._state = _running(name, progress, before, self._clock() - began)
            self.checkpoint()

        self._job._state = JobState("running", name, Progress(0, total))
        yield show

    def checkpoint(self) -> None:
        self.check()
        self._priority_lock.yield_()

    def check(self) -> None:
        if self._job._cancelled.is_set():
            raise _Cancelled


def _running(stage: str, progress: Progress, before: Progress, seconds: float) -> JobState:
    """The state of a stage that was at ``before`` when it began, so many seconds ago."""
    in_words = progress.words_done + progress.words_left > 0
    done = progress.words_done if in_words else progress.done - before.done
    left = progress.words_left if in_words else progress.total - progress.done
    rate = done / seconds if done > 0 and seconds > 0 else None
    return JobState("running", stage, progress, rate if in_words else None, left / rate if rate is not None else None)


class Jobs:
    """Does jobs in one thread of its own, in the order asked for, each in a background turn.

    Args:
        priority_lock: shared with whatever else computes; a job lets urgent work go first at each of its steps.
        clock: seconds.
    """

    def __init__(self, priority_lock: PriorityLock, clock: Callable[[], float] = time.monotonic) -> None:
        self._priority_lock, self._clock = priority_lock, clock
        self._lock = threading.Lock()
        self._jobs: dict[Hashable, Job[Any]] = {}
        self._queue: queue.SimpleQueue[tuple[Job[Any], Callable[[ProgressReporter], Any]]] = queue.SimpleQueue()
        self._worker: threading.Thread | None = None

    def start(self, key: Hashable, work: Callable[[ProgressReporter], Result]) -> Job[Result]:
        """The job of this key: the one there is, or a new one if there is none or it was cancelled or failed.

        Args:
            key: equal keys are the same work.
            work: is called with a watcher, in the other thread. An InputError of it is the job's problem; so is, with
                its kind, any other error, which also goes to the log.
        """
        with self._lock:
            job = self._jobs.get(key)
            if job is None or job._cancelled.is_set() or job.state.status == "failed":
                self._jobs.pop(key, None)
                job = self._jobs[key] = Job(key)
                self._queue.put((job, work))
                self._forget()
            if self._worker is None:
                self._worker = threading.Thread(target=self._run, name="jobs", daemon=True)
                self._worker.start()
            return job

    def find(self, key: Hashable) -> Job[Any] | None:
        """The job of this key, if it was started and is not forgotten."""
        with self._lock:
            return self._jobs.get(key)

    def all(self) -> list[Job[Any]]:
        """All that are not forgotten, in the order of their start."""
        with self._lock:
            return list(self._jobs.values())

    def _forget(self) -> None:
        over = [key for key, job in self._jobs.items() if job.state.over]
        for key in over[: max(0, len(over) - _REMEMBERED)]:
            del self._jobs[key]

    def _run(self) -> None:
        while True:
            self._do(*self._queue.get())

    def _do(self, job: Job[Any], work: Callable[[ProgressReporter], Any]) -> None:
        reporter = _JobReporter(job, self._priority_lock, self._clock)
        try:
            with self._priority_lock.background(reporter.check):
                with job._lock:
                    reporter.check()
                    job._state = JobState("running")
                job._result = work(reporter)
            end = replace(job.state, status="finished")
        except _Cancelled:
            end = replace(job.state, status="cancelled")
        except InputError as error:
            end = replace(job.state, status="failed", problem=str(error))
        except BaseException as error:
            _log.exception("a job failed")
            end = replace(job.state, status="failed", problem=f"{type(error).__name__}: {error}")
        with job._lock:
            if not job.state.over:
                job._end(end)
