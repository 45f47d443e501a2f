"""Matrix products in a chosen precision, with the fastest kernels that PyTorch ships.

Weights, states and sums keep the precision of the weights. Only the factors of products may be bf16. torch 2.13 has a
fault in its bf16 product on x86 CPUs. If the second factor is transposed and the inner size no multiple of 32, torch
reads past the row ends of a strided first factor. NaN in the memory behind a row then makes the result NaN. So ``cast``
makes every factor contiguous. The first factor of ``weight_gradient`` is a transposed view, so zeros pad its inner size
to a multiple of 32. tests/model/test_kernels.py tests this.

In fp32 on x86, oneDNN is called directly, because torch sends plain products to MKL. On processors not made by Intel,
MKL has half the speed of oneDNN (benchmarks/README.md). On Intel's processors both are equally fast.
"""

import functools
import os
import platform
from collections.abc import Iterator
from contextlib import contextmanager
from ctypes import CDLL
from typing import Any, NamedTuple

import torch
import torch.nn.functional as F  # noqa: N812
from torch import Tensor

from nmt import native

# oneDNN caches a primitive for each shape, 1,024 by default, and each minibatch has new shapes. With 1,024 primitives
# the memory of a training in bf16 grows by gigabytes. oneDNN reads the variable at the first product.
os.environ.setdefault("ONEDNN_PRIMITIVE_CACHE_CAPACITY", "64")

_X86 = ("x86_64", "amd64")
_ROWS = 32
_LEAST_MULTIPLICATIONS = 2**20
"""Number of multiplications from which oneDNN's larger overhead per call pays off."""

_LEAST_PACKED = 2**14
"""Number of weights of a matrix from which packing the matrix pays off."""


_LEAST_FOR_THREADS = 2**27
"""Number of multiplications of a step from which more than one thread pays off."""


@contextmanager
def threads_for(multiplications: int, engine: bool = False) -> Iterator[None]:
    """A context in which torch has one thread for steps of few multiplications. Afterwards the number is as before.

    A step has forty small operations, and each waits for its last thread. If another program holds that thread's core,
    a sentence takes many times as long (docs/log/speed.md). A thread that first uses torch here keeps one thread.

    engine: whether the native engine computes the steps. If so, the engine has the threads and torch has one thread. A
    second thread of torch would hold a core for some milliseconds after each operation, waiting for the next.
    """
    before = torch.get_num_threads()
    several = before if multiplications >= _LEAST_FOR_THREADS else 1
    torch.set_num_threads(1 if engine else several)
    try:
        with native.threads(several):
            yield
    finally:
        torch.set_num_threads(before)


def _has_onednn() -> bool:
    available = torch.backends.mkldnn.is_available()  # type: ignore[no-untyped-call]
    x86 = platform.machine().lower() in _X86
    names = ("_linear_pointwise", "_reorder_linear_weight", "_is_mkldnn_bf16_supported")
    kernels = all(hasattr(torch.ops.mkldnn, name) for name in names)
    return bool(available and x86 and kernels)


_ONEDNN = _has_onednn()
_ONEDNN_BF16 = _ONEDNN and bool(torch.ops.mkldnn._is_mkldnn_bf16_supported())
_SLOW_BF16 = platform.machine().lower() in _X86 and not _ONEDNN_BF16
"""Without AVX-512, torch computes bf16 products on x86 in a loop: in twenty times the time of fp32."""


def precision_of_factors(asked: torch.dtype, weight: Tensor) -> torch.dtype:
    """The precision of products with ``weight``: ``asked``, or the precision of ``weight`` where bf16 is slower."""
    slow = asked == torch.bfloat16 and weight.device.type == "cpu" and _SLOW_BF16
    return weight.dtype if slow else asked


def _enabled() -> bool:
    """False within ``torch.backends.mkldnn.flags(enabled=False)``."""
    return bool(torch.backends.mkldnn.enabled)


def _onednn(x: Tensor, weight: Tensor) -> Tensor:
    """x W^T by oneDNN. [.., in] [out, in] -> [.., out]"""
    product: Tensor = torch.ops.mkldnn._linear_pointwise(x, weight, None, "none", [], "")
    return product


