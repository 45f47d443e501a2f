"""The optimizers, among them Adadelta in a single pass through memory, and the schedules of the learning rate."""

import math
from collections.abc import Callable, Iterable
from typing import Any, overload

import torch
from torch import Tensor, nn

from nmt.config import TrainingConfig

CHUNK = 2**17
"""Number of weights that fit into the processor's cache together with their gradients and both averages."""


class Adadelta(torch.optim.Optimizer):
    """Adadelta of Zeiler (2012):

        v <- rho v + (1 - rho) g^2
        d  = g sqrt((u + eps) / (v + eps))
        u <- rho u + (1 - rho) d^2
        w <- w - lr d

    torch.optim.Adadelta performs each of these steps for all weights before the next step, and thus reads every weight
    from main memory about ten times. Here a CPU performs all steps for ``CHUNK`` weights at a time. The state has the
    keys of torch.optim.Adadelta: square_avg is v, acc_delta is u.

    If ``found_inf``, a number on the device as in torch.amp, is not zero, a step changes neither weights nor averages.
    The processor need not wait for the device to know this.

    Paper: 4.2, B.2
    """

    def __init__(self, parameters: Iterable[Tensor], lr: float, rho: float, eps: float) -> None:
        super().__init__(parameters, {"lr": lr, "rho": rho, "eps": eps})
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
        size = CHUNK if weight.device.type == "cpu" else weight.numel()
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
    if settings.schedule == "constant":
        return peak
    assert settings.max_updates is not None
    begin = settings.warmup + settings.hold * (settings.max_updates - settings.warmup)
    if update <= begin:
        return peak
    share = min(1.0, (update - begin) / max(1.0, settings.max_updates - begin))
    return peak * (0.5 * (1 + math.cos(math.pi * share)))
