"""Interface of a model to the searches: start, take a step, select rows."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from torch import Tensor

START = -1
"""The previous token of the first step: y_0, whose embedding is the zero vector."""

END = 0
"""Id of the end-of-sentence token, in every vocabulary."""

State = TypeVar("State")

AlphaOverride = Callable[[Tensor], Tensor]
"""Function from a step's alpha, [S, k, T_x], to the weights that the step uses."""


@dataclass(frozen=True)
class Step(Generic[State]):
    """Result of one step of a model, for S sentences with k rows each.

    Attributes:
        log_probabilities: log p(y_i | y_<i, x) in nats, float32 [S, k, K_y], normalised but for the mean of an
            ``Ensemble``; -inf in columns beyond the vocabulary, if there are any. The caller may overwrite it.
        alpha: alpha_ij, float32 [S, k, T_x]; None for a model without attention.
        state: the state after the step, with the same rows.
    """

    log_probabilities: Tensor
    alpha: Tensor | None
    state: State


class Stepwise(Protocol[State]):
    """A model that predicts one target token at a time. No result may depend on the rest of the batch."""

    def start(self, source: Tensor, mask: Tensor) -> State:
        """Read the sources.

        Args:
            source: token ids, long [S, T_x], end-of-sentence tokens included.
            mask: bool [S, T_x], True for a token, False for padding.

        Returns:
            The state before the first target token, with rows [S, 1].
        """
        ...

    def step(self, state: State, previous: Tensor) -> Step[State]:
        """Take one step for all rows; ``previous`` long [S, k] holds y_{i-1}, ``START`` for y_0."""
        ...

    def select(self, state: State, rows: Tensor) -> State:
        """Keep and reorder rows.

        Args:
            state: a state with rows [S, k]; the row in line s, column j has the number s * k + j.
            rows: long [S', k']; the new row (s, j) continues the old row of number ``rows[s, j]``. All rows of
                one line come from one old line, i.e. from one sentence.
        """
        ...


class Joinable(Stepwise[State], Protocol[State]):
    """A model whose searches sentences may join while they are under way."""

    def join(self, state: State, newcomers: State) -> State:
        """Put newcomers after the sentences of a search.

        Args:
            state: a state with rows [S, k].
            newcomers: what ``start`` returned, rows [S', 1].

        Returns:
            A state with rows [S + S', k]: each row of a newcomer is that of ``start``.
        """
        ...
