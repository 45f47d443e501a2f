"""Average of several runs' maps of one sentence pair, over whole words.

Runs with different vocabularies segment words differently, and one has [UNK] where another has subwords; over whole
words their maps have the same rows and columns. The mean is geometric: a product of experts, in which a run that rules
out a source word has more influence than one that is undecided. The floor bounds this influence.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from nmt.errors import InputError
from nmt.results import END, Alignment

FLOOR = 1e-4
"""Smallest weight of a source word by a single run in the mean."""

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False, kw_only=True)
class WordWeights:
    """Weights of one pair over whole words, without the end-of-sentence tokens.

    Attributes:
        weights: [words_y, words_x], positive; a row need not sum to 1.
        source, target: numbers of the words that have a column and a row, in ascending order.
    """

    weights: Floats
    source: tuple[int, ...]
    target: tuple[int, ...]


def averaged(maps: Sequence[Alignment], floor: float = FLOOR) -> WordWeights:
    """The geometric mean exp(1/N sum_n log max(p_n, floor)) of the maps of one pair by N runs; rows are not normalised.

    A word without a token in any run has no row or column. For a word with tokens in some runs only, the others
    contribute the floor.

    Args:
        maps: [T_y, T_x] over tokens or words, end-of-sentence tokens last; word numbers refer to the same words in all
            maps.
        floor: above 0, at most 1.
    """
    assert maps
    assert 0 < floor <= 1
    merged = [alignment.merged() for alignment in maps]
    assert all(one.source[-1] == one.target[-1] == END for one in merged), "both sides end with the token for it"
    source = tuple(sorted({word for one in merged for word in one.source_words[:-1]}))
    target = tuple(sorted({word for one in merged for word in one.target_words[:-1]}))
    columns = {word: j for j, word in enumerate(source)}
    rows = {word: i for i, word in enumerate(target)}
    logarithms = np.zeros((len(target), len(source)))
    for one in merged:
        weights = np.full(logarithms.shape, floor)
        at = np.ix_([rows[i] for i in one.target_words[:-1]], [columns[j] for j in one.source_words[:-1]])
        weights[at] = np.maximum(one.weights[:-1, :-1], floor)
        logarithms += np.log(weights)
    return WordWeights(weights=np.exp(logarithms / len(merged)), source=source, target=target)


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

    ``weights``: E, positive.
    """
    if not weights.size:
        return weights.copy()
    return state_probabilities(weights, jumps.transitions(weights.shape[1]))


def state_probabilities(weights: Floats, transitions: Floats) -> Floats:
    """p(state of i = k) of a hidden Markov model by forward and backward probabilities, which are divided by their sums
    at each step, so that pairs of any length neither underflow nor overflow.

    Args:
        weights: of the states at each step, positive, [I, K], I and K at least 1; those of the first step include what
            the state has to begin with.
        transitions: from the state of a row to that of a column, [K, K].
    """
    rows, columns = weights.shape
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
    probabilities: Floats = states / states.sum(axis=1, keepdims=True)
    return probabilities
