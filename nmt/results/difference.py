"""Difference between two translations: words kept, deleted and inserted."""

import difflib
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class WordChange:
    """A word of the earlier sentence, of the later sentence, or of both.

    Attributes:
        word: the whole word, or an end-of-sentence token.
        before, after: index from 0 of the word in the earlier and in the later sentence, and of its row or column in
            alpha over words. None if the sentence lacks the word.
    """

    word: str
    before: int | None
    after: int | None

    @property
    def kind(self) -> Literal["kept", "deleted", "inserted"]:
        return "inserted" if self.before is None else "deleted" if self.after is None else "kept"


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
    """List the n-grams of one to four words that ``words`` shares with ``reference`` more often than ``rival`` has
    them, in the order of ``words``. An n-gram that contains a shorter listed n-gram is left out.

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
    """Indices, from 0, of the words that are part of an occurrence of one of the n-grams.

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
