"""Reading a prepared folder; ids stay on disk until they are needed."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from nmt.data.arrays import Ids, SentenceArray, load_array, offsets_path
from nmt.data.links import LINK_VALUES, LINKS
from nmt.data.manifest import Manifest, SplitRecord
from nmt.data.vocabularies.load import load_vocabulary
from nmt.data.vocabularies.vocabulary import Vocabulary
from nmt.errors import InputError


class Split:
    """Sentence pairs as ids, memory-mapped. n pairs, repeats not counted.

    Attributes:
        source_lengths, target_lengths: int32 [n], numbers of tokens, end-of-sentence token included.
        word_lengths: int32 [n], Moses words of the longer side, end-of-sentence token not counted.
        repeats: int32 [n], how often each pair counts in an epoch.
        corpora: int32 [n], the corpus of each pair, by its position in the manifest.
        has_links: whether word links were given for the pairs.
    """

    def __init__(self, folder: Path, name: str, source_size: int, target_size: int, record: SplitRecord) -> None:
        self._source = SentenceArray(folder, name, "source", source_size)
        self._target = SentenceArray(folder, name, "target", target_size)
        self.has_links = offsets_path(folder, name, LINKS).exists()
        self._links = SentenceArray(folder, name, LINKS, LINK_VALUES) if self.has_links else None
        self.word_lengths = load_array(folder / f"{name}.word_lengths.npy", np.int32)
        self.repeats = load_array(folder / f"{name}.repeats.npy", np.int32)
        if len({len(self._source), len(self._target), len(self.word_lengths), len(self.repeats)}) > 1 or (
            self._links is not None and len(self._links) != len(self._source)
        ):
            raise InputError(f"the arrays of {name} in {folder} differ in length")
        # Pairs are stored corpus by corpus: each once, or with BPE-dropout as often as the corpus is repeated.
        copies = len(self.repeats) != sum(corpus.kept for corpus in record.corpora)
        counts = [corpus.kept * (corpus.repeat if copies else 1) for corpus in record.corpora]
        self.corpora = np.repeat(np.arange(len(counts), dtype=np.int32), counts)
        if len(self.corpora) != len(self.repeats):
            raise InputError(f"{folder} holds {len(self.repeats):,} pairs of {name}, but its corpora {sum(counts):,}")

    def __len__(self) -> int:
        return len(self._source)

    def source(self, i: int) -> Ids:
        """Ids of the source sentence of pair ``i``, end-of-sentence token last, [T_x]."""
        return self._source[i]

    def target(self, i: int) -> Ids:
        """Ids of the target sentence of pair ``i``, end-of-sentence token last, [T_y]."""
        return self._target[i]

    def links(self, i: int) -> NDArray[np.integer]:
        """Word links of pair ``i``, [L, 2]: source token, target token, from 0; the end-of-sentence tokens are linked
        too. Requires ``has_links``."""
        assert self._links is not None
        return self._links[i].reshape(-1, 2)

    @cached_property
    def source_lengths(self) -> NDArray[np.int32]:
        return self._source.lengths

    @cached_property
    def target_lengths(self) -> NDArray[np.int32]:
        return self._target.lengths


class Prepared:
    """A prepared folder, opened by ``open_prepared``.

    Attributes:
        folder: its path.
        manifest: its manifest.
    """

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
        return self._split("train")

    @cached_property
    def dev(self) -> Split:
        return self._split("dev")

    @cached_property
    def dev_source(self) -> list[str]:
        """Untokenised source lines of dev, in order."""
        return _lines(self.folder / "dev.source.txt")

    @cached_property
    def dev_target(self) -> list[str]:
        """Untokenised target lines of dev, in order."""
        return _lines(self.folder / "dev.target.txt")

    def _split(self, name: str) -> Split:
        record = self.manifest.train if name == "train" else self.manifest.dev
        sizes = self.manifest.source_vocabulary.size, self.manifest.target_vocabulary.size
        return Split(self.folder, name, *sizes, record)


def _lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").split("\n")[:-1]


def open_prepared(folder: str | Path) -> Prepared:
    """Open a prepared folder. Raises InputError if it is not one, or a file is missing or has the wrong size."""
    folder = Path(folder)
    manifest = Manifest.load(folder)
    for name, record in manifest.files.items():
        path = folder / name
        if not path.is_file():
            raise InputError(f"the prepared folder {folder} is incomplete: {name} is missing")
        if path.stat().st_size != record.bytes:
            raise InputError(f"{path} is damaged: it has {path.stat().st_size:,} bytes instead of {record.bytes:,}")
    return Prepared(folder, manifest)
