"""The gated hidden unit, its recurrence over given inputs, and the interface of all units to encoder and decoder.

    z_i  = sigma(W_z e_i + U_z h_{i-1})
    r_i  = sigma(W_r e_i + U_r h_{i-1})
    h~_i = tanh(W e_i + U [r_i * h_{i-1}])
    h_i  = (1 - z_i) * h_{i-1} + z_i * h~_i

Unlike in torch.nn.GRU, the reset gate acts before U, and z = 1 takes the candidate.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable
from functools import partial
from typing import Any, ClassVar

import torch
from torch import Tensor, nn

from nmt.model.kernels import PackedWeight, linear, tanh_, weight_gradient


class Unit(nn.Module, ABC):
    """The weights of a hidden unit: W for the input, U for the state and a bias b, for each gate and the candidate.

    A stacked matrix has the rows of the gates first, in the order of ``GATES``, and the rows of the candidate last. The
    first n entries of the state are its visible part. The state of an LSTM also has a hidden part, the memory cell.
    """

    GATES: ClassVar[tuple[str, ...]]
    """Suffixes of the gates' W, U and b: "_z" for W_z, U_z, b_z."""

    def __init__(self, inputs: int, hidden: int) -> None:
        super().__init__()
        for letter, shape in (("W", (hidden, inputs)), ("U", (hidden, hidden)), ("b", (hidden,))):
            for gate in ("", *self.GATES):
                self.register_parameter(letter + gate, nn.Parameter(torch.empty(shape)))

    U: Tensor

    def stacked(self, letter: str) -> Tensor:
        """The matrices of the gates and the candidate, stacked. For the gated unit and W: [W_z, W_r, W], [3n, m]."""
        return torch.cat([getattr(self, letter + gate) for gate in (*self.GATES, "")])

    def project(self, e: Tensor, dtype: torch.dtype) -> Tensor:
        """What inputs and biases add to the sums of gates and candidate. [.., m] -> [.., 3n] (LSTM: 4n)"""
        return linear(e, self.stacked("W"), dtype) + self.stacked("b")

    @abstractmethod
    def recurrent(self) -> Tensor:
        """The matrices that are multiplied with the visible part of the state itself, stacked: [R, n]."""

    def begin(self, h: Tensor) -> Tensor:
        """The initial state whose visible part is h, [.., n]."""
        return h

    @abstractmethod
    def update(self, state: Tensor, x: Tensor, from_state: Tensor, times_U: Callable[[Tensor], Tensor]) -> Tensor:
        """The next state.

        Args:
            state: the previous state.
            x: contribution of word and context to the sums, [.., 3n] (LSTM: 4n). Further columns are ignored.
            from_state: the state's first n entries, multiplied by ``recurrent``, [.., R].
            times_U: v -> v U^T, for a unit that multiplies U with another vector than the state, such as r * h.
        """

    def gates(self, x: Tensor, from_state: Tensor) -> Tensor:
        """The gates in ``update``, in the order of ``GATES``, [.., G, n]. The arguments are those of ``update``."""
        n, count = self.U.shape[0], len(self.GATES)  # in x and in from_state the gates come first
        gates = torch.sigmoid(x[..., : count * n] + from_state[..., : count * n])
        return gates.view(*gates.shape[:-1], count, n)

    def scan(
        self, e: Tensor, start: Tensor, mask: Tensor | None, dtype: torch.dtype, *, reverse: bool = False
    ) -> Tensor:
        """Project the inputs and ``run`` the unit over them. Returns the visible states, [T, B, m] -> [T, B, n]."""
        return self.run(self.project(e, dtype), start, mask, dtype, reverse=reverse)

    def run(self, x: Tensor, start: Tensor, mask: Tensor | None, dtype: torch.dtype, *, reverse: bool) -> Tensor:
        """Run the recurrence over projected inputs, step by step. Autograd differentiates it.

        Args:
            x: projected inputs with biases, [T, B, 3n] (LSTM: 4n).
            start: visible part of the state before the first step, [B, n].
            mask: [T, B, 1], 1 for a word and 0 for padding, which keeps the state. None = all words.
            dtype: precision of the factors of the matrix products.
            reverse: whether to go from the last word to the first.

        Returns the visible part of the state after each word, in the order of the words, [T, B, n].
        """
        n, recurrent = start.shape[-1], self.recurrent()
        times_U = partial(linear, weight=self.U, dtype=dtype)
        state = self.begin(start)
        seen: list[Tensor] = []
        for t in reversed(range(len(x))) if reverse else range(len(x)):
            after = self.update(state, x[t], linear(state[..., :n], recurrent, dtype), times_U)
            state = after if mask is None else torch.where(mask[t] > 0, after, state)
            seen.append(state[..., :n])
        if not seen:
            return x.new_empty(0, *start.shape)
        return torch.stack(seen[::-1] if reverse else seen)


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
        """[U_z, U_r], [2n, n]. U is not included, because it is multiplied with r * h."""
        return torch.cat([self.U_z, self.U_r])

    def update(self, state: Tensor, x: Tensor, from_state: Tensor, times_U: Callable[[Tensor], Tensor]) -> Tensor:
        """Return h_i. Paper: A.1.1, A.2.2"""
        n = state.shape[-1]
        zr = (x[..., : 2 * n] + from_state).sigmoid_()
        z, r = zr[..., :n], zr[..., n:]
        return torch.lerp(state, tanh_(x[..., 2 * n : 3 * n] + times_U(r * state)), z)

    def run(self, x: Tensor, start: Tensor, mask: Tensor | None, dtype: torch.dtype, *, reverse: bool) -> Tensor:
        """Run ``gated_scan`` with the weights of this unit."""
        return gated_scan(x, start, self.recurrent().t(), self.U.t(), mask, dtype, reverse=reverse)


class _GatedScan(torch.autograd.Function):
    """The recurrence in one direction, with a backward pass written by hand.

    Backward, with d_ for gradients and a_ for the argument of a nonlinearity:
        d_h~ = d_h * z             d_z = d_h * (h~ - h_{i-1})
        d_a_h~ = d_h~ (1 - h~^2)   d_[r*h] = d_a_h~ U
        d_r = d_[r*h] * h_{i-1}    d_h_{i-1} = d_h (1 - z) + d_[r*h] * r + d_a_z U_z + d_a_r U_r
    The gradient of a weight matrix is a sum over all steps, computed as one product after the loop.
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
    x: Tensor, start: Tensor, U_zr: Tensor, U: Tensor, mask: Tensor | None, dtype: torch.dtype, *, reverse: bool
) -> Tensor:
    """Run a gated unit over T steps. U_zr and U are the recurrent matrices transposed, [n, 2n] and [n, n]. The other
    arguments and the result are those of ``Unit.run``.

    Paper: A.1.1, eq. 7
    """
    states: Tensor = _GatedScan.apply(x, start, U_zr, U, mask, reverse, dtype)  # type: ignore[no-untyped-call]
    return states
