"""Measures and marks of an alignment, and the difference of two alignments.

Paper: 5.2.1, Figure 3

The Jensen-Shannon divergence is that of Lin 1991 (Divergence measures based on the Shannon entropy).
"""

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from nmt.results import END, Alignment, AlignmentSummary
from nmt.results.alignment import PIECE_MARK
from nmt.results.difference import changes

_SILENT = ("Cf", "Mn", "Me")
"""Unicode categories of joiners and combining marks, which are ignored."""


def is_punctuation(token: str) -> bool:
    """True if all characters of the token are in Unicode's categories P (punctuation) or S (symbol), such as ``,``
    ``«`` ``$`` or an emoji. SentencePiece's word-start mark, joiners and combining marks are ignored. A token of
    ignored characters alone is not punctuation.

    >>> [token for token in ("▁,", "...", "$x$", "&apos;", "€", "</s>", "▁", "l'") if is_punctuation(token)]
    ['▁,', '...', '€']
    """
    categories = [unicodedata.category(character) for character in token.replace(PIECE_MARK, "")]
    visible = [category for category in categories if category not in _SILENT]
    return bool(visible) and all(category[0] in "PS" for category in visible)


def end_mask(tokens: Sequence[str]) -> NDArray[np.bool_]:
    """[len(tokens)]: True for the last token if it is the end-of-sentence token, else False."""
    mask = np.zeros(len(tokens), dtype=np.bool_)
    if tokens and tokens[-1] == END:
        mask[-1] = True
    return mask


def punctuation_mask(tokens: Sequence[str]) -> NDArray[np.bool_]:
    """True for punctuation, [len(tokens)]."""
    return np.array([is_punctuation(token) for token in tokens], dtype=np.bool_)


def coverage(alignment: Alignment) -> NDArray[np.float64]:
    """Attention received by each source token, [T_x]: the sum of its column, in target tokens. All add up to T_y."""
    received: NDArray[np.float64] = alignment.weights.astype(np.float64).sum(axis=0)
    return received


def entropy(weights: NDArray[np.floating]) -> NDArray[np.float64]:
    """Entropy of each row in bits, [rows], after dividing the row by its sum. It is 0 if one source token has all
    weight, and log2 T_x if all tokens have equal weight. A row of zeros has 0."""
    shares = proportions(weights.astype(np.float64))
    logarithms = np.log2(shares, out=np.zeros_like(shares), where=shares > 0)
    bits: NDArray[np.float64] = np.maximum(-(shares * logarithms).sum(axis=1), 0.0)
    return bits


