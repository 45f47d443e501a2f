"""Elementwise functions in the form fastest on CPUs."""

from __future__ import annotations

from torch import Tensor

_FEW = 2**12
"""Number of values below which one call of torch's tanh costs less than the four calls of ``tanh_``."""


def tanh_(x: Tensor) -> Tensor:
    """tanh in place, as 2 sigma(2x) - 1: torch's sigmoid is vectorised everywhere, whereas its tanh is not and takes up
    to ten times as long (benchmarks/README.md). Absolute difference in fp32: at most 1.2e-7. Tensors that require a
    gradient use tanh itself."""
    if x.requires_grad or x.device.type != "cpu" or x.numel() < _FEW:
        return x.tanh_()
    return x.mul_(2).sigmoid_().mul_(2).sub_(1)
