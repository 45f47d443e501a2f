"""The queue of a model: its bounds, and its end. Order and faults are those of the shared queue."""

import threading
from collections.abc import Iterator, Sequence
from types import SimpleNamespace

import pytest

from nmt.answers.shared_queue import InGroups
from nmt.serve.limits import Refusal
from nmt.serve.models import BoundedQueue
from tests.answers.counting import Counting, Gate


@pytest.fixture
def gate() -> Gate:
    return Gate()


@pytest.fixture
def queue(gate: Gate) -> Iterator[BoundedQueue]:
    queue = BoundedQueue("m", 6, 1, lambda sentences, seconds: None)
    yield queue
    gate.open()
    queue.close(20)


def busy(queue: BoundedQueue, gate: Gate) -> None:
    """Give it something to do, so that what comes next waits."""
    queue.submit(Counting("first", gate), [1])
    assert gate.begun.acquire(timeout=20)
    assert queue.waiting == 0


def test_it_takes_all_items_of_a_request_or_none(queue: BoundedQueue, gate: Gate) -> None:
    busy(queue, gate)
    requests = queue.submit(Counting("one", gate), [1, 2, 3, 4])
    with pytest.raises(Refusal) as refused:
        queue.submit(Counting("one", gate), [5, 6, 7])
    assert refused.value.status == 429
    assert refused.value.retry_after is not None
    assert refused.value.retry_after >= 1
    assert queue.waiting == 4
    assert requests[0].cancel()
    queue.submit(Counting("one", gate), [5, 6, 7])
    gate.open()
    assert requests[1].result(20) == 4
    assert gate.steps[1] == ("one", [2])


def test_when_to_come_back_follows_from_the_seconds_per_item(monkeypatch: pytest.MonkeyPatch) -> None:
    """100 items that take 40 s together are 0.4 s each; of the running mean, 0.1 s at first, the newest are a fifth."""
    clock, counted, gate = [0.0], threading.Event(), Gate()
    monkeypatch.setattr("nmt.answers.shared_queue.time", SimpleNamespace(perf_counter=lambda: clock[0]))

    class Slow:
        def begin(self) -> InGroups[int, int]:
            return InGroups(self._do)

        def _do(self, items: Sequence[int]) -> Sequence[int]:
            clock[0] += 40
            return items

    queue = BoundedQueue("m", 100, 100, lambda answered, seconds: counted.set() if answered else None)
    queue.submit(Slow(), list(range(100)))
    assert counted.wait(20)
    busy(queue, gate)
    queue.submit(Counting("impossible", gate), list(range(50)))
    with pytest.raises(Refusal) as refused:
        queue.submit(Slow(), list(range(51)))
    assert refused.value.retry_after == 8  # 50 times 0.8 * 0.1 + 0.2 * 0.4
    gate.open()
    queue.close(20)


def test_closed_it_finishes_what_waits_and_refuses_the_rest(queue: BoundedQueue, gate: Gate) -> None:
    busy(queue, gate)
    requests = queue.submit(Counting("one", gate), [1, 2])
    queue.close(0)
    with pytest.raises(Refusal) as refused:
        queue.submit(Counting("one", gate), [3])
    assert refused.value.status == 503
    gate.open()
    assert [request.result(20) for request in requests] == [2, 4]
    queue.close(20)
