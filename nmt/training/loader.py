"""Prefetching loader of minibatches: one share per process, prepared and copied ahead on a GPU."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import TypeVar

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from nmt.data.batching import Batch, PlacedBatch, TrainingOrder
from nmt.distributed import Processes
from nmt.model import LinkBatch

Item = TypeVar("Item")

_AHEAD = 4
"""Number of updates whose minibatches are prefetched."""


@dataclass(frozen=True, kw_only=True)
class TensorBatch:
    """The ids, masks and links of a ``Batch`` on the device of the model; words: target tokens, end-of-sentence tokens
    included."""

    source: Tensor
    source_mask: Tensor
    target: Tensor
    target_mask: Tensor
    words: int
    links: LinkBatch | None = None


@dataclass(frozen=True, eq=False, kw_only=True)
class UpdateBatch:
    """Share of one process in one update.

    Attributes:
        batches: the process's sentences of each minibatch; minibatches without any are left out.
        pairs: training pairs of the whole update, over all processes.
        examples: number of these pairs, concatenated pairs counted as one.
        words: target tokens of these pairs, end-of-sentence tokens included.
        next_pool, next_within: the next minibatch, as in ``TrainingOrder.batches``.
    """

    batches: list[TensorBatch]
    pairs: NDArray[np.int64]
    examples: int
    words: int
    next_pool: int
    next_within: int


def to_device(batch: Batch, device: torch.device) -> TensorBatch:
    """Copy a minibatch to the device; to a GPU without waiting for it."""

    def copied(array: NDArray[np.int64] | NDArray[np.bool_] | NDArray[np.float32]) -> Tensor:
        tensor = torch.from_numpy(array)
        return (tensor.pin_memory() if device.type == "cuda" else tensor).to(device, non_blocking=True)

    links = None
    if batch.links is not None:
        word_links = batch.links
        links = LinkBatch(
            copied(word_links.pair), copied(word_links.target), copied(word_links.source), copied(word_links.weight)
        )
    return TensorBatch(
        source=copied(batch.source),
        source_mask=copied(batch.source_mask),
        target=copied(batch.target),
        target_mask=copied(batch.target_mask),
        words=batch.words,
        links=links,
    )


def to_update_batch(placed: Sequence[PlacedBatch], device: torch.device) -> UpdateBatch:
    """Combine minibatches into one update."""
    return UpdateBatch(
        batches=[to_device(p.batch, device) for p in placed if p.batch is not None],
        pairs=np.concatenate([p.examples.pairs for p in placed]),
        examples=sum(len(p.examples) for p in placed),
        words=sum(p.words for p in placed),
        next_pool=placed[-1].next_pool,
        next_within=placed[-1].next_within,
    )


def update_batches(
    order: TrainingOrder, pool: int, within: int, accumulation: int, processes: Processes, device: torch.device
) -> Iterator[UpdateBatch]:
    """Endless sequence of updates for this process, from minibatch ``within`` of pool ``pool`` on, ``accumulation``
    minibatches per update. Each minibatch is the same as for a single process; every process takes its share of the
    sentences."""

    def updates() -> Iterator[UpdateBatch]:
        minibatches = order.batches(pool, within, processes.rank, processes.count)
        while True:
            yield to_update_batch(list(islice(minibatches, accumulation)), device)

    if device.type != "cuda":
        return updates()
    return ahead(updates(), partial(torch.cuda.set_device, torch.empty(0, device=device).device))


def ahead(items: Iterator[Item], begin: Callable[[], None] = lambda: None) -> Iterator[Item]:
    """Prefetch an endless iterator in a thread, which calls ``begin`` first."""
    with ThreadPoolExecutor(1, initializer=begin) as thread:
        coming = deque(thread.submit(next, items) for _ in range(_AHEAD))
        while True:
            item = coming.popleft().result()
            coming.append(thread.submit(next, items))
            yield item
