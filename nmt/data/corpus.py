"""Reading one text or two parallel texts, plain or compressed with gzip or xz.

A text has one sentence per line, or is a file of markup with segments (nmt.data.text_files). Only a line feed ends a
line. The line end includes a carriage return before it. All other Unicode line separators are part of the sentence.
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
    FileText,
    Side,
    is_markup,
    refuse_other_kinds,
    text_of_markup,
)
from nmt.errors import InputError
from nmt.files import MOST_BYTES, sha256_of
from nmt.texts import say

MAX_LINE_BYTES = 1 << 16
"""Size in bytes from which a line is too long to be a sentence. Such a line is not held in memory."""

_MAGIC = {".gz": b"\x1f\x8b", ".xz": b"\xfd7zXZ\x00"}
_NAMES = {".gz": "gzip", ".xz": "xz"}
_UNSUPPORTED = (".bz2", ".zst", ".zip", ".7z", ".lzma", ".Z", ".tar", ".tgz")
BROKEN = (EOFError, lzma.LZMAError, gzip.BadGzipFile, zlib.error)
"""Exceptions raised on reading damaged or truncated compressed data."""


@dataclass(frozen=True)
class Line:
    """One line of a file. text: without line end and byte order mark. None if it is longer than MAX_LINE_BYTES.
    carriage_return, byte_order_mark: whether these marks were removed from the line."""

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
    """An inspected file. ``path`` is the path that the user gave. ``sha256`` is the checksum of the stored bytes."""

    path: str
    sha256: str
    lines: int


def open_binary(path: Path) -> IO[bytes]:
    """Open a file for reading, and decompress it. Its first bytes tell the compression. Raises InputError for a missing
    or empty file, a folder, a device, and an unsupported or misnamed compression."""
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
    """Yield the lines of a file of any kind. Raises the errors of ``open_binary``, and InputError for invalid UTF-8 and
    for damaged or truncated compressed data. The error names the line."""
    with open_binary(path) as file:
        yield from _lines(file, path)


def read_text(path: Path, side: Side = SOURCE, language: str = "") -> Iterator[Line]:
    """Yield the sentences of a text of any size. Its first lines tell if it is plain or markup. Raises the errors of
    ``read_lines`` and of nmt.data.text_files, and InputError for a text with several references."""
    with open_binary(path) as file:
        if (text := _markup(file, path, side, language)) is not None:
            yield from map(Line, only_column(text, path))
            return
        lines = _lines(file, path)
        first = list(islice(lines, LOOKED_AT))
        refuse_other_kinds([line.text or "" for line in first], str(path))
        yield from chain(first, lines)


def read_whole_text(path: Path, side: Side, language: str = "") -> FileText | list[Line]:
    """Return the segments of a file of markup as ``FileText``, or all lines of any other file. The kind of
    these lines is not checked. Raises the errors of ``read_lines`` and, for markup, of nmt.data.text_files."""
    with open_binary(path) as file:
        text = _markup(file, path, side, language)
        return list(_lines(file, path)) if text is None else text


def only_column(text: FileText, path: str | Path) -> tuple[str, ...]:
    """The lines of a text. Raises InputError if the text has several references."""
    if len(text.columns) > 1:
        raise InputError(f"{path} has {len(text.columns)} translations of each sentence; here it can have one")
    return text.lines


def _markup(file: IO[bytes], path: Path, side: Side, language: str) -> FileText | None:
    """Read the segments of a file of markup. For any other file, return None and consume no byte of the file."""
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
    """Read a whole file to check it and to count its lines. ``lines_of``: the lines of the file, by default those of
    ``read_lines``. Raises the errors of the reader, and InputError for a file without lines."""
    lines = sum(1 for _ in lines_of or read_lines(path))
    if lines == 0:  # compressed nothing
        raise InputError(say("errors.file_empty", file=path))
    return CorpusFile(str(path), sha256_of(path), lines)


def check_parallel(source: CorpusFile, target: CorpusFile) -> None:
    """Raise InputError unless both files have the same number of lines. The error names the first unpaired line."""
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
    """Yield the sentence pairs of two parallel texts. ``languages``: codes of source and target, "" if unknown. Raises
    the errors of ``read_text``, and InputError for unequal numbers of lines."""
    sides = read_text(source, SOURCE, languages[0]), read_text(target, REFERENCE, languages[1])
    for number, (left, right) in enumerate(zip_longest(*sides), start=1):
        if left is None or right is None:
            ended = source if left is None else target
            raise InputError(f"{ended} ends before line {number}, but its counterpart is longer")
        yield LinePair(left, right)
