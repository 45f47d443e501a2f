"""Interface of a hidden unit to encoder and decoder."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from functools import partial
from typing import ClassVar

import torch
from torch import Tensor, nn

from nmt.model.kernels import linear


class Unit(nn.Module, ABC):
    """The weights of a hidden unit: W for the input, U for the state and a bias b, for each gate and the candidate.

    Stacked matrices have the gates first, in the order of ``GATES``, and the candidate last. The state is [.., n], or
    longer if a unit has a hidden part; its first n entries are the visible part.
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
        """The matrices of the gates and the candidate, stacked: [W_z; W_r; W], [3n, m], for the gated unit."""
        return torch.cat([getattr(self, letter + gate) for gate in (*self.GATES, "")])

    def project(self, e: Tensor, dtype: torch.dtype) -> Tensor:
        """Contribution of the inputs to the sums of gates and candidate, biases included. [.., m] -> [.., 3n] (LSTM:
        4n)"""
        return linear(e, self.stacked("W"), dtype) + self.stacked("b")

    @abstractmethod
    def recurrent(self) -> Tensor:
        """The matrices that are multiplied with the state itself, stacked: [R, n]."""

    def begin(self, h: Tensor) -> Tensor:
        """Initial state with visible part h. [.., n] -> the state"""
        return h

    @abstractmethod
    def update(self, state: Tensor, x: Tensor, from_state: Tensor, times_U: Callable[[Tensor], Tensor]) -> Tensor:
        """The next state.

        Args:
            state: the previous state.
            x: contribution of word and context to the sums, [.., 3n] (LSTM: 4n); columns beyond these are ignored.
            from_state: the state's first n entries, multiplied by ``recurrent``, [.., R].
            times_U: v -> v U^T, for a unit that multiplies U with something other than the state.
        """

    def gates(self, x: Tensor, from_state: Tensor) -> Tensor:
        """The gates that ``update`` uses, in the order of ``GATES``, [.., G, n]; arguments as in ``update``."""
        n, count = self.U.shape[0], len(self.GATES)  # in x and in from_state the gates come first
        gates = torch.sigmoid(x[..., : count * n] + from_state[..., : count * n])
        return gates.view(*gates.shape[:-1], count, n)

    def scan(
        self, e: Tensor, start: Tensor, mask: Tensor | None, dtype: torch.dtype, *, reverse: bool = False
    ) -> Tensor:
        """Visible states after each input: ``run`` over projected inputs. [T, B, m] -> [T, B, n]"""
        return self.run(self.project(e, dtype), start, mask, dtype, reverse=reverse)

    def run(
        self, x: Tensor, start: Tensor, mask: Tensor | None, dtype: torch.dtype, *, reverse: bool = False
    ) -> Tensor:
        """The recurrence over projected inputs, one step after the other; autograd differentiates it.

        Args:
            x: projected inputs with biases, [T, B, 3n] (LSTM: 4n).
            start: visible part of the state before the first step, [B, n].
            mask: [T, B, 1], 1 for a word and 0 for padding, which keeps the state; None = all words.
            dtype: precision of the factors of the matrix products.
            reverse: from the last word to the first.

        Returns:
            The visible part of the state after each word, in the order of the words, [T, B, n].
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
