"""Updates of the weights, and the loader of minibatches. For a GPU, a thread prepares and copies them in advance."""

from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, TypeVar

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from nmt.config import TrainingConfig
from nmt.data.batching import ArrayBatch, Batch, Position, TrainingOrder, Update
from nmt.model import LinkBatch, TranslationModel

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


class Diverged(RuntimeError):  # noqa: N818 - the name says what happened
    """Raised if a loss or gradient is not finite. The message names the update and its training pairs."""


class Updater:
    """An updater changes the weights, and sums the losses and the gradient norms for a report.

    On a GPU, updates do not wait. A fault is a loss or gradient that is not finite. Sums and faults stay on the GPU
    until ``read``, and the optimizer skips every step from the first fault on. For this, the optimizer must have
    ``_step_supports_amp_scaling`` and read ``found_inf``, as in torch.amp. Otherwise the updater checks for faults
    before each step.

    Paper: 4.2, B.2
    """

    def __init__(
        self,
        model: TranslationModel,
        optimizer: torch.optim.Optimizer,
        settings: TrainingConfig,
    ) -> None:
        self._model, self._optimizer, self._settings = model, optimizer, settings
        self._device = model.decoder.E.device
        self.skips = self._device.type == "cuda" and getattr(optimizer, "_step_supports_amp_scaling", False)
        """Whether the optimizer itself skips steps after a fault."""
        self._faults = torch.zeros(2, dtype=torch.long, device=self._device)
        """Numbers of the first updates whose loss, and whose gradient, is not finite. 0 if there is no such update."""
        self._unread: dict[int, NDArray[np.int64]] = {}
        """The training pairs of each update since the last check for faults."""
        self.begin()

    def begin(self, nll: float = 0.0, norm: float = 0.0) -> None:
        """Set the sums to which later updates are added. nll: negative log-likelihood in nats. norm: norms of the
        gradients before clipping."""
        self._sums = torch.tensor([nll, norm], dtype=torch.float64, device=self._device)

    def read(self) -> tuple[float, float]:
        """Wait for the device, and return the sums so far, as in ``begin``. Raises Diverged after a fault."""
        self._look_for_faults()
        nll, norm = self._sums.tolist()
        return nll, norm

    def make(self, portion: TensorUpdate, number: int, rate: float) -> None:
        """Make update ``number`` with the learning rate ``rate``. Raises Diverged, on a GPU perhaps in a later call."""
        self._optimizer.zero_grad(set_to_none=True)
        b = portion.batch
        share = 1 / (len(b.examples) if self._settings.loss_per == "sentence" else b.words)
        output = self._model.loss(
            b.source,
            b.source_mask,
            b.target,
            b.target_mask,
            self._settings.label_smoothing,
            b.words,
            b.links,
            self._settings.guided,
        )
        torch.autograd.backward(output.total * share)
        norm = nn.utils.clip_grad_norm_(self._model.parameters(), self._settings.clip_norm)
        measured = torch.stack([output.nll.double().view(()), norm.double().view(())])
        self._sums += measured
        self._faults = torch.where(self._faults > 0, self._faults, ~measured.isfinite() * number)
        self._unread[number] = b.pairs
        if self.skips:
            self._optimizer.found_inf = self._faults.any().float()  # type: ignore[attr-defined]
        else:
            self._look_for_faults()
        for group in self._optimizer.param_groups:
            group["lr"] = rate
        self._optimizer.step()

    def _look_for_faults(self) -> None:
        loss, gradient = self._faults.tolist()
        if loss or gradient:
            number = min(update for update in (loss, gradient) if update)
            raise Diverged(
                f"update {number}: the {'loss' if number == loss else 'gradient'} is not finite; nothing was updated; "
                f"the minibatch has the training pairs {', '.join(str(i) for i in self._unread[number].tolist())}"
            )
        self._unread.clear()
