"""Several models searched as one."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic

import torch
from torch import Tensor

from nmt.search.stepwise import Joinable, State, Step


@dataclass(frozen=True)
class EnsembleState(Generic[State]):
    """The states of all models, with the same rows."""

    states: tuple[State, ...]


class Ensemble(Generic[State]):
    """Models with the same vocabularies, whose search ranks outputs by the mean of their log p(y | x).

    A step gives the mean of the models' log p(y_i | y_<i, x), which is not normalised: so the total of an output is the
    mean of its log-probabilities by each model. alpha is that of the first model. Sutskever et al. 2014 search with
    several models; the paper does not.
    """

    def __init__(self, models: Sequence[Joinable[State]]) -> None:
        assert models, "an ensemble needs a model"
        self._models = tuple(models)

    def start(self, source: Tensor, mask: Tensor) -> EnsembleState[State]:
        """Read the sources; see ``Stepwise.start``."""
        return EnsembleState(tuple(model.start(source, mask) for model in self._models))

    def step(self, state: EnsembleState[State], previous: Tensor) -> Step[EnsembleState[State]]:
        """Take one step of every model; see ``Stepwise.step``."""
        steps = [model.step(own, previous) for model, own in zip(self._models, state.states, strict=True)]
        mean = torch.stack([step.log_probabilities for step in steps]).mean(dim=0)
        return Step(mean, steps[0].alpha, EnsembleState(tuple(step.state for step in steps)))

    def select(self, state: EnsembleState[State], rows: Tensor) -> EnsembleState[State]:
        """Keep and reorder rows; see ``Stepwise.select``."""
        pairs = zip(self._models, state.states, strict=True)
        return EnsembleState(tuple(model.select(own, rows) for model, own in pairs))

    def join(self, state: EnsembleState[State], newcomers: EnsembleState[State]) -> EnsembleState[State]:
        """Put newcomers after the sentences of a search; see ``Joinable.join``."""
        both = zip(self._models, state.states, newcomers.states, strict=True)
        return EnsembleState(tuple(model.join(own, new) for model, own, new in both))
