"""A check of a typed sentence against the vocabularies of a model: is it in the language that the model reads?"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from nmt.data.text import Tokenizer
from nmt.data.vocabulary import UNK_ID, Vocabulary
from nmt.data.word_counts import has_letter

_CHEAPER = 0.8
"""A sentence counts as one of the target language if its cost with the target vocabulary is below this share of its
cost with the source vocabulary. The ratio is at least 0.88 for the project's own English sentences, and mostly at most
0.7 for the French ones (rnnsearch-50, 10,000 words, and rnnsearch-multi30k, 8,000 subwords)."""


@dataclass(frozen=True)
class TextFit:
    """Fit of a sentence to the source side of a model.

    Attributes:
        words: words with a letter.
        unknown: those of them that the model reads as [UNK], in order.
        in_target_language: whether the sentence looks like one of the target language.
    """

    words: int
    unknown: tuple[str, ...]
    in_target_language: bool

    @property
    def mostly_unknown(self) -> bool:
        """True if more than half of the words are unknown."""
        return 2 * len(self.unknown) > self.words


def text_fit(text: str, source: tuple[Tokenizer, Vocabulary], target: tuple[Tokenizer, Vocabulary]) -> TextFit:
    """Compare a sentence with the vocabularies of the source and of the target, whose ids are sorted by frequency."""
    words = source[0].tokenize(text)
    unknown = [word for word in source[1].encode(words).unknown if has_letter(word)]
    other = source[0].language != target[0].language and (
        _cost(target[1], target[0].tokenize(text)) < _CHEAPER * _cost(source[1], words)
    )
    return TextFit(sum(map(has_letter, words)), tuple(unknown), other)


def _cost(vocabulary: Vocabulary, words: Sequence[str]) -> float:
    """Nats to name all tokens if their frequency falls with their rank, up to a constant per token."""
    return sum(math.log(len(vocabulary) if id == UNK_ID else id + 2) for id in vocabulary.ids(words)[:-1])
