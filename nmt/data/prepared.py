"""A prepared folder: its manifest (manifest.json, docs/formats.md), and its sentences as ids.

Each side has one flat array of all ids, and the offset of each sentence. The ids stay on disk until they are needed.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Literal, TypeVar

import numpy as np
from numpy.typing import NDArray

from nmt.data.corpus import CorpusFile
from nmt.data.links import LINK_VALUES, LINKS
from nmt.data.subwords import load_vocabulary
from nmt.data.vocabulary import Vocabulary
from nmt.errors import InputError
from nmt.files import read_record

MANIFEST = "manifest.json"


@dataclass(frozen=True)
class VocabularyRecord:
    """Record of a vocabulary. kind: "words", "unigram" or "bpe". size: number of ids, the two special ones included.
    asked: the requested size, which a small corpus may not fill. None if the vocabulary comes from another folder."""

    kind: str
    size: int
    asked: int | None


@dataclass(frozen=True, kw_only=True)
class CorpusRecord:
    """Record of a corpus.

    Attributes:
        repeat: how often each pair counts in an epoch.
        read, kept: number of pairs in the files, and of prepared pairs, which is read minus the sum of dropped.
        dropped: number of pairs by reason. "blank": a side has no words. "too_long": more words than the maximum
            length. "line_too_long": more characters than any sentence has. "written_with_[UNK]": the text has "[UNK]",
            which a model writes for an unknown word.
        cleaned: number of corrected lines of both files, by what was removed: "control_characters", "carriage_returns"
            before a line feed, "byte_order_mark".
        links, links_base: the file of word links or None, and the number of the first word in that file.
    """

    source: CorpusFile
    target: CorpusFile
    repeat: int
    read: int
    kept: int
    dropped: Mapping[str, int]
    cleaned: Mapping[str, int]
    links: CorpusFile | None = None
    links_base: Literal[0, 1] = 0


@dataclass(frozen=True)
class SideCounts:
    """Counts of one side of a split.

    Attributes:
        words: number of Moses words, each pair counted once.
        tokens: number of stored ids, end-of-sentence tokens included. With BPE-dropout every copy of a pair counts.
        unknown_share: share of the Moses words in an epoch that contain an unknown token.
    """

    words: int
    tokens: int
    unknown_share: float


@dataclass(frozen=True, kw_only=True)
class SplitRecord:
    """Record of a split. pairs: number of stored pairs. With BPE-dropout a pair is stored as often as it is repeated.
    pairs_per_epoch: number of pairs with repeats counted."""

    pairs: int
    pairs_per_epoch: int
    source: SideCounts
    target: SideCounts
    corpora: tuple[CorpusRecord, ...]


@dataclass(frozen=True)
class FileRecord:
    """Size and checksum of a file of the prepared folder."""

    bytes: int
    sha256: str


@dataclass(frozen=True, kw_only=True)
class Manifest:
    """Content of manifest.json. It has no dates, so that the same data give the same bytes.

    Attributes:
        max_length, bpe_dropout: as in ``PrepareSettings``, with Moses words.
        files: size and checksum of every file of the folder but manifest.json, by name.
        vocabularies_from: name of the folder that the vocabularies were taken from. "" if they were built.
        dev_in_train: number of development pairs that are also training pairs. 0 if this was not counted.
    """

    source_language: str
    target_language: str
    max_length: int | None
    source_vocabulary: VocabularyRecord
    target_vocabulary: VocabularyRecord
    train: SplitRecord
    dev: SplitRecord
    files: Mapping[str, FileRecord]
    bpe_dropout: float = 0.0
    vocabularies_from: str = ""
    dev_in_train: int = 0

    @classmethod
    def load(cls, folder: Path) -> Manifest:
        """Read the manifest of a folder. Raises InputError if it is missing or has another format version."""
        path = folder / MANIFEST
        if not path.is_file():
            raise InputError(f"{folder} is not a prepared folder: it has no {MANIFEST}")
        return read_record(cls, path)


_BUFFERED = 1 << 18
"""Number of ids buffered before they are written."""

Number = TypeVar("Number", np.int32, np.int64)
Ids = NDArray[np.uint16] | NDArray[np.uint32]


def id_type(vocabulary_size: int) -> np.dtype[np.uint16] | np.dtype[np.uint32]:
    """The type of ids on disk: uint16 if it holds every id, else uint32, little-endian on every machine."""
    return np.dtype("<u2") if vocabulary_size <= 1 << 16 else np.dtype("<u4")


def ids_path(folder: Path, split: str, side: str) -> Path:
    return folder / f"{split}.{side}.ids.bin"


def offsets_path(folder: Path, split: str, side: str) -> Path:
    return folder / f"{split}.{side}.offsets.npy"


def write_sentences(folder: Path, split: str, side: str, sentences: Iterable[list[int]], vocabulary_size: int) -> int:
    """Write ``<split>.<side>.ids.bin`` and ``<split>.<side>.offsets.npy`` (int64 [n + 1]). Return the number of ids."""
    dtype = id_type(vocabulary_size)
    offsets = array("q", [0])
    total = 0
    with ids_path(folder, split, side).open("wb") as file:
        buffer: list[int] = []
        for sentence in sentences:
            buffer.extend(sentence)
            total += len(sentence)
            offsets.append(total)
            if len(buffer) >= _BUFFERED:
                file.write(np.array(buffer, dtype=dtype).tobytes())
                buffer.clear()
        file.write(np.array(buffer, dtype=dtype).tobytes())
    np.save(offsets_path(folder, split, side), np.array(offsets, dtype="<i8"))
    return total


class SentenceArray:
    """Memory-mapped sentences written by ``write_sentences``. Raises InputError if the two files do not match."""

    def __init__(self, folder: Path, split: str, side: str, vocabulary_size: int) -> None:
        path = ids_path(folder, split, side)
        self.offsets = load_array(offsets_path(folder, split, side), np.int64)
        dtype = id_type(vocabulary_size)
        if len(self.offsets) < 1 or int(self.offsets[-1]) * dtype.itemsize != path.stat().st_size:
            raise InputError(f"{path} does not have the size that its offsets require")
        self.ids: Ids = np.memmap(path, dtype, "r") if path.stat().st_size else np.empty(0, dtype)

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __getitem__(self, index: int) -> Ids:
        """Ids of one sentence, end-of-sentence token last. Negative indices count from the end."""
        if not -len(self) <= index < len(self):
            raise IndexError(f"sentence {index} of {len(self)}")
        index %= len(self)
        return self.ids[self.offsets[index] : self.offsets[index + 1]]

    @cached_property
    def lengths(self) -> NDArray[np.int32]:
        """Ids per sentence, end-of-sentence token included."""
        return np.diff(self.offsets).astype(np.int32)


def load_array(path: Path, dtype: type[Number]) -> NDArray[Number]:
    """Memory-map a .npy file. Raises InputError if it is not a one-dimensional array of that type."""
    try:
        values: NDArray[Number] = np.load(path, mmap_mode="r", allow_pickle=False)
    except (OSError, ValueError, EOFError):
        raise InputError(f"{path} cannot be read as an array") from None
    if values.ndim != 1 or values.dtype != np.dtype(dtype).newbyteorder("<"):
        raise InputError(f"{path} is not a one-dimensional array of type {dtype.__name__}")
    return values


class Split:
    """Sentence pairs as ids, memory-mapped. n pairs, repeats not counted.

    Attributes:
        source, target: the sentences of each side.
        word_lengths: int32 [n], Moses words of the longer side, end-of-sentence token not counted.
        repeats: int32 [n], how often each pair counts in an epoch.
        corpora: int32 [n], the corpus of each pair, by its position in the manifest.
        has_links: whether word links were given for the pairs.
    """

    def __init__(self, folder: Path, name: Literal["train", "dev"], manifest: Manifest) -> None:
        record = manifest.train if name == "train" else manifest.dev
        self.source = SentenceArray(folder, name, "source", manifest.source_vocabulary.size)
        self.target = SentenceArray(folder, name, "target", manifest.target_vocabulary.size)
        self.has_links = offsets_path(folder, name, LINKS).exists()
        self._links = SentenceArray(folder, name, LINKS, LINK_VALUES) if self.has_links else None
        self.word_lengths = load_array(folder / f"{name}.word_lengths.npy", np.int32)
        self.repeats = load_array(folder / f"{name}.repeats.npy", np.int32)
        if len({len(self.source), len(self.target), len(self.word_lengths), len(self.repeats)}) > 1 or (
            self._links is not None and len(self._links) != len(self.source)
        ):
            raise InputError(f"the arrays of {name} in {folder} differ in length")
        # Pairs are stored corpus by corpus: each once, or with BPE-dropout as often as the corpus is repeated.
        copies = len(self.repeats) != sum(corpus.kept for corpus in record.corpora)
        counts = [corpus.kept * (corpus.repeat if copies else 1) for corpus in record.corpora]
        self.corpora = np.repeat(np.arange(len(counts), dtype=np.int32), counts)
        if len(self.corpora) != len(self.repeats):
            raise InputError(f"{folder} holds {len(self.repeats):,} pairs of {name}, but its corpora {sum(counts):,}")

    def __len__(self) -> int:
        return len(self.source)

    def links(self, i: int) -> NDArray[np.integer]:
        """Word links of pair ``i``, [L, 2]: source token and target token, from 0. Among them is the link of the two
        end-of-sentence tokens. Requires ``has_links``."""
        assert self._links is not None
        return self._links[i].reshape(-1, 2)


class Prepared:
    """A prepared folder, opened by ``open_prepared``, and its manifest."""

    def __init__(self, folder: Path, manifest: Manifest) -> None:
        self.folder = folder
        self.manifest = manifest

    @property
    def source_language(self) -> str:
        return self.manifest.source_language

    @property
    def target_language(self) -> str:
        return self.manifest.target_language

    @cached_property
    def source_vocabulary(self) -> Vocabulary:
        return load_vocabulary(self.folder, "source")

    @cached_property
    def target_vocabulary(self) -> Vocabulary:
        return load_vocabulary(self.folder, "target")

    @cached_property
    def train(self) -> Split:
        return Split(self.folder, "train", self.manifest)

    @cached_property
    def dev(self) -> Split:
        return Split(self.folder, "dev", self.manifest)

    @cached_property
    def dev_source(self) -> list[str]:
        """Untokenised source lines of dev, in order."""
        return _lines(self.folder / "dev.source.txt")

    @cached_property
    def dev_target(self) -> list[str]:
        """Untokenised target lines of dev, in order."""
        return _lines(self.folder / "dev.target.txt")


def _lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").split("\n")[:-1]


def open_prepared(folder: str | Path) -> Prepared:
    """Open a prepared folder. Raises InputError for any other folder, a missing file, and a file of the wrong size."""
    folder = Path(folder)
    manifest = Manifest.load(folder)
    for name, record in manifest.files.items():
        path = folder / name
        if not path.is_file():
            raise InputError(f"the prepared folder {folder} is incomplete: {name} is missing")
        if path.stat().st_size != record.bytes:
            raise InputError(f"{path} is damaged: it has {path.stat().st_size:,} bytes instead of {record.bytes:,}")
    return Prepared(folder, manifest)
