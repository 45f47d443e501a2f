"""Constrained search: the caller restricts the next token and may replace the attention weights.

Forbidden continuations get the log-probability -inf. Other probabilities do not change: they are never renormalised. So
forced decoding gives an output the same log-probability as the search, unless weights were replaced.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Generic, Protocol

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from nmt.errors import InputError
from nmt.search.stepwise import END, START, AlphaOverride, State, Step, Stepwise

Allowed = NDArray[np.bool_]
"""[K_y], True for an id that may come next. The array may have more entries than the vocabulary has ids."""


class OutputRule(Protocol):
    """A constraint on the outputs."""

    def restrict_(self, allowed: Allowed, written: tuple[int, ...]) -> None:
        """Set to False, in place, each id that may not follow the ids ``written``. Set no entry to True."""


@dataclass(frozen=True)
class MustBe:
    """Constraint that step ``step``, from 0, writes one of ``ids``. No output ends before that step."""

    step: int
    ids: tuple[int, ...]

    def restrict_(self, allowed: Allowed, written: tuple[int, ...]) -> None:
        if len(written) < self.step:
            allowed[END] = False
        elif len(written) == self.step:
            chosen = list(self.ids)
            permitted = allowed[chosen]
            allowed[:] = False
            allowed[chosen] = permitted


@dataclass(frozen=True)
class Forbidden:
    """Constraint that step ``step``, from 0, writes none of ``ids``. None = no step writes one of ``ids``."""

    ids: tuple[int, ...]
    step: int | None = None

    def restrict_(self, allowed: Allowed, written: tuple[int, ...]) -> None:
        if self.step is None or len(written) == self.step:
            allowed[list(self.ids)] = False


def prefix(ids: Sequence[int]) -> tuple[MustBe, ...]:
    """Rules under which all outputs begin with ``ids``."""
    return tuple(MustBe(step, (token,)) for step, token in enumerate(ids))


@dataclass(frozen=True)
class Weights:
    """Attention weights over the words of a source, which replace the model's weights.

    The weight of a word is divided among its tokens in proportion to the model's weights, or evenly if these are 0. So
    the model's row of alpha, summed over words, changes nothing. Raises InputError for weights without a positive sum.

    Attributes:
        values: a weight for each word, with any sum.
        words: for each source token, the index of its word in ``values``, [T_x].
    """

    values: tuple[float, ...]
    words: tuple[int, ...]

    def __post_init__(self) -> None:
        assert set(self.words) == set(range(len(self.values))), "every word has tokens, and every token a word"
        if not all(math.isfinite(value) and value >= 0 for value in self.values):
            raise InputError("attention weights must be numbers of at least 0")
        if not 0 < sum(self.values) < math.inf:
            raise InputError("attention weights must not all be 0, and their sum must be finite")

    def __call__(self, alpha: Tensor) -> Tensor:
        """Replace the model's alpha, [k, T_x], by these weights. Rows sum to 1. More columns, of padding, get 0."""
        total = sum(self.values)
        values = alpha.new_tensor([value / total for value in self.values])
        words = torch.tensor(self.words, device=alpha.device)
        word_alpha = alpha[:, : len(words)]
        of_words = word_alpha.new_zeros(len(word_alpha), len(values)).index_add_(1, words, word_alpha)[:, words]
        even = 1 / torch.bincount(words)[words]
        moved = torch.zeros_like(alpha)
        moved[:, : len(words)] = values[words] * torch.where(
            of_words > 0, word_alpha / of_words, even.to(word_alpha.dtype)
        )
        return moved


@dataclass(frozen=True)
class OutputConstraints:
    """Constraints on the outputs of one sentence.

    Attributes:
        rules: constraints that every output satisfies.
        weights: the weights that replace alpha, by step from 0. Later steps depend on the resulting context.
        blocked: places of source tokens that get no weight. At steps in ``weights`` they are not blocked.
    """

    rules: tuple[OutputRule, ...] = ()
    weights: Mapping[int, Weights] = field(default_factory=dict)
    blocked: tuple[int, ...] = ()

    def at(self, step: int) -> AlphaOverride | None:
        """The function that replaces alpha, [k, T_x], in a step. None if the model's alpha stays."""
        return self.weights.get(step) or (self._unblocked if self.blocked else None)

    def _unblocked(self, alpha: Tensor) -> Tensor:
        """Alpha without the blocked tokens, normalised again. It equals a softmax over the other tokens' energies."""
        rest = alpha.clone()
        rest[:, list(self.blocked)] = 0
        return rest / rest.sum(dim=1, keepdim=True)


