"""Vocabularies: the protocol, the word shortlist, and the vocabulary files.

In every vocabulary, id 0 is the end-of-sentence token and id 1 the unknown word. All other tokens have ids from 2
(docs/formats.md).

``source.word-counts`` says how often each word occurs in the training texts. A pair counts as often as an epoch repeats
it. Words without a letter and words that occur fewer than five times are left out. If the file would still be too
large, the rarest words are left out. ``fewest`` in the file is the smallest number of occurrences that is listed.
"""

from __future__ import annotations

import heapq
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from pathlib import Path
from typing import Annotated, Any, Literal, Protocol

from pydantic import Field

from nmt.data.text import Tokenizer
from nmt.files import read_record, write_text
from nmt.records import FORMAT_VERSION
from nmt.results.alignment import END, UNKNOWN
from nmt.results.translation import Encoded as Encoded

END_ID, UNK_ID = 0, 1

SPECIAL = (END, UNKNOWN)
"""Surfaces of ids 0 and 1."""

Kind = Literal["words", "unigram", "bpe"]


class Vocabulary(Protocol):
    """A vocabulary: the tokens of one side with their ids. In its methods, a word is a word of the tokeniser."""

    @property
    def kind(self) -> Kind:
        """Kind of the tokens."""

    def __len__(self) -> int:
        """Number of ids, the two special ones included."""

    def encode(self, words: Sequence[str]) -> Encoded:
        """Ids, surfaces and word indices of a sentence."""

    def ids(self, words: Sequence[str]) -> list[int]:
        """Ids of a sentence, end-of-sentence token last. The result equals ``encode(words).ids``, but is faster."""

    def tokens(self, ids: Sequence[int]) -> tuple[str, ...]:
        """Surface of each id: a word or subword, "[UNK]" or "</s>"."""

    def word_indices(self, ids: Sequence[int]) -> tuple[int, ...]:
        """For each id, the index (from 0) of its word. The end-of-sentence token counts as a word."""

    def words(self, ids: Sequence[int]) -> list[str]:
        """The words that the ids spell: end-of-sentence tokens dropped, subwords merged."""

    def save(self, folder: Path, side: str) -> None:
        """Write SIDE.vocabulary.json and, for subwords, SIDE.sentencepiece.model. ``side``: "source" or "target"."""


class Shortlist:
    """A vocabulary of the most frequent words. All other words are [UNK]. Paper: 4.1 (30,000 words).

    Attributes:
        shortlist: the words from id 2 on, most frequent first.
    """

    kind: Literal["words"] = "words"

    def __init__(self, shortlist: Sequence[str]) -> None:
        self.shortlist = tuple(shortlist)
        self._id = {word: id for id, word in enumerate(self.shortlist, start=len(SPECIAL))}

    @classmethod
    def from_counts(cls, counts: Mapping[str, int], size: int) -> Shortlist:
        """Take the ``size - 2`` most frequent words, or all if there are fewer. Code point order breaks ties.

        >>> Shortlist.from_counts({"b": 2, "a": 2, "c": 5}, size=4).shortlist
        ('c', 'a')
        """
        most = heapq.nsmallest(size - len(SPECIAL), counts.items(), key=lambda item: (-item[1], item[0]))
        return cls([word for word, _ in most])

    @cached_property
    def _surfaces(self) -> tuple[str, ...]:
        return SPECIAL + self.shortlist

    def __len__(self) -> int:
        return len(SPECIAL) + len(self.shortlist)

    def encode(self, words: Sequence[str]) -> Encoded:
        ids = self.ids(words)
        unknown = tuple(word for word, id in zip(words, ids, strict=False) if id == UNK_ID)
        return Encoded(ids=tuple(ids), tokens=(*words, END), words=tuple(range(len(ids))), unknown=unknown)

    def ids(self, words: Sequence[str]) -> list[int]:
        get = self._id.get
        return [*(get(word, UNK_ID) for word in words), END_ID]

    def tokens(self, ids: Sequence[int]) -> tuple[str, ...]:
        return tuple(self._surfaces[id] for id in ids)

    def word_indices(self, ids: Sequence[int]) -> tuple[int, ...]:
        return tuple(range(len(ids)))

    def words(self, ids: Sequence[int]) -> list[str]:
        return [self._surfaces[id] for id in ids if id != END_ID]

    def save(self, folder: Path, side: str) -> None:
        write_header(folder, side, {"kind": self.kind, "words": list(self.shortlist)})


