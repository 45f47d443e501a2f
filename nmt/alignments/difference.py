"""Two alignments of one target sentence: what moved where, and how far apart their rows are.

Lin 1991 (Divergence measures based on the Shannon entropy): the Jensen-Shannon divergence.
"""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from nmt.alignments.measures import entropy, proportions
from nmt.errors import InputError
from nmt.results import Alignment

Side = Literal["both", "first", "second"]


@dataclass(frozen=True, eq=False)
class Difference:
    """The second alignment less the first, over the words of both sources.

    Attributes:
        source: the source words of the columns; where the sources differ, the first's words before the second's.
        sides: for each column which of the two sources has it.
        target: the target words of the rows.
        delta: [T_y, columns], from -1 to 1: weight in the second less weight in the first; a word that a source does
            not have has no weight there. Rows sum to 0.
        divergence: for each row the Jensen-Shannon divergence in bits, [T_y]: 0 for equal rows, 1 for rows that have no
            weight on a common word; not a number where one of the rows has no weight at all.
    """

    source: tuple[str, ...]
    sides: tuple[Side, ...]
    target: tuple[str, ...]
    delta: NDArray[np.float32]
    divergence: NDArray[np.float64]

    @property
    def mean_divergence(self) -> float:
        """Mean of the divergence over the rows that have one, bits; not a number if none has."""
        known = self.divergence[~np.isnan(self.divergence)]
        return float(known.mean()) if known.size else float("nan")


def difference(first: Alignment, second: Alignment) -> Difference:
    """Delta-alpha of two models on one sentence pair. InputError if their words are not the same.

    >>> a = Alignment(("a", "b"), ("x", "y"), np.array([[1., 0], [.5, .5]]))
    >>> b = Alignment(("a", "b"), ("x", "y"), np.array([[0., 1], [.5, .5]]))
    >>> d = difference(a, b)
    >>> d.delta.tolist(), d.divergence.tolist(), d.mean_divergence
    ([[-1.0, 1.0], [0.0, 0.0]], [1.0, 0.0], 0.5)
    """
    if first.source != second.source:
        raise InputError(
            "the two alignments are not over the same source words, so their weights cannot be subtracted word by word"
        )
    return difference_of_sources(first, second)


def difference_of_sources(first: Alignment, second: Alignment) -> Difference:
    """Delta-alpha of one model on two sources that differ by an edit, with one target: the words that the sources have
    in common, in order, share a column, every other word has a column of its own. InputError if the target words are
    not the same.

    >>> a = Alignment(("a", "b", "c"), ("x",), np.array([[.2, .5, .3]]))
    >>> b = Alignment(("a", "d", "c"), ("x",), np.array([[.2, .6, .2]]))
    >>> d = difference_of_sources(a, b)
    >>> list(zip(d.source, d.sides, d.delta[0].astype(float).round(2).tolist()))
    [('a', 'both', 0.0), ('b', 'first', -0.5), ('d', 'second', 0.6), ('c', 'both', -0.1)]
    """
    if first.target != second.target:
        raise InputError(
            "the two alignments are not of the same target words, so there is no row of one for a row of the other"
        )
    columns = _columns(first.source, second.source)
    one, other = (
        _spread(alignment.weights, positions)
        for alignment, positions in (
            (first, [column.first for column in columns]),
            (second, [column.second for column in columns]),
        )
    )
    return Difference(
        source=tuple(column.word for column in columns),
        sides=tuple(column.side for column in columns),
        target=first.target,
        delta=(other - one).astype(np.float32),
        divergence=jensen_shannon(one, other),
    )


def jensen_shannon(first: NDArray[np.float64], second: NDArray[np.float64]) -> NDArray[np.float64]:
    """Jensen-Shannon divergence of the rows, each divided by its sum, in bits, [rows], from 0 to 1:
    H((p + q) / 2) - (H(p) + H(q)) / 2. Not a number where a row has no weight."""
    p, q = proportions(first), proportions(second)
    divergence = entropy((p + q) / 2) - (entropy(p) + entropy(q)) / 2
    known = (first.sum(axis=1) > 0) & (second.sum(axis=1) > 0)
    return np.where(known, np.clip(divergence, 0.0, 1.0), np.nan)


@dataclass(frozen=True)
class _Column:
    """A word and its place in the two sources; None where it is not there."""

    word: str
    first: int | None
    second: int | None

    @property
    def side(self) -> Side:
        if self.second is None:
            return "first"
        return "second" if self.first is None else "both"


def _columns(first: Sequence[str], second: Sequence[str]) -> list[_Column]:
    columns: list[_Column] = []
    for tag, i, j, a, b in difflib.SequenceMatcher(None, first, second, autojunk=False).get_opcodes():
        if tag == "equal":
            columns += [_Column(first[i + k], i + k, a + k) for k in range(j - i)]
        else:
            columns += [_Column(first[k], k, None) for k in range(i, j)]
            columns += [_Column(second[k], None, k) for k in range(a, b)]
    return columns


def _spread(weights: NDArray[np.float32], positions: Sequence[int | None]) -> NDArray[np.float64]:
    """The weights in the columns that ``positions`` gives, 0 where it is None, [T_y, columns]."""
    spread = np.zeros((len(weights), len(positions)))
    for column, position in enumerate(positions):
        if position is not None:
            spread[:, column] = weights[:, position]
    return spread
