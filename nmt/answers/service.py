"""The way to an answer: from memory, from what is stored, or by computing now or in the background."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator
from concurrent.futures import wait
from contextlib import ExitStack, contextmanager
from typing import Any, TypeVar

from nmt.answers.jobs import Job, Jobs
from nmt.answers.priority_lock import PriorityLock
from nmt.answers.request import LOADING, Answer, Progress, ProgressReporter, SharedTask, Task
from nmt.answers.shared_queue import Pending, SharedQueue, Work

Result = TypeVar("Result")

REMEMBERED = 256

_TOGETHER = 32
"""Number of items that are worked on together at most; the others wait."""
_POLL_SECONDS = 0.25
"""Seconds between two reports of the progress of a shared item."""


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
        self._pending: dict[str, Pending[Any]] = {}

    def find(self, task: Task[Result] | SharedTask[Result]) -> Answer[Result] | None:
        """Return the answer from memory, or what is stored of it; None if it has to be computed."""
        answer = self._recall(task.key)
        if answer is None:
            result = task.stored()
            answer = None if result is None else self._remember(task.key, Answer(result, None))
        return answer

    def compute(
        self,
        task: Task[Result] | SharedTask[Result],
        progress: ProgressReporter,
        on_wait: Callable[[], None] = lambda: None,
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
        start = self._clock()
        timed = _WithoutLoading(progress, self._clock)
        result = task.run(timed)
        return self._remember(task.key, Answer(result, self._clock() - start - timed.loading))

    def _compute_together(
        self, task: SharedTask[Result], progress: ProgressReporter, on_wait: Callable[[], None]
    ) -> Answer[Result]:
        known: Answer[Result] | None = self._recall(task.key)
        if known is not None:
            return known
        pending = self._join(task) or self._join(task, *task.share(progress))
        assert pending is not None
        try:
            own = Answer(_wait(pending, task, progress, on_wait), pending.seconds)
            answer = self._remember(task.key, own)
            if answer is own:
                task.keep(answer.result)
            return answer
        finally:
            with self._lock:
                pending.askers -= 1
                if not pending.askers:
                    pending.cancel()
                    del self._pending[task.key]

    def _join(self, task: SharedTask[Any], work: Work[Any, Any] | None = None, item: Any = None) -> Pending[Any] | None:
        """Join those who wait for this key, or else submit the item; None if there is neither."""
        with self._lock:
            pending = self._pending.get(task.key)
            if pending is None and work is not None:
                (pending,) = self._queue.submit(work, [item])
                self._pending[task.key] = pending
            if pending is not None:
                pending.askers += 1
            return pending

    def _recall(self, key: str) -> Answer[Any] | None:
        with self._lock:
            if key in self._answers:
                self._answers.move_to_end(key)
            return self._answers.get(key)

    def _remember(self, key: str, answer: Answer[Result]) -> Answer[Result]:
        """Keep an answer in memory, unless there is one; returns the one that is kept."""
        with self._lock:
            answer = self._answers.setdefault(key, answer)
            self._answers.move_to_end(key)
            while len(self._answers) > self._remembered:
                self._answers.popitem(last=False)
        return answer


def _wait(
    pending: Pending[Result], task: SharedTask[Result], progress: ProgressReporter, on_wait: Callable[[], None]
) -> Result:
    """Wait for the result, and show how far it is."""
    with ExitStack() as stack:
        show: Callable[[Progress], None] | None = None
        while not wait([pending], _POLL_SECONDS).done:
            if pending.progress is None:
                on_wait()
                continue
            show = show or stack.enter_context(progress.stage(task.stage, 0))
            show(task.progress(*pending.progress))
        return pending.result()


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
