"""Difference of two alignments, and the divergence of their rows.

Lin 1991 (Divergence measures based on the Shannon entropy): the Jensen-Shannon divergence.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from nmt.alignments.measures import entropy, proportions
from nmt.errors import InputError
from nmt.results import Alignment
from nmt.results.difference import changes

Membership = Literal["both", "first", "second"]
_MEMBERSHIP: dict[str, Membership] = {"kept": "both", "deleted": "first", "inserted": "second"}


@dataclass(frozen=True, eq=False, kw_only=True)
class AlphaDifference:
    """The second alignment minus the first, over the words of both.

    Attributes:
        source: the source words of the columns; where the sources differ, words of the first come before those of the
            second.
        source_sides: for each column the sources that contain its word.
        target, target_sides: the same for the rows.
        delta: [rows, columns], from -1 to 1: weight in the second minus weight in the first; a word missing from an
            alignment has no weight there. Rows that both alignments have sum to 0.
        divergence: for each row the Jensen-Shannon divergence in bits, [rows]: 0 for equal rows, 1 for rows that have
            no weight on a common word; NaN if one of the rows has no weight at all.
    """

    source: tuple[str, ...]
    source_sides: tuple[Membership, ...]
    target: tuple[str, ...]
    target_sides: tuple[Membership, ...]
    delta: NDArray[np.float32]
    divergence: NDArray[np.float64]

    @property
    def mean_divergence(self) -> float:
        """Mean of the divergence over the rows where it is defined, bits; NaN if there are none."""
        known = self.divergence[~np.isnan(self.divergence)]
        return float(known.mean()) if known.size else float("nan")


def difference(first: Alignment, second: Alignment) -> AlphaDifference:
    """Delta-alpha of two models on one sentence pair. InputError if the words differ.

    >>> a = Alignment(source=("a", "b"), target=("x", "y"), weights=np.array([[1., 0], [.5, .5]]))
    >>> b = Alignment(source=("a", "b"), target=("x", "y"), weights=np.array([[0., 1], [.5, .5]]))
    >>> d = difference(a, b)
    >>> d.delta.tolist(), d.divergence.tolist(), d.mean_divergence
    ([[-1.0, 1.0], [0.0, 0.0]], [1.0, 0.0], 0.5)
    """
    if first.source != second.source:
        raise InputError(
            "the two alignments are not over the same source words, so their weights cannot be subtracted word by word"
        )
    if first.target != second.target:
        raise InputError("the two alignments are not over the same target words, so their rows cannot be matched")
    return difference_of_pairs(first, second)


def difference_of_pairs(first: Alignment, second: Alignment) -> AlphaDifference:
    """Delta-alpha of two sentence pairs that differ by edits on either side: words common to both sources, in order,
    share a column, those common to both targets a row; every other word has one of its own.

    >>> a = Alignment(source=("a", "b"), target=("x", "y"), weights=np.array([[1., 0], [.5, .5]]))
    >>> b = Alignment(source=("a", "b"), target=("x", "z"), weights=np.array([[.6, .4], [0, 1.]]))
    >>> d = difference_of_pairs(a, b)
    >>> list(zip(d.target, d.target_sides, d.delta.astype(float).round(2).tolist()))
    [('x', 'both', [-0.4, 0.4]), ('y', 'first', [-0.5, -0.5]), ('z', 'second', [0.0, 1.0])]
    """
    columns, rows = changes(first.source, second.source), changes(first.target, second.target)
    one = _spread(first.weights, [row.before for row in rows], [column.before for column in columns])
    other = _spread(second.weights, [row.after for row in rows], [column.after for column in columns])
    return AlphaDifference(
        source=tuple(column.word for column in columns),
        source_sides=tuple(_MEMBERSHIP[column.kind] for column in columns),
        target=tuple(row.word for row in rows),
        target_sides=tuple(_MEMBERSHIP[row.kind] for row in rows),
        delta=(other - one).astype(np.float32),
        divergence=jensen_shannon(one, other),
    )


def jensen_shannon(first: NDArray[np.float64], second: NDArray[np.float64]) -> NDArray[np.float64]:
    """Jensen-Shannon divergence of the rows, each divided by its sum, in bits, [rows], from 0 to 1:
    H((p + q) / 2) - (H(p) + H(q)) / 2. NaN if a row has no weight."""
    p, q = proportions(first), proportions(second)
    divergence = entropy((p + q) / 2) - (entropy(p) + entropy(q)) / 2
    known = (first.sum(axis=1) > 0) & (second.sum(axis=1) > 0)
    return np.where(known, np.clip(divergence, 0.0, 1.0), np.nan)


def _spread(
    weights: NDArray[np.float32], rows: Sequence[int | None], columns: Sequence[int | None]
) -> NDArray[np.float64]:
    """The weights of these rows and columns, 0 where there is None, [rows, columns]."""
    bordered = np.pad(weights.astype(np.float64), ((0, 1), (0, 1)))  # None is taken from the border, which is 0
    height, width = weights.shape
    return bordered[np.ix_([height if i is None else i for i in rows], [width if j is None else j for j in columns])]
