"""Every quantity that a model computes on the way from a source sentence to a given translation."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from nmt.results.encoded import Encoded
from nmt.results.explanation import NextToken

Vector = NDArray[np.float32]


@dataclass(frozen=True, eq=False, kw_only=True)
class TranslationStep:
    """The step that writes target token i.

    Attributes:
        state: s_{i-1}, [n].
        energies: e_i before the softmax, [T_x]; None without attention.
        alpha: alpha_i, [T_x]; None without attention.
        context: c_i, [2n]; without attention c, [n].
        update_gate: z_i of the update that makes s_i, [n]; None for a unit without one (LSTM).
        maxout: t_i, [l].
        log_probability: of the token written, nats.
        rank: place of the token written among all tokens by probability, from 1.
        next_tokens: the most probable tokens, by decreasing probability.
        next_state: s_i, [n]; None after the last token.
    """

    state: Vector
    energies: Vector | None
    alpha: Vector | None
    context: Vector
    update_gate: Vector | None
    maxout: Vector
    log_probability: float
    rank: int
    next_tokens: tuple[NextToken, ...]
    next_state: Vector | None


@dataclass(frozen=True, eq=False, kw_only=True)
class TranslationSteps:
    """All steps of one translation.

    Attributes:
        architecture: "rnnsearch" or "rnnencdec".
        state_order: "printed" or "program", as in ``ModelConfig``.
        score: name of the attention's score, as in ``ModelConfig``.
        vocabulary: K_y.
        source, target: T_x and T_y tokens, end-of-sentence tokens last.
        text: the translation, detokenised.
        annotations: h_j, [T_x, 2n]; of RNNencdec the forward states, [T_x, n], of which the last is c.
        steps: T_y steps, in order.
    """

    architecture: str
    state_order: str
    score: str
    vocabulary: int
    source: tuple[str, ...]
    target: tuple[str, ...]
    text: str
    annotations: Vector
    steps: tuple[TranslationStep, ...]

    @property
    def attends(self) -> bool:
        """True if the model has attention, and so energies and alpha."""
        return self.architecture == "rnnsearch"

    @property
    def hidden(self) -> int:
        """n, the number of units of a state."""
        return len(self.steps[0].state)


@dataclass(frozen=True, eq=False, kw_only=True)
class TranslationWithSteps:
    """A model's own translation of a sentence, with the internals of its steps.

    Attributes:
        source, target: the sentence and its translation as the model read and wrote them.
        steps: all steps of the translation.
    """

    source: Encoded
    target: Encoded
    steps: TranslationSteps
