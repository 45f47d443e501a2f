"""Average of several runs' maps of one sentence pair, over whole words.

Runs with different vocabularies segment words differently, and one has [UNK] where another has subwords; over whole
words their maps have the same rows and columns. The mean is geometric: a product of experts, in which a run that rules
out a source word has more influence than one that is undecided. The floor bounds this influence.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

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
