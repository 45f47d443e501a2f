"""The queue of a model: its bounds, and its end. Order and faults are those of the shared queue."""

import threading
import time
from collections.abc import Iterator, Sequence
from types import SimpleNamespace
from typing import Any

import pytest

from nmt.aligners.aligner import Aligner
from nmt.answers.shared_queue import InGroups
from nmt.inference.translator import Translator
from nmt.serve.messages import Limits, Refusal
from nmt.serve.models import Metrics, ServedModel, ServedModels
from tests.answers.counting import Counting, Gate


@pytest.fixture
def gate() -> Gate:
    return Gate()


@pytest.fixture
def queue(gate: Gate) -> Iterator[ServedModel]:
    queue = served(6, 1)
    yield queue
    gate.open()
    queue.close(20)


def served(waiting: int, together: int, metrics: Metrics | None = None) -> ServedModel:
    model: Any = SimpleNamespace(name="m")
    limits = Limits(sentences=1, waiting=waiting, together=together)
    return ServedModel(model, limits, metrics or Metrics())


def busy(queue: ServedModel, gate: Gate) -> None:
    """Give it something to do, so that what comes next waits."""
    queue.submit(Counting("first", gate), [1])
    assert gate.begun.acquire(timeout=20)
    assert queue.waiting == 0


def test_it_takes_all_items_of_a_request_or_none(queue: ServedModel, gate: Gate) -> None:
    busy(queue, gate)
    requests = queue.submit(Counting("one", gate), [1, 2, 3, 4])
    with pytest.raises(Refusal) as refused:
        queue.submit(Counting("one", gate), [5, 6, 7])
    assert refused.value.status == 429
    assert refused.value.retry_after == 1  # 4 times 0.1 s, in whole seconds
    assert refused.value.sentence == "4 sentences wait for m, and the limit is 6; try again later"
    assert queue.waiting == 4
    assert requests[0].cancel()
    queue.submit(Counting("one", gate), [5, 6, 7])
    gate.open()
    assert requests[1].result(20) == 4
    assert gate.steps[1] == ("one", [2])


def test_a_request_that_alone_is_too_much_may_come_back_at_once_in_parts(queue: ServedModel, gate: Gate) -> None:
    with pytest.raises(Refusal) as refused:
        queue.submit(Counting("one", gate), [1] * 7)
    assert refused.value.retry_after == 1


@pytest.mark.parametrize(("taken", "expected"), [(40, 8), (400, 44), (4000, 120)])  # two minutes at most
def test_when_to_come_back_follows_from_the_seconds_per_item(
    taken: float, expected: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """100 items that take 40 s together are 0.4 s each; of the running mean, 0.1 s at first, the newest are a fifth."""
    clock, counted, gate = [0.0], threading.Event(), Gate()
    monkeypatch.setattr("nmt.answers.shared_queue.time", SimpleNamespace(perf_counter=lambda: clock[0]))

    class Slow:
        def begin(self) -> InGroups[int, int]:
            return InGroups(self._do, lambda item: 0, 0)

        def _do(self, items: Sequence[int]) -> Sequence[int]:
            clock[0] += taken
            return items

    metrics = Metrics()
    monkeypatch.setattr(metrics, "count_round", lambda name, answered, seconds: counted.set() if answered else None)
    queue = served(100, 100, metrics)
    queue.submit(Slow(), list(range(100)))
    assert counted.wait(20)
    busy(queue, gate)
    queue.submit(Counting("impossible", gate), list(range(50)))
    with pytest.raises(Refusal) as refused:
        queue.submit(Slow(), list(range(51)))
    assert refused.value.retry_after == expected  # 50 times 0.8 * 0.1 + 0.2 * taken / 100
    gate.open()
    queue.close(20)


def test_closed_it_finishes_what_waits_and_refuses_the_rest(queue: ServedModel, gate: Gate) -> None:
    busy(queue, gate)
    requests = queue.submit(Counting("one", gate), [1, 2])
    queue.close(0)
    with pytest.raises(Refusal) as refused:
        queue.submit(Counting("one", gate), [3])
    assert refused.value.status == 503
    gate.open()
    assert [request.result(20) for request in requests] == [2, 4]
    queue.close(20)


def test_all_models_together_close_in_the_time_that_they_have(
    gate: Gate, loaded: dict[str, Translator | Aligner]
) -> None:
    """Both work on something that does not end; neither begins to wait for the end of the other before it refuses."""
    models = ServedModels([loaded["search-words"], loaded["search-bpe"]], Limits(), Metrics())
    for model in models.values():
        busy(model, gate)
    begin = time.monotonic()
    models.close(0.2)
    assert 0.2 <= time.monotonic() - begin < 1.5  # a busy machine may be late
    assert all(model.closed for model in models.values())
    gate.open()
