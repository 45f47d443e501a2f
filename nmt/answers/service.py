"""Compute service: an answer from memory, from disk, or by computing now or in the background."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator
from concurrent.futures import wait
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from nmt.answers.jobs import Job, Jobs
from nmt.answers.priority_lock import PriorityLock
from nmt.answers.request import LOADING, Progress, ProgressReporter, SharedTask, Task
from nmt.answers.shared_queue import Request, SharedQueue

Result = TypeVar("Result")

REMEMBERED = 256

_TOGETHER = 32
"""Number of items that are worked on together at most; the others wait."""
_POLL_SECONDS = 0.25
"""Seconds between two reports of the progress of a shared item."""


@dataclass(frozen=True)
class Answer(Generic[Result]):
    """A result, and the seconds it took to compute without loading models; None if it was read from disk."""

    result: Result
    seconds: float | None


@dataclass(eq=False)
class _PendingRequest:
    """A request under way, the number of threads that wait for it, and the lock under which the first of them saves the
    result."""

    request: Request[Any]
    waiting: int = 0
    saving: threading.Lock = field(default_factory=threading.Lock)


class ComputeService:
    """Service that does one computation at a time for all threads that use it; all shared tasks together count as one.

    Args:
        remembered: number of the latest answers that are kept in memory.
        clock: returns the time in seconds.

    Attributes:
        priority_lock: held by whoever computes; foreground requests go before background jobs.
        jobs: the background jobs, by the keys of their tasks.
    """

    def __init__(self, remembered: int = REMEMBERED, clock: Callable[[], float] = time.perf_counter) -> None:
        self.priority_lock = PriorityLock()
        self.jobs = Jobs(self.priority_lock)
        self._remembered, self._clock = remembered, clock
        self._lock = threading.Lock()
        self._answers: OrderedDict[str, Answer[Any]] = OrderedDict()
        self._queue = SharedQueue("shared tasks", _TOGETHER, self.priority_lock)
        self._pending: dict[str, _PendingRequest] = {}

    def find(self, task: Task[Result]) -> Answer[Result] | None:
        """Return the answer from memory or disk; None if it has to be computed."""
        key = task.key
        answer = self._recall(key)
        if answer is None:
            result = task.stored()
            answer = None if result is None else self._remember(key, Answer(result, None))
        return answer

    def compute(
        self, task: Task[Result], progress: ProgressReporter, on_wait: Callable[[], None] = lambda: None
    ) -> Answer[Result]:
        """Compute before any background job, in this thread or together with others; or take the answer of somebody who
        just did.

        ``on_wait`` is called again and again while something else is computed; what it or ``progress`` raises ends the
        request. Raises InputError as the task does.
        """
        if isinstance(task, SharedTask):
            return self._compute_together(task, progress, on_wait)
        with self.priority_lock.foreground(on_wait):
            answer = self._recall(task.key)
            return self._run(task, progress) if answer is None else answer

    def start(self, task: Task[Result]) -> Job[Result]:
        """Compute in the background; returns the job under way if there is one."""
        return self.jobs.start(task.key, lambda progress: self._run(task, progress).result)

    def job(self, task: Task[Result]) -> Job[Result] | None:
        """Return the background job of the task; None if it was never started or is no longer remembered."""
        return self.jobs.find(task.key)

    def _run(self, task: Task[Result], progress: ProgressReporter) -> Answer[Result]:
        key, start = task.key, self._clock()
        timed = _WithoutLoading(progress, self._clock)
        result = task.run(timed)
        return self._remember(key, Answer(result, self._clock() - start - timed.loading))

    def _compute_together(
        self, task: SharedTask[Result], progress: ProgressReporter, on_wait: Callable[[], None]
    ) -> Answer[Result]:
        key = task.key
        known: Answer[Result] | None = self._recall(key)
        if known is not None:
            return known
        pending = self._join(key) or self._submit(key, task, progress)
        try:
            result = _wait(pending.request, task, progress, on_wait)
            with pending.saving:
                answer = self._recall(key)
                if answer is None:
                    task.keep(result)
                    answer = self._remember(key, Answer(result, pending.request.seconds))
            return answer
        finally:
            with self._lock:
                pending.waiting -= 1
                if not pending.waiting:
                    pending.request.cancel()
                    del self._pending[key]

    def _join(self, key: str) -> _PendingRequest | None:
        """Join the request that another thread has made for this key; None if there is none."""
        with self._lock:
            request = self._pending.get(key)
            if request is not None:
                request.waiting += 1
            return request

    def _submit(self, key: str, task: SharedTask[Any], progress: ProgressReporter) -> _PendingRequest:
        share = task.share(progress)
        with self._lock:
            request = self._pending.get(key)  # somebody else may have been quicker
            if request is None:
                request = self._pending[key] = _PendingRequest(self._queue.submit(share.work, [share.item])[0])
            request.waiting += 1
            return request

    def _recall(self, key: str) -> Answer[Any] | None:
        with self._lock:
            if key in self._answers:
                self._answers.move_to_end(key)
            return self._answers.get(key)

    def _remember(self, key: str, answer: Answer[Result]) -> Answer[Result]:
        with self._lock:
            self._answers[key] = answer
            self._answers.move_to_end(key)
            while len(self._answers) > self._remembered:
                self._answers.popitem(last=False)
        return answer


def _wait(
    request: Request[Result], task: SharedTask[Result], progress: ProgressReporter, on_wait: Callable[[], None]
) -> Result:
    """Wait for the result, and show how far it is."""
    with ExitStack() as stack:
        show: Callable[[Progress], None] | None = None
        while not wait([request], _POLL_SECONDS).done:
            if request.progress is None:
                on_wait()
                continue
            show = show or stack.enter_context(progress.stage(task.stage, 0))
            show(task.steps(*request.progress))
        return request.result()


class _WithoutLoading(ProgressReporter):
    """Passes everything on, and sums the seconds in which models are loaded."""

    def __init__(self, progress: ProgressReporter, clock: Callable[[], float]) -> None:
        self._progress, self._clock = progress, clock
        self.loading = 0.0

    @contextmanager
    def stage(self, name: str, total: int) -> Iterator[Callable[[Progress], None]]:
        began = self._clock() if name == LOADING else 0.0
        with self._progress.stage(name, total) as show:
            yield show
        if name == LOADING:
            self.loading += self._clock() - began

    def checkpoint(self) -> None:
        self._progress.checkpoint()
