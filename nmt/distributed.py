"""The processes of one run, started by torchrun: who does what, and what they tell each other.

Without torchrun there is one process, and everything here is then what it would be without this module. Tensors on a
GPU are summed by NCCL, all else goes through gloo, so a word between processes never waits for a GPU.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, TypeVar

import torch
import torch.distributed as dist
from torch import Tensor

from nmt.errors import InputError

if TYPE_CHECKING:
    from torch.distributed.distributed_c10d import Store

Item = TypeVar("Item")
Result = TypeVar("Result")

_TIMEOUT = timedelta(minutes=15)
"""How long a process waits for one that does not answer. One that has ended is noticed at once."""
_LARGE = 2**20
"""Numbers in a tensor that is worth a message of its own."""


class ProcessLost(RuntimeError):  # noqa: N818 - it is what happened
    """Another process of the run ended or does not answer."""


@dataclass(frozen=True)
class Processes:
    """This process among those of the run.

    Every method that speaks of other processes must be called by all of them, in the same order, and raises
    ProcessLost if one of them is gone.

    Attributes:
        rank: number of this process, from 0.
        count: how many there are.
        device: where this one computes.
    """

    rank: int = 0
    count: int = 1
    device: str = "cpu"

    @property
    def first(self) -> bool:
        """Whether this is the process that prints and writes files."""
        return self.rank == 0

    def sum_(self, tensors: Sequence[Tensor]) -> None:
        """Replace every tensor by its sum over the processes, bit for bit the same in all of them."""
        if self.count == 1:
            return
        with _together():
            messages = [_Message(group) for group in _grouped(tensors)]  # all are under way before the first is awaited
            for message in messages:
                message.deliver()

    def gathered(self, item: Item) -> list[Item]:
        """What each process gives, by rank."""
        if self.count == 1:
            return [item]
        items: list[Item | None] = [None] * self.count
        with _together():
            dist.all_gather_object(items, item)
        return items  # type: ignore[return-value]

    def agreed(self, item: Item | None) -> Item | None:
        """What the first process gives that does not give None; one small message as long as all give None."""
        if self.count == 1:
            return item
        given = torch.tensor(item is not None, dtype=torch.int32)
        with _together():
            dist.all_reduce(given, dist.ReduceOp.MAX)
        return next(i for i in self.gathered(item) if i is not None) if given else None

    def spread(
        self, items: Sequence[Item], cost: Callable[[Item], float], work: Callable[[list[Item]], Sequence[Result]]
    ) -> list[Result]:
        """The results of ``work`` for all items, in their order. Each process does a part of about the same cost,
        and gets the results of all."""
        if self.count == 1:
            return list(work(list(items)))
        mine = sorted(range(len(items)), key=lambda i: (cost(items[i]), i))[self.rank :: self.count]
        done = dict(zip(mine, work([items[i] for i in mine]) if mine else (), strict=True))
        everything = {i: result for part in self.gathered(done) for i, result in part.items()}
        return [everything[i] for i in range(len(items))]


ALONE = Processes()


@contextmanager
def joined(device: str) -> Iterator[Processes]:
    """Join the processes that torchrun started; without torchrun, be the only one.

    device: "cpu" or "cuda"; of several processes on a machine with GPUs each gets one of its own.

    If several processes fail, only the first to do so raises its error here; the others end without a word, so that
    there is one message. Raises InputError if a process is left without a GPU.
    """
    count = int(os.environ.get("WORLD_SIZE", "1"))
    if count == 1:
        yield Processes(device=device)
        return
    from torch.distributed.rendezvous import rendezvous  # missing where torch was built for one process

    rank, local = int(os.environ["RANK"]), int(os.environ["LOCAL_RANK"])
    with _together():
        store, _, _ = next(rendezvous("env://", timeout=_TIMEOUT))
    try:
        if device.partition(":")[0] == "cuda":
            device = _own_gpu(local)
        with _group(store, rank, count, device):
            processes = Processes(rank, count, device)
            yield processes
            processes.gathered(None)  # torchrun hurries the others along when one process has ended
    except (Exception, KeyboardInterrupt):
        if not _first_to_fail(store, rank):
            raise SystemExit(1) from None
        raise


def _own_gpu(local: int) -> str:
    if local >= torch.cuda.device_count():
        raise InputError(
            f"this machine has {torch.cuda.device_count()} GPUs, too few for one in each process; "
            "start fewer processes, or compute with --device cpu"
        )
    torch.cuda.set_device(local)
    return f"cuda:{local}"


@contextmanager
def _group(store: Store, rank: int, count: int, device: str) -> Iterator[None]:
    """The connections between all processes, closed at the end."""
    # Its functions have the group as a default argument. An optimizer imports it; after the group is made, that would
    # keep the group and its threads alive, which then crash now and then while Python ends.
    import torch.distributed.nn  # noqa: F401

    on_cpu = device == "cpu"
    with _together():
        backend = "gloo" if on_cpu else "cpu:gloo,cuda:nccl"
        dist.init_process_group(backend, store=store, rank=rank, world_size=count, timeout=_TIMEOUT)
    well = False
    try:
        yield
        well = True
    finally:
        if well or on_cpu:  # NCCL would wait for a process that is gone
            dist.destroy_process_group()


def _first_to_fail(store: Store, rank: int) -> bool:
    try:
        return bool(store.compare_set("failed", "", str(rank)) == str(rank).encode())
    except RuntimeError:  # the store went with the process that held it
        return False


@contextmanager
def _together() -> Iterator[None]:
    """What torch says when a process is gone is a ProcessLost."""
    try:
        yield
    except torch.OutOfMemoryError:
        raise
    except RuntimeError as error:
        first_sentence = str(error).partition("\n")[0].partition(". ")[0]
        raise ProcessLost(f"another process of this run has ended, or does not answer ({first_sentence})") from error


def _grouped(tensors: Sequence[Tensor]) -> list[list[Tensor]]:
    """Large tensors one by one, the others together, those of one type."""
    groups: dict[object, list[Tensor]] = {}
    for number, tensor in enumerate(tensors):
        groups.setdefault(number if tensor.numel() >= _LARGE else tensor.dtype, []).append(tensor)
    return list(groups.values())


class _Message:
    """Tensors on their way to be summed."""

    def __init__(self, tensors: list[Tensor]) -> None:
        self._tensors = tensors
        self._in_place = len(tensors) == 1 and tensors[0].is_contiguous()
        self._flat = tensors[0].view(-1) if self._in_place else torch.cat([tensor.flatten() for tensor in tensors])
        self._work = dist.all_reduce(self._flat, async_op=True)

    def deliver(self) -> None:
        assert self._work is not None
        self._work.wait()
        if not self._in_place:
            parts = torch.split(self._flat, [tensor.numel() for tensor in self._tensors])
            torch._foreach_copy_(self._tensors, [p.view_as(t) for p, t in zip(parts, self._tensors, strict=True)])
