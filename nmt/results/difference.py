"""Difference between two translations: words kept, deleted and inserted, and changes of the weights."""

from __future__ import annotations

import difflib
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from nmt.results.alignment import END, PIECE_MARK, joined
from nmt.results.translation import ForcedScore, Hypothesis


@dataclass(frozen=True)
class WordChange:
    """A word of either sentence.

    Attributes:
        word: the whole word, or an end-of-sentence token.
        before, after: its number, from 0, in the earlier and in the later sentence, which is also its row or column of
            alpha merged over words; None if the sentence does not contain it.
    """

    word: str
    before: int | None
    after: int | None

    @property
    def kind(self) -> Literal["kept", "deleted", "inserted"]:
        return "inserted" if self.before is None else "deleted" if self.after is None else "kept"


@dataclass(frozen=True, eq=False)
class TranslationDifference:
    """Changes from one translation to another.

    Attributes:
        target: the words of both in reading order; where some are replaced by others, the deleted ones first.
        source: the same for the sources; () if either has no alignment.
        alpha: increase of the weights, merged over words as in the later translation, float32
            [words_y, words_x]; NaN for words and source words not in the earlier one; None if ``source`` is ().
    """

    target: tuple[WordChange, ...]
    source: tuple[WordChange, ...]
    alpha: NDArray[np.float32] | None

    @classmethod
    def between(cls, before: Hypothesis | ForcedScore, after: Hypothesis | ForcedScore) -> TranslationDifference:
        """Compare two outputs, from a search or forced: of the same source, of an edited one, or of another model."""
        target = changes(_words(before), _words(after))
        if before.alignment is None or after.alignment is None:
            return cls(target, (), None)
        old, new = before.alignment.merged(), after.alignment.merged()
        source = changes(old.source, new.source)
        rows, columns = _kept(target), _kept(source)
        alpha = np.full_like(new.weights, np.nan)
        cells = np.ix_(rows[1], columns[1])
        alpha[cells] = new.weights[cells] - old.weights[np.ix_(rows[0], columns[0])]
        return cls(target, source, alpha)


def changes(before: Sequence[str], after: Sequence[str]) -> tuple[WordChange, ...]:
    """List the words of both sequences in reading order, matched by difflib.

    >>> [(c.word, c.kind) for c in changes("la fille lit".split(), "la femme lit".split())]
    [('la', 'kept'), ('fille', 'deleted'), ('femme', 'inserted'), ('lit', 'kept')]
    """
    word_changes: list[WordChange] = []
    for tag, i, j, a, b in difflib.SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if tag == "equal":
            word_changes += [WordChange(before[i + k], i + k, a + k) for k in range(j - i)]
        else:
            word_changes += [WordChange(before[k], k, None) for k in range(i, j)]
            word_changes += [WordChange(after[k], None, k) for k in range(a, b)]
    return tuple(word_changes)


_LONGEST = 4
"""Words of the longest n-gram, as in BLEU."""


def gained_ngrams(reference: Sequence[str], words: Sequence[str], rival: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    """List the n-grams of up to four words that a translation shares with the reference more often than its rival does,
    in the order of the translation; of n-grams within each other only the shortest.

    >>> gained_ngrams("la fille lit".split(), "la fille dort".split(), "la femme lit".split())
    (('fille',),)
    >>> gained_ngrams("a b c".split(), "a b".split(), "b a c".split())
    (('a', 'b'),)
    """
    gained: list[tuple[str, ...]] = []
    for n in range(1, _LONGEST + 1):
        right, theirs = _ngrams(reference, n) & _ngrams(words, n), _ngrams(rival, n)
        more = [ngram for ngram, times in right.items() if times > theirs[ngram]]
        gained += [ngram for ngram in more if not any(places_of([shorter], ngram) for shorter in gained)]
    return tuple(sorted(gained, key=lambda ngram: min(places_of([ngram], words))))


def places_of(ngrams: Iterable[Sequence[str]], words: Sequence[str]) -> set[int]:
    """Numbers of the words, from 0, that are in one of the n-grams.

    >>> sorted(places_of([("a", "b")], "a b c a".split()))
    [0, 1]
    """
    return {
        k + i
        for ngram in ngrams
        for k in range(len(words))
        if tuple(words[k : k + len(ngram)]) == tuple(ngram)
        for i in range(len(ngram))
    }


def _ngrams(words: Sequence[str], n: int) -> Counter[tuple[str, ...]]:
    return Counter(tuple(words[k : k + n]) for k in range(len(words) - n + 1))


def _kept(of: Sequence[WordChange]) -> NDArray[np.int64]:
    """Indices of the kept words before and after, [2, kept]."""
    kept = [(change.before, change.after) for change in of if change.kind == "kept"]
    return np.array(kept, dtype=np.int64).reshape(-1, 2).T


def _words(output: Hypothesis | ForcedScore) -> tuple[str, ...]:
    """Whole words, end-of-sentence token last; without an alignment, subwords are recognised by the tokens alone."""
    if output.alignment is not None:
        return output.alignment.merged().target
    tokens = output.tokens
    if not any(token.startswith(PIECE_MARK) for token in tokens):
        return tokens
    return joined(tokens, list(accumulate(token.startswith(PIECE_MARK) or token == END for token in tokens)))
