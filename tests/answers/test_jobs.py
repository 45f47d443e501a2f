"""Computations in the background: one at a time, behind pages, the same for all who ask, ended where it is told."""

import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from nmt.answers.request import Progress, ProgressReporter
from nmt.answers.service import JOBS_REMEMBERED, Computation, Computations, ComputationState
from nmt.answers.shared_queue import PriorityLock
from nmt.errors import InputError

Work = Callable[[ProgressReporter], Any]


class Clock:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def priority_lock() -> PriorityLock:
    return PriorityLock()


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def jobs(priority_lock: PriorityLock, clock: Clock) -> Computations:
    return Computations(priority_lock, clock)


class Gate:
    """Work that waits in its middle until it is let through."""

    def __init__(self) -> None:
        self.begun, self.go_on = threading.Event(), threading.Event()
        self.calls = self.ends = 0

    def __call__(self, reporter: ProgressReporter) -> None:
        self.calls += 1
        self.begun.set()
        assert self.go_on.wait(20)
        reporter.checkpoint()
        self.ends += 1


@pytest.fixture
def gate() -> Iterator[Gate]:
    gate = Gate()
    yield gate
    gate.go_on.set()


def test_asking_twice_gives_the_same_job(jobs: Computations, gate: Gate) -> None:
    first = jobs.start(("a", 1), gate)
    assert jobs.start(("a", 1), gate) is first
    assert jobs.find(("a", 1)) is first
    assert jobs.find("another") is None
    gate.go_on.set()
    assert first.wait(20)
    assert jobs.start(("a", 1), gate) is first
    assert gate.calls == 1
    assert jobs.all() == [first]


def test_one_at_a_time_in_the_order_asked_for(jobs: Computations, gate: Gate) -> None:
    order: list[int] = []
    first = jobs.start("gate", gate)
    others = [jobs.start(i, lambda reporter, i=i: order.append(i)) for i in range(5)]
    assert gate.begun.wait(20)
    assert [job.state.status for job in (first, *others)] == ["running"] + ["waiting"] * 5
    assert not others[0].wait(0.1)
    gate.go_on.set()
    assert all(job.wait(20) for job in others)
    assert order == [0, 1, 2, 3, 4]


def test_progress_rate_and_time_left(jobs: Computations, clock: Clock) -> None:
    seen: list[ComputationState] = []

    def work(reporter: ProgressReporter) -> None:
        def look() -> None:
            seen.append(job.state)

        clock.now = 100
        with reporter.stage("translate", 10) as show:
            look()
            show(Progress(4, 10, words_left=60))
            look()
            show(Progress(4, 10, words_done=10, words_left=50))  # within the first tick of the clock
            clock.now = 102
            show(Progress(5, 10, words_done=20, words_left=40))
            look()
        with reporter.stage("count", 50) as show:
            show(Progress(10, 50))
            clock.now = 106
            show(Progress(30, 50))
            look()
        with reporter.stage("slow", 4) as show:
            show(Progress(0, 4))
            clock.now = 106.5
            show(Progress(1, 4))
            look()

    made = threading.Event()

    def when_made(reporter: ProgressReporter) -> None:
        assert made.wait(20)
        work(reporter)

    job: Computation = jobs.start("a", when_made)
    made.set()
    assert job.wait(20)
    assert job.state.problem == ""
    assert seen == [
        ComputationState(status="running", stage="translate", progress=Progress(0, 10)),
        ComputationState(status="running", stage="translate", progress=Progress(4, 10, words_left=60)),
        ComputationState(
            status="running",
            stage="translate",
            progress=Progress(5, 10, words_done=20, words_left=40),
            words_per_second=10,
            seconds_left=4,
        ),
        ComputationState(status="running", stage="count", progress=Progress(30, 50), seconds_left=4),  # 20 in 4 seconds
        ComputationState(
            status="running", stage="slow", progress=Progress(1, 4), seconds_left=1.5
        ),  # 1 in half a second
    ]
    assert job.state == ComputationState(status="finished", stage="slow", progress=Progress(1, 4))


def test_a_running_job_ends_at_its_next_step(jobs: Computations, gate: Gate) -> None:
    job = jobs.start("a", gate)
    assert gate.begun.wait(20)
    job.cancel()
    assert job.state.status == "running"
    gate.go_on.set()
    assert job.wait(20)
    assert (job.state.status, gate.ends) == ("cancelled", 0)
    again = jobs.start("a", gate)
    assert again is not job
    assert again.wait(20)
    assert (again.state.status, gate.calls, gate.ends) == ("finished", 2, 1)


