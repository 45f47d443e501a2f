"""Texts that people bring along: read within limits, or refused with one sentence."""

from __future__ import annotations

import codecs
import gzip
import io
import lzma
from dataclasses import dataclass, replace
from pathlib import Path

from nmt.data.corpus import BROKEN
from nmt.errors import InputError

_UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


@dataclass(frozen=True)
class Limits:
    """The most that is read.

    Attributes:
        size: bytes of a file, unpacked.
        lines: of a file.
        characters: of a line.
    """

    size: int = 16_000_000
    lines: int = 20_000
    characters: int = 5_000


LIMITS = Limits()


@dataclass(frozen=True)
class Upload:
    """A file as it came: its name and its bytes, which may be packed with gzip or xz."""

    name: str
    data: bytes


def read_upload(path: Path, limits: Limits) -> Upload:
    """A file of this machine, or so much of it that it is known to be too large."""
    try:
        with path.open("rb") as file:
            return Upload(str(path), file.read(limits.size + 1))
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}") from None


def lines_of(file: Upload, limits: Limits = LIMITS) -> tuple[str, ...]:
    """The lines of a UTF-8 text; only a newline ends a line, and a carriage return before it belongs to it.

    Raises InputError for a file that is empty, too large, damaged or not text in UTF-8, and for a line that is too
    long; says where.
    """
    data = _unpacked(file, limits.size)
    if data.startswith(_UTF16):
        raise InputError(f"{file.name} is in UTF-16; save it as UTF-8")
    parts = data.removeprefix(codecs.BOM_UTF8).split(b"\n")
    if not parts[-1]:
        parts.pop()
    if not any(part.strip() for part in parts):
        raise InputError(f"{file.name} is empty")
    if len(parts) > limits.lines:
        raise InputError(f"{file.name} has {len(parts):,} lines; at most {limits.lines:,} are read here")
    return tuple(_line(part, number, file.name, limits) for number, part in enumerate(parts, 1))


def text_of(file: Upload, limits: Limits = LIMITS) -> str:
    """The whole of a text, whose lines may be paragraphs of any length; raises as ``lines_of``."""
    return "\n".join(lines_of(file, replace(limits, characters=limits.size)))


def check_length(text: str, number: int, name: str, limits: Limits) -> None:
    """InputError if a line has too many characters for one sentence."""
    if len(text) > limits.characters:
        raise InputError(
            f"{name}, line {number} has {len(text):,} characters; one sentence has at most {limits.characters:,} here"
        )


def _line(part: bytes, number: int, name: str, limits: Limits) -> str:
    try:
        text = part.decode("utf-8").removesuffix("\r")
    except UnicodeDecodeError as error:
        raise InputError(
            f"{name}, line {number}, byte {error.start + 1}: 0x{part[error.start]:02x} is not valid UTF-8"
        ) from None
    if "\0" in text:
        raise InputError(f"{name}, line {number} holds a zero byte, so it is no text in UTF-8")
    check_length(text, number, name, limits)
    return text


def _unpacked(file: Upload, most: int) -> bytes:
    """Never more than ``most`` bytes of it are in memory."""
    data = file.data
    try:
        if data.startswith(b"\x1f\x8b"):
            with gzip.open(io.BytesIO(data)) as packed:
                data = packed.read(most + 1)
        elif data.startswith(b"\xfd7zXZ\x00"):
            with lzma.open(io.BytesIO(data)) as packed:
                data = packed.read(most + 1)
    except (*BROKEN, OSError):
        raise InputError(f"{file.name} is damaged or cut short") from None
    if len(data) > most:
        raise InputError(f"{file.name} has more than {most:,} bytes, the most that is read here")
    return data
