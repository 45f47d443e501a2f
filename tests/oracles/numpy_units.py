"""The hidden units in plain NumPy, one step of one sentence at a time, each written from its own source.

gated        the paper's (A.1.1): the reset gate acts on the state, before U
reset_after  the gate of torch.nn.GRU and cuDNN: it acts on U h + b_u; z as in the paper, z = 1 takes the candidate
lstm         input, forget and output gate around a memory cell q (Hochreiter and Schmidhuber 1997, Gers et al. 2000)
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]
Parameters = dict[str, NDArray[np.float64]]

GATES = {"gated": ("_z", "_r"), "reset_after": ("_z", "_r"), "lstm": ("_in", "_forget", "_out")}
"""Suffixes of the gates' weights, as in W_z, U_z, b_z; those of the candidate have none."""


@dataclass(frozen=True)
class UnitState:
    """h: what everything else sees, [n]; q: the memory cell of an lstm, [n]."""

    h: Vector
    q: Vector


def sigma(x: Vector) -> Vector:
    return 1.0 / (1.0 + np.exp(-x))


def begin(h: Vector) -> UnitState:
    """Before the first step; the memory cell is empty."""
    return UnitState(h, np.zeros_like(h))


def unit_shapes(unit: str, m: int, n: int, context: int | None = None) -> dict[str, tuple[int, ...]]:
    """Name and shape of the weights, with C where there is a context."""
    shapes: dict[str, tuple[int, ...]] = {}
    for gate in ("", *GATES[unit]):
        shapes[f"W{gate}"] = (n, m)
        shapes[f"U{gate}"] = (n, n)
        shapes[f"b{gate}"] = (n,)
        if context is not None:
            shapes[f"C{gate}"] = (n, context)
    if unit == "reset_after":
        shapes["b_u"] = (n,)
    return shapes


def unit_gates(
    p: Parameters, prefix: str, unit: str, e: Vector, state: UnitState, c: Vector | None = None
) -> dict[str, Vector]:
    """The gates of a step, by their suffix; arguments as in ``unit_step``."""
    return {
        name: sigma(_input_sum(p, prefix, name, e, c) + p[f"{prefix}U{name}"] @ state.h)  # all of them see h alone
        for name in GATES[unit]
    }


def unit_step(p: Parameters, prefix: str, unit: str, e: Vector, state: UnitState, c: Vector | None = None) -> UnitState:
    """The state after input e and, in a decoder, context c."""
    gate = unit_gates(p, prefix, unit, e, state, c)
    input_sum = _input_sum(p, prefix, "", e, c)
    h, U = state.h, p[f"{prefix}U"]
    if unit == "lstm":
        q = gate["_forget"] * state.q + gate["_in"] * np.tanh(input_sum + U @ h)
        return UnitState(gate["_out"] * np.tanh(q), q)
    z, r = gate["_z"], gate["_r"]
    if unit == "reset_after":
        candidate = np.tanh(input_sum + r * (U @ h + p[f"{prefix}b_u"]))
    else:
        candidate = np.tanh(input_sum + U @ (r * h))
    return begin((1.0 - z) * h + z * candidate)


def _input_sum(p: Parameters, prefix: str, name: str, e: Vector, c: Vector | None) -> Vector:
    """Contribution of input and context to a gate or the candidate."""
    x: Vector = p[f"{prefix}W{name}"] @ e + p[f"{prefix}b{name}"]
    return x if c is None else x + p[f"{prefix}C{name}"] @ c