def vocabulary_names(side: str) -> tuple[str, str]:
    """Names of the files that a vocabulary of ``side`` may have: the SentencePiece model, and the header."""
    return f"{side}.sentencepiece.model", f"{side}.vocabulary.json"


def vocabulary_files(folder: Path, side: str) -> list[Path]:
    """The existing files of a vocabulary, in the order of their names."""
    return [folder / name for name in vocabulary_names(side) if (folder / name).is_file()]


def write_header(folder: Path, side: str, content: Mapping[str, Any]) -> None:
    """Write ``<side>.vocabulary.json`` with the format version and ``content``."""
    data = {"format": FORMAT_VERSION, **content}
    text = json.dumps(data, ensure_ascii=False, indent=0)
    (folder / f"{side}.vocabulary.json").write_text(text + "\n", encoding="utf-8", newline="\n")


def unknown_share(vocabulary: Vocabulary, counts: Mapping[str, int]) -> float:
    """Share of the counted words whose ids include UNK_ID, from 0 to 1. 0 if no words were counted."""
    total = sum(counts.values())
    unknown = sum(count for word, count in counts.items() if UNK_ID in vocabulary.ids([word]))
    return unknown / total if total else 0.0


WORD_COUNTS = "source.word-counts"
FEWEST = 5
"""Fewest occurrences of a word that the file of word counts lists."""
HARDLY = 30
"""A word with fewer occurrences in one epoch of training counts as hardly seen. Models translate such a word correctly
in 30 % of its occurrences, and more frequent words in at least half (docs/log/app.md)."""
FEW_PAIRS = 2_000
"""Pairs below which nearly all words are hardly seen. The page warns of them, and the run has its last weights."""
MOST_BYTES = 300_000
"""Largest size of the file of word counts, in bytes."""

Count = Annotated[int, Field(ge=1)]


@dataclass(frozen=True, kw_only=True)
class WordCounts:
    """Content of the file of word counts. It lists every word that has a letter and occurs at least ``fewest`` times.
    ``words``: for each number of occurrences the words that occur so often, joined by spaces."""

    fewest: Count
    words: tuple[tuple[Count, str], ...]

    @cached_property
    def counts(self) -> dict[str, int]:
        """Number of occurrences by word."""
        return {word: count for count, line in self.words for word in line.split(" ")}

    def hardly_seen(self, words: Iterable[str], times: int = HARDLY) -> tuple[str, ...]:
        """The different words of a sentence, in order, that occur fewer than ``times`` times in the training texts,
        or are not listed. Words without a letter are left out.

        >>> WordCounts(fewest=5, words=((70, "sea the"), (8, "Sea"))).hardly_seen(["the", "Sea", ",", "sea", "Sea"])
        ('Sea',)
        """
        counts = self.counts
        return tuple(dict.fromkeys(word for word in words if has_letter(word) and counts.get(word, 0) < times))


def has_letter(word: str) -> bool:
    """True for a word with at least one letter of any script."""
    return any(character.isalpha() for character in word)


def write_word_counts(folder: Path, counts: Mapping[str, int]) -> None:
    """Write the file of word counts. ``counts``: occurrences of all words of the tokeniser in the training texts."""
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
    """Read the file of word counts. None if the folder has none. Raises InputError if the file is broken."""
    path = folder / WORD_COUNTS
    return read_record(WordCounts, path) if path.is_file() else None


@dataclass(frozen=True)
class TextFit:
    """How well a model's source vocabulary covers a sentence: the number of words with a letter, and those of them that
    the model reads as [UNK], in order."""

    words: int
    unknown: tuple[str, ...]

    @property
    def mostly_unknown(self) -> bool:
        """True if more than half of the words are unknown."""
        return 2 * len(self.unknown) > self.words


def text_fit(text: str, tokenizer: Tokenizer, vocabulary: Vocabulary) -> TextFit:
    """Count the words of a sentence, and list those that the source vocabulary reads as [UNK]."""
    words = tokenizer.tokenize(text)
    unknown = [word for word in vocabulary.encode(words).unknown if has_letter(word)]
    return TextFit(sum(map(has_letter, words)), tuple(unknown))
