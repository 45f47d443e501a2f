"""Products of integers by each way that engine.c has, in a program of its own: the same numbers, bit for bit."""

import os
import platform
import runpy
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from nmt import native
from nmt.native import _COMMON, _processor

SOURCE = Path(__file__).with_name("products.c")
X86 = platform.machine().lower() in ("x86_64", "amd64")


@dataclass(frozen=True)
class Way:
    """How a product is computed.

    Attributes:
        flags: for the compiler.
        needed: what a processor must have to run it.
        arm: whether it is for a 64-bit processor of ARM's, which qemu-user can be.
    """

    flags: tuple[str, ...]
    needed: str = ""
    arm: bool = False


WAYS = {
    "vnni": Way(("-march=x86-64-v4", "-mavx512vnni"), "avx512bw avx512vl avx512dq avx512_vnni"),
    "avx-vnni": Way(("-march=x86-64-v3", "-mavxvnni"), "avx2 avx_vnni"),
    "avx512": Way(("-march=x86-64-v4",), "avx512bw avx512vl avx512dq"),
    "avx2": Way(("-march=x86-64-v3",), "avx2 fma bmi2"),
    "avx": Way(("-march=sandybridge",), "avx"),
    "sse2": Way(("-march=x86-64",)),
    "portable": Way(("-march=x86-64", "-U__SSE2__")),
    "neon": Way(("-mcpu=cortex-a72",), arm=True),
    "neon dotprod": Way(("-mcpu=cortex-a76",), arm=True),
}


def program(way: Way, folder: Path) -> list[str]:
    """Compile the product in this way; returns the command that runs it."""
    here = (platform.machine().lower() in ("aarch64", "arm64")) == way.arm and (way.arm or X86)
    compiler = shutil.which(os.environ.get("CC", "cc") if here else "aarch64-linux-gnu-gcc" if way.arm else "")
    if compiler is None:
        pytest.skip("the processor has no such products, nor has the compiler")
    target = folder / "products"
    static = () if here else ("-static",)
    subprocess.run([compiler, *_COMMON, *way.flags, "-Wno-psabi", *static, "-o", target, SOURCE, "-lm"], check=True)
    emulator = [] if here else [shutil.which("qemu-aarch64") or ""]
    if emulator == [""] or not set(way.needed.split()) <= set(_processor().split()):
        pytest.skip("the processor has no such products; they were compiled")
    return [*emulator, str(target)]


def integers(x: NDArray[np.float32]) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float32]]:
    """Rows rounded to 127 steps of their largest values, what that leaves out in steps of 1/128, and these values."""
    most = np.maximum(np.abs(x).max(axis=1, keepdims=True), np.float32(1e-30))
    exact = x.astype(np.float64) * (np.float32(127) / most).astype(np.float64)
    q = np.floor(exact + 128.5).astype(np.int64) - 128
    return q, np.floor((exact - q) * 128 + 128.5).astype(np.int64) - 128, most


def products(
    command: list[str], x: NDArray[np.float32], w: NDArray[np.int8], scale: NDArray[np.float32], readout: bool = False
) -> NDArray[np.float32]:
    """x W^T as the program computes it."""
    sizes = np.array([*x.shape, len(w), readout])
    given = b"".join(each.tobytes() for each in (sizes, x, w, scale))
    done = subprocess.run(command, input=given, stdout=subprocess.PIPE, check=True)
    return np.frombuffer(done.stdout, dtype=np.float32).reshape(len(x), len(w))


