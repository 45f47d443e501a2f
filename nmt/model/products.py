"""Matrix products in a chosen precision: bf16 factors, everything else in the precision of the weights.

torch 2.13's bf16 product on x86 CPUs reads past the row ends of a strided first factor when the second is
transposed and the inner size is no multiple of 32; NaN in the neighbouring memory then gives NaN. ``lower`` is
the one door into bf16, and it makes every factor contiguous; tests/model/test_products.py has the case.
"""

from __future__ import annotations

import os
from typing import Any

import torch
from torch import Tensor

# oneDNN keeps what it built for each shape, 1,024 of them by default, and each minibatch has shapes of its own: without
# a limit a training in bf16 grows by gigabytes. Read when the first product is made.
os.environ.setdefault("ONEDNN_PRIMITIVE_CACHE_CAPACITY", "64")


def lower(x: Tensor, dtype: torch.dtype) -> Tensor:
    """``x`` as a contiguous factor of the precision ``dtype``; shape kept."""
    return x.to(dtype).contiguous()


def multiply(a: Tensor, b: Tensor, result: torch.dtype) -> Tensor:
    """a @ b of two factors from ``lower``, given back in the precision ``result``. [.., p] [p, q] -> [.., q]"""
    return (a @ b).to(result)


def outer(a: Tensor, b: Tensor, dtype: torch.dtype) -> Tensor:
    """a^T b, a sum over rows: a weight gradient. [.., N, p] [.., N, q] -> [.., p, q], in a's precision."""
    return multiply(lower(a.transpose(-1, -2), dtype), lower(b, dtype), a.dtype)


class _Linear(torch.autograd.Function):
    """x W^T with the factors in a lower precision."""

    @staticmethod
    def forward(ctx: Any, x: Tensor, weight: Tensor, dtype: torch.dtype) -> Tensor:
        rows = lower(x.reshape(-1, x.shape[-1]), dtype)
        columns = lower(weight.t(), dtype)
        ctx.save_for_backward(rows, weight)
        ctx.dtype, ctx.shape = dtype, x.shape
        return multiply(rows, columns, x.dtype).view(*x.shape[:-1], weight.shape[0])

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor | None, ...]:
        rows, weight = ctx.saved_tensors
        gradient = gradients[0]
        g = lower(gradient.reshape(-1, gradient.shape[-1]), ctx.dtype)
        d_x = multiply(g, lower(weight, ctx.dtype), weight.dtype).view(ctx.shape) if ctx.needs_input_grad[0] else None
        d_weight = outer(g, rows, ctx.dtype).to(weight.dtype) if ctx.needs_input_grad[1] else None
        return d_x, d_weight, None


def linear(x: Tensor, weight: Tensor, dtype: torch.dtype) -> Tensor:
    """x W^T. [.., in] [out, in] -> [.., out], in x's precision; the factors in ``dtype``."""
    if dtype == x.dtype:
        return torch.nn.functional.linear(x, weight)
    result: Tensor = _Linear.apply(x, weight, dtype)  # type: ignore[no-untyped-call]
    return result
