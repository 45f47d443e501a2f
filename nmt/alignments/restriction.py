"""Restriction of an alignment: end-of-sentence tokens or punctuation removed, and each row renormalised."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from nmt.alignments import strings
from nmt.alignments.measures import proportions
from nmt.alignments.tokens import end_mask, punctuation_mask
from nmt.results import Alignment

LEAST_SHARE = 1e-4
"""Rows that keep less weight than this are zeroed: renormalising would amplify rounding noise."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Restriction:
    """A restricted alignment, with the effect of the restriction.

    Attributes:
        alignment: over the kept tokens, with their word numbers; each row sums to 1, or is all 0.
        source, target: positions of the kept tokens in the given alignment.
        share: for each kept target token the share of its row on the kept source tokens, [T_y], from 0 to 1; the row
            was divided by it.
        empty: rows of ``alignment`` that are all 0, since less than LEAST_SHARE of their weight was left.
        without_end, without_punctuation: True for tokens that were removed.
    """

    alignment: Alignment
    source: tuple[int, ...]
    target: tuple[int, ...]
    share: NDArray[np.float64]
    empty: tuple[int, ...]
    without_end: bool
    without_punctuation: bool

    @property
    def notice(self) -> str:
        """Description of the restriction in a sentence or two; "" if nothing was removed."""
        without = strings.WITHOUT.get((self.without_end, self.without_punctuation))
        if without is None:
            return ""
        text = strings.DIVIDED.format(without=without)
        if len(self.empty) == 1:
            return strings.ONE_ROW_EMPTY.format(text=text)
        return strings.ROWS_EMPTY.format(text=text, rows=len(self.empty)) if self.empty else text


def restrict(
    alignment: Alignment,
    *,
    without_end: bool = False,
    without_punctuation: bool = False,
    least_share: float = LEAST_SHARE,
) -> Restriction:
    """Remove the end-of-sentence tokens or punctuation from both sides and divide each row by its remaining sum.

    Args:
        alignment: over words or subwords; a side need not have an end-of-sentence token.
        without_end: remove the end-of-sentence tokens.
        without_punctuation: remove the tokens that are punctuation (``nmt.alignments.tokens``).
        least_share: a row with less remaining weight becomes all 0 and is listed in ``empty``.

    >>> a = Alignment(source=("a", "b", "</s>"), target=("x", "y", "</s>"),
    ...               weights=np.array([[.3, .1, .6], [0, 0, 1], [.2, .2, .6]]))
    >>> r = restrict(a, without_end=True)
    >>> r.alignment.weights.round(2).tolist(), r.empty, r.share.round(2).tolist()
    ([[0.75, 0.25], [0.0, 0.0]], (1,), [0.4, 0.0])
    """
    if not (without_end or without_punctuation):
        sums = alignment.weights.astype(np.float64).sum(axis=1)
        return Restriction(
            alignment=alignment,
            source=tuple(range(len(alignment.source))),
            target=tuple(range(len(alignment.target))),
            share=np.where(sums > 0, 1.0, 0.0),
            empty=tuple(np.flatnonzero(sums == 0).tolist()),
            without_end=False,
            without_punctuation=False,
        )
    columns, rows = (
        np.flatnonzero(~((end_mask(side) & without_end) | (punctuation_mask(side) & without_punctuation)))
        for side in (alignment.source, alignment.target)
    )
    before = proportions(alignment.weights[rows].astype(np.float64))
    kept = before[:, columns]
    share = np.minimum(kept.sum(axis=1), 1.0)
    enough = share >= least_share
    weights = np.where(enough[:, None], proportions(kept), 0.0)
    source, target = tuple(columns.tolist()), tuple(rows.tolist())
    return Restriction(
        alignment=Alignment(
            source=tuple(alignment.source[j] for j in source),
            target=tuple(alignment.target[i] for i in target),
            weights=weights,
            source_words=tuple(alignment.source_words[j] for j in source),
            target_words=tuple(alignment.target_words[i] for i in target),
        ),
        source=source,
        target=target,
        share=share,
        empty=tuple(np.flatnonzero(~enough).tolist()),
        without_end=without_end,
        without_punctuation=without_punctuation,
    )
