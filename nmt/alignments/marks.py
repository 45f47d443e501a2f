"""Marks of words that a translation seems to have dropped or repeated."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from nmt.alignments.measures import measures
from nmt.alignments.tokens import end_mask, is_punctuation, punctuation_mask
from nmt.results import END, Alignment


@dataclass(frozen=True)
class MarkLimits:
    """Thresholds of the marks. The limits of coverage are meant for whole words (``Alignment.merged``): in the 150
    human translations of testsets/jointly-150 at most 2 % of the words have less than 0.2 and at most 1 % more than 3
    (rnnsearch-50, rnnsearch-256), so a mark is a hint, not a verdict.

    Attributes:
        dropped: a source word with less coverage is marked as dropped.
        attended_often: a source word with more coverage is marked as attended to often.
        ngram: a sequence of this many target words that occurred earlier in the sentence is marked as repeated.
    """

    dropped: float = 0.2
    attended_often: float = 3.0
    ngram: int = 3

    def __post_init__(self) -> None:
        assert self.ngram >= 1


@dataclass(frozen=True)
class Marks:
    """Positions of marked tokens, in order. The end-of-sentence tokens and punctuation are not marked as dropped or
    attended to often.

    Attributes:
        dropped: source tokens with little coverage.
        attended_often: source tokens with much coverage: perhaps translated more than once.
        repeated: target tokens that repeat earlier ones.
    """

    dropped: tuple[int, ...]
    attended_often: tuple[int, ...]
    repeated: tuple[int, ...]


def marks(alignment: Alignment, limits: MarkLimits | None = None) -> Marks:
    """Find the tokens to mark.

    >>> a = Alignment(source=("we", "left", "</s>"), target=("nous", "nous", "</s>"),
    ...               weights=np.array([[1., 0, 0], [1, 0, 0], [0, 0, 1]]))
    >>> marks(a)
    Marks(dropped=(1,), attended_often=(), repeated=(1,))
    """
    limits = limits or MarkLimits()
    coverage = measures(alignment).coverage
    proper = ~(end_mask(alignment.source) | punctuation_mask(alignment.source))
    return Marks(
        dropped=tuple(np.flatnonzero(proper & (coverage < limits.dropped)).tolist()),
        attended_often=tuple(np.flatnonzero(proper & (coverage > limits.attended_often)).tolist()),
        repeated=repeated_tokens(alignment.target, limits.ngram),
    )


def repeated_tokens(tokens: Sequence[str], ngram: int) -> tuple[int, ...]:
    """Positions of tokens that repeat earlier ones: all tokens of an n-gram that occurred before (the two may overlap),
    and all tokens of a sequence of any length that is repeated immediately. Sequences of punctuation alone and the
    end-of-sentence token do not count.

    >>> repeated_tokens("the cat saw the cat saw a a dog . . .".split(), 3)
    (3, 4, 5, 7)
    """
    words = tokens[:-1] if tokens and tokens[-1] == END else tokens
    punctuation = [is_punctuation(word) for word in words]
    repeated: set[int] = set()

    def add(first: int, last: int) -> None:
        if not all(punctuation[first:last]):
            repeated.update(range(first, last))

    seen: set[tuple[str, ...]] = set()
    for i in range(len(words) - ngram + 1):
        sequence = tuple(words[i : i + ngram])
        if sequence in seen:
            add(i, i + ngram)
        seen.add(sequence)
    for length in range(1, len(words) // 2 + 1):
        equal = 0  # number of words up to here that equal those ``length`` words before
        for i in range(length, len(words)):
            equal = equal + 1 if words[i] == words[i - length] else 0
            if equal >= length:
                add(i - length + 1, i + 1)
    return tuple(sorted(repeated))
