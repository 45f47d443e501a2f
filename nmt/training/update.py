"""Update of the weights, over all processes: optimizer, schedule, and minibatches of which each process has its share.

Adadelta takes a single pass through memory. On a GPU minibatches are copied ahead.
"""

import math
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar, overload

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from nmt.config import TrainingConfig
from nmt.data.batching import ArrayBatch, Batch, BatchLinks, Position, TrainingOrder, Update
from nmt.distributed import Processes
from nmt.model import LinkBatch, TranslationModel

CHUNK = 2**17
"""Number of weights that fit the cache with gradient and both averages."""


class Adadelta(torch.optim.Optimizer):
    """Adadelta of Zeiler (2012):

        v <- rho v + (1 - rho) g^2
        d  = g sqrt((u + eps) / (v + eps))
        u <- rho u + (1 - rho) d^2
        w <- w - lr d

    torch.optim.Adadelta performs each of these steps for all weights before the next, so that every weight is read from
    main memory about ten times. Here all steps are performed chunk by chunk. State keys are those of
    torch.optim.Adadelta: square_avg is v, acc_delta is u.

    A step is skipped if ``found_inf``, a number on the device as in torch.amp, is not zero: weights and averages stay
    unchanged, and nothing waits for the device.

    ``chunk`` is the number of weights processed at a time by a processor; on another device it is all of them.

    Paper: 4.2, B.2
    """

    def __init__(self, parameters: Iterable[Tensor], lr: float, rho: float, eps: float, *, chunk: int = CHUNK) -> None:
        super().__init__(parameters, {"lr": lr, "rho": rho, "eps": eps})
        self._chunk = chunk
        self._step_supports_amp_scaling = True
        self.found_inf: Tensor | None = None

    @overload
    def step(self, closure: None = None) -> None: ...

    @overload
    def step(self, closure: Callable[[], float]) -> float: ...

    @torch.no_grad()
    def step(self, closure: Callable[[], float] | None = None) -> float | None:
        """Update all weights that have a gradient."""
        assert closure is None, "closures are not supported"
        for group in self.param_groups:
            for weight in group["params"]:
                if weight.grad is not None:
                    self._update(weight, weight.grad, group)
        return None

    def _update(self, weight: Tensor, gradient: Tensor, settings: dict[str, Any]) -> None:
        state, rho, eps = self.state[weight], settings["rho"], settings["eps"]
        if not state:
            state["square_avg"] = torch.zeros_like(weight, memory_format=torch.contiguous_format)
            state["acc_delta"] = torch.zeros_like(weight, memory_format=torch.contiguous_format)
        size = self._chunk if weight.device.type == "cpu" else weight.numel()
        parts = (gradient.contiguous(), state["square_avg"], state["acc_delta"], weight)
        skip = None if self.found_inf is None else self.found_inf.bool()
        decay = rho if skip is None else torch.where(skip, 1.0, rho)
        for gradients, v, u, w in zip(*(part.view(-1).split(size) for part in parts), strict=True):
            g = gradients if skip is None else torch.where(skip, 0.0, gradients)
            v.mul_(decay).addcmul_(g, g, value=1 - rho)
            d = torch.add(u, eps).div_(v + eps).sqrt_().mul_(g)
            u.mul_(decay).addcmul_(d, d, value=1 - rho)
            w.sub_(d, alpha=settings["lr"])


def build_optimizer(model: nn.Module, settings: TrainingConfig) -> torch.optim.Optimizer:
    """Build the optimizer: Adadelta as in the paper, or Adam.

    Paper: 4.2, B.2
    """
    if settings.optimizer == "adadelta":
        return Adadelta(model.parameters(), settings.learning_rate, settings.rho, settings.epsilon)
    return torch.optim.Adam(
        model.parameters(),
        lr=settings.learning_rate,
        betas=(settings.beta1, settings.beta2),
        eps=settings.epsilon,
        fused=True,
    )


def learning_rate(settings: TrainingConfig, update: int) -> float:
    """The learning rate of update number ``update`` (from 1)."""
    peak = settings.learning_rate
    if update <= settings.warmup:
        return peak * update / settings.warmup
    if settings.schedule == "inverse_sqrt":
        return peak * math.sqrt(settings.warmup / update)
    if settings.schedule in ("cosine", "linear"):
        assert settings.max_updates is not None
        begin = settings.warmup + settings.hold * (settings.max_updates - settings.warmup)
        if update <= begin:
            return peak
        share = min(1.0, (update - begin) / max(1.0, settings.max_updates - begin))
        return peak * (0.5 * (1 + math.cos(math.pi * share)) if settings.schedule == "cosine" else 1 - share)
    return peak


Item = TypeVar("Item")

_AHEAD = 4
"""Number of updates whose minibatches are prefetched."""


TensorBatch = Batch[Tensor, LinkBatch]
TensorUpdate = Update[Tensor, LinkBatch]
"""A minibatch and an update on the device of the model."""


def to_device(batch: ArrayBatch, device: torch.device) -> TensorBatch:
    """Copy a minibatch to the device; to a GPU without waiting for it."""

    def copied(array: NDArray[Any]) -> Tensor:
        tensor = torch.from_numpy(array)
        return (tensor.pin_memory() if device.type == "cuda" else tensor).to(device, non_blocking=True)

    links = None
    if (word := batch.links) is not None:
        links = LinkBatch(copied(word.pair), copied(word.target), copied(word.source), copied(word.weight))
    sides = {name: copied(getattr(batch, name)) for name in ("source", "source_mask", "target", "target_mask")}
    return Batch(**sides, examples=batch.examples, words=batch.words, links=links)


