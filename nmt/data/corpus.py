"""Reading text, alone or parallel: plain, gzip or xz, one sentence per line, or the segments of a file of markup
(nmt.data.text_files).

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
from itertools import chain, islice, zip_longest
from pathlib import Path
from typing import IO, cast

from nmt.data.text_files import (
    LOOKED_AT,
    REFERENCE,
    SOURCE,
    Side,
    Text,
    is_markup,
    refuse_other_kinds,
    text_of_markup,
)
from nmt.errors import InputError
from nmt.files import MOST_BYTES, sha256_of
from nmt.texts import say

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
                raise InputError(say("errors.file_empty", file=path))
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
        raise InputError(say("errors.no_file", file=path)) from None
    except IsADirectoryError:
        raise InputError(say("errors.is_folder", file=path)) from None
    except OSError as error:
        raise InputError(say("errors.cannot_be_read", file=path, reason=error.strerror)) from None


def read_lines(path: Path) -> Iterator[Line]:
    """Yield the lines of a file of any kind. Raises InputError as ``open_binary`` does, and for invalid UTF-8 and
    damaged or truncated compressed data, naming the line."""
    with open_binary(path) as file:
        yield from _lines(file, path)


def read_text(path: Path, side: Side = SOURCE, language: str = "") -> Iterator[Line]:
    """Yield the sentences of a text, which may be large: its kind is told by its first lines. Raises the errors of
    ``read_lines``, and those of nmt.data.text_files, also for several references."""
    with open_binary(path) as file:
        if (text := _markup(file, path, side, language)) is not None:
            yield from map(Line, only_column(text, path))
            return
        lines = _lines(file, path)
        first = list(islice(lines, LOOKED_AT))
        refuse_other_kinds([line.text or "" for line in first], str(path))
        yield from chain(first, lines)


def read_whole_text(path: Path, side: Side, language: str = "") -> Text | list[Line]:
    """Read a text whose kind is told by all its lines: segments of markup, or the lines. Raises as ``read_text``."""
    with open_binary(path) as file:
        text = _markup(file, path, side, language)
        return list(_lines(file, path)) if text is None else text


def only_column(text: Text, path: str | Path) -> tuple[str, ...]:
    """The lines of a text; InputError for several references."""
    if len(text.columns) > 1:
        raise InputError(f"{path} has {len(text.columns)} translations of each sentence; here it can have one")
    return text.lines


def _markup(file: IO[bytes], path: Path, side: Side, language: str) -> Text | None:
    """The segments of a file of markup, from its beginning; None for any other file, of which nothing is read."""
    try:
        if not is_markup(cast(io.BufferedReader, file).peek(2000)):
            return None
        data = file.read(MOST_BYTES + 1)
    except BROKEN:
        raise InputError(say("errors.damaged", file=path)) from None
    if len(data) > MOST_BYTES:
        raise InputError(say("errors.file_too_large", file=path, most=MOST_BYTES))
    try:
        return text_of_markup(data.decode("utf-8"), str(path), side, language)
    except UnicodeDecodeError as error:
        number, bad = 1 + data.count(b"\n", 0, error.start), data[error.start]
        raise InputError(say("errors.not_utf8_in_line", file=path, line=number, value=bad)) from None


def _lines(file: IO[bytes], path: Path) -> Iterator[Line]:
    number = 0
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
        raise InputError(say("errors.not_utf8_in_line", file=path, line=number, value=bad)) from None


def inspect_file(path: Path, lines_of: Iterator[Line] | None = None) -> CorpusFile:
    """Read a file to its end, by ``read_lines`` or another reader, checking it and counting its lines. Raises the
    errors of the reader."""
    lines = sum(1 for _ in lines_of or read_lines(path))
    if lines == 0:  # compressed nothing
        raise InputError(say("errors.file_empty", file=path))
    return CorpusFile(str(path), sha256_of(path), lines)


def check_parallel(source: CorpusFile, target: CorpusFile) -> None:
    """Raise InputError, naming the first line without a counterpart, unless both have the same number of lines."""
    if source.lines != target.lines:
        shorter, longer = sorted((source, target), key=lambda file: file.lines)
        raise InputError(
            say(
                "errors.texts_differ",
                longer=longer.path,
                lines=longer.lines,
                shorter=shorter.path,
                shorter_lines=shorter.lines,
                line=shorter.lines + 1,
                again=longer.path,
            )
        )


def read_pairs(source: Path, target: Path, *, languages: tuple[str, str] = ("", "")) -> Iterator[LinePair]:
    """Yield the sentences of two texts side by side. Raises the errors of ``read_text``, and InputError for unequal
    numbers of lines. ``languages``: of source and target, where known."""
    sides = read_text(source, SOURCE, languages[0]), read_text(target, REFERENCE, languages[1])
    for number, (left, right) in enumerate(zip_longest(*sides), start=1):
        if left is None or right is None:
            ended = source if left is None else target
            raise InputError(f"{ended} ends before line {number}, but its counterpart is longer")
        yield LinePair(left, right)
