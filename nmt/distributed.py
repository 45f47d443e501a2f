"""Processes of one run, started by torchrun: division of work and communication.

Without torchrun there is one process, and every operation is trivial. NCCL sums tensors on a GPU. All other
communication uses gloo, so that a message between processes never waits for a GPU.
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
"""Time for which a process waits for an answer of another process. The end of a process is detected at once."""
_LARGE = 2**20
"""A tensor of at least this number of elements is a message by itself."""


class ProcessLost(RuntimeError):  # noqa: N818 - it is what happened
    """Raised if another process of the run has ended or does not answer."""


@dataclass(frozen=True)
class Processes:
    """This process, among all processes of the run.

    All processes must call the methods that communicate, in the same order. They raise ProcessLost if one is gone.

    Attributes:
        rank: number of this process, from 0.
        count: number of processes.
        device: device that this process computes on.
    """

    rank: int = 0
    count: int = 1
    device: str = "cpu"

    @property
    def first(self) -> bool:
        """True for the process that prints and writes files."""
        return self.rank == 0

    def sum_(self, tensors: Sequence[Tensor]) -> None:
        """Replace every tensor by its sum over the processes, bit-identical in all of them."""
        if self.count == 1:
            return
        with _together():
            messages = [_Message(group) for group in _grouped(tensors)]  # send all before the first wait
            for message in messages:
                message.deliver()

    def gathered(self, item: Item) -> list[Item]:
        """Gather the items of all processes, by rank."""
        if self.count == 1:
            return [item]
        items: list[Item | None] = [None] * self.count
        with _together():
            dist.all_gather_object(items, item)
        return items  # type: ignore[return-value]

    def agreed(self, item: Item | None) -> Item | None:
        """Return the item of the lowest-ranked process whose item is not None, else None. If all are None, one small
        message suffices."""
        if self.count == 1:
            return item
        present = torch.tensor(item is not None, dtype=torch.int32)
        with _together():
            dist.all_reduce(present, dist.ReduceOp.MAX)
        return next(i for i in self.gathered(item) if i is not None) if present else None

    def spread(
        self, items: Sequence[Item], cost: Callable[[Item], float], work: Callable[[list[Item]], Sequence[Result]]
    ) -> list[Result]:
        """Return the results of ``work`` for all items, in order. Each process computes a share of about equal cost,
        and receives the results of all processes."""
        if self.count == 1:
            return list(work(list(items)))
        mine = sorted(range(len(items)), key=lambda i: (cost(items[i]), i))[self.rank :: self.count]
        done = dict(zip(mine, work([items[i] for i in mine]) if mine else (), strict=True))
        everything = {i: result for part in self.gathered(done) for i, result in part.items()}
        return [everything[i] for i in range(len(items))]


ALONE = Processes()


@contextmanager
def joined(device: str) -> Iterator[Processes]:
    """Join the processes that torchrun started. Without torchrun, this is the only process.

    device: "cpu" or "cuda". With "cuda", each of several processes on a machine gets its own GPU.

    If several processes fail, only the first raises its error. The others end silently, so that there is one message.
    Raises InputError if there is no GPU left for a process.
    """
    count = int(os.environ.get("WORLD_SIZE", "1"))
    if count == 1:
        yield Processes(device=device)
        return
    from torch.distributed.distributed_c10d import PrefixStore
    from torch.distributed.rendezvous import rendezvous  # missing in a torch built for one process

    rank, local = int(os.environ["RANK"]), int(os.environ["LOCAL_RANK"])
    with _together():
        whole, _, _ = next(rendezvous("env://", timeout=_TIMEOUT))
    # torchrun's store outlives a restart, and has the addresses of processes that are gone.
    store = PrefixStore(f"attempt-{os.environ.get('TORCHELASTIC_RESTART_COUNT', '0')}", whole)
    try:
        if device.partition(":")[0] == "cuda":
            device = _own_gpu(local)
        with _group(store, rank, count, device):
            processes = Processes(rank, count, device)
            yield processes
            processes.gathered(None)  # torchrun ends the others soon after one process has ended
    except (Exception, KeyboardInterrupt):
        if not _first_to_fail(store, rank):
            raise SystemExit(1) from None
        raise


def _own_gpu(local: int) -> str:
    if local >= torch.cuda.device_count():
        raise InputError(
            f"this machine has {torch.cuda.device_count()} GPUs, fewer than one per process; "
            "start fewer processes, or use --device cpu"
        )
    torch.cuda.set_device(local)
    return f"cuda:{local}"


@contextmanager
def _group(store: Store, rank: int, count: int, device: str) -> Iterator[None]:
    """Open the connections between all processes, and close them at the end."""
    # The functions of torch.distributed.nn have the group as a default argument. If an optimizer imported them after
    # the group is created, they would keep the group and its threads alive, which may crash while Python ends.
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
    except RuntimeError:  # the process with the store has ended
        return False


@contextmanager
def _together() -> Iterator[None]:
    """Convert torch's errors about a lost process to ProcessLost."""
    try:
        yield
    except torch.OutOfMemoryError:
        raise
    except RuntimeError as error:
        first_sentence = str(error).partition("\n")[0].partition(". ")[0]
        raise ProcessLost(f"another process of this run has ended, or does not answer ({first_sentence})") from error


def _grouped(tensors: Sequence[Tensor]) -> list[list[Tensor]]:
    """Group tensors into messages: each large tensor alone, the others together by type."""
    groups: dict[object, list[Tensor]] = {}
    for number, tensor in enumerate(tensors):
        groups.setdefault(number if tensor.numel() >= _LARGE else tensor.dtype, []).append(tensor)
    return list(groups.values())


class _Message:
    """A message: tensors of one type that the processes are summing."""

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