def to_update(minibatch: Update[NDArray[Any], BatchLinks], device: torch.device) -> TensorUpdate:
    """Copy a minibatch to the device."""
    batches = [to_device(batch, device) for batch in minibatch.batches]
    return Update(batches=batches, examples=minibatch.examples, words=minibatch.words, next=minibatch.next)


def updates(
    order: TrainingOrder, start: Position, processes: Processes, device: torch.device
) -> Iterator[TensorUpdate]:
    """Endless sequence of updates for this process from a position on, one for each minibatch. Each minibatch is the
    same as for a single process; every process takes its share of the sentences."""

    def made() -> Iterator[TensorUpdate]:
        for minibatch in order.batches(start, processes.rank, processes.count):
            yield to_update(minibatch, device)

    if device.type != "cuda":
        return made()
    return ahead(made(), partial(torch.cuda.set_device, torch.empty(0, device=device).device))


def ahead(items: Iterator[Item], begin: Callable[[], None] = lambda: None) -> Iterator[Item]:
    """Prefetch an endless iterator in a thread, which calls ``begin`` first."""
    with ThreadPoolExecutor(1, initializer=begin) as thread:
        coming = deque(thread.submit(next, items) for _ in range(_AHEAD))
        while True:
            item = coming.popleft().result()
            coming.append(thread.submit(next, items))
            yield item


class Diverged(RuntimeError):  # noqa: N818 - it is what happened, not what to call the class of it
    """The loss or the gradient is not finite; the message names the update and the minibatch. No weight was changed."""


@dataclass(frozen=True)
class Sums:
    """Sums over updates: nll in nats, norm of the gradient before clipping."""

    nll: float
    norm: float


class Updater:
    """Updates of the weights, and sums of the figures to report.

    Updates do not wait for a GPU: the sums stay there until ``read``, and so does the flag for a loss or gradient
    that is not finite. From such an update on, the optimizer itself skips every step. It must support this as in
    torch.amp: it has ``_step_supports_amp_scaling`` and reads ``found_inf``. For other optimizers, and on the CPU, the
    check is made before each step.

    Paper: 4.2, B.2
    """

    def __init__(
        self,
        model: TranslationModel,
        optimizer: torch.optim.Optimizer,
        settings: TrainingConfig,
        processes: Processes,
        *,
        skips: bool | None = None,
    ) -> None:
        """skips: whether the optimizer skips its step itself after a fault; None = if it can and runs on a GPU."""
        self._model, self._optimizer, self._settings, self._processes = model, optimizer, settings, processes
        self._device = model.decoder.E.device
        if skips is None:
            skips = self._device.type == "cuda" and getattr(optimizer, "_step_supports_amp_scaling", False)
        self._skips = skips
        self._faults = torch.zeros(2, dtype=torch.long, device=self._device)
        """Numbers of the first updates whose loss and whose gradient were not finite; 0 for none."""
        self._unread: dict[int, NDArray[np.int64]] = {}
        """The training pairs of each update since the last check for faults."""
        self.begin(Sums(0.0, 0.0))

    def begin(self, sums: Sums) -> None:
        """Continue from these sums."""
        self._sums = torch.tensor([sums.nll, sums.norm], dtype=torch.float64, device=self._device)

    def read(self) -> Sums:
        """The sums so far; waits for the device. Raises Diverged."""
        self._look_for_faults()
        return Sums(*self._sums.tolist())

    def make(self, portion: TensorUpdate, number: int, rate: float) -> None:
        """Make update number ``number`` with the learning rate ``rate``. Raises Diverged, on a GPU possibly later."""
        self._optimizer.zero_grad(set_to_none=True)
        share = 1 / (len(portion.examples) if self._settings.loss_per == "sentence" else portion.words)
        nll = torch.zeros(1, dtype=torch.float64, device=self._device)
        for b in portion.batches:
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
            nll += output.nll.double()
        if self._processes.count > 1:
            self._processes.sum_([nll, *self._gradients()])
        norm = nn.utils.clip_grad_norm_(self._model.parameters(), self._settings.clip_norm)
        measured = torch.cat([nll, norm.double().view(1)])
        self._sums += measured
        self._faults = torch.where(self._faults > 0, self._faults, ~measured.isfinite() * number)
        self._unread[number] = portion.examples.pairs
        if self._skips:
            self._optimizer.found_inf = self._faults.any().float()  # type: ignore[attr-defined]
        else:
            self._look_for_faults()
        for group in self._optimizer.param_groups:
            group["lr"] = rate
        self._optimizer.step()

    def _gradients(self) -> list[Tensor]:
        """The gradients of all parameters; zero in a process without a sentence."""
        gradients = []
        for parameter in self._model.parameters():
            if parameter.grad is None:
                parameter.grad = torch.zeros_like(parameter)
            gradients.append(parameter.grad)
        return gradients

    def _look_for_faults(self) -> None:
        loss, gradient = self._faults.tolist()
        if loss or gradient:
            number = min(update for update in (loss, gradient) if update)
            raise Diverged(
                f"update {number}: the {'loss' if number == loss else 'gradient'} is not finite; nothing was updated; "
                f"the minibatch has the training pairs {', '.join(str(i) for i in self._unread[number].tolist())}"
            )
        self._unread.clear()
