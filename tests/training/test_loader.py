"""Work made ahead is the same work; the shares of the processes are the minibatch."""

import threading
import time
from collections.abc import Iterator
from itertools import count, islice

import numpy as np
import pytest
import torch

from nmt.config import TrainingConfig
from nmt.data.batching import BEGINNING, TrainingOrder
from nmt.data.prepared import Prepared
from nmt.distributed import Processes
from nmt.training.update import TensorUpdate, ahead, updates

CPU = torch.device("cpu")


def test_ahead_is_the_same_in_order_and_only_a_little_ahead() -> None:
    made: list[int] = []

    def items() -> Iterator[int]:
        for number in count():
            time.sleep(0.001)  # Python refuses a second thread meanwhile
            made.append(number)
            yield number

    coming = ahead(items())
    assert list(islice(coming, 20)) == list(range(20))
    coming.close()  # type: ignore[attr-defined]
    assert 20 <= len(made) <= 30
    assert not any("ThreadPool" in thread.name for thread in threading.enumerate())


def test_what_fails_in_the_thread_fails_where_it_is_asked_for() -> None:
    coming = ahead(1 // (3 - number) for number in count())
    assert list(islice(coming, 3)) == [0, 0, 1]
    with pytest.raises(ZeroDivisionError):
        next(coming)


def sentences(portion: TensorUpdate) -> list[list[int]]:
    """The target sentences without padding."""
    return [
        row[mask].tolist()
        for batch in portion.batches
        for row, mask in zip(batch.target, batch.target_mask, strict=True)
    ]


@pytest.mark.parametrize("settings", [{"batch_size": 7}, {"batch_size": 1}, {"batch_tokens": 40}])
def test_the_shares_are_the_minibatch(settings: dict[str, int], prepared: Prepared) -> None:
    order = TrainingOrder(prepared.train, TrainingConfig(pool_batches=3, **settings))
    whole = updates(order, BEGINNING, Processes(), CPU)
    shares = [updates(order, BEGINNING, Processes(rank, 3), CPU) for rank in range(3)]
    for _ in range(10):
        one, parts = next(whole), [next(share) for share in shares]
        assert one.words == sum(int(b.target_mask.sum()) for b in one.batches)
        assert one.words == sum(b.words for part in parts for b in part.batches)
        assert len(one.examples.pairs) == sum(len(b.source) for part in parts for b in part.batches)
        for part in parts:
            np.testing.assert_array_equal(part.examples.pairs, one.examples.pairs)
            assert (part.words, part.next) == (one.words, one.next)
            for b in part.batches:  # trimmed to its own longest sentence
                assert b.source_mask.any(dim=0).all()
                assert b.target_mask.any(dim=0).all()
        found = sorted(sentence for part in parts for sentence in sentences(part))
        assert found == sorted(sentences(one))
