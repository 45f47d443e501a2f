"""Ranges of sentence lengths: by width, by equal counts, by hand, and rolling windows.

Lengths are words between white space. The last bucket is always open; a line without any word falls into none.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

import numpy as np

from nmt.errors import InputError
from nmt.results import LengthSide, PairStatistics, Span
from nmt.results.statistics import Counts

WIDTH, LAST = 10, 61
"""Lengths in one bucket, and fewest words of the open last one."""

MOST = 200
"""Ranges that a curve may have."""


Division = Literal["width", "equal counts", "hand", "rolling"]


@dataclass(frozen=True)
class Buckets:
    """How lengths are divided, whatever the sentences.

    Attributes:
        division: by width, by equal counts, by hand, or rolling windows.
        numbers: width and first length of the open last bucket; how many buckets; the first length of each; width of
            the window.
    """

    division: Division = "width"
    numbers: tuple[int, ...] = (WIDTH, LAST)

    def spans(self, lengths: Counts) -> tuple[Span, ...]:
        """The ranges for sentences of these lengths; raises as the functions below."""
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


def lengths_of(pairs: PairStatistics, side: LengthSide) -> Counts:
    """Words of each source or each reference; InputError for another side."""
    if side not in ("source", "reference"):
        raise InputError(f"lengths are those of the source or of the reference, not {side!r}")
    return pairs.source_words if side == "source" else pairs.reference_words


def by_width(width: int = WIDTH, last: int = LAST) -> tuple[Span, ...]:
    """1 to ``width`` words, and so on, up to the open last bucket, which begins at ``last`` words; the one before it is
    shorter where it must be."""
    if width < 1:
        raise InputError(f"a bucket has a width of at least 1 word, not {width}")
    if last < 1:
        raise InputError(f"the open last bucket begins at 1 word or more, not {last}")
    return by_hand([*range(1, last, width), last])


def by_hand(firsts: Sequence[int]) -> tuple[Span, ...]:
    """Buckets that begin at these lengths, in ascending order; the last one is open."""
    if not firsts:
        raise InputError("no bucket is given: name the lengths at which they begin")
    if firsts[0] < 1 or any(a >= b for a, b in pairwise(firsts)):
        raise InputError(f"buckets begin at lengths from 1 up in ascending order, not at {', '.join(map(str, firsts))}")
    _check_number(len(firsts))
    ends = [following - 1 for following in firsts[1:]]
    return tuple(Span(first, last) for first, last in zip(firsts, [*ends, None], strict=True))


def by_equal_counts(lengths: Counts, buckets: int) -> tuple[Span, ...]:
    """Up to ``buckets`` buckets of about as many sentences each.

    Sentences of one length stay together, so a bucket may be larger than others, and there are fewer of them where
    lengths are few.

    Raises:
        InputError: fewer than one bucket is asked for, or no sentence has a word.
    """
    if buckets < 1:
        raise InputError(f"at least 1 bucket is needed, not {buckets}")
    _check_number(buckets)
    found, counts = np.unique(lengths[lengths > 0], return_counts=True)
    if not len(found):
        raise InputError("no sentence has a word, so there are no lengths to share out")
    up_to = np.cumsum(counts)
    wanted = up_to[-1] * np.arange(1, buckets) / buckets
    last = np.abs(up_to[None, :-1] - wanted[:, None]).argmin(axis=1) if len(found) > 1 else np.array([], dtype=np.intp)
    return by_hand([1, *(int(found[k]) + 1 for k in np.unique(last))])


def rolling(width: int, longest: int) -> tuple[Span, ...]:
    """A window around each length from 1 to ``longest``, ``width`` lengths wide: one more below it than above where
    ``width`` is even, and cut off below 1."""
    if width < 1:
        raise InputError(f"a window has a width of at least 1 word, not {width}")
    if longest < 1:
        raise InputError(f"windows go up to a length of 1 word or more, not {longest}")
    _check_number(longest)
    return tuple(Span(max(1, n - width // 2), n + (width - 1) // 2) for n in range(1, longest + 1))


def _check_number(buckets: int) -> None:
    if buckets > MOST:
        raise InputError(f"{buckets} ranges of lengths are too many: at most {MOST}")
