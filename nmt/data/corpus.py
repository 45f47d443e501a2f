"""Reading parallel text: plain, gzip or xz, one sentence per line.

Only a line feed ends a line (a carriage return before it belongs to the line end); all other Unicode line separators
are part of the sentence.
"""

import codecs
import gzip
import io
import lzma
import os
import stat
import zlib
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from typing import IO, cast

from nmt.errors import InputError
from nmt.files import sha256_of

MAX_LINE_BYTES = 1 << 16
"""Size from which a line, in bytes, is not held in memory and counts as too long to be a sentence."""

_MAGIC = {".gz": b"\x1f\x8b", ".xz": b"\xfd7zXZ\x00"}
_NAMES = {".gz": "gzip", ".xz": "xz"}
_UNSUPPORTED = (".bz2", ".zst", ".zip", ".7z", ".lzma", ".Z", ".tar", ".tgz")
BROKEN = (EOFError, lzma.LZMAError, gzip.BadGzipFile, zlib.error)
"""Exceptions raised on reading damaged or truncated compressed data."""


@dataclass(frozen=True)
class Line:
    """One line of a file.

    Attributes:
        text: without line end and byte order mark; None if it is too long to be held in memory (MAX_LINE_BYTES).
        carriage_return: whether a carriage return preceded the line feed.
        byte_order_mark: whether the line began with one.
    """

    text: str | None
    carriage_return: bool = False
    byte_order_mark: bool = False


@dataclass(frozen=True)
class LinePair:
    """A line of the source file and the corresponding line of the target file."""

    source: Line
    target: Line


@dataclass(frozen=True)
class CorpusFile:
    """An inspected file. ``path`` is as given; ``sha256`` is the checksum of the bytes as stored."""

    path: str
    sha256: str
    lines: int


def open_binary(path: Path) -> IO[bytes]:
    """Open for reading, decompressed. The content decides the compression; a name that contradicts it is an error.

    Raises InputError for a missing file, a folder, a device, an empty file and a wrong or unknown compression.
    """
    if path.suffix in _UNSUPPORTED:
        raise InputError(f"{path} has an unsupported compression; plain text, .gz and .xz are supported")
    try:
        with ExitStack() as closing:
            file = closing.enter_context(io.BufferedReader(io.FileIO(path), 1 << 20))
            if stat.S_ISCHR(os.fstat(file.fileno()).st_mode):
                raise InputError(f"{path} is a device, not a text file")
            start = file.peek(6)
            suffix_found = next((suffix for suffix, magic in _MAGIC.items() if start.startswith(magic)), "")
            if not start:
                raise InputError(f"{path} is empty")
            if path.suffix in _MAGIC and suffix_found != path.suffix:
                what = f"compressed with {_NAMES[suffix_found]}" if suffix_found else "not compressed"
                raise InputError(f"{path} has a name ending in {path.suffix}, but is {what}")
            if suffix_found and path.is_file():
                packed: Path | IO[bytes] = path
            else:  # a pipe cannot be opened twice
                closing.pop_all()
                packed = file
        if not suffix_found:
            return file
        decompress = gzip.open if suffix_found == ".gz" else lzma.open
        return cast(IO[bytes], io.BufferedReader(cast(io.RawIOBase, decompress(packed)), 1 << 20))
    except FileNotFoundError:
        raise InputError(f"{path} does not exist") from None
    except IsADirectoryError:
        raise InputError(f"{path} is a folder, not a text file") from None
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}") from None


def read_lines(path: Path) -> Iterator[Line]:
    """Yield the lines of a file. Raises InputError as ``open_binary`` does, and for invalid UTF-8 and damaged or
    truncated compressed data, naming the line."""
    number = 0
    with open_binary(path) as file:
        try:
            while raw := file.readline(MAX_LINE_BYTES):
                number += 1
                if len(raw) == MAX_LINE_BYTES and not raw.endswith(b"\n"):
                    while (rest := file.readline(MAX_LINE_BYTES)) and not rest.endswith(b"\n"):
                        pass
                    line = Line(None)
                else:
                    line = _line(raw, number, path)
                yield line
        except BROKEN:
            raise InputError(f"{path} is damaged or truncated after line {number}") from None


def _line(raw: bytes, number: int, path: Path) -> Line:
    mark = number == 1 and raw.startswith(codecs.BOM_UTF8)
    body = raw.removeprefix(codecs.BOM_UTF8) if mark else raw
    body = body.removesuffix(b"\n")
    text = body.removesuffix(b"\r")
    try:
        return Line(text.decode("utf-8"), text != body, mark)
    except UnicodeDecodeError as error:
        bad = text[error.start]
        raise InputError(f"{path}, line {number}: byte 0x{bad:02x} is not valid UTF-8") from None


def inspect_file(path: Path) -> CorpusFile:
    """Read a file to its end, checking it and counting its lines. Raises the errors of ``read_lines``."""
    lines = sum(1 for _ in read_lines(path))
    if lines == 0:  # compressed nothing
        raise InputError(f"{path} is empty")
    return CorpusFile(str(path), sha256_of(path), lines)


def check_parallel(source: CorpusFile, target: CorpusFile) -> None:
    """Raise InputError, naming the first line without a counterpart, unless both have the same number of lines."""
    if source.lines != target.lines:
        shorter, longer = sorted((source, target), key=lambda file: file.lines)
        raise InputError(
            f"{longer.path} has {longer.lines:,} lines, but {shorter.path} has {shorter.lines:,}: "
            f"line {shorter.lines + 1} of {longer.path} has no counterpart"
        )


def read_pairs(source: Path, target: Path) -> Iterator[LinePair]:
    """Yield the lines of both files side by side. Raises the errors of ``read_lines``, and InputError for unequal
    numbers of lines."""
    for number, (left, right) in enumerate(zip_longest(read_lines(source), read_lines(target)), start=1):
        if left is None or right is None:
            ended = source if left is None else target
            raise InputError(f"{ended} ends before line {number}, but its counterpart is longer")
        yield LinePair(left, right)