def cast(x: Tensor, dtype: torch.dtype) -> Tensor:
    """Convert ``x`` to ``dtype`` and make it contiguous, as a factor of ``multiply``."""
    return x.to(dtype).contiguous()


def multiply(a: Tensor, b: Tensor, result: torch.dtype) -> Tensor:
    """a @ b in the precision ``result``, for factors from ``cast``. b may be transposed. [.., p] [p, q] -> [.., q]"""
    fp32_on_cpu = a.dtype == torch.float32 and a.device.type == "cpu"
    if _ONEDNN and fp32_on_cpu and a.numel() * b.shape[1] >= _LEAST_MULTIPLICATIONS and _enabled():
        return _onednn(a, b.t()).to(result)
    return (a @ b).to(result)


def weight_gradient(a: Tensor, b: Tensor, dtype: torch.dtype, result: torch.dtype) -> Tensor:
    """The gradient a^T b of a weight. [N, p] [N, q] -> [p, q]. dtype, result: precision of the factors, of the sums."""
    if dtype == torch.bfloat16:
        a, b = pad_rows(a, dtype), pad_rows(b, dtype)
    return multiply(cast(a, dtype).t(), cast(b, dtype), result)


def pad_rows(a: Tensor, dtype: torch.dtype) -> Tensor:
    """Apply ``cast``, and append rows of zeros until the number of rows is a multiple of 32. [N, p] -> [N', p]"""
    missing = -len(a) % _ROWS
    if not missing:
        return cast(a, dtype)
    larger = a.new_empty(len(a) + missing, a.shape[1], dtype=dtype)
    larger[: len(a)] = a
    larger[len(a) :] = 0
    return larger


class PackedWeight:
    """A weight matrix W for many products x W^T, stored in the layout of the kernel. If x has few rows, a kernel
    that must convert W first spends half of its time on it."""

    def __init__(self, weight: Tensor, dtype: torch.dtype) -> None:
        """Pack ``weight``, [out, in]. dtype: precision of the factors. There is no gradient."""
        onednn = {torch.float32: _ONEDNN, torch.bfloat16: _ONEDNN_BF16}.get(dtype, False)
        self._packed = onednn and _enabled() and weight.device.type == "cpu" and weight.numel() >= _LEAST_PACKED
        self._dtype = dtype
        if self._packed:
            self._weight = torch.ops.mkldnn._reorder_linear_weight(cast(weight.detach(), dtype), None)
        else:
            self._weight = cast(weight.detach().t(), dtype)

    def __call__(self, x: Tensor, bias: Tensor | None = None) -> Tensor:
        """x W^T + bias, [.., in] -> [.., out], in x's precision."""
        rows = cast(x, self._dtype)
        y = _onednn(rows, self._weight).to(x.dtype) if self._packed else multiply(rows, self._weight, x.dtype)
        return y if bias is None else y.add_(bias)


class _Linear(torch.autograd.Function):
    """x W^T with the factors in a chosen precision."""

    @staticmethod
    def forward(ctx: Any, x: Tensor, weight: Tensor, dtype: torch.dtype) -> Tensor:
        rows = cast(x.reshape(-1, x.shape[-1]), dtype)
        ctx.save_for_backward(rows, weight)
        ctx.dtype, ctx.shape = dtype, x.shape
        return multiply(rows, cast(weight, dtype).t(), x.dtype).view(*x.shape[:-1], weight.shape[0])

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor | None, ...]:
        rows, weight = ctx.saved_tensors
        gradient = gradients[0]
        g = gradient.reshape(-1, gradient.shape[-1])
        d_x = None
        if ctx.needs_input_grad[0]:
            d_x = multiply(cast(g, ctx.dtype), cast(weight, ctx.dtype), weight.dtype).view(ctx.shape)
        d_weight = weight_gradient(g, rows, ctx.dtype, weight.dtype) if ctx.needs_input_grad[1] else None
        return d_x, d_weight, None


def linear(x: Tensor, weight: Tensor, dtype: torch.dtype) -> Tensor:
    """x W^T. [.., in] [out, in] -> [.., out], in x's precision. The factors have the precision ``dtype``."""
    result: Tensor = _Linear.apply(x, weight, dtype)  # type: ignore[no-untyped-call]
    return result