class Constrainable(Stepwise[State], Protocol[State]):
    """A model whose attention weights can be replaced."""

    def step(self, state: State, previous: Tensor, override: AlphaOverride | None = None) -> Step[State]: ...


@dataclass(frozen=True)
class ConstrainedState(Generic[State]):
    """State of a constrained search. inner: the model's own state. sentences: for each line, the number of its sentence
    among those passed to ``start``. written: for each line, the ids of its k rows, except the last token, which the
    next step receives."""

    inner: State
    sentences: tuple[int, ...]
    written: tuple[tuple[tuple[int, ...], ...], ...]


class Constrained(Generic[State]):
    """A ``Stepwise`` that constrains a model. Any search can use it in place of the model."""

    def __init__(self, model: Constrainable[State], constraints: Sequence[OutputConstraints]) -> None:
        """Constrain ``model``. constraints: one entry per sentence passed to ``start``."""
        self._model, self._constraints = model, tuple(constraints)

    def start(self, source: Tensor, mask: Tensor) -> ConstrainedState[State]:
        assert len(source) == len(self._constraints), "one entry of constraints per sentence"
        count = len(source)
        return ConstrainedState(self._model.start(source, mask), tuple(range(count)), (((),),) * count)

    def step(self, state: ConstrainedState[State], previous: Tensor) -> Step[ConstrainedState[State]]:
        """Take one constrained step. Raises InputError if weights must be replaced, but the model has no attention."""
        written = tuple(
            tuple(ids if token == START else (*ids, token) for ids, token in zip(rows, tokens, strict=True))
            for rows, tokens in zip(state.written, previous.tolist(), strict=True)
        )
        override = self._override(state.sentences, len(written[0][0]))
        step = self._model.step(state.inner, previous, override)
        if override is not None and step.alpha is None:
            raise InputError("a model without attention has no weights to replace")
        self._restrict_(step.log_probabilities, state.sentences, written)
        return Step(step.log_probabilities, step.alpha, ConstrainedState(step.state, state.sentences, written))

    def select(self, state: ConstrainedState[State], rows: Tensor) -> ConstrainedState[State]:
        k = len(state.written[0])
        numbers = rows.tolist()
        return ConstrainedState(
            self._model.select(state.inner, rows),
            tuple(state.sentences[line[0] // k] for line in numbers),
            tuple(tuple(state.written[number // k][number % k] for number in line) for line in numbers),
        )

    def _override(self, sentences: tuple[int, ...], step: int) -> AlphaOverride | None:
        """The function that replaces alpha of all sentences in a step. None if no sentence's alpha is replaced."""
        overrides = [self._constraints[sentence].at(step) for sentence in sentences]
        if not any(overrides):
            return None

        def override(alpha: Tensor) -> Tensor:
            moved = alpha.clone()
            for line, replaced in enumerate(overrides):
                if replaced is not None:
                    moved[line] = replaced(alpha[line])
            return moved

        return override

    def _restrict_(
        self, log_probabilities: Tensor, sentences: tuple[int, ...], written: tuple[tuple[tuple[int, ...], ...], ...]
    ) -> None:
        """Set forbidden continuations to -inf, in place."""
        for line, (sentence, rows) in enumerate(zip(sentences, written, strict=True)):
            rules = self._constraints[sentence].rules
            if not rules:
                continue
            allowed = np.ones((len(rows), log_probabilities.shape[2]), dtype=np.bool_)
            for row, ids in zip(allowed, rows, strict=True):
                for rule in rules:
                    rule.restrict_(row, ids)
            blocked = torch.from_numpy(~allowed).to(log_probabilities.device)
            log_probabilities[line].masked_fill_(blocked, -torch.inf)