def test_a_waiting_job_ends_at_once_and_is_never_begun(jobs: Computations, gate: Gate) -> None:
    begun: list[str] = []
    jobs.start("gate", gate)
    waiting = jobs.start("a", lambda reporter: begun.append("a"))
    last = jobs.start("b", lambda reporter: begun.append("b"))
    waiting.cancel()
    assert waiting.state.status == "cancelled"
    assert waiting.wait(0)
    gate.go_on.set()
    assert last.wait(20)
    assert begun == ["b"]
    assert waiting.state.status == "cancelled"


def test_cancelled_and_asked_for_again_before_it_ended(jobs: Computations, gate: Gate) -> None:
    job = jobs.start("a", gate)
    assert gate.begun.wait(20)
    job.cancel()
    again = jobs.start("a", lambda reporter: "anew")
    assert again is not job
    gate.go_on.set()
    assert again.wait(20)
    assert (job.state.status, again.state.status) == ("cancelled", "finished")


def test_a_job_that_waits_for_its_turn_can_be_cancelled(jobs: Computations, priority_lock: PriorityLock) -> None:
    with priority_lock.foreground():
        job = jobs.start("a", lambda reporter: "never")
        assert not job.wait(0.1)
        job.cancel()
        assert job.wait(0)
    assert jobs.start("b", lambda reporter: "next").wait(20)
    assert job.state.status == "cancelled"


def test_failures_are_one_sentence(jobs: Computations, caplog: pytest.LogCaptureFixture) -> None:
    def wrong(reporter: ProgressReporter) -> None:
        raise InputError("the beam is too wide")

    def bug(reporter: ProgressReporter) -> None:
        raise ZeroDivisionError("a bug")

    first, second = jobs.start("a", wrong), jobs.start("b", bug)
    assert first.wait(20)
    assert second.wait(20)
    assert (first.state.status, first.state.problem) == ("failed", "the beam is too wide")
    assert (second.state.status, second.state.problem) == ("failed", "ZeroDivisionError: a bug")
    assert "Traceback" in caplog.text
    assert caplog.text.count("Traceback") == 1
    again = jobs.start("a", lambda reporter: "now it works")
    assert again.wait(20)
    assert again.state.status == "finished"


def test_a_job_lets_others_go_first_at_every_step(jobs: Computations, priority_lock: PriorityLock) -> None:
    order: list[str] = []
    waits = threading.Event()

    def work(reporter: ProgressReporter) -> None:
        with reporter.stage("translate", 2) as show:
            order.append("first half")
            begun.set()
            assert waits.wait(20)
            show(Progress(1, 2))
            order.append("second half")

    begun = threading.Event()
    job = jobs.start("a", work)
    assert begun.wait(20)
    with priority_lock.foreground(waits.set):
        order.append("page")
        assert job.state.status == "running"
    assert job.wait(20)
    assert order == ["first half", "page", "second half"]


def test_old_jobs_are_forgotten_but_none_that_is_not_over(gate: Gate) -> None:
    jobs = Computations(PriorityLock())
    over = [jobs.start(i, lambda reporter: None) for i in range(JOBS_REMEMBERED + 3)]
    assert all(job.wait(20) for job in over)
    running, waiting = jobs.start("gate", gate), jobs.start("waiting", lambda reporter: None)
    assert jobs.all() == [*over[3:], running, waiting]


def test_a_job_that_no_session_watches_any_more_is_cancelled(jobs: Computations, gate: Gate) -> None:
    running, waiting, other = jobs.start("a", gate), jobs.start("b", gate), jobs.start("c", gate)
    jobs.watch("one", "texts", ["a", "b"])
    jobs.watch("two", "texts", ["a"])
    jobs.watch("one", "stress", ["c"])
    assert gate.begun.wait(20)
    jobs.watch("one", "texts", [])
    assert waiting.state.status == "cancelled"
    assert (running.state.status, other.state.status) == ("running", "waiting")
    jobs.watch("two", "texts", ["b"])
    gate.go_on.set()
    assert running.wait(20)
    assert running.state.status == "cancelled"
    jobs.watch("two", "texts", [])  # over already
    assert other.wait(20)
    assert other.state.status == "finished"
