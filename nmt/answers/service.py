"""A service that finds answers in memory or in storage, or computes them now or in the background. Background jobs run
one after another, and any thread may inspect or cancel them."""

import logging
import queue
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeVar, cast

from nmt.answers.request import Progress, ProgressReporter, Task
from nmt.answers.shared_queue import Item, PriorityLock, SharedQueue, Work
from nmt.errors import InputError

Result = TypeVar("Result")
Status = Literal["waiting", "running", "finished", "cancelled", "failed"]

_NOTHING = Progress(0, 0)

_log = logging.getLogger(__name__)


@dataclass(frozen=True, kw_only=True)
class ComputationState:
    """Snapshot of a computation.

    Attributes:
        words_per_second: source words translated per second since the stage began, or None before the first word.
        seconds_left: estimated time left in this stage at the present rate, or None if unknown.
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


class Computation:
    """A requested piece of work that stores its own result. Every method may be called from any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._over = threading.Event()
        self._cancelled = threading.Event()
        self._state = ComputationState()

    @property
    def state(self) -> ComputationState:
        return self._state

    def cancel(self) -> None:
        """Cancel the job: at once if it is waiting, at its next step if it is running. Results saved on disk remain."""
        self._cancelled.set()
        with self._lock:
            if self._state.status == "waiting":
                self._end("cancelled")

    def wait(self, timeout: float | None = None) -> bool:
        """Wait until the job is over. Return False if it is not over after ``timeout`` seconds."""
        return self._over.wait(timeout)

    def _end(self, status: Status, problem: str = "") -> None:
        self._state = replace(self._state, status=status, problem=problem, seconds_left=None)
        self._over.set()


class _Cancelled(BaseException):
    """Signal that ends the work. It is no Exception, so ``except Exception`` in the work does not catch it."""


class _ComputationReporter(ProgressReporter):
    """A job's progress reporter. It records progress, yields to foreground requests, and ends a cancelled job."""

    def __init__(self, job: Computation, priority_lock: PriorityLock, clock: Callable[[], float]) -> None:
        self._job, self._priority_lock, self._clock = job, priority_lock, clock

    @contextmanager
    def stage(self, name: str, total: int) -> Iterator[Callable[[Progress], None]]:
        began, before = self._clock(), None

        def show(progress: Progress) -> None:
            nonlocal before
            before = before or progress
            self._job._state = _running(name, progress, before, self._clock() - began)
            self.checkpoint()

        self._job._state = ComputationState(status="running", stage=name, progress=Progress(0, total))
        yield show

    def checkpoint(self) -> None:
        self.check()
        self._priority_lock.yield_()

    def check(self) -> None:
        if self._job._cancelled.is_set():
            raise _Cancelled


def _running(stage: str, progress: Progress, before: Progress, seconds: float) -> ComputationState:
    """Compute the state of a stage that began ``seconds`` ago. ``before``: the first progress of the stage."""
    in_words = progress.words_done + progress.words_left > 0
    done = progress.words_done if in_words else progress.done - before.done
    left = progress.words_left if in_words else progress.total - progress.done
    rate = done / seconds if done > 0 and seconds > 0 else None
    return ComputationState(
        status="running",
        stage=stage,
        progress=progress,
        words_per_second=rate if in_words else None,
        seconds_left=left / rate if rate is not None else None,
    )


JOBS_REMEMBERED = 32
"""Largest number of finished jobs in memory."""


class Computations:
    """A queue of computations. One thread runs them in the order of the requests.

    While a computation runs, it holds the lock with background priority. ``priority_lock``: shared with all other
    computations. A job yields to foreground work at each of its steps."""

    def __init__(self, priority_lock: PriorityLock, clock: Callable[[], float] = time.monotonic) -> None:
        self._priority_lock, self._clock = priority_lock, clock
        self._lock = threading.Lock()
        self._jobs: dict[Hashable, Computation] = {}
        self._watched: dict[tuple[str, str], frozenset[str]] = {}  # keys by session and kind of work
        self._queue: queue.SimpleQueue[tuple[Computation, Callable[[ProgressReporter], object]]] = queue.SimpleQueue()
        self._worker: threading.Thread | None = None

    def start(self, key: Hashable, work: Callable[[ProgressReporter], object], lost: bool = False) -> Computation:
        """Return the job of this key. Start a new job if there is none, or if the last one was cancelled or failed.

        Args:
            work: called in the queue's thread with a progress reporter. The message of an InputError becomes the job's
                ``problem``. Any other error is logged, and ``problem`` has its type and message.
            lost: whether the result of a finished job of this key is gone. If so, a new job starts.
        """
        with self._lock:
            job = self._jobs.get(key)
            if job is None or job._cancelled.is_set() or job.state.status == "failed" or (lost and job.state.over):
                self._jobs.pop(key, None)
                job = self._jobs[key] = Computation()
                self._queue.put((job, work))
                over = [old_key for old_key, existing in self._jobs.items() if existing.state.over]
                for old_key in over[: max(0, len(over) - JOBS_REMEMBERED)]:
                    del self._jobs[old_key]
            if self._worker is None:
                self._worker = threading.Thread(target=self._run, name="jobs", daemon=True)
                self._worker.start()
            return job

    def find(self, key: Hashable) -> Computation | None:
        """Find the job of this key, or None if it was never started or is no longer in memory."""
        with self._lock:
            return self._jobs.get(key)

    def all(self) -> list[Computation]:
        """List all jobs in memory, in order of start."""
        with self._lock:
            return list(self._jobs.values())

    def watch(self, session: str, kind: str, keys: Iterable[str]) -> None:
        """Register the keys of all work of one kind that a session watches from now on. Cancel each job that it no
        longer watches, unless another session does. If a session ends without another call, its jobs run to the end."""
        with self._lock:
            before = self._watched.pop((session, kind), frozenset())
            now = frozenset(keys)
            if now:
                self._watched[session, kind] = now
            others: frozenset[str] = frozenset().union(*self._watched.values())
            left = [job for key in before - others if (job := self._jobs.get(key)) is not None]
        for job in left:
            if not job.state.over:
                job.cancel()

    def _run(self) -> None:
        while True:
            self._do(*self._queue.get())

    def _do(self, job: Computation, work: Callable[[ProgressReporter], object]) -> None:
        reporter = _ComputationReporter(job, self._priority_lock, self._clock)
        status: Status = "finished"
        problem = ""
        try:
            with self._priority_lock.background(reporter.check):
                with job._lock:
                    reporter.check()
                    job._state = ComputationState(status="running")
                work(reporter)
        except _Cancelled:
            status = "cancelled"
        except InputError as error:
            status, problem = "failed", str(error)
        except BaseException as error:
            _log.exception("a job failed")
            status, problem = "failed", f"{type(error).__name__}: {error}"
        with job._lock:
            if not job.state.over:
                job._end(status, problem)


