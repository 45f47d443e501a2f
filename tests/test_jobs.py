"""Jobs: one at a time, behind whoever waits at a page, each the same for all who ask, and ended where it is told to."""

import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from nmt import jobs as jobs_module
from nmt.errors import InputError
from nmt.jobs import Job, Jobs, JobState
from nmt.turns import Turns
from nmt.watching import Progress, Watcher

Work = Callable[[Watcher], Any]


class Clock:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def turns() -> Turns:
    return Turns()


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def jobs(turns: Turns, clock: Clock) -> Jobs:
    return Jobs(turns, clock)


class Gate:
    """Work that waits in its middle until it is let through."""

    def __init__(self) -> None:
        self.begun, self.go_on = threading.Event(), threading.Event()
        self.calls = 0

    def __call__(self, watcher: Watcher) -> str:
        self.calls += 1
        self.begun.set()
        assert self.go_on.wait(20)
        watcher.step()
        return "done"


@pytest.fixture
def gate() -> Iterator[Gate]:
    gate = Gate()
    yield gate
    gate.go_on.set()


def test_a_job_gives_its_result(jobs: Jobs) -> None:
    job = jobs.start("key", lambda watcher: [1, 2])
    assert job.wait(20)
    assert (job.result, job.state.status, job.state.over, job.key) == ([1, 2], "finished", True, "key")


def test_asking_twice_gives_the_same_job(jobs: Jobs, gate: Gate) -> None:
    first = jobs.start(("a", 1), gate)
    assert jobs.start(("a", 1), gate) is first
    assert jobs.find(("a", 1)) is first
    assert jobs.find("another") is None
    gate.go_on.set()
    assert first.wait(20)
    assert jobs.start(("a", 1), gate) is first
    assert gate.calls == 1
    assert jobs.all() == [first]


def test_one_at_a_time_in_the_order_asked_for(jobs: Jobs, gate: Gate) -> None:
    order: list[int] = []
    first = jobs.start("gate", gate)
    others = [jobs.start(i, lambda watcher, i=i: order.append(i)) for i in range(5)]
    assert gate.begun.wait(20)
    assert [job.state.status for job in (first, *others)] == ["running"] + ["waiting"] * 5
    assert not others[0].wait(0.1)
    gate.go_on.set()
    assert all(job.wait(20) for job in others)
    assert order == [0, 1, 2, 3, 4]


def test_progress_rate_and_time_left(jobs: Jobs, clock: Clock) -> None:
    seen: list[JobState] = []

    def work(watcher: Watcher) -> None:
        def look() -> None:
            seen.append(job.state)

        clock.now = 100
        with watcher.stage("translate", 10) as show:
            look()
            show(Progress(4, 10, 0, 60))
            look()
            clock.now = 102
            show(Progress(5, 10, 20, 40))
            look()
        with watcher.stage("count", 50) as show:
            show(Progress(10, 50))
            clock.now = 106
            show(Progress(30, 50))
            look()

    made = threading.Event()

    def when_made(watcher: Watcher) -> None:
        assert made.wait(20)
        work(watcher)

    job: Job[None] = jobs.start("a", when_made)
    made.set()
    assert job.wait(20)
    assert job.state.problem == ""
    assert seen == [
        JobState("running", "translate", Progress(0, 10)),
        JobState("running", "translate", Progress(4, 10, 0, 60)),
        JobState("running", "translate", Progress(5, 10, 20, 40), words_per_second=10, seconds_left=4),
        JobState("running", "count", Progress(30, 50), seconds_left=4),  # 20 in 4 seconds
    ]
    assert job.state == JobState("finished", "count", Progress(30, 50))


def test_a_running_job_ends_at_its_next_step(jobs: Jobs, gate: Gate) -> None:
    job = jobs.start("a", gate)
    assert gate.begun.wait(20)
    job.cancel()
    assert job.state.status == "running"
    gate.go_on.set()
    assert job.wait(20)
    assert (job.state.status, job.result) == ("cancelled", None)
    again = jobs.start("a", gate)
    assert again is not job
    assert again.wait(20)
    assert (again.result, gate.calls) == ("done", 2)


def test_a_waiting_job_ends_at_once_and_is_never_begun(jobs: Jobs, gate: Gate) -> None:
    begun: list[str] = []
    jobs.start("gate", gate)
    waiting = jobs.start("a", lambda watcher: begun.append("a"))
    last = jobs.start("b", lambda watcher: begun.append("b"))
    waiting.cancel()
    assert waiting.state.status == "cancelled"
    assert waiting.wait(0)
    gate.go_on.set()
    assert last.wait(20)
    assert begun == ["b"]
    assert waiting.state.status == "cancelled"


def test_cancelled_and_asked_for_again_before_it_ended(jobs: Jobs, gate: Gate) -> None:
    job = jobs.start("a", gate)
    assert gate.begun.wait(20)
    job.cancel()
    again = jobs.start("a", lambda watcher: "anew")
    assert again is not job
    gate.go_on.set()
    assert again.wait(20)
    assert (job.state.status, again.result) == ("cancelled", "anew")


def test_a_job_that_waits_for_its_turn_can_be_cancelled(jobs: Jobs, turns: Turns) -> None:
    with turns.urgent():
        job = jobs.start("a", lambda watcher: "never")
        assert not job.wait(0.1)
        job.cancel()
        assert job.wait(0)
    assert jobs.start("b", lambda watcher: "next").wait(20)
    assert job.state.status == "cancelled"


def test_failures_are_one_sentence(jobs: Jobs, caplog: pytest.LogCaptureFixture) -> None:
    def wrong(watcher: Watcher) -> None:
        raise InputError("the beam is too wide")

    def bug(watcher: Watcher) -> None:
        raise ZeroDivisionError("a bug")

    first, second = jobs.start("a", wrong), jobs.start("b", bug)
    assert first.wait(20)
    assert second.wait(20)
    assert (first.state.status, first.state.problem) == ("failed", "the beam is too wide")
    assert (second.state.status, second.state.problem) == ("failed", "ZeroDivisionError: a bug")
    assert "Traceback" in caplog.text
    assert caplog.text.count("Traceback") == 1
    again = jobs.start("a", lambda watcher: "now it works")
    assert again.wait(20)
    assert again.result == "now it works"


def test_a_job_lets_others_go_first_at_every_step(jobs: Jobs, turns: Turns) -> None:
    order: list[str] = []
    waits = threading.Event()

    def work(watcher: Watcher) -> None:
        with watcher.stage("translate", 2) as show:
            order.append("first half")
            begun.set()
            assert waits.wait(20)
            show(Progress(1, 2))
            order.append("second half")

    begun = threading.Event()
    job = jobs.start("a", work)
    assert begun.wait(20)
    with turns.urgent(waits.set):
        order.append("page")
        assert job.state.status == "running"
    assert job.wait(20)
    assert order == ["first half", "page", "second half"]


def test_old_jobs_are_forgotten_but_none_that_is_not_over(
    jobs: Jobs, gate: Gate, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jobs_module, "_REMEMBERED", 3)
    over = [jobs.start(i, lambda watcher: None) for i in range(6)]
    assert all(job.wait(20) for job in over)
    running, waiting = jobs.start("gate", gate), jobs.start("waiting", lambda watcher: None)
    assert jobs.all() == [*over[3:], running, waiting]
