"""Loader of minibatches. For a GPU, a thread prepares and copies the minibatches in advance."""

from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, TypeVar

import torch
from numpy.typing import NDArray
from torch import Tensor

from nmt.data.batching import ArrayBatch, Batch, Position, TrainingOrder, Update
from nmt.model import LinkBatch

Item = TypeVar("Item")

_AHEAD = 4
"""Number of updates whose minibatches are prefetched."""


TensorBatch = Batch[Tensor, LinkBatch]
TensorUpdate = Update[Tensor, LinkBatch]
"""A minibatch, and an update, on the device of the model."""


def to_device(batch: ArrayBatch, device: torch.device) -> TensorBatch:
    """Copy a minibatch to the device. A copy to a GPU does not wait for the GPU."""

    def copied(array: NDArray[Any]) -> Tensor:
        tensor = torch.from_numpy(array)
        return (tensor.pin_memory() if device.type == "cuda" else tensor).to(device, non_blocking=True)

    links = None
    if (word := batch.links) is not None:
        links = LinkBatch(copied(word.pair), copied(word.target), copied(word.source), copied(word.weight))
    sides = {name: copied(getattr(batch, name)) for name in ("source", "source_mask", "target", "target_mask")}
    return Batch(**sides, examples=batch.examples, words=batch.words, links=links)


def updates(order: TrainingOrder, start: Position, device: torch.device) -> Iterator[TensorUpdate]:
    """Yield the updates without end, from position ``start`` on. An update has one minibatch."""
    made = (Update(to_device(update.batch, device), update.next) for update in order.batches(start))
    if device.type != "cuda":
        return made
    return ahead(made, partial(torch.cuda.set_device, torch.empty(0, device=device).device))


def ahead(items: Iterator[Item], begin: Callable[[], None] = lambda: None) -> Iterator[Item]:
    """Prefetch items of an endless iterator in a thread. The thread calls ``begin`` first."""
    with ThreadPoolExecutor(1, initializer=begin) as thread:
        coming = deque(thread.submit(next, items) for _ in range(_AHEAD))
        while True:
            item = coming.popleft().result()
            coming.append(thread.submit(next, items))
            yield item