REMEMBERED = 256
"""Largest number of answers in memory. The least recently used answers are removed first."""
_TYPED, QUICK, _PAUSE, _MOST_WAITING = 32, 0.6, 60.0, 5
"""For sentences being typed: largest number of answers in memory, most seconds that an answer may take, seconds until a
search that took longer is tried again, and largest number of other requests that may wait."""
_TOGETHER = 32
"""Largest number of items under way in the shared queue. More items wait."""


class ComputeService:
    """A service that does one computation at a time for all threads. All items of the queue count as one computation.
    ``priority_lock``: held during a computation. Foreground requests go before background jobs."""

    def __init__(self) -> None:
        self.priority_lock = PriorityLock()
        self.jobs = Computations(self.priority_lock)
        self.queue = SharedQueue("shared tasks", _TOGETHER, self.priority_lock)
        self._lock = threading.Lock()
        self._answers: OrderedDict[str, Any] = OrderedDict()
        self._typed: OrderedDict[str, Any] = OrderedDict()
        self._slow: dict[str, float] = {}  # time at which a search took too long

    def find(self, task: Task[Result]) -> Result | None:
        """Return the answer from memory or storage. None if the answer must be computed."""
        answer: Result | None = self._recall(task.key)
        if answer is None and (answer := task.stored()) is not None:
            answer = self._remember(task.key, answer)
        return answer

    def compute(self, task: Task[Result], progress: ProgressReporter) -> Result:
        """Compute in this thread, before background jobs. If the answer is in memory when the task's turn comes,
        return this answer. An exception of ``progress`` ends the request. Raises the InputErrors of the task."""
        with self.priority_lock.foreground(progress.wait) if task.alone else nullcontext():
            answer: Result | None = self._recall(task.key)
            return self._run(task, progress) if answer is None else answer

    def quick(self, search: str) -> bool:
        """Whether a sentence may be translated while it is typed: the search was fast lately, and few users wait."""
        slow = self._slow.get(search, -_PAUSE)
        return time.monotonic() - slow >= _PAUSE and self.queue.askers + self.priority_lock.waiting <= _MOST_WAITING

    def typed(self, key: str) -> Any:
        """The answer to a sentence that was being typed, or None."""
        with self._lock:
            return self._typed.get(key)

    def compute_typed(
        self, key: str, search: str, work: Work[Item, Result], item: Item, check: Callable[[], None]
    ) -> Result | None:
        """Compute the answer to a sentence that is being typed, step by step between the steps of other work. The
        answer is stored only in memory. None if the work after the first step takes more than ``QUICK`` seconds.
        ``check``: called before each step, and often while waiting for other work. Its exception ends the work.

        Raises the InputErrors of the task.
        """
        under_way, seconds, ended, first = work.begin(), 0.0, dict[int, Any](), True
        under_way.join(0, item)
        while not ended:
            if seconds > QUICK:
                self._slow[search] = time.monotonic()
                return None
            check()
            with self.priority_lock.background(check):
                start = time.perf_counter()
                ended = {**under_way.step()}
                seconds += 0.0 if first else time.perf_counter() - start  # the first step prepares a model
                first = False
        (answer,) = ended.values()
        if isinstance(answer, Exception):
            raise answer
        with self._lock:
            self._typed[key] = answer
            while len(self._typed) > _TYPED:
                self._typed.popitem(last=False)
        return cast(Result, answer)

    def start(self, task: Task[Any]) -> Computation:
        """Compute in the background. Return the new job, or the job of this task that exists already."""
        return self.jobs.start(task.key, lambda progress: self._run(task, progress), self._recall(task.key) is None)

    def job(self, task: Task[Any]) -> Computation | None:
        """Return the background job of the task, or None if it was never started or is no longer in memory."""
        return self.jobs.find(task.key)

    def _run(self, task: Task[Result], progress: ProgressReporter) -> Result:
        return self._remember(task.key, task.run(progress))

    def _recall(self, key: str) -> Any:
        with self._lock:
            if key in self._answers:
                self._answers.move_to_end(key)
            return self._answers.get(key)

    def _remember(self, key: str, answer: Result) -> Result:
        """Store an answer in memory, unless the key has one already. Returns the answer in memory."""
        with self._lock:
            remembered: Result = self._answers.setdefault(key, answer)
            self._answers.move_to_end(key)
            while len(self._answers) > REMEMBERED:
                self._answers.popitem(last=False)
        return remembered
