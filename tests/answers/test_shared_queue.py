"""The shared queue: who joins when, who leaves, whose fault it is."""

import threading
from collections.abc import Iterator, Sequence

import pytest

from nmt.answers.shared_queue import InGroups, PriorityLock, SharedQueue
from tests.answers.counting import FAULTY, Counting, Gate


@pytest.fixture
def gate() -> Gate:
    return Gate()


@pytest.fixture
def queue(gate: Gate) -> Iterator[SharedQueue]:
    queue = SharedQueue("queue", 4, PriorityLock())
    yield queue
    gate.open()
    queue.close(20)


def test_newcomers_join_at_the_next_step_and_finished_ones_leave(queue: SharedQueue, gate: Gate) -> None:
    one = Counting("one", gate)
    requests = queue.submit(one, [3])
    assert gate.begun.acquire(timeout=20)
    requests += queue.submit(one, [2, 1])
    gate.open()
    assert [request.result(20) for request in requests] == [6, 4, 2]
    assert gate.steps == [("one", [3]), ("one", [2, 2, 1]), ("one", [1, 1])]


def test_works_take_turns_and_nobody_overtakes(queue: SharedQueue, gate: Gate) -> None:
    one, other = Counting("one", gate), Counting("other", gate)
    requests = queue.submit(one, [2])
    assert gate.begun.acquire(timeout=20)
    requests += [*queue.submit(one, [2]), *queue.submit(other, [3, 1]), *queue.submit(one, [1])]
    assert queue.waiting == 4
    gate.open()
    assert [request.result(20) for request in requests] == [4, 4, 6, 2, 2]
    assert gate.steps == [
        ("one", [2]),
        ("one", [1, 2]),  # with the other two these are the four that there is room for
        ("other", [3, 1]),
        ("one", [1, 1]),
        ("other", [2]),
        ("other", [1]),
    ]


def test_work_that_has_no_room_holds_up_the_rest(queue: SharedQueue, gate: Gate) -> None:
    narrow, other = Counting("narrow", gate, most=1), Counting("other", gate)
    requests = queue.submit(narrow, [1])
    assert gate.begun.acquire(timeout=20)
    requests += [*queue.submit(narrow, [2, 1]), *queue.submit(other, [1])]
    gate.open()
    assert [request.result(20) for request in requests] == [2, 4, 2, 2]
    assert gate.steps == [("narrow", [1]), ("narrow", [2]), ("narrow", [1]), ("narrow", [1]), ("other", [1])]


def test_those_who_are_cancelled_leave_at_once(queue: SharedQueue, gate: Gate) -> None:
    one = Counting("one", gate)
    first, second = queue.submit(one, [3, 3])
    assert gate.begun.acquire(timeout=20)
    (waiting,) = queue.submit(one, [5])
    assert queue.waiting == 1
    assert first.cancel()
    assert waiting.cancel()
    assert queue.waiting == 0
    gate.open()
    assert second.result(20) == 6
    steps = [items for _, items in gate.steps]
    assert steps[-2:] == [[2], [1]]


def test_a_fault_is_that_of_its_item_or_work_alone(queue: SharedQueue, gate: Gate) -> None:
    gate.open()
    bad, good = queue.submit(Counting("one", gate), [FAULTY, 2])
    (never,) = queue.submit(Counting("impossible", gate), [1])
    assert good.result(20) == 4
    for request in (bad, never):
        with pytest.raises(ValueError, match=r"13|impossible"):
            request.result(20)
    assert queue.submit(Counting("one", gate), [1])[0].result(20) == 2


def test_progress_is_that_of_each_item(queue: SharedQueue, gate: Gate) -> None:
    (request,) = queue.submit(Counting("one", gate), [2])
    assert request.progress is None
    gate.pass_one()
    assert gate.begun.acquire(timeout=20)
    assert request.progress == (1, 2)
    gate.open()
    assert request.result(20) == 4


def test_what_fails_at_once_is_done_one_by_one() -> None:
    calls: list[list[int]] = []

    def work(items: Sequence[int]) -> list[int]:
        calls.append(list(items))
        if FAULTY in items:
            raise ValueError("13")
        return [2 * item for item in items]

    at_once = InGroups(work, lambda item: 0, 0)
    for number, item in enumerate((1, FAULTY, 2, 3)):
        at_once.join(number, item)
    at_once.leave([3])
    ended = at_once.step()
    assert isinstance(ended.pop(1), ValueError)
    assert ended == {0: 2, 2: 4}
    assert calls == [[1, FAULTY, 2], [1], [FAULTY], [2]]
    assert not at_once.step()


def test_a_step_takes_a_group_of_bounded_cost() -> None:
    calls: list[list[int]] = []

    def work(items: Sequence[int]) -> list[int]:
        calls.append(list(items))
        return list(items)

    groups = InGroups(work, lambda item: item, 5)
    for number, item in enumerate((9, 2, 3, 1, 1)):
        groups.join(number, item)
    assert list(groups.step()) == [0]
    assert list(groups.step()) == [1, 2]
    groups.leave([3])
    groups.join(5, 4)
    assert list(groups.step()) == [4, 5]
    assert calls == [[9], [2, 3], [1, 4]]


def test_work_that_returns_too_few_results_leaves_nobody_waiting() -> None:
    at_once = InGroups(lambda items: list[int](), lambda item: 0, 0)
    for number in (1, 2):
        at_once.join(number, number)
    ended = at_once.step()
    assert ended.keys() == {1, 2}
    assert all(isinstance(end, Exception) for end in ended.values())


def test_a_program_may_end_while_a_queue_is_at_work(queue: SharedQueue, gate: Gate) -> None:
    queue.submit(Counting("one", gate), [1])
    assert gate.begun.acquire(timeout=20)
    (thread,) = [thread for thread in threading.enumerate() if thread.name == "queue"]
    assert thread.daemon


def test_to_close_a_queue_is_to_finish_what_waits(queue: SharedQueue, gate: Gate) -> None:
    (request,) = queue.submit(Counting("one", gate), [3])
    assert gate.begun.acquire(timeout=20)
    queue.close(0)
    assert not request.done()
    gate.open()
    queue.close(20)
    assert request.done()
    assert request.result(0) == 6
    never_used = SharedQueue("queue", 4, PriorityLock())
    never_used.close()
