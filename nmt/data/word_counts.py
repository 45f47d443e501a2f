"""What a run knows of the words of a typed sentence: which of them are unknown, and how often does each occur in the
training texts (``source.word-counts`` of a prepared folder and of a run)?

Pairs count as often as an epoch repeats them. Words that occur fewer than five times are left out, and so are words
without a letter; if the file would still be too large, the rarest of the others are left out too, and the file says up
to which count.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from pathlib import Path
from typing import Annotated

from pydantic import Field

from nmt.data.text import Tokenizer
from nmt.data.vocabulary import Vocabulary
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


@dataclass(frozen=True)
class TextFit:
    """Fit of a sentence to the source side of a model.

    Attributes:
        words: words with a letter.
        unknown: those of them that the model reads as [UNK], in order.
    """

    words: int
    unknown: tuple[str, ...]

    @property
    def mostly_unknown(self) -> bool:
        """True if more than half of the words are unknown."""
        return 2 * len(self.unknown) > self.words


def text_fit(text: str, tokenizer: Tokenizer, vocabulary: Vocabulary) -> TextFit:
    """Compare a sentence with the vocabulary of the source."""
    words = tokenizer.tokenize(text)
    unknown = [word for word in vocabulary.encode(words).unknown if has_letter(word)]
    return TextFit(sum(map(has_letter, words)), tuple(unknown))