_FEW = 2**12
"""Number of values below which one call of torch's tanh costs less than the four calls of ``tanh_``."""


def tanh_(x: Tensor) -> Tensor:
    """tanh in place, as 2 sigma(2x) - 1. Torch vectorises sigmoid on every machine, but not tanh, which takes up to ten
    times as long. In fp32 the results differ by at most 1.2e-7. Small tensors and those with gradients use torch's."""
    if x.requires_grad or x.device.type != "cpu" or x.numel() < _FEW:
        return x.tanh_()
    return x.mul_(2).sigmoid_().mul_(2).sub_(1)


PANEL = 64
"""Number of outputs whose weights lie together in a packed matrix (a panel), as in nmt/native/engine.c."""
_MOST = 127
_ZERO = 128
"""The unsigned integer that represents 0 in the first factor of an integer product."""
_FINER = 128
"""Number of fine steps in a coarse step: a readout's input is rounded to coarse steps, its rounding error to fine."""
NEAR = 6.0
"""In a readout, sums within this many nats of a row's largest sum are computed in fine steps, as in engine.c."""
_LEAST_MAXIMUM = 1e-30
"""Lower bound on the largest value of a row, so that a row of zeros has a scale."""
LEAST_WEIGHTS = 2**20
"""Number of weights from which an integer product is faster than a product in fp32, with few rows and with many. The
limit does not depend on the number of rows: otherwise a result would depend on the batch."""
_MOST_INNER = (2**31 - 1) // (255 * 127)
"""Largest inner size of a product for which no sum can exceed 32 bits."""


class IntegerRows(NamedTuple):
    """A matrix rounded by row. values: int8 [rows, columns]. scale: float32 [rows]."""

    values: Tensor
    scale: Tensor


def round_rows(matrix: Tensor) -> IntegerRows:
    """Round each row w of a float32 matrix [rows, columns] to scale * q, with integers q in -127 .. 127 and
    scale = max |w| / 127. The error of an entry is at most half of its row's scale."""
    scale = matrix.abs().amax(dim=1) / _MOST
    steps = torch.where(scale > 0, scale, 1.0).unsqueeze(1)
    return IntegerRows((matrix / steps).round_().to(torch.int8), scale)


def has_integer_products() -> bool:
    """True if the native engine or oneDNN can multiply integers quickly and exactly on this machine."""
    return native.library() is not None or _has_onednn_integers()


@functools.cache
def _has_onednn_integers() -> bool:
    """True if oneDNN multiplies integers fast and exactly. Without VNNI, sums of two products may overflow 16 bits."""
    names = ("qlinear_prepack", "qlinear_pointwise")
    if platform.machine().lower() not in _X86 or not all(hasattr(torch.ops.onednn, n) for n in names):
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


