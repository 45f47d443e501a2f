"""Smoothing of one pair's weights along the target: neighbouring target words mostly come from neighbouring source
words.

The hidden Markov model of Vogel, Ney, Tillmann 1996 (HMM-based word alignment in statistical translation), with given
weights E_ij in place of its table of word translations. The source word that target word i came from is the state:

    p(j_1, …, j_I) proportional to E_{1 j_1} prod_{i > 1} A_{j_{i-1} j_i} E_{i j_i},
    A_kj = jump(j - k)^mu / sum_j' jump(j' - k)^mu,    jump(d) = count of jumps by d, + 1/2.

Forward-backward gives p(j_i = j) for each i. Alpha and its posterior depend only on the words up to y_i; the backward
pass adds those after it. mu = 1 is the plain model; the weights E are much more peaked than a table of word
translations, so a small mu is enough, and 0 only normalises each row.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from nmt.aligners.averaging import Floats, WordWeights
from nmt.errors import InputError

LONGEST = 30
"""Largest jump; longer ones count as jumps of this length."""

MU = 0.2
"""Exponent of the jump model (docs/log.md)."""

_UNSEEN = 0.5
"""Smoothing constant added to each count."""


@dataclass(frozen=True)
class JumpModel:
    """Probabilities of jumps from one source word to the next. InputError for invalid counts or exponent.

    Attributes:
        counts: of jumps by -LONGEST, …, LONGEST source words.
        mu: exponent, 0 to 1.
    """

    counts: tuple[int, ...]
    mu: float = MU

    def __post_init__(self) -> None:
        if len(self.counts) != 2 * LONGEST + 1 or min(self.counts) < 0:
            raise InputError(f"the jump counts must be {2 * LONGEST + 1} numbers that are not negative")
        if not 0 <= self.mu <= 1:
            raise InputError(f"the exponent of the jumps must be from 0 to 1, not {self.mu:g}")

    def transitions(self, words: int) -> Floats:
        """A: from the source word of a row to that of a column, [words, words]; rows sum to 1."""
        places = np.arange(words)
        jumps = np.clip(places[None, :] - places[:, None], -LONGEST, LONGEST) + LONGEST
        likely = ((np.array(self.counts, dtype=np.float64) + _UNSEEN) ** self.mu)[jumps]
        rows: Floats = likely / likely.sum(axis=1, keepdims=True)
        return rows


def count_jumps(maps: Iterable[WordWeights]) -> tuple[int, ...]:
    """Count the jumps between the largest weights of successive rows, in the layout of ``JumpModel.counts``."""
    counts = np.zeros(2 * LONGEST + 1, dtype=np.int64)
    for alignment in maps:
        if alignment.source and alignment.target:
            jumps = np.diff(alignment.weights.argmax(axis=1))
            counts += np.bincount(np.clip(jumps, -LONGEST, LONGEST) + LONGEST, minlength=len(counts))
    return tuple(counts.tolist())


def smoothed(weights: Floats, jumps: JumpModel) -> Floats:
    """p(j_i = j) for every target word i and source word j: [I, J] -> [I, J]; rows sum to 1.

    ``weights``: E, positive. Forward and backward probabilities are divided by their sums at each step, so that pairs
    of any length neither underflow nor overflow.
    """
    rows, columns = weights.shape
    if not rows or not columns:
        return weights.copy()
    transitions = jumps.transitions(columns)
    likely = weights / weights.max(axis=1, keepdims=True)
    forward = np.empty_like(likely)
    forward[0] = likely[0] / likely[0].sum()
    for i in range(1, rows):
        forward[i] = (forward[i - 1] @ transitions) * likely[i]
        forward[i] /= forward[i].sum()
    states, backward = forward.copy(), np.ones(columns)
    for i in range(rows - 2, -1, -1):
        backward = transitions @ (likely[i + 1] * backward)
        backward /= backward.sum()
        states[i] *= backward
    smoothed_weights: Floats = states / states.sum(axis=1, keepdims=True)
    return smoothed_weights
