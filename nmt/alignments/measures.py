"""Measures of the rows and columns of alpha.

Coverage as in Tu et al. 2016 (Modeling coverage for neural machine translation); entropy of a row as a measure of how
spread out the attention is.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from nmt.alignments.tokens import end_mask, punctuation_mask
from nmt.results import Alignment


@dataclass(frozen=True, eq=False, kw_only=True)
class Measures:
    """Measures of one alignment.

    Attributes:
        coverage: for each source token the sum of its column, [T_x]: the attention it received, in target tokens,
            including the target's end-of-sentence token. Sums to T_y.
        entropy: for each target token the entropy of its row in bits, [T_y]: from 0 (one source token has all weight)
            to log2 T_x (all have the same). 0 for a row without weight.
        end_share: for each target token the weight on the source's end-of-sentence token, [T_y]; 0 without one.
        punctuation_share: for each target token the weight on source tokens that are punctuation
            (``nmt.alignments.tokens``), [T_y].
    """

    coverage: NDArray[np.float64]
    entropy: NDArray[np.float64]
    end_share: NDArray[np.float64]
    punctuation_share: NDArray[np.float64]


def measures(alignment: Alignment) -> Measures:
    """Measure an alignment, over its tokens or words.

    >>> a = Alignment(source=("a", ".", "</s>"), target=("x", "</s>"), weights=np.array([[.5, .5, 0], [0, .25, .75]]))
    >>> m = measures(a)
    >>> m.coverage.tolist(), m.end_share.tolist(), m.punctuation_share.tolist()
    ([0.5, 0.75, 0.75], [0.0, 0.75], [0.5, 0.25])
    >>> m.entropy.round(3).tolist()
    [1.0, 0.811]
    """
    weights = alignment.weights.astype(np.float64)
    return Measures(
        coverage=weights.sum(axis=0),
        entropy=entropy(weights),
        end_share=weights[:, end_mask(alignment.source)].sum(axis=1),
        punctuation_share=weights[:, punctuation_mask(alignment.source)].sum(axis=1),
    )


def entropy(weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Entropy of each row in bits, [rows], the rows divided by their sums; 0 for a row of zeros."""
    shares = proportions(weights)
    logarithms = np.log2(shares, out=np.zeros_like(shares), where=shares > 0)
    bits: NDArray[np.float64] = np.maximum(-(shares * logarithms).sum(axis=1), 0.0)
    return bits


def proportions(weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Each row divided by its sum; a row of zeros is unchanged."""
    sums = weights.sum(axis=1, keepdims=True)
    shares: NDArray[np.float64] = np.divide(weights, sums, out=np.zeros_like(weights), where=sums > 0)
    return shares
