"""What the machine itself can do: matrix products, memory, tanh."""

import time
from collections.abc import Callable
from functools import partial

import torch

SQUARE = 4096
GEMMS = ((SQUARE, SQUARE, SQUARE), (80, 1000, 3000), (80, 1000, 30_000), (2000, 500, 30_000), (5, 500, 30_000))
"""Sizes (rows, inner, columns): a large square; a step's gates, a step's and a minibatch's readout, and one
sentence's readout, at PAPER sizes."""
PRODUCTS = (("fp32", torch.float32), ("bf16", torch.bfloat16), ("tf32", torch.float32))
"""Precisions; the last on GPUs alone."""
REPEATS = 5
LEAST_SECONDS = 0.05
"""A repeat makes as many calls as take about this long."""


def measure_limits(device: torch.device, square: int = SQUARE) -> dict[str, float]:
    """The fastest of some repeats each: GFLOP/s of products, GB/s of memory, G/s of tanh, by name."""
    limits = {}
    for rows, inner, columns in [(square, square, square), *GEMMS[1:]] if square == SQUARE else [(square,) * 3]:
        for name, dtype in PRODUCTS if device.type == "cuda" else PRODUCTS[: 1 + has_bf16(device)]:
            torch.set_float32_matmul_precision("high" if name == "tf32" else "highest")
            a = torch.randn(rows, inner, device=device).to(dtype)
            b = torch.randn(inner, columns, device=device).to(dtype)
            out = torch.empty(rows, columns, device=device, dtype=dtype)
            ways = {"": partial(torch.mm, a, b, out=out)}
            if device.type == "cpu" and _has_onednn(dtype):
                packed = torch.ops.mkldnn._reorder_linear_weight(b.t().contiguous(), None)
                ways[", oneDNN"] = partial(torch.ops.mkldnn._linear_pointwise, a, packed, None, "none", [], "")
            for way, product in ways.items():
                speed = 2 * rows * inner * columns / _fastest(product, device)
                limits[f"gemm {rows}x{inner}x{columns} {name}{way} GFLOP/s"] = speed / 1e9
    numbers = square * square * 2  # beyond every cache
    x, y, z = (torch.ones(numbers, device=device) for _ in range(3))
    limits["copy GB/s"] = 2 * 4 * numbers / _fastest(lambda: y.copy_(x), device) / 1e9
    limits["triad GB/s"] = 3 * 4 * numbers / _fastest(lambda: torch.add(x, y, alpha=2.0, out=z), device) / 1e9
    small, result = torch.randn(80 * 50 * 256, device=device), torch.empty(80 * 50 * 256, device=device)
    limits["tanh fp32 G/s"] = small.numel() / _fastest(lambda: torch.tanh(small, out=result), device) / 1e9
    return limits


def peak(limits: dict[str, float], precision: str) -> float:
    """The fastest matrix product of a precision, in FLOP/s."""
    gemms = [(name.split()[2].rstrip(","), speed) for name, speed in limits.items() if name.startswith("gemm")]
    return 1e9 * max(speed for found, speed in gemms if found == precision)


def has_bf16(device: torch.device) -> bool:
    """Whether bf16 is worth a measurement: a processor without instructions for it computes in a loop, in twenty times
    the time of fp32."""
    return device.type != "cpu" or bool(torch.ops.mkldnn._is_mkldnn_bf16_supported())


def _has_onednn(dtype: torch.dtype) -> bool:
    """Whether oneDNN can be asked directly, with weights in the layout that it likes best. In fp32, torch asks MKL,
    which is slow on processors that are not Intel's; in bf16, oneDNN needs AVX-512."""
    names = ("_linear_pointwise", "_reorder_linear_weight", "_is_mkldnn_bf16_supported")
    has = all(hasattr(torch.ops.mkldnn, name) for name in names)
    return has and (dtype != torch.bfloat16 or has_bf16(torch.device("cpu")))


def _fastest(work: Callable[[], object], device: torch.device) -> float:
    """Seconds of one call, the least of some repeats."""

    def timed(calls: int) -> float:
        if device.type == "cuda":
            torch.cuda.synchronize(device)
        began = time.perf_counter()
        for _ in range(calls):
            work()
        if device.type == "cuda":
            torch.cuda.synchronize(device)
        return (time.perf_counter() - began) / calls

    timed(1)
    calls = max(1, round(LEAST_SECONDS / timed(1)))
    return min(timed(calls) for _ in range(REPEATS))