def proportions(weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Each row divided by its sum. A row of zeros is unchanged."""
    sums = weights.sum(axis=1, keepdims=True)
    shares: NDArray[np.float64] = np.divide(weights, sums, out=np.zeros_like(weights), where=sums > 0)
    return shares


def summary(alignment: Alignment) -> AlignmentSummary | None:
    """Summarise an alignment over its whole words. The end-of-sentence tokens are ignored on both sides, and
    punctuation on the source side. None if a side has no word.

    >>> import numpy as np
    >>> weights = np.array([[1, 0, 0, 0], [0.5, 0.5, 0, 0], [0, 0, 0, 1]])
    >>> summary(Alignment(source=("we", "sleep", ".", "</s>"), target=("nous", "dormons", "</s>"), weights=weights))
    AlignmentSummary(entropy=0.5, least_coverage=0.5, mean_coverage=1.0)
    """
    words = alignment.merged()
    read = ~(end_mask(words.source) | punctuation_mask(words.source))
    written = ~end_mask(words.target)
    if not read.any() or not written.any():
        return None
    received, bits = coverage(words)[read], entropy(words.weights)[written]
    return AlignmentSummary(float(bits.mean()), float(received.min()), float(received.mean()))


DROPPED, ATTENDED_OFTEN = 0.2, 3.0
"""A source word with a coverage below DROPPED is marked as dropped, and one above ATTENDED_OFTEN as attended to often.
The limits are for whole words (``Alignment.merged``). In the 150 human translations of testsets/jointly-150, at most
2 % of the words have less than 0.2, and at most 1 % more than 3 (rnnsearch-50, rnnsearch-256). A mark is a hint."""

NGRAM = 3
"""Number of target words in a sequence that is marked as repeated if it occurred earlier in the sentence."""


@dataclass(frozen=True)
class Marks:
    """Positions of the tokens to mark, in order. End-of-sentence tokens and punctuation are marked only as repeated.

    Attributes:
        dropped: source tokens with little coverage.
        attended_often: source tokens with much coverage, which are perhaps translated more than once.
        repeated: target tokens that repeat earlier ones.
    """

    dropped: tuple[int, ...]
    attended_often: tuple[int, ...]
    repeated: tuple[int, ...]


def marks(alignment: Alignment) -> Marks:
    """Find the tokens to mark.

    >>> a = Alignment(source=("we", "left", "</s>"), target=("nous", "nous", "</s>"),
    ...               weights=np.array([[1., 0, 0], [1, 0, 0], [0, 0, 1]]))
    >>> marks(a)
    Marks(dropped=(1,), attended_often=(), repeated=(1,))
    """
    received = coverage(alignment)
    proper = ~(end_mask(alignment.source) | punctuation_mask(alignment.source))
    return Marks(
        dropped=tuple(np.flatnonzero(proper & (received < DROPPED)).tolist()),
        attended_often=tuple(np.flatnonzero(proper & (received > ATTENDED_OFTEN)).tolist()),
        repeated=repeated_tokens(alignment.target, NGRAM),
    )


def repeated_tokens(tokens: Sequence[str], ngram: int) -> tuple[int, ...]:
    """Positions of tokens that repeat earlier tokens. These are the tokens of each n-gram that occurred before (it may
    overlap), n = ``ngram``. A sequence of any length that directly follows an equal sequence also counts. Sequences of
    punctuation alone and the end-of-sentence token do not count.

    >>> repeated_tokens("the cat saw the cat saw a a dog . . .".split(), 3)
    (3, 4, 5, 7)
    """
    words = tokens[:-1] if tokens and tokens[-1] == END else tokens
    number = {word: k for k, word in enumerate(dict.fromkeys(words))}
    numbers = np.array([number[word] for word in words], dtype=np.int64)
    proper = np.array([k for k, word in enumerate(words) if not is_punctuation(word)], dtype=np.int64)
    changes = np.zeros(len(words) + 1, dtype=np.int64)  # in the number of repeated sequences that a token is part of

    def add(first: int, last: int, length: int) -> None:
        """Mark the tokens from ``first`` to before ``last`` that are in a sequence of this length with a word."""
        within = proper[np.searchsorted(proper, first) : np.searchsorted(proper, last)]
        np.add.at(changes, np.maximum(within - length + 1, first), 1)
        np.add.at(changes, np.minimum(within + length, last), -1)

    seen: set[tuple[str, ...]] = set()
    for i in range(len(words) - ngram + 1):
        sequence = tuple(words[i : i + ngram])
        if sequence in seen:
            add(i, i + ngram, ngram)
        seen.add(sequence)
    for length in range(1, len(words) // 2 + 1):
        equal = np.concatenate(([False], numbers[length:] == numbers[:-length], [False]))
        edges = np.flatnonzero(equal[1:] != equal[:-1]) + length  # of runs equal to the words ``length`` before
        for first, last in edges.reshape(-1, 2)[edges[1::2] - edges[::2] >= length].tolist():
            add(first, last, length)
    return tuple(np.flatnonzero(changes[:-1].cumsum() > 0).tolist())


Membership = Literal["both", "first", "second"]
_MEMBERSHIP: dict[str, Membership] = {"kept": "both", "deleted": "first", "inserted": "second"}


@dataclass(frozen=True, eq=False, kw_only=True)
class AlphaDifference:
    """The second alignment minus the first, over the words of both.

    Attributes:
        source, target: the words of the columns and rows. Where the sentences differ, words of the first come first.
        source_sides, target_sides: for each, whether both sentences have the word, or the first or the second alone.
        delta: [rows, columns], from -1 to 1: weight in the second minus weight in the first. A word missing from an
            alignment has no weight there. Rows that both alignments have sum to 0.
        divergence: [rows], the Jensen-Shannon divergence of the two alignments' rows, in bits. It is 0 for equal rows,
            and 1 for rows without weight on a common word. NaN if one of the rows has no weight at all.
    """

    source: tuple[str, ...]
    source_sides: tuple[Membership, ...]
    target: tuple[str, ...]
    target_sides: tuple[Membership, ...]
    delta: NDArray[np.float32]
    divergence: NDArray[np.float64]


def difference_of_pairs(first: Alignment, second: Alignment) -> AlphaDifference:
    """Delta-alpha of two sentence pairs that differ by edits on either side. Words common to both sources, in order,
    share a column. Words common to both targets share a row. Every other word has its own column or row.

    >>> a = Alignment(source=("a", "b"), target=("x", "y"), weights=np.array([[1., 0], [.5, .5]]))
    >>> b = Alignment(source=("a", "b"), target=("x", "z"), weights=np.array([[.6, .4], [0, 1.]]))
    >>> d = difference_of_pairs(a, b)
    >>> list(zip(d.target, d.target_sides, d.delta.astype(float).round(2).tolist()))
    [('x', 'both', [-0.4, 0.4]), ('y', 'first', [-0.5, -0.5]), ('z', 'second', [0.0, 1.0])]
    """
    columns, rows = changes(first.source, second.source), changes(first.target, second.target)
    left = _spread(first.weights, [row.before for row in rows], [column.before for column in columns])
    right = _spread(second.weights, [row.after for row in rows], [column.after for column in columns])
    return AlphaDifference(
        source=tuple(column.word for column in columns),
        source_sides=tuple(_MEMBERSHIP[column.kind] for column in columns),
        target=tuple(row.word for row in rows),
        target_sides=tuple(_MEMBERSHIP[row.kind] for row in rows),
        delta=(right - left).astype(np.float32),
        divergence=jensen_shannon(left, right),
    )


def jensen_shannon(first: NDArray[np.float64], second: NDArray[np.float64]) -> NDArray[np.float64]:
    """H((p + q) / 2) - (H(p) + H(q)) / 2 of the rows p and q, each divided by its sum: the Jensen-Shannon divergence in
    bits, [rows], from 0 to 1. NaN if a row has no weight."""
    p, q = proportions(first), proportions(second)
    divergence = entropy((p + q) / 2) - (entropy(p) + entropy(q)) / 2
    weighted = (first.sum(axis=1) > 0) & (second.sum(axis=1) > 0)
    return np.where(weighted, np.clip(divergence, 0.0, 1.0), np.nan)


def _spread(
    weights: NDArray[np.float32], rows: Sequence[int | None], columns: Sequence[int | None]
) -> NDArray[np.float64]:
    """The weights of these rows and columns, [rows, columns]. A row or column that is None has weights of 0."""
    bordered = np.pad(weights.astype(np.float64), ((0, 1), (0, 1)))  # None is taken from the border, which is 0
    height, width = weights.shape
    return bordered[np.ix_([height if i is None else i for i in rows], [width if j is None else j for j in columns])]
