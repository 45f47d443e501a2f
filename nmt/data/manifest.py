"""The manifest of a prepared folder, manifest.json (docs/formats.md)."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nmt.config import FORMAT_VERSION
from nmt.data.corpus import CorpusFile
from nmt.errors import InputError
from nmt.files import read_versioned_json
from nmt.records import as_record

MANIFEST = "manifest.json"


@dataclass(frozen=True)
class VocabularyRecord:
    """Record of a vocabulary.

    Attributes:
    kind: "words", "unigram" or "bpe".
    size: number of ids, the two special ones included.
    asked: the requested size, which a small corpus may not fill; None if the vocabulary was taken over from another
        prepared folder.
    """

    kind: str
    size: int
    asked: int | None


@dataclass(frozen=True, kw_only=True)
class CorpusRecord:
    """Record of a corpus.

    Attributes:
    source, target: the two files.
    repeat: how often its pairs count in an epoch.
    read, kept: numbers of pairs; read = kept + everything dropped.
    dropped: number of pairs by reason: "blank" (a side has no words), "too_long" (more words than the maximum
        length), "line_too_long" (more characters than any sentence has), and with a selection "not_selected".
    cleaned: number of lines of both files with "control_characters" that were removed, "carriage_returns" before the
        line feed, and a "byte_order_mark".
    links: the file of word links, if any.
    """

    source: CorpusFile
    target: CorpusFile
    repeat: int
    read: int
    kept: int
    dropped: Mapping[str, int]
    cleaned: Mapping[str, int]
    links: CorpusFile | None = None


@dataclass(frozen=True)
class SideCounts:
    """One side of a split, each pair counted once.

    Attributes:
        words: number of Moses words.
        tokens: number of ids, end-of-sentence tokens included; with BPE-dropout over all stored copies of the pairs.
        unknown_share: share of the Moses words that contain an unknown token, each pair counted as often as its
            corpus is repeated.
    """

    words: int
    tokens: int
    unknown_share: float


@dataclass(frozen=True, kw_only=True)
class SplitRecord:
    """Record of a split.

    Attributes:
    pairs: sentence pairs stored; with BPE-dropout a repeated pair is stored as often as it is repeated.
    pairs_per_epoch: number of pairs with repeats counted.
    """

    pairs: int
    pairs_per_epoch: int
    source: SideCounts
    target: SideCounts
    corpora: tuple[CorpusRecord, ...]


@dataclass(frozen=True, kw_only=True)
class SelectionRecord:
    """Record of the selection of pairs for training (nmt.data.selection).

    Attributes:
        source, target: the text of the domain.
        order: order of the language models.
        words_asked: maximum number of Moses words of the source side to keep.
        words, pairs: numbers kept by the selection, before pairs are dropped for any other reason.
        threshold: the largest cross-entropy difference kept, nats per word; None if all were kept.
    """

    source: CorpusFile
    target: CorpusFile
    order: int
    words_asked: int
    words: int
    pairs: int
    threshold: float | None


@dataclass(frozen=True)
class FileRecord:
    """A file of the prepared folder."""

    bytes: int
    sha256: str


@dataclass(frozen=True, kw_only=True)
class Manifest:
    """Contents of manifest.json; contains no dates, so that the same data give the same bytes.

    Attributes:
        max_length: longest sentence of train, in Moses words, either side, end-of-sentence token not counted; None =
            no limit.
        files: every other file of the folder, by name.
        selection: the selection of training pairs; None if all given pairs are used.
        bpe_dropout: probability that a merge of two subwords was skipped in the training pairs.
        vocabularies_from: name of the folder that the vocabularies were taken from; "" if they were built.
    """

    source_language: str
    target_language: str
    max_length: int | None
    source_vocabulary: VocabularyRecord
    target_vocabulary: VocabularyRecord
    train: SplitRecord
    dev: SplitRecord
    files: Mapping[str, FileRecord]
    selection: SelectionRecord | None = None
    bpe_dropout: float = 0.0
    vocabularies_from: str = ""

    def to_dict(self) -> dict[str, Any]:
        return {"format": FORMAT_VERSION, **dataclasses.asdict(self)}

    def save(self, folder: Path) -> None:
        text = json.dumps(self.to_dict(), ensure_ascii=False, indent=2)
        (folder / MANIFEST).write_text(text + "\n", encoding="utf-8", newline="\n")

    @classmethod
    def load(cls, folder: Path) -> Manifest:
        """Read a folder's manifest. Raises InputError if it is no prepared folder or has another format version."""
        path = folder / MANIFEST
        if not path.is_file():
            raise InputError(f"{folder} is not a prepared folder: it has no {MANIFEST}")
        return as_record(cls, read_versioned_json(path), str(path))
