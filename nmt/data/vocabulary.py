"""Vocabularies: the protocol, the word shortlist, and the vocabulary files.

Id 0 is the end-of-sentence token and id 1 the unknown word in every vocabulary; all else follows from 2
(docs/formats.md).
"""

from __future__ import annotations

import heapq
import json
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Literal, Protocol

from nmt.records import FORMAT_VERSION
from nmt.results.alignment import END, UNKNOWN
from nmt.results.translation import Encoded as Encoded

END_ID, UNK_ID = 0, 1

SPECIAL = (END, UNKNOWN)
"""Surfaces of the first ids."""

Kind = Literal["words", "unigram", "bpe"]


class Vocabulary(Protocol):
    """The tokens of one side and their ids. "Words" are those of the tokeniser throughout."""

    @property
    def kind(self) -> Kind:
        """Kind of the tokens."""

    def __len__(self) -> int:
        """Number of ids, the two special ones included."""

    def encode(self, words: Sequence[str]) -> Encoded:
        """Ids, surfaces and word indices of a sentence."""

    def ids(self, words: Sequence[str]) -> list[int]:
        """Ids of a sentence, end-of-sentence token last; the same as ``encode(words).ids``, and faster."""

    def tokens(self, ids: Sequence[int]) -> tuple[str, ...]:
        """Surface of each id: a word or subword, "[UNK]" or "</s>"."""

    def word_indices(self, ids: Sequence[int]) -> tuple[int, ...]:
        """Index from 0 of the word that contains each id; the end-of-sentence token is a word of its own."""

    def words(self, ids: Sequence[int]) -> list[str]:
        """The words that the ids spell: end-of-sentence tokens dropped, subwords merged."""

    def save(self, folder: Path, side: str) -> None:
        """Write ``<side>.vocabulary.json``, and for subwords ``<side>.sentencepiece.model``; a side is "source" or
        "target"."""


class Shortlist:
    """The most frequent words; all others are [UNK]. Paper: 4.1 (30,000 words).

    Attributes:
        shortlist: the words from id 2 on, most frequent first.
    """

    kind: Literal["words"] = "words"

    def __init__(self, shortlist: Sequence[str]) -> None:
        self.shortlist = tuple(shortlist)
        self._id = {word: id for id, word in enumerate(self.shortlist, start=len(SPECIAL))}

    @classmethod
    def from_counts(cls, counts: Mapping[str, int], size: int) -> Shortlist:
        """Take the ``size - 2`` most frequent words, or all if there are fewer; ties are broken by code point order.

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
    """Names of the files that a vocabulary may have."""
    return f"{side}.sentencepiece.model", f"{side}.vocabulary.json"


def vocabulary_files(folder: Path, side: str) -> list[Path]:
    """The files of a vocabulary, in the order of their names."""
    return [folder / name for name in vocabulary_names(side) if (folder / name).is_file()]


def write_header(folder: Path, side: str, content: Mapping[str, Any]) -> None:
    """Write ``<side>.vocabulary.json`` with the format version and ``content``."""
    data = {"format": FORMAT_VERSION, **content}
    text = json.dumps(data, ensure_ascii=False, indent=0)
    (folder / f"{side}.vocabulary.json").write_text(text + "\n", encoding="utf-8", newline="\n")


def unknown_share(vocabulary: Vocabulary, counts: Mapping[str, int]) -> float:
    """Share of the words counted that get an UNK_ID, from 0 to 1; 0 if nothing was counted."""
    total = sum(counts.values())
    unknown = sum(count for word, count in counts.items() if UNK_ID in vocabulary.ids([word]))
    return unknown / total if total else 0.0
