"""Training examples made by concatenating several sentence pairs.

With some probability an example is not one pair but several random pairs of one corpus, one after the other, so that a
model trained on short sentences sees long ones. Nguyen et al. 2021 (Data augmentation by concatenation for
low-resource translation), Kondo et al. 2021 (Sentence concatenation approach to data augmentation for neural machine
translation); not in the paper.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class Examples:
    """Training examples, each made of one pair or of several.

    Attributes:
        pairs: int64 [P], indices of pairs in their split; the pairs of one example are adjacent.
        sizes: int64 [B], number of pairs in each example; all at least 1, with sum P.
    """

    pairs: NDArray[np.int64]
    sizes: NDArray[np.int64]

    @classmethod
    def single(cls, pairs: NDArray[np.int64]) -> Examples:
        """Make one example of each pair."""
        return cls(pairs, np.ones(len(pairs), dtype=np.int64))

    def __len__(self) -> int:
        return len(self.sizes)

    @property
    def starts(self) -> NDArray[np.int64]:
        """Position in ``pairs`` of the first pair of each example, [B]."""
        return np.cumsum(self.sizes) - self.sizes

    def take(self, rows: NDArray[np.int64]) -> Examples:
        """The examples with these indices, in this order."""
        starts = self.starts
        positions = [np.arange(starts[row], starts[row] + self.sizes[row]) for row in rows]
        chosen = np.concatenate(positions) if positions else np.zeros(0, dtype=np.int64)
        return Examples(self.pairs[chosen], self.sizes[rows])

    def tokens(self, lengths: NDArray[np.integer]) -> NDArray[np.int64]:
        """Number of tokens of each example, one end-of-sentence token included, [B].

        Args:
            lengths: number of tokens of every pair of the split on one side, end-of-sentence token included.
        """
        if not len(self.sizes):
            return np.zeros(0, dtype=np.int64)
        sums: NDArray[np.int64] = np.add.reduceat(lengths[self.pairs].astype(np.int64), self.starts)
        return sums - (self.sizes - 1)


def concatenate(
    pairs: NDArray[np.int64],
    corpora: NDArray[np.integer],
    words: NDArray[np.integer],
    probability: float,
    most: int,
    max_length: int | None,
    rng: np.random.Generator,
) -> Examples:
    """Group pairs into examples, each pair into exactly one.

    An example is planned as one pair, or with ``probability`` as two to ``most`` pairs of the same corpus, each number
    being equally likely. Pairs that would make it too long are removed, the last first, and become examples of their
    own.

    Args:
        pairs: indices of pairs in their split, in random order, [P].
        corpora: the corpus of every pair of the split.
        words: words of the longer side of every pair of the split. Their sum over an example is at most
            ``max_length``, so neither of its sides is longer.
        max_length: None = no limit.
        rng: source of the random numbers; the same state gives the same examples.
    """
    if not probability:
        return Examples.single(pairs)
    ordered: list[int] = []
    sizes: list[int] = []
    several = range(2, most + 1)
    chances = [1 - probability, *(probability / len(several) for _ in several)]
    for corpus in np.unique(corpora[pairs]):
        waiting = pairs[corpora[pairs] == corpus]
        planned = rng.choice([1, *several], size=len(waiting), p=chances).tolist()
        lengths = words[waiting].tolist()
        begin = 0
        for plan in planned:
            if begin == len(waiting):
                break
            end = min(begin + plan, len(waiting))
            kept = end
            while max_length is not None and kept > begin + 1 and sum(lengths[begin:kept]) > max_length:
                kept -= 1
            ordered += waiting[begin:end].tolist()
            sizes += [kept - begin] + [1] * (end - kept)
            begin = end
    return Examples(np.array(ordered, dtype=np.int64), np.array(sizes, dtype=np.int64))
