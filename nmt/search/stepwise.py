"""All that the search may know of a model: how to start, to take a step, and to pick rows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from torch import Tensor

START = -1
"""The previous token of the first step: y_0, whose embedding is the zero vector."""

END = 0
"""Id of the end mark, in every vocabulary."""

State = TypeVar("State")

AlphaOverride = Callable[[Tensor], Tensor]
"""What makes of a step's alpha, [S, k, T_x], the weights that it is to use."""


@dataclass(frozen=True)
class Step(Generic[State]):
    """What one step of a model gives, for S sentences with k rows each.

    Attributes:
        log_probabilities: log p(y_i | y_<i, x) in nats, float32 [S, k, K_y], normalised; -inf in columns beyond the
            vocabulary, if there are such. Whoever asked for the step may write into it.
        alpha: alpha_ij, float32 [S, k, T_x]; None for a model without attention.
        state: the state after the step, with the same rows.
    """

    log_probabilities: Tensor
    alpha: Tensor | None
    state: State


class Stepwise(Protocol[State]):
    """A model seen one target token at a time. Nothing in it may depend on what else is in the batch."""

    def start(self, source: Tensor, mask: Tensor) -> State:
        """Read the sources.

        Args:
            source: token ids, long [S, T_x], end marks included.
            mask: bool [S, T_x], True for a token, False for padding.

        Returns:
            The state before the first target token, with rows [S, 1].
        """
        ...

    def step(self, state: State, previous: Tensor) -> Step[State]:
        """One step for all rows; ``previous`` long [S, k] holds y_{i-1}, ``START`` for y_0."""
        ...

    def select(self, state: State, rows: Tensor) -> State:
        """Keep and reorder rows.

        Args:
            state: a state with rows [S, k]; the row in line s, column j has the number s * k + j.
            rows: long [S', k']; the new row (s, j) continues the old row of number ``rows[s, j]``. All rows of
                one line come from one old line, i.e. from one sentence.
        """
        ...
