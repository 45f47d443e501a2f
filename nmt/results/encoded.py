"""A sentence as ids and tokens."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Encoded:
    """A sentence as a model reads or writes it. T = number of tokens, end-of-sentence token included.

    Attributes:
        ids: [T], the last one is that of the end-of-sentence token.
        tokens: [T] surfaces as written (an unknown word keeps its surface), the last one is the end-of-sentence token.
        words: [T], index of the word that contains the token; the end-of-sentence token is a word of its own.
        unknown: the words encoded as [UNK], in order.
    """

    ids: tuple[int, ...]
    tokens: tuple[str, ...]
    words: tuple[int, ...]
    unknown: tuple[str, ...]
