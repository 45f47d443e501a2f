"""The gated hidden unit and its recurrence over given inputs.

    z_i  = sigma(W_z e_i + U_z h_{i-1})
    r_i  = sigma(W_r e_i + U_r h_{i-1})
    h~_i = tanh(W e_i + U [r_i * h_{i-1}])
    h_i  = (1 - z_i) * h_{i-1} + z_i * h~_i

The reset gate acts before U, and z = 1 takes the candidate: this differs from torch.nn.GRU.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from nmt.model.kernels import PackedWeight, weight_gradient
from nmt.model.nonlinearities import tanh_
from nmt.model.unit import Unit


class GatedUnit(Unit):
    """The weights of one gated unit: W, W_z, W_r [n, m], U, U_z, U_r [n, n], b, b_z, b_r [n].

    Paper: A.1.1
    """

    GATES = ("_z", "_r")

    W: Tensor
    W_z: Tensor
    W_r: Tensor
    U_z: Tensor
    U_r: Tensor
    b: Tensor
    b_z: Tensor
    b_r: Tensor

    def recurrent(self) -> Tensor:
        """[U_z; U_r], [2n, n]: U is multiplied with r * h."""
        return torch.cat([self.U_z, self.U_r])

    def update(self, state: Tensor, x: Tensor, from_state: Tensor, times_U: Callable[[Tensor], Tensor]) -> Tensor:
        """Return h_i. Paper: A.1.1, A.2.2"""
        n = state.shape[-1]
        zr = (x[..., : 2 * n] + from_state).sigmoid_()
        z, r = zr[..., :n], zr[..., n:]
        return torch.lerp(state, tanh_(x[..., 2 * n : 3 * n] + times_U(r * state)), z)

    def run(
        self, x: Tensor, start: Tensor, mask: Tensor | None, dtype: torch.dtype, *, reverse: bool = False
    ) -> Tensor:
        """``gated_scan`` with these weights."""
        return gated_scan(x, start, self.recurrent().t(), self.U.t(), mask, dtype, reverse=reverse)


class _GatedScan(torch.autograd.Function):
    """The recurrence in one direction, with a backward pass written by hand.

    Backward, with d_ for gradients and a_ for the argument of a nonlinearity:
        d_h~ = d_h * z             d_z = d_h * (h~ - h_{i-1})
        d_a_h~ = d_h~ (1 - h~^2)   d_[r*h] = d_a_h~ U
        d_r = d_[r*h] * h_{i-1}    d_h_{i-1} = d_h (1 - z) + d_[r*h] * r + d_a_z U_z + d_a_r U_r
    Gradients of the weights are sums over all steps, each computed as one product after the loop.
    """

    @staticmethod
    def forward(
        ctx: Any,
        x: Tensor,
        start: Tensor,
        U_zr: Tensor,
        U: Tensor,
        mask: Tensor | None,
        reverse: bool,
        dtype: torch.dtype,
    ) -> Tensor:
        T, (B, n) = x.shape[0], start.shape
        by_U_zr, by_U = PackedWeight(U_zr.t(), dtype), PackedWeight(U.t(), dtype)
        gates = x.new_empty(T, B, 2 * n)  # z (0 where masked), r
        candidates = x.new_empty(T, B, n)
        states = x.new_empty(T + 1, B, n)
        before, after = (states[1:], states[:-1]) if reverse else (states[:-1], states[1:])
        states[T if reverse else 0] = start
        for t in reversed(range(T)) if reverse else range(T):
            h = before[t]
            zr = torch.add(x[t, :, : 2 * n], by_U_zr(h), out=gates[t]).sigmoid_()
            z, r = zr[:, :n], zr[:, n:]
            if mask is not None:
                z.mul_(mask[t])  # padding: the state is kept
            c = torch.add(x[t, :, 2 * n :], by_U(r * h), out=candidates[t])
            tanh_(c)
            torch.lerp(h, c, z, out=after[t])
        ctx.save_for_backward(states, gates, candidates, U_zr, U)
        ctx.reverse, ctx.dtype = reverse, dtype
        return after

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor | None, ...]:
        states, gates, candidates, U_zr, U = ctx.saved_tensors
        d_states, dtype = gradients[0], ctx.dtype
        T, B, n = candidates.shape
        before = states[1:] if ctx.reverse else states[:-1]
        d_x = states.new_empty(T, B, 3 * n)
        back_by_U_zr, back_by_U = PackedWeight(U_zr, dtype), PackedWeight(U, dtype)
        d_h = torch.zeros_like(states[0])
        for t in range(T) if ctx.reverse else reversed(range(T)):
            h, c = before[t], candidates[t]
            z, r = gates[t, :, :n], gates[t, :, n:]
            d_h = d_h + d_states[t]
            d_a_c = torch.ops.aten.tanh_backward(d_h * z, c)
            d_x[t, :, 2 * n :] = d_a_c
            d_rh = back_by_U(d_a_c)
            d_x[t, :, :n] = torch.ops.aten.sigmoid_backward(d_h * (c - h), z)
            d_x[t, :, n : 2 * n] = torch.ops.aten.sigmoid_backward(d_rh * h, r)
            d_h = torch.addcmul(d_h, d_h, z, value=-1).addcmul_(d_rh, r)
            d_h += back_by_U_zr(d_x[t, :, : 2 * n])
        rows = d_x.flatten(0, 1)
        d_U_zr = weight_gradient(before.flatten(0, 1), rows[:, : 2 * n], dtype, states.dtype)
        d_U = weight_gradient((gates[..., n:] * before).flatten(0, 1), rows[:, 2 * n :], dtype, states.dtype)
        return d_x, d_h, d_U_zr, d_U, None, None, None


def gated_scan(
    x: Tensor, start: Tensor, U_zr: Tensor, U: Tensor, mask: Tensor | None, dtype: torch.dtype, *, reverse: bool = False
) -> Tensor:
    """Run a gated unit over T steps.

    Args:
        x: projected inputs with biases, [T, B, 3n] (update gate, reset gate, candidate).
        start: the state before the first step, [B, n].
        U_zr, U: recurrent matrices transposed, [n, 2n] and [n, n].
        mask: [T, B, 1], 1 for a word and 0 for padding, which keeps the state; None = all words.
        dtype: precision of the factors of the matrix products.
        reverse: from the last word to the first.

    Returns:
        The state after each word, in the order of the words, [T, B, n].

    Paper: A.1.1, eq. 7
    """
    states: Tensor = _GatedScan.apply(x, start, U_zr, U, mask, reverse, dtype)  # type: ignore[no-untyped-call]
    return states
