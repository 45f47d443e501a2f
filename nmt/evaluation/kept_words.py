"""Words that a translation keeps when several sentences are translated as one.

The kept words are a longest common subsequence of two texts: the translations of the sentences one by one, and the
translation of the concatenated sentences. All other words of the former are lost.

Paper: 2.1, 5.2.2
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np

from nmt.data import japanese
from nmt.data.line_words import UNSPACED


@dataclass(frozen=True)
class WordFate:
    """A word of the translation of a sentence alone.

    Attributes:
        word: as written, with its punctuation.
        kept: whether the translation of the concatenated sentences has it; None for punctuation on its own.
    """

    word: str
    kept: bool | None

    @property
    def lost(self) -> bool:
        """Whether the translation of the concatenated sentences lacks it."""
        return self.kept is False


@dataclass(frozen=True)
class KeptWords:
    """Words of translations that remain in the translation of a concatenation.

    Attributes:
        sentences: the words of each.
        spaced: whether words are written with spaces between them.
    """

    sentences: tuple[tuple[WordFate, ...], ...]
    spaced: bool = True

    @property
    def words(self) -> int:
        """Number of words, without punctuation on its own."""
        return sum(fate.kept is not None for sentence in self.sentences for fate in sentence)

    @property
    def kept(self) -> int:
        """Number of words that are kept."""
        return sum(fate.kept is True for sentence in self.sentences for fate in sentence)


def kept_words(alone: Sequence[str], together: str, language: str = "") -> KeptWords:
    """Find which words of the translations of sentences are in the translation of all of them as one, in order. Case
    and the punctuation at either end of a word do not count.

    Args:
        alone: translations of the sentences one by one.
        together: translation of the concatenated sentences.
        language: of the translations; it determines what is a word.

    >>> found = kept_words(["La mer.", "Il dort !"], "La mer et il court !")
    >>> [[(fate.word, fate.kept) for fate in sentence] for sentence in found.sentences]
    [[('La', True), ('mer.', True)], [('Il', True), ('dort', False), ('!', None)]]
    >>> found.kept, found.words
    (3, 4)
    """

    def words_of(text: str) -> list[str]:
        return japanese.segmented(japanese.normalised(text)) if language in UNSPACED else text.split()

    split = [words_of(text) for text in alone]
    words = [_bare(word) for sentence in split for word in sentence]
    places = [k for k, word in enumerate(words) if word]
    words_together = [bare for word in words_of(together) if (bare := _bare(word))]
    kept = {places[k] for k in _common([words[k] for k in places], words_together)}
    fates = iter([WordFate(word, k in kept if words[k] else None) for k, word in enumerate(chain(*split))])
    sentences = tuple(tuple(next(fates) for _ in sentence) for sentence in split)
    return KeptWords(sentences, spaced=language not in UNSPACED)


def _bare(word: str) -> str:
    """The word in lower case between its first and its last letter or digit; "" without any.

    >>> _bare("L'île,"), _bare("[UNK]"), _bare("…")
    ("l'île", 'unk', '')
    """
    ends = [k for k, character in enumerate(word) if character.isalnum()]
    return word[ends[0] : ends[-1] + 1].casefold() if ends else ""


def _common(first: Sequence[str], second: Sequence[str]) -> list[int]:
    """Indices in ``first`` of a longest common subsequence, ascending; of several, the one whose words come first in
    ``second``."""
    longest = np.zeros((len(first) + 1, len(second) + 1), dtype=np.int32)  # of what is left from i and j on
    for i in range(len(first) - 1, -1, -1):
        for j in range(len(second) - 1, -1, -1):
            both = longest[i + 1, j + 1] + 1 if first[i] == second[j] else 0
            longest[i, j] = max(both, longest[i + 1, j], longest[i, j + 1])
    positions, i, j = [], 0, 0
    while i < len(first) and j < len(second):
        if first[i] == second[j]:
            positions.append(i)
            i, j = i + 1, j + 1
        elif longest[i + 1, j] >= longest[i, j + 1]:
            i += 1
        else:
            j += 1
    return positions
