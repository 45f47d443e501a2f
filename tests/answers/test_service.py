"""Compute service: each answer once, from memory, disk, or computed now or in the background, with a way out."""

import threading
from collections.abc import Callable
from dataclasses import dataclass, field

import pytest

from nmt.answers.keys import task_key
from nmt.answers.request import LOADING, Progress, ProgressReporter, Task
from nmt.answers.service import _TYPED, REMEMBERED, ComputeService
from nmt.answers.shared_queue import SharedQueue
from tests.answers.counting import FAULTY, Counting, Gate
from tests.answers.onlooker import Onlooker


@dataclass
class Count(Task[int]):
    """Counts to ``to``; keeps its result on ``disk``."""

    to: int
    disk: dict[str, int] = field(default_factory=dict)
    runs: list[int] = field(default_factory=list)

    @property
    def key(self) -> str:
        return task_key("count", self.to)

    def stored(self) -> int | None:
        return self.disk.get(self.key)

    def run(self, progress: ProgressReporter) -> int:
        self.runs.append(self.to)
        with progress.stage(LOADING, 0):
            progress.checkpoint()
        with progress.stage("count", self.to) as show:
            for i in range(self.to):
                show(Progress(i, self.to))
        self.disk[self.key] = self.to
        return self.to


class GiveUp(BaseException):
    """As Streamlit's own signal, no Exception."""


def test_two_who_ask_the_same_get_one_computation() -> None:
    service, task = ComputeService(), Count(3)
    answers: list[int] = []
    begun, go_on, waited = threading.Event(), threading.Event(), threading.Event()

    def first_step(done: int) -> None:
        begun.set()
        assert go_on.wait(10)

    def ask(on_step: Callable[[int], None], on_wait: Callable[[], None]) -> None:
        answers.append(service.compute(task, Onlooker(on_step, on_wait)))

    first = threading.Thread(target=ask, args=(first_step, waited.set))
    second = threading.Thread(target=ask, args=(lambda done: None, waited.set))
    first.start()
    assert begun.wait(10)
    second.start()
    assert waited.wait(10)
    go_on.set()
    first.join(10)
    second.join(10)
    assert answers == [3, 3]
    assert task.runs == [3]


def test_giving_up_frees_the_service_and_leaves_no_answer() -> None:
    service, steps = ComputeService(), []

    def give_up(done: int) -> None:
        steps.append(done)
        if done == 2:
            raise GiveUp

    with pytest.raises(GiveUp):
        service.compute(Count(5), Onlooker(give_up))
    assert steps == [0, 1, 2]
    assert service.find(Count(5)) is None
    assert service.compute(Count(2), Onlooker()) == 2


def test_one_who_waits_may_leave() -> None:
    service, other = ComputeService(), Count(4)

    def leave() -> None:
        raise GiveUp

    def meanwhile(done: int) -> None:
        with pytest.raises(GiveUp):
            service.compute(other, Onlooker(on_wait=leave))

    service.compute(Count(1), Onlooker(meanwhile))
    assert not other.runs


def test_old_answers_make_room() -> None:
    service, tasks = ComputeService(), [Count(to) for to in range(REMEMBERED + 1)]
    for task in tasks[:-1]:
        service.compute(task, Onlooker())
    service.find(tasks[0])
    service.compute(tasks[-1], Onlooker())
    for task in tasks:
        task.disk.clear()
    assert [task.to for task in tasks if service.find(task) is None] == [1]


def test_an_answer_on_disk_is_read_once() -> None:
    disk = {Count(7).key: 7}
    service = ComputeService()
    assert service.find(Count(7, disk)) == 7
    disk.clear()
    assert service.find(Count(7, disk)) == 7


def test_a_background_job_leaves_its_answer_in_memory() -> None:
    service, task = ComputeService(), Count(3)
    assert service.job(task) is None
    job = service.start(task)
    assert service.start(Count(3)) is job
    assert service.job(Count(3)) is job
    assert job.wait(10)
    task.disk.clear()
    assert service.find(task) == 3


def test_a_job_whose_answer_has_left_memory_is_done_again() -> None:
    service, task = ComputeService(), Count(3)
    job = service.start(task)
    assert job.wait(10)
    assert service.start(task) is job
    for to in range(4, 4 + REMEMBERED):
        service.compute(Count(to), Onlooker())
    task.disk.clear()
    assert service.find(task) is None
    again = service.start(task)
    assert again is not job
    assert again.wait(10)
    assert (service.find(task), task.runs) == (3, [3, 3])


def test_a_request_goes_before_a_job_under_way() -> None:
    service, order = ComputeService(), []
    begun, asked = threading.Event(), threading.Event()

    @dataclass
    class Long(Task[None]):
        key = "long"

        def run(self, progress: ProgressReporter) -> None:
            begun.set()
            assert asked.wait(10)
            for _ in range(200):
                progress.checkpoint()
                if order:
                    break
                threading.Event().wait(0.01)
            order.append("job")

    job = service.start(Long())
    assert begun.wait(10)
    request = threading.Thread(target=lambda: order.append(str(service.compute(Count(1), Onlooker(on_wait=asked.set)))))
    request.start()
    request.join(10)
    assert job.wait(10)
    assert order == ["1", "job"]