@pytest.mark.slow
@pytest.mark.parametrize("name", WAYS)
def test_products_are_equal_bit_for_bit_in_every_way(name: str, tmp_path: Path) -> None:
    """Sums of integers are exact, and products of floats are rounded alike everywhere. Some inputs lie halfway between
    two integers, or next to that, where a fused product and sum would round to another one."""
    random, command = np.random.default_rng(1), program(WAYS[name], tmp_path)
    for rows, inputs, outputs in ((1, 1, 64), (7, 30, 128), (25, 321, 64), (5, 4096, 64)):
        x = random.normal(size=(rows, inputs)).astype(np.float32)
        halves = (random.integers(-126, 126, (rows, inputs)) + 0.5) / 127 * np.abs(x).max(axis=1, keepdims=True)
        near = halves.astype(np.float32).view(np.int32) + random.integers(-1, 2, (rows, inputs), dtype=np.int32)
        x = np.where(random.random(x.shape) < 0.5, near.view(np.float32), x)
        x[0, 0], x[-1] = 30, x[-1] * (rows == 1)
        w = random.integers(-127, 128, (outputs, inputs)).astype(np.int8)
        w[0], x[rows // 2] = 127, np.where(rows > 2, 3, x[rows // 2])  # the largest sum
        scale = random.random(outputs, dtype=np.float32)
        q, _, most = integers(x)
        expected = (q @ w.T.astype(np.int64)).astype(np.float32) * scale * most
        np.testing.assert_array_equal(products(command, x, w, scale), expected)
    for rows, inputs in (
        (1, 1),
        (9, 321),
    ):  # scales are powers of two, so that a fused product and sum is no other number
        x = np.clip(random.normal(size=(rows, inputs)), -4, 4).astype(np.float32)
        x[:, 0] = 4
        w = random.integers(-127, 128, (320, inputs)).astype(np.int8)
        scale = np.exp2(random.integers(-9, -7, 320), dtype=np.float32)
        (q, rest, most), whole = integers(x), w.T.astype(np.int64)
        y = (q @ whole).astype(np.float32) * scale * most
        panels = y.reshape(rows, -1, 64).max(axis=2)
        near = np.repeat(panels >= panels.max(axis=1, keepdims=True) - 6, 64, axis=1)
        assert rows == 1 or 0 < near.mean() < 1
        finer = y + (rest @ whole).astype(np.float32) * scale * (most / 128)
        np.testing.assert_array_equal(products(command, x, w, scale, readout=True), np.where(near, finer, y))
        exact = x.astype(np.float64) @ whole * scale * 127
        assert np.abs(finer - exact).max() < np.abs(y - exact).max() / 50 or inputs == 1


@pytest.mark.slow
def test_the_engines_of_a_package_for_arm_search_as_that_of_this_machine(tmp_path: Path) -> None:
    """Ids are equal; probabilities differ in the last digits, as vectors of other widths add in another order."""
    emulator, compiler = shutil.which("qemu-aarch64"), shutil.which("aarch64-linux-gnu-gcc")
    if emulator is None or compiler is None or native.library() is None:
        pytest.skip("the processor has no such engine, nor can another be tried")
    package = runpy.run_path(str(Path(__file__).parents[2] / "setup.py"))
    package["compile_engine"](tmp_path, "aarch64")
    source, program = SOURCE.with_name("search.c"), tmp_path / "search"
    found = {}
    for command, emulated, engines in (
        ("cc", [], [native.build(native.cache_folder())]),
        (compiler, [emulator, "-L", "/usr/aarch64-linux-gnu"], sorted(tmp_path.glob("*.so"))),
    ):
        subprocess.run([command, "-std=gnu11", "-w", "-o", program, source, "-ldl", "-lm"], check=True)
        for engine in engines:
            done = subprocess.run([*emulated, program, engine], capture_output=True, text=True, check=True)
            found[engine.name] = np.array([line.split() for line in done.stdout.splitlines()], dtype=np.float64)
    assert len(found) == 1 + len(package["KINDS"]["aarch64"])
    first, *others = found.values()
    assert len(first) > 10
    assert first[:, 1].max() < 0
    for other in others:
        np.testing.assert_array_equal(other[:, 0], first[:, 0])
        np.testing.assert_allclose(other, first, atol=2e-4)
