"""The hypotheses of a beam search as a tree, in words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from nmt.results.alignment import Alignment
from nmt.results.encoded import Encoded
from nmt.results.explanation import NextToken


@dataclass(frozen=True, eq=False, kw_only=True)
class BeamNode:
    """A hypothesis: a token after those of its parent.

    Attributes:
        parent: number of the hypothesis without this token; None for the empty one, which is number 0.
        length: tokens of the hypothesis.
        token: the token; "" for the empty hypothesis.
        text: the hypothesis, detokenised.
        token_log_probability: of the token, nats.
        log_probability: of the whole hypothesis, nats.
        fate: "continued" by a hypothesis of the next step, "finished" by the end-of-sentence token, "pruned", since
            others were more probable, or "open", since it could not win any more when the search stopped.
        following: the most probable next tokens, by decreasing probability; () if no step was taken from it.
        alpha: weights with which the token was written, [T_x]; None for the empty hypothesis, and without attention.
    """

    parent: int | None
    length: int
    token: str
    text: str
    token_log_probability: float
    log_probability: float
    fate: Literal["continued", "finished", "pruned", "open"]
    following: tuple[NextToken, ...]
    alpha: NDArray[np.float32] | None


@dataclass(frozen=True, eq=False, kw_only=True)
class BeamTree:
    """All hypotheses of one search.

    Attributes:
        source: the sentence as the model read it.
        nodes: parents before children; number 0 is the empty hypothesis.
        best: number of the result.
        given: tokens that the search had to begin with.
        beam: hypotheses kept at each step.
    """

    source: Encoded
    nodes: tuple[BeamNode, ...]
    best: int
    given: tuple[str, ...]
    beam: int

    def path(self, number: int) -> tuple[int, ...]:
        """Numbers of the hypotheses from the empty one (left out) to hypothesis ``number`` (included)."""
        steps_back: list[int] = []
        while (parent := self.nodes[number].parent) is not None:
            steps_back.append(number)
            number = parent
        return tuple(reversed(steps_back))

    def tokens(self, number: int) -> tuple[str, ...]:
        """The tokens of a hypothesis."""
        return tuple(self.nodes[k].token for k in self.path(number))

    def alignment(self, number: int) -> Alignment | None:
        """Alpha of a hypothesis so far, over tokens; None without attention, and for the empty hypothesis."""
        rows = [self.nodes[k].alpha for k in self.path(number)]
        known = [row for row in rows if row is not None]
        if not known:
            return None
        return Alignment(
            source=self.source.tokens,
            target=self.tokens(number),
            weights=np.array(known),
            source_words=self.source.words,
        )
