"""What a run knows of the words of a typed sentence: is it in the language that the model reads, and how often does
each word occur in the training texts (``source.word-counts`` of a prepared folder and of a run)?

Pairs count as often as an epoch repeats them. Words that occur fewer than five times are left out, and so are words
without a letter; if the file would still be too large, the rarest of the others are left out too, and the file says up
to which count.
"""

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from pathlib import Path
from typing import Annotated

from pydantic import Field

from nmt.data.text import Tokenizer
from nmt.data.vocabulary import UNK_ID, Vocabulary
from nmt.files import read_record, write_text
from nmt.records import FORMAT_VERSION

WORD_COUNTS = "source.word-counts"
FEWEST = 5
"""Fewest occurrences of a word that is counted."""
HARDLY = 30
"""A word that occurs less often in one epoch of the training counts as hardly seen: it is right in 30 % of its
occurrences, from there on in half of them or more (docs/log/app.md)."""
MOST_BYTES = 300_000
"""Largest size of the file."""

Count = Annotated[int, Field(ge=1)]


@dataclass(frozen=True, kw_only=True)
class WordCounts:
    """Content of the file.

    Attributes:
        fewest: every word with a letter that occurs this often is counted.
        words: for each number of occurrences the words, separated by spaces, in alphabetical order.
    """

    fewest: Count
    words: tuple[tuple[Count, str], ...]

    @cached_property
    def counts(self) -> dict[str, int]:
        """Number of occurrences by word."""
        return {word: count for count, line in self.words for word in line.split(" ")}

    def hardly_seen(self, words: Iterable[str], times: int = HARDLY) -> tuple[str, ...]:
        """The words of a sentence, in order and each once, that occur fewer than ``times`` times in the training texts.
        Words without a letter are never among them.

        >>> WordCounts(fewest=5, words=((70, "sea the"), (8, "Sea"))).hardly_seen(["the", "Sea", ",", "sea", "Sea"])
        ('Sea',)
        """
        counts = self.counts
        return tuple(dict.fromkeys(word for word in words if has_letter(word) and counts.get(word, 0) < times))


def has_letter(word: str) -> bool:
    """True for a word with at least one letter of any script."""
    return any(character.isalpha() for character in word)


def write_word_counts(folder: Path, counts: Mapping[str, int]) -> None:
    """Write the file. ``counts``: occurrences of all words of the training texts, as the tokeniser splits them."""
    ordered = sorted((-count, word) for word, count in counts.items() if count >= FEWEST and has_letter(word))
    lines, size, fewest = list[tuple[int, str]](), 0, FEWEST
    for negative, group in groupby(ordered, lambda item: item[0]):
        line = (-negative, " ".join(word for _, word in group))
        size += len(json.dumps(line, ensure_ascii=False).encode()) + 2
        if size > MOST_BYTES - 100:
            fewest = lines[-1][0] if lines else -negative + 1
            break
        lines.append(line)
    rows = ",\n".join(json.dumps(line, ensure_ascii=False) for line in lines)
    text = f'{{"format": {FORMAT_VERSION}, "fewest": {fewest}, "words": [\n{rows}\n]}}\n'
    write_text(folder / WORD_COUNTS, text)


def read_word_counts(folder: Path) -> WordCounts | None:
    """Read the file; None if the folder has none. InputError if it is broken."""
    path = folder / WORD_COUNTS
    return read_record(WordCounts, path) if path.is_file() else None


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