@dataclass
class CountTogether(Task[int]):
    """Counts ``to`` down, with all others in the queue of a service."""

    to: int
    gate: Gate
    queue: SharedQueue
    alone = False

    @property
    def key(self) -> str:
        return task_key("count together", self.to)

    def run(self, progress: ProgressReporter) -> int:
        with progress.stage("count", 0) as show:
            work = Counting("one", self.gate)
            return self.queue.result(work, self.to, lambda done, most: show(Progress(done, most)), progress.wait)


def together(service: ComputeService, to: int, gate: Gate, onlooker: Onlooker) -> list[int]:
    """Ask in a thread of its own; returns what will hold the result."""
    results: list[int] = []
    task = CountTogether(to, gate, service.queue)
    threading.Thread(target=lambda: results.append(service.compute(task, onlooker))).start()
    return results


def until(condition: Callable[[], object]) -> None:
    for _ in range(1000):
        if condition():
            return
        threading.Event().wait(0.02)
    raise AssertionError("it took too long")


def test_shared_tasks_are_worked_on_together_and_equal_ones_once() -> None:
    service, gate = ComputeService(), Gate()
    shown: list[int] = []
    first = together(service, 3, gate, Onlooker(shown.append))
    assert gate.begun.acquire(timeout=10)
    waited = threading.Semaphore(0)
    second = together(service, 3, gate, Onlooker(on_wait=waited.release))
    third = together(service, 2, gate, Onlooker(on_wait=waited.release))
    for _ in range(2):
        assert waited.acquire(timeout=10)
    gate.passes.release()
    until(lambda: shown)
    gate.open()
    until(lambda: first and second and third)
    assert (first, second, third) == ([6], [6], [4])
    assert gate.steps == [("one", [3]), ("one", [2, 2]), ("one", [1, 1])]
    assert set(shown) <= {1, 2}
    task = CountTogether(3, gate, service.queue)
    assert service.find(task) == service.compute(task, Onlooker()) == 6


def test_a_shared_task_goes_on_until_the_last_who_waits_has_left() -> None:
    service, gate = ComputeService(), Gate()
    leaving = threading.Event()

    def leave() -> None:
        if leaving.is_set():
            raise GiveUp

    def ask(to: int, on_wait: Callable[[], None]) -> threading.Thread:
        def asked() -> None:
            with pytest.raises(GiveUp):
                service.compute(CountTogether(to, gate, service.queue), Onlooker(on_wait=on_wait))

        thread = threading.Thread(target=asked)
        thread.start()
        return thread

    stays = together(service, 1, gate, Onlooker())
    assert gate.begun.acquire(timeout=10)
    waited = threading.Semaphore(0)
    threads = [ask(5, leave), ask(7, leave)]
    five = together(service, 5, gate, Onlooker(on_wait=waited.release))
    assert waited.acquire(timeout=10)
    leaving.set()
    for thread in threads:
        thread.join(10)
    gate.open()
    until(lambda: stays and five)
    assert (stays, five) == ([2], [10])
    assert [items for _, items in gate.steps] == [[1], [5], [4], [3], [2], [1]]


def test_a_sentence_that_is_typed_is_worked_on_between_what_others_wait_for() -> None:
    service, gate, others = ComputeService(), Gate(), list[int]()
    gate.open()

    def check() -> None:
        def other() -> None:
            with service.priority_lock.foreground():
                others.append(len(gate.steps))

        thread = threading.Thread(target=other)
        thread.start()
        thread.join(10)

    def leave() -> None:
        raise GiveUp

    work = Counting("typed", gate)
    assert service.compute_typed("key", "search", work, 3, check) == 6
    assert others == [0, 1, 2]
    assert (service.typed("key"), service.typed("other"), service.find(CountTogether(3, gate, service.queue))) == (
        6,
        None,
        None,
    )
    with pytest.raises(ValueError, match=str(FAULTY)):
        service.compute_typed("faulty", "search", work, FAULTY, lambda: None)
    with pytest.raises(GiveUp):
        service.compute_typed("left", "search", work, 3, leave)
    for number in range(_TYPED):
        service.compute_typed(str(number), "search", work, 1, lambda: None)
    assert service.typed("key") is None


def test_a_search_that_took_too_long_is_not_tried_again_for_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    service, gate = ComputeService(), Gate()
    gate.open()
    monkeypatch.setattr("nmt.answers.service.QUICK", 0.0)
    assert service.compute_typed("key", "slow", Counting("typed", gate), 5, lambda: None) is None
    assert len(gate.steps) == 2  # in the first one a model is made ready
    assert (service.typed("key"), service.quick("slow"), service.quick("other")) == (None, False, True)
    monkeypatch.setattr("nmt.answers.service._PAUSE", 0.0)
    assert service.quick("slow")


def test_nothing_is_tried_while_more_than_five_readers_wait() -> None:
    service, gate = ComputeService(), Gate()
    answers = []
    for number in range(1, 7):
        assert service.quick("search")
        answers.append(together(service, number, gate, Onlooker()))
        until(lambda number=number: service.queue.askers == number)  # type: ignore[misc]
    assert not service.quick("search")
    gate.open()
    until(lambda: all(answers))
    until(lambda: service.queue.askers == 0)
