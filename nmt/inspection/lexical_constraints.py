"""Lexical constraints: rules of a constrained search over whole words, which may consist of several subwords."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from nmt.data.vocabulary import UNK_ID, Vocabulary
from nmt.search.constrained import Allowed, Forbidden, MustBe, OutputRule


@dataclass(frozen=True)
class TargetWords:
    """The words that a vocabulary can write, and rules about them."""

    vocabulary: Vocabulary

    @cached_property
    def starts(self) -> Allowed:
        """True for each id that begins a new word after any other id, [K_y]; the end-of-sentence token does."""
        numbers = self.vocabulary.word_indices((UNK_ID, *range(len(self.vocabulary))))
        return np.diff(numbers) > 0

    @property
    def in_pieces(self) -> bool:
        """True if a word may take more than one token."""
        return self.vocabulary.kind != "words"

    def ids(self, word: str) -> tuple[int, ...] | None:
        """The tokens of a word; None if it is unknown."""
        ids = tuple(self.vocabulary.ids([word])[:-1])
        return None if UNK_ID in ids else ids

    def whole(self, step: int, ids: Sequence[int]) -> tuple[OutputRule, ...]:
        """Rules under which every output has ``ids``, whole words, from step ``step`` on, from 0; the last word ends
        there."""
        rules = tuple(MustBe(place, (id,)) for place, id in enumerate(ids, start=step))
        if not rules or not self.in_pieces:
            return rules
        return (*rules, MustBe(step + len(rules), tuple(np.flatnonzero(self.starts).tolist())))

    def forbidden(self, words: Sequence[str]) -> tuple[OutputRule, ...]:
        """Rules under which no output has one of ``words`` in any segmentation; longer words that begin with them may
        occur."""
        if not words:
            return ()
        if self.in_pieces:
            return (_Incomplete(self, frozenset(words)),)
        return (Forbidden(tuple(id for word in words for id in self.ids(word) or ())),)


@dataclass(frozen=True)
class _Incomplete:
    """Rule that forbidden words must continue: only the beginning of the next word shows that a word is not a longer
    one."""

    target: TargetWords
    words: frozenset[str]

    def restrict_(self, allowed: Allowed, written: tuple[int, ...]) -> None:
        vocabulary, starts = self.target.vocabulary, self.target.starts
        numbers = vocabulary.word_indices(written)
        if numbers and not self.words.isdisjoint(vocabulary.words(written[numbers.index(numbers[-1]) :])):
            allowed[: len(starts)] &= ~starts
