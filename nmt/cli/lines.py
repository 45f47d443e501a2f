"""Lines of text in: files at once, standard input as it comes."""

from __future__ import annotations

import gzip
import lzma
import os
import select
import stat
import sys
import time
import zlib
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from nmt.errors import InputError

_BLOCK = 2**16
"""Bytes read at a time."""
_GZIP, _XZ = b"\x1f\x8b", b"\xfd7zXZ\x00"
"""How compressed files begin; no UTF-8 text does."""
_PATIENCE = 0.05
"""Seconds that a pipe or a terminal is given to send more lines before work on what there is begins."""


def decode_line(line: bytes, number: int, name: str) -> str:
    """The text of a line (from 1) without its end; InputError names a line that is not UTF-8."""
    try:
        return line.decode("utf-8").removesuffix("\r").removeprefix("\ufeff" if number == 1 else "")
    except UnicodeDecodeError:
        raise InputError(f"{name}, line {number}: not valid UTF-8") from None


def read_file(path: str) -> list[str]:
    """The lines of a UTF-8 text file, plain or compressed with gzip or xz; only a newline ends a line."""
    try:
        data = Path(path).read_bytes()
    except FileNotFoundError:
        raise InputError(f"{path} does not exist") from None
    except IsADirectoryError:
        raise InputError(f"{path} is a folder, not a text file") from None
    lines = _decompressed(data, path).split(b"\n")
    if not lines[-1]:
        lines.pop()
    return [decode_line(line, number, path) for number, line in enumerate(lines, 1)]


def _decompressed(data: bytes, path: str) -> bytes:
    """What is in the file; its content decides, and a name that promises otherwise is an error."""
    ending = Path(path).suffix
    if (ending == ".gz" and not data.startswith(_GZIP)) or (ending == ".xz" and not data.startswith(_XZ)):
        raise InputError(f"{path} has a name that ends in {ending}, but is not compressed so")
    try:
        if data.startswith(_GZIP):
            return gzip.decompress(data)
        return lzma.decompress(data) if data.startswith(_XZ) else data
    except (EOFError, OSError, lzma.LZMAError, zlib.error):
        raise InputError(f"{path} is damaged or cut short") from None


@dataclass(frozen=True)
class Pairs:
    """Two files with as many lines."""

    source: list[str]
    target: list[str]


def read_pairs(source: str, target: str) -> Pairs:
    """Two files line by line; InputError unless they have the same number of lines, at least one."""
    pairs = Pairs(read_file(source), read_file(target))
    if len(pairs.source) != len(pairs.target):
        raise InputError(f"{source} has {len(pairs.source)} lines, but {target} has {len(pairs.target)}")
    if not pairs.source:
        raise InputError(f"{source} is empty")
    return pairs


class IncomingLines(Iterator[str]):
    """The lines of a stream that may never end, each as soon as it is there.

    Raises InputError at a line that is not UTF-8; the lines before it come first.
    """

    def __init__(self, stream: BinaryIO, name: str) -> None:
        self._stream, self._name = stream, name
        self._complete: deque[bytes] = deque()
        self._begun: list[bytes] = []  # of the line whose end has not come yet
        self._ended = False
        self._patience = _PATIENCE
        self._number = 0

    @classmethod
    def from_stdin(cls) -> IncomingLines:
        if sys.stdin is None:
            raise InputError("there is no standard input")
        return cls(sys.stdin.buffer, "standard input")

    def __next__(self) -> str:
        while not self._complete:
            if self._ended:
                raise StopIteration
            self._read()
        self._number += 1
        return decode_line(self._complete.popleft(), self._number, self._name)

    def at_hand(self) -> bool:
        """Whether there is another line, or one comes in a moment. In a file there always is, up to its end.

        A moment in all, from one time that it says no to the next: lines that trickle in are not waited for again
        and again.
        """
        until = time.monotonic() + self._patience
        while not self._complete and not self._ended and self._readable(until - time.monotonic()):
            self._read()
        self._patience = until - time.monotonic() if self._complete else _PATIENCE
        return bool(self._complete)

    def count(self) -> int | None:
        """How many lines there are, if the stream is a regular file of which none was read yet."""
        try:
            if not stat.S_ISREG(os.fstat(self._stream.fileno()).st_mode):
                return None
        except OSError:
            return None
        assert not self._number, "count first, then read"
        here, lines, last = self._stream.tell(), 0, b"\n"
        while block := self._stream.read(2**20):
            lines, last = lines + block.count(b"\n"), block[-1:]
        self._stream.seek(here)
        return lines + (last != b"\n")

    def _readable(self, wait: float) -> bool:
        try:
            return bool(select.select([self._stream], [], [], max(0.0, wait))[0])
        except (OSError, ValueError):  # nothing that can be waited for: bytes in memory; on Windows anything
            return not self._stream.isatty()

    def _read(self) -> None:
        block = self._stream.read1(_BLOCK)  # type: ignore[attr-defined]
        if not block:
            self._ended = True
            if self._begun:
                self._complete.append(b"".join(self._begun))
            return
        first, *others = block.split(b"\n")
        self._begun.append(first)
        if others:
            self._complete.append(b"".join(self._begun))
            self._complete.extend(others[:-1])
            self._begun = [others[-1]] if others[-1] else []
