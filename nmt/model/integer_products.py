"""Matrix products of 8-bit integers, for a search.

A row x of the first factor is rounded to (m / 127) q with m = max |x| and q in -127 .. 127, a row w of the weights to
scale * w_q likewise, and

    x W^T ~ (m / 127) scale (q w_q^T),

where the product of integers is exact. Every row has a scale of its own, so a result depends on no other row of the
batch. The weights of a released run are stored as such integers (nmt/inference/checkpoint.py): rounding them changes
nothing.

The operator is the one into which torch's compiler and torchao translate quantised layers on x86 CPUs. It takes one
scale for the whole first factor, so the scale m / 127 of each row is multiplied in afterwards. It is fast for unsigned
first factors only, so q + 128 is passed with the zero point 128.
"""

import functools
import platform
from typing import NamedTuple

import torch
from torch import Tensor

_MOST = 127
_ZERO = 128
"""The unsigned integer that stands for 0."""
_LEAST_MAXIMUM = 1e-30
"""Lower bound on the largest value of a row, so that a row of zeros has a scale."""
LEAST_WEIGHTS = 2**20
"""Number of weights from which an integer product is faster than one in fp32, whether the first factor has few rows or
many. The choice must not depend on the number of rows, or a result would depend on the batch."""
_MOST_INNER = (2**31 - 1) // (255 * 127)
"""Largest inner size of a product for which no sum can exceed 32 bits."""


class IntegerRows(NamedTuple):
    """A matrix rounded by row: values, int8 [rows, columns]; scale, float32 [rows]."""

    values: Tensor
    scale: Tensor


def round_rows(matrix: Tensor) -> IntegerRows:
    """Round each row w to scale * q, q in -127 .. 127, scale = max |w| / 127: no entry is off by more than half a
    scale. [rows, columns], float32"""
    scale = matrix.abs().amax(dim=1) / _MOST
    steps = torch.where(scale > 0, scale, 1.0).unsqueeze(1)
    return IntegerRows((matrix / steps).round_().to(torch.int8), scale)


@functools.cache
def has_integer_products() -> bool:
    """True if this machine multiplies integers quickly and exactly: processors without VNNI add pairs of products in
    16 bits, which overflow."""
    names = ("qlinear_prepack", "qlinear_pointwise")
    if platform.machine().lower() not in ("x86_64", "amd64") or not all(hasattr(torch.ops.onednn, n) for n in names):
        return False
    inner = 128
    largest = torch.full((64, inner), _MOST, dtype=torch.int8)
    try:
        product = _Operator(IntegerRows(largest, torch.ones(64)))
        products = product(torch.full((3, inner), 255, dtype=torch.uint8))
    except (RuntimeError, TypeError):  # built without the kernel, or another signature
        return False
    fast = getattr(torch.cpu, "_is_vnni_supported", lambda: True)
    return bool(fast()) and bool((products == inner * _MOST * (255 - _ZERO)).all())


class _Operator:
    """q -> scale (q - 128) w_q^T for packed integer weights."""

    def __init__(self, rows: IntegerRows) -> None:
        self._packed = torch.ops.onednn.qlinear_prepack(rows.values.contiguous(), None)
        self._scale = rows.scale.contiguous()
        self._zeros = torch.zeros(len(rows.scale), dtype=torch.int32)

    def __call__(self, q: Tensor) -> Tensor:
        """uint8 [N, in] -> float32 [N, out]"""
        w, scale, zeros, full = self._packed, self._scale, self._zeros, torch.float32
        product: Tensor = torch.ops.onednn.qlinear_pointwise(
            q, 1.0, _ZERO, w, scale, zeros, None, 1.0, 0, full, "none", [], ""
        )
        return product


class IntegerWeight:
    """A weight matrix W rounded to integers, for many products x W^T; like ``PackedWeight``, without a gradient."""

    def __init__(self, weight: Tensor) -> None:
        """Round and pack ``weight``, [out, in], float32."""
        rows = round_rows(weight.detach())
        self._times = _Operator(IntegerRows(rows.values, rows.scale / _MOST))

    @staticmethod
    def pays_off(weight: Tensor, least: int = LEAST_WEIGHTS) -> bool:
        """True if products with ``weight`` are faster in integers than in floating point on this machine. This takes a
        CPU and at least ``least`` weights in fp32."""
        suits = weight.device.type == "cpu" and weight.dtype == torch.float32 and weight.shape[1] <= _MOST_INNER
        return suits and weight.numel() >= least and has_integer_products()

    def __call__(self, x: Tensor, bias: Tensor | None = None) -> Tensor:
        """x W^T + bias, [.., in] -> [.., out], float32. A row with NaN or an infinite entry gives NaN or infinities."""
        rows = x.reshape(-1, x.shape[-1])
        maxima = rows.abs().amax(dim=1, keepdim=True).clamp_min_(_LEAST_MAXIMUM)
        q = (rows * (_MOST / maxima)).add_(_ZERO + 0.5).to(torch.uint8)  # all positive, so truncation rounds down
        y = self._times(q)
        y = y.mul_(maxima) if bias is None else torch.addcmul(bias, y, maxima, out=y)
        return y.view(*x.shape[:-1], y.shape[1])
