"""Ranges of sentence lengths: fitted to the sentences, by width, by equal counts, custom, and rolling windows.

Lengths are numbers of words. The last bucket is open: it has no upper end. A line without words is in no bucket.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

import numpy as np

from nmt.errors import InputError
from nmt.results import LengthSide, PairStatistics, Span
from nmt.results.statistics import Counts
from nmt.texts import say

WIDTH, LAST = 10, 61
"""Width of a bucket, and first length of the open last one."""

MOST = 200
"""Maximum number of ranges of a curve."""


FEWEST_OF_PAPER, MOST_FITTED, LEAST_IN_RANGE = 5, 6, 15
"""Settings of ``fitted``: the paper's ranges are used if at least 5 have sentences. Otherwise there are at most 6
ranges of equal counts, with 15 sentences or more per range on average."""


Division = Literal["fitted", "width", "equal counts", "hand", "rolling"]


@dataclass(frozen=True)
class Buckets:
    """Rule for dividing the lengths of any sentences into ranges.

    Attributes:
        numbers: parameters of the rule. "width" has the width of a bucket and the first length of the open last bucket.
            "equal counts" has the number of buckets, "hand" the first length of each, "rolling" the window's width.
    """

    division: Division = "width"
    numbers: tuple[int, ...] = (WIDTH, LAST)

    def spans(self, lengths: Counts) -> tuple[Span, ...]:
        """Compute the ranges for sentences of these lengths. Raises the InputErrors of the function of the rule."""
        if self.division == "fitted":
            return fitted(lengths)
        if self.division == "hand":
            return by_hand(self.numbers)
        if self.division == "width":
            width, last = self.numbers
            return by_width(width, last)
        (number,) = self.numbers
        if self.division == "equal counts":
            return by_equal_counts(lengths, number)
        return rolling(number, min(MOST, max(1, int(lengths.max(initial=1)))))


PAPER = Buckets()
"""1-10, 11-20, ..., 51-60 and 61 or more words."""

FITTED = Buckets("fitted", ())
"""Ranges that all have sentences."""


def lengths_of(pairs: PairStatistics, side: LengthSide) -> Counts:
    """Number of words of each source or each reference, [N]. Raises InputError for an unknown side."""
    if side not in ("source", "reference"):
        raise InputError(f"the side must be source or reference, not {side!r}")
    return pairs.source_words if side == "source" else pairs.reference_words


def by_width(width: int = WIDTH, last: int = LAST) -> tuple[Span, ...]:
    """Make buckets of ``width`` lengths from 1 word up, and an open last bucket from ``last`` words. The bucket before
    the last one may be narrower. InputError if a number is below 1."""
    if width < 1:
        raise InputError(say("errors.bucket_width", width=width))
    if last < 1:
        raise InputError(say("errors.last_bucket", last=last))
    return by_hand([*range(1, last, width), last])


def by_hand(firsts: Sequence[int]) -> tuple[Span, ...]:
    """Make buckets that begin at these lengths, the last one open. InputError unless they ascend from 1 or more."""
    if not firsts:
        raise InputError(say("errors.no_buckets"))
    if firsts[0] < 1 or any(a >= b for a, b in pairwise(firsts)):
        raise InputError(say("errors.buckets_ascend", firsts=", ".join(map(str, firsts))))
    _check_number(len(firsts))
    ends = [following - 1 for following in firsts[1:]]
    return tuple(Span(first, last) for first, last in zip(firsts, [*ends, None], strict=True))


def fitted(lengths: Counts) -> tuple[Span, ...]:
    """Choose ranges that all have sentences. If exactly the first k of the paper's ranges have sentences, k >= 5, take
    these k and open the last one. Otherwise make up to six ranges with about equal numbers of sentences. InputError if
    no sentence has a word."""
    spans = by_width()
    filled = [span for span in spans if span.holds(lengths).any()]
    if len(filled) >= FEWEST_OF_PAPER and filled == list(spans[: len(filled)]):
        return by_hand([span.first for span in filled])
    return by_equal_counts(lengths, min(MOST_FITTED, max(1, int((lengths > 0).sum()) // LEAST_IN_RANGE)))


def by_equal_counts(lengths: Counts, buckets: int) -> tuple[Span, ...]:
    """Make up to ``buckets`` buckets with about the same number of sentences each. Sentences of one length stay
    together, so buckets may differ in size. There are fewer buckets if few lengths are distinct. InputError if
    ``buckets`` is below 1, or if no sentence has a word."""
    if buckets < 1:
        raise InputError(say("errors.too_few_buckets", buckets=buckets))
    _check_number(buckets)
    distinct, counts = np.unique(lengths[lengths > 0], return_counts=True)
    if not len(distinct):
        raise InputError(say("errors.nothing_to_divide"))
    up_to = np.cumsum(counts)
    wanted = up_to[-1] * np.arange(1, buckets) / buckets
    last = (
        np.abs(up_to[None, :-1] - wanted[:, None]).argmin(axis=1) if len(distinct) > 1 else np.array([], dtype=np.intp)
    )
    return by_hand([1, *(int(distinct[k]) + 1 for k in np.unique(last))])


def rolling(width: int, longest: int) -> tuple[Span, ...]:
    """Make a window of ``width`` lengths around each length from 1 to ``longest``, without lengths below 1. If
    ``width`` is even, a window has one more length below its centre than above. InputError if a number is below 1."""
    if width < 1:
        raise InputError(say("errors.window_width", width=width))
    if longest < 1:
        raise InputError(say("errors.longest_length", longest=longest))
    _check_number(longest)
    return tuple(Span(max(1, n - width // 2), n + (width - 1) // 2) for n in range(1, longest + 1))


def _check_number(buckets: int) -> None:
    if buckets > MOST:
        raise InputError(say("errors.too_many_buckets", buckets=buckets, most=MOST))
