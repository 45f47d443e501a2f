"""Interface of a model to the searches: start, take a step, select rows. An ``Ensemble`` combines several models."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

import torch
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
        log_probabilities: log p(y_i | y_<i, x) in nats, float32 [S, k, K_y]. They are normalised, except in an
            ``Ensemble``. Any columns beyond the vocabulary are -inf. The caller may overwrite the tensor.
        alpha: alpha_ij, float32 [S, k, T_x], or None for a model without attention.
        state: the state after the step, with the same rows.
    """

    log_probabilities: Tensor
    alpha: Tensor | None
    state: State


class Stepwise(Protocol[State]):
    """A model that predicts one target token at a time. No sentence's result may depend on other sentences."""

    def start(self, source: Tensor, mask: Tensor) -> State:
        """Read the sources, token ids, long [S, T_x], end-of-sentence tokens included. mask: bool [S, T_x], True for a
        token. The state before the first target token has rows [S, 1]."""
        ...

    def step(self, state: State, previous: Tensor) -> Step[State]:
        """Take one step for all rows. ``previous``, long [S, k], has y_{i-1}, ``START`` for y_0."""
        ...

    def select(self, state: State, rows: Tensor) -> State:
        """Keep and reorder rows [S, k] of a state. The row in line s, column j has the number s * k + j.

        rows: long [S', k']. The new row (s, j) continues the old row of number ``rows[s, j]``. The rows of a new line
        must come from one old line, i.e. from one sentence.
        """
        ...


class Joinable(Stepwise[State], Protocol[State]):
    """A model with searches that sentences may join between any two steps."""

    def join(self, state: State, newcomers: State) -> State:
        """Append sentences that have taken no step to the sentences of a search. state: with rows [S, k]. newcomers:
        result of ``start`` for the new sentences, rows [S', 1]. The result has rows [S + S', k]. All k rows of a new
        sentence are copies of its row from ``start``."""
        ...


class Ensemble(Generic[State]):
    """Models with the same vocabularies. A search ranks outputs by the mean of the models' log p(y | x). A state of the
    search has a state of each model.

    A step gives the mean of the models' log p(y_i | y_<i, x), not normalised. So the total of an output is the mean of
    its log-probabilities by each model. alpha comes from the first model. See Sutskever et al. 2014.
    """

    def __init__(self, models: Sequence[Joinable[State]]) -> None:
        assert models, "an ensemble needs a model"
        self._models = tuple(models)

    def start(self, source: Tensor, mask: Tensor) -> tuple[State, ...]:
        """See ``Stepwise.start``."""
        return tuple(model.start(source, mask) for model in self._models)

    def step(self, state: tuple[State, ...], previous: Tensor) -> Step[tuple[State, ...]]:
        """See ``Stepwise.step``."""
        steps = [model.step(inner, previous) for model, inner in zip(self._models, state, strict=True)]
        mean = torch.stack([step.log_probabilities for step in steps]).mean(dim=0)
        return Step(mean, steps[0].alpha, tuple(step.state for step in steps))

    def select(self, state: tuple[State, ...], rows: Tensor) -> tuple[State, ...]:
        """See ``Stepwise.select``."""
        return tuple(model.select(inner, rows) for model, inner in zip(self._models, state, strict=True))

    def join(self, state: tuple[State, ...], newcomers: tuple[State, ...]) -> tuple[State, ...]:
        """See ``Joinable.join``."""
        both = zip(self._models, state, newcomers, strict=True)
        return tuple(model.join(inner, new) for model, inner, new in both)
