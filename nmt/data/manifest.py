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

MANIFEST = "manifest.json"


@dataclass(frozen=True)
class VocabularyRecord:
    """Attributes:
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
    """Attributes:
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
    """Attributes:
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

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Manifest:
        """Read the output of ``to_dict``. Raises KeyError, TypeError or AttributeError for anything else."""
        return cls(
            source_language=data["source_language"],
            target_language=data["target_language"],
            max_length=data["max_length"],
            source_vocabulary=VocabularyRecord(**data["source_vocabulary"]),
            target_vocabulary=VocabularyRecord(**data["target_vocabulary"]),
            train=_split(data["train"]),
            dev=_split(data["dev"]),
            files={name: FileRecord(**record) for name, record in data["files"].items()},
            selection=_selection(data.get("selection")),
            bpe_dropout=float(data.get("bpe_dropout", 0)),
            vocabularies_from=str(data.get("vocabularies_from", "")),
        )

    def save(self, folder: Path) -> None:
        text = json.dumps(self.to_dict(), ensure_ascii=False, indent=2)
        (folder / MANIFEST).write_text(text + "\n", encoding="utf-8", newline="\n")

    @classmethod
    def load(cls, folder: Path) -> Manifest:
        """Read a folder's manifest. Raises InputError if it is no prepared folder or has another format version."""
        path = folder / MANIFEST
        if not path.is_file():
            raise InputError(f"{folder} is not a prepared folder: it has no {MANIFEST}")
        try:
            data = json.loads(path.read_text(encoding="utf-8"))
            version = data["format"]
            if version == FORMAT_VERSION:
                return cls.from_dict(data)
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            raise InputError(f"{path} is not the manifest of a prepared folder") from None
        raise InputError(f"{path} has format version {version}; this program reads version {FORMAT_VERSION}")


def _split(data: dict[str, Any]) -> SplitRecord:
    return SplitRecord(
        pairs=data["pairs"],
        pairs_per_epoch=data["pairs_per_epoch"],
        source=SideCounts(**data["source"]),
        target=SideCounts(**data["target"]),
        corpora=tuple(_corpus(corpus) for corpus in data["corpora"]),
    )


def _corpus(data: dict[str, Any]) -> CorpusRecord:
    files = {side: CorpusFile(**data[side]) for side in ("source", "target", "links") if data.get(side)}
    return CorpusRecord(**{**data, **files})


def _selection(data: dict[str, Any] | None) -> SelectionRecord | None:
    if data is None:
        return None
    return SelectionRecord(**{**data, **{side: CorpusFile(**data[side]) for side in ("source", "target")}})
