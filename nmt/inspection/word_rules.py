"""Rules of a steered search over whole words, which may be written in several pieces."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from nmt.data.vocabulary import END_ID, UNK_ID, Vocabulary
from nmt.search.steered import Allowed, Forbidden, Only, Rule, keep, prefix


@dataclass(frozen=True)
class TargetWords:
    """The words that a vocabulary can write, and rules over them."""

    vocabulary: Vocabulary

    @cached_property
    def starts(self) -> Allowed:
        """Whether an id begins a new word after any other one, [K_y]; the end mark does."""
        numbers = self.vocabulary.word_indices((UNK_ID, *range(len(self.vocabulary))))
        return np.diff(numbers) > 0

    @property
    def in_pieces(self) -> bool:
        """Whether a word may take more than one token."""
        return self.vocabulary.kind != "words"

    def ids(self, word: str) -> tuple[int, ...] | None:
        """The tokens of a word; None if it is unknown."""
        ids = tuple(self.vocabulary.ids([word])[:-1])
        return None if UNK_ID in ids else ids

    def begins_with(self, ids: Sequence[int]) -> tuple[Rule, ...]:
        """Every output begins with the whole words that ``ids`` are."""
        rules = prefix(ids)
        if not ids or not self.in_pieces:
            return rules
        return (*rules, Only(len(ids), tuple(np.flatnonzero(self.starts).tolist())))

    def forced(self, position: int, ids: Sequence[int]) -> Rule:
        """The word at ``position``, from 0, is ``ids``, and no output ends before it."""
        return _Forced(self, position, tuple(ids)) if self.in_pieces else Only(position, tuple(ids))

    def forbidden(self, words: Sequence[str]) -> tuple[Rule, ...]:
        """No output has one of ``words``, however it is cut; longer words that begin with them may occur."""
        if self.in_pieces:
            return (_Forbidden(self, frozenset(words)),) if words else ()
        return (Forbidden(tuple(id for word in words for id in self.ids(word) or ())),) if words else ()

    def close_word_(self, allowed: Allowed) -> None:
        """Only a new word or the end mark may follow, in place."""
        allowed[: len(self.starts)] &= self.starts

    def continue_word_(self, allowed: Allowed) -> None:
        """No new word may begin, in place."""
        allowed[: len(self.starts)] &= ~self.starts


@dataclass(frozen=True)
class _Forced:
    words: TargetWords
    position: int
    ids: tuple[int, ...]

    def restrict_(self, allowed: Allowed, written: tuple[int, ...]) -> None:
        numbers = self.words.vocabulary.word_indices(written)
        last = numbers[-1] if numbers else -1
        if last > self.position:
            return
        if last == self.position:
            done = len(numbers) - numbers.index(last)
            if done < len(self.ids):
                keep(allowed, self.ids[done : done + 1])
            else:
                self.words.close_word_(allowed)
        elif last == self.position - 1:
            begun = allowed[self.ids[0]]
            if written:  # the word before may be longer
                self.words.continue_word_(allowed)
            else:
                allowed[:] = False
            allowed[self.ids[0]] = begun
        else:
            allowed[END_ID] = False


@dataclass(frozen=True)
class _Forbidden:
    """It takes effect where the word would be complete: until then nothing tells it from a longer one."""

    words: TargetWords
    surfaces: frozenset[str]

    def restrict_(self, allowed: Allowed, written: tuple[int, ...]) -> None:
        vocabulary = self.words.vocabulary
        numbers = vocabulary.word_indices(written)
        if numbers and not self.surfaces.isdisjoint(vocabulary.words(written[numbers.index(numbers[-1]) :])):
            self.words.continue_word_(allowed)
