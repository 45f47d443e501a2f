"""Sentences of ids on disk: one flat array of all ids, and the offset of each sentence."""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from pathlib import Path
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from nmt.errors import InputError

_BUFFERED = 1 << 18
"""Number of ids buffered before they are written."""

Number = TypeVar("Number", np.int32, np.int64)
Ids = NDArray[np.uint16] | NDArray[np.uint32]


def id_type(vocabulary_size: int) -> np.dtype[np.uint16] | np.dtype[np.uint32]:
    """The smaller of the two types that holds every id; little-endian on every machine."""
    return np.dtype("<u2") if vocabulary_size <= 1 << 16 else np.dtype("<u4")


def ids_path(folder: Path, split: str, side: str) -> Path:
    return folder / f"{split}.{side}.ids.bin"


def offsets_path(folder: Path, split: str, side: str) -> Path:
    return folder / f"{split}.{side}.offsets.npy"


def write_sentences(folder: Path, split: str, side: str, sentences: Iterable[list[int]], vocabulary_size: int) -> int:
    """Write ``<split>.<side>.ids.bin`` and ``<split>.<side>.offsets.npy`` (int64, n + 1); return the number of ids."""
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
    """Memory-mapped sentences written by ``write_sentences``.

    Raises InputError if the two files do not match.
    """

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
        """Ids of one sentence, end-of-sentence token last; negative indices count from the end."""
        if not -len(self) <= index < len(self):
            raise IndexError(f"sentence {index} of {len(self)}")
        index %= len(self)
        return self.ids[self.offsets[index] : self.offsets[index + 1]]

    @property
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
