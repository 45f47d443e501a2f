"""Maps of one sentence pair by several runs, made one over whole words.

Runs of different vocabularies cut words into different tokens, and one has [UNK] where another has subwords; over
whole words their maps have the same rows and columns. The mean is geometric: a product of experts, in which a run that
rules a source word out counts for more than one that is undecided. The floor keeps it from counting without bound.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from nmt.results import END, Alignment

FLOOR = 1e-4
"""Least weight that a run gives a source word in the mean."""

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False, kw_only=True)
class WordWeights:
    """Weights of one pair over whole words, without the end-of-sentence tokens.

    Attributes:
        weights: [words_y, words_x], positive; a row need not sum to 1.
        source, target: numbers of the words that have a column and a row, rising.
    """

    weights: Floats
    source: tuple[int, ...]
    target: tuple[int, ...]


def averaged(maps: Sequence[Alignment], floor: float = FLOOR) -> WordWeights:
    """The geometric mean exp(1/N sum_n log max(p_n, floor)) of the maps of one pair by N runs; rows are not divided by
    their sums.

    A word that no run has a token for has no row and no column. Where only some runs have a token for it, the others
    count with the floor.

    Args:
        maps: [T_y, T_x] over tokens or words, end-of-sentence tokens last; word numbers are of the same words in all.
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