class IntegerPanels:
    """A matrix rounded to integers, in the layout in which nmt/native/engine.c multiplies it.

    Attributes:
        matrix: addresses of this object's arrays, in which outputs are padded to whole panels.
    """

    def __init__(self, engine: CDLL, rows: IntegerRows, bias: Tensor | None = None) -> None:
        """Pack ``rows``, [out, in], and ``bias``, [out]."""
        (outputs, inputs), rest = rows.values.shape, -len(rows.values) % PANEL
        w = F.pad(rows.values, (0, -inputs % 4, 0, rest))
        groups = w.view(-1, PANEL, w.shape[1] // native.group(engine), native.group(engine)).transpose(1, 2)
        scale, offset = F.pad(rows.scale / _MOST, (0, rest)), _ZERO * w.sum(dim=1, dtype=torch.int32)
        bias = torch.zeros(len(w)) if bias is None else F.pad(bias, (0, rest))
        self._kept = [groups.contiguous(), scale, offset, bias]
        self._engine, self._outputs = engine, outputs
        self.matrix = native.Matrix(*(array.data_ptr() for array in self._kept), inputs, len(w))

    def __call__(self, x: Tensor, readout: bool = False) -> Tensor:
        """x W^T + bias by the engine, float32 [N, in] -> [N, out]"""
        x, y = x.contiguous(), torch.empty(len(x), self.matrix.outputs)
        maxima = torch.empty(len(x) * readout, y.shape[1] // PANEL)

        def part(first: int, end: int) -> int:
            rows = end - first, x[first:].data_ptr(), x.shape[1], y[first:].data_ptr(), y.shape[1]
            if readout:
                self._engine.logits(self.matrix, *rows, maxima[first:].data_ptr())
            else:
                self._engine.multiply(self.matrix, *rows)
            return 0

        native.in_parts(part, len(x), 1)
        return y[:, : self._outputs]


class IntegerWeight:
    """A weight matrix W rounded to integers of 8 bits, for many products x W^T, without gradient.

    A row x of the first factor is rounded to (m / 127) q, with m = max |x| and q in -127 .. 127. A row w of the weights
    is rounded to scale * w_q. Then

        x W^T ~ (m / 127) scale (q w_q^T),

    where the product of integers is exact. Every row has its own scale, so a result depends on no other row of the
    batch. A released run stores its weights as such integers (nmt/inference/checkpoint.py), so they stay equal.

    A readout's largest sums decide a search. So panels of outputs with a sum within ``NEAR`` nats of the row's largest
    are computed in steps of (m / 127) / 128: the rounding error of x is rounded and multiplied.

    Without the native engine, oneDNN's operator for quantised layers on x86 multiplies. It takes one scale for the
    whole first factor, so the scale m / 127 of each row is multiplied in afterwards. It is fast for unsigned first
    factors only, so it gets q + 128 with the zero point 128. Engine and operator get equal integers, because both round
    in double precision, where m q is exact.
    """

    def __init__(self, weight: Tensor, readout: Tensor | None = None) -> None:
        """Round and pack ``weight``, [out, in], float32. readout: bias of a readout of whole panels, or None."""
        rows, engine = round_rows(weight.detach()), native.library()
        self._readout = None if readout is None else readout.detach()
        if engine is None:
            self._times: _Operator | IntegerPanels = _Operator(IntegerRows(rows.values, rows.scale / _MOST))
        else:
            self._times = IntegerPanels(engine, rows, self._readout)

    @staticmethod
    def pays_off(weight: Tensor, least: int = LEAST_WEIGHTS) -> bool:
        """True if integers make products with ``weight`` faster: fp32 on a CPU, with at least ``least`` entries."""
        suits = weight.device.type == "cpu" and weight.dtype == torch.float32 and weight.shape[1] <= _MOST_INNER
        return suits and weight.numel() >= least and has_integer_products()

    def __call__(self, x: Tensor, bias: Tensor | None = None) -> Tensor:
        """x W^T + bias, [.., in] -> [.., out], float32. A row with NaN or an infinite entry gives NaN or infinities."""
        rows, readout = x.reshape(-1, x.shape[-1]), self._readout
        if isinstance(self._times, IntegerPanels):
            y = self._times(rows, readout is not None)
            return (y if bias is None else y.add_(bias)).reshape(*x.shape[:-1], y.shape[1])
        maxima = rows.abs().amax(dim=1, keepdim=True).clamp_min_(_LEAST_MAXIMUM)
        # Torch computes ``127 / maxima`` as 127 times the reciprocal, which may round to another integer.
        exact = rows * (maxima.new_tensor(_MOST) / maxima).double()
        y, bias = self._product(exact, maxima), readout if bias is None else bias
        y = y if bias is None else y.add_(bias)
        if readout is not None:
            panels = y.view(len(y), -1, PANEL).amax(dim=2)
            near = (panels >= panels.amax(dim=1, keepdim=True) - NEAR).repeat_interleave(PANEL, dim=1)
            rest = (exact - exact.add(_ZERO + 0.5).floor_().sub_(_ZERO)).mul_(_FINER)
            y = torch.where(near, y + self._product(rest, maxima / _FINER), y)
        return y.view(*x.shape[:-1], y.shape[1])

    def _product(self, exact: Tensor, maxima: Tensor) -> Tensor:
        """Round the rows and multiply them by oneDNN. [N, in], [N, 1] -> [N, out]"""
        assert isinstance(self._times, _Operator)
        q = exact.add(_ZERO + 0.5).to(torch.uint8)  # all positive, so truncation rounds down
        return self._times(q).mul_(maxima)
