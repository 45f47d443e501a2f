"""Uploaded texts: read within limits, or rejected with an error of one sentence."""

import codecs
import gzip
import hashlib
import io
import lzma
import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from nmt.data.corpus import BROKEN, only_column
from nmt.data.text_files import (
    REFERENCE,
    SOURCE,
    FileText,
    Side,
    is_markup,
    refuse_other_kinds,
    text_of_lines,
    text_of_markup,
)
from nmt.errors import InputError
from nmt.files import write_text
from nmt.texts import say

_UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


@dataclass(frozen=True)
class Limits:
    """Size limits of an upload: bytes per file, decompressed, lines per file, and characters per line."""

    size: int = 16_000_000
    lines: int = 20_000
    characters: int = 5_000


LIMITS = Limits()
LARGE = Limits(size=64_000_000, lines=500_000)
"""Limits of texts that a model is trained on."""
_TAGS = 20
"""A file of markup may have this number of tags for each line that ``Limits`` allows."""
_HELD_OUT, _SHARE = 200, 10
"""_HELD_OUT pairs are held out for validation, or a tenth of the pairs (1 / _SHARE) if that is less."""
SEED = 1
"""Seed of the random choice of the pairs for validation."""


@dataclass(frozen=True)
class Upload:
    """An uploaded file. ``data``: the bytes, which may be compressed with gzip or xz."""

    name: str
    data: bytes


def read_upload(path: Path, limits: Limits) -> Upload:
    """Read a local file, but at most one byte more than the limit. Raises InputError if it cannot be read."""
    try:
        with path.open("rb") as file:
            return Upload(str(path), file.read(limits.size + 1))
    except OSError as error:
        raise InputError(say("errors.cannot_be_read", file=path, reason=error.strerror)) from None


def read_text(file: Upload, limits: Limits = LIMITS, side: Side = SOURCE, language: str = "") -> FileText:
    """The sentences of a text in UTF-8, or the segments of markup (nmt.data.text_files). References may have several
    columns. Only a newline, with an optional carriage return before it, ends a line. ``language``: code or "". Raises
    InputError, which names the place, for a file of another kind, damaged, or beyond the limits."""
    data = _decoded(file, limits)
    if is_markup(data):
        if data.count(b"<") > _TAGS * limits.lines:
            raise InputError(f"{file.name} has more than {_TAGS * limits.lines:,} tags, the limit")
        text = text_of_markup("\n".join(_lines(data, file.name, limits)), file.name, side, language)
        return _checked(text, file.name, limits)
    return _checked(text_of_lines(_lines(data, file.name, limits), file.name, side), file.name, limits)


def lines_of(file: Upload, limits: Limits = LIMITS, side: Side = SOURCE, language: str = "") -> tuple[str, ...]:
    """The lines of ``read_text`` for a text of one column. Raises InputError for a text with several references."""
    return only_column(read_text(file, limits, side, language), file.name)


def raw_lines(file: Upload, limits: Limits = LIMITS) -> list[str]:
    """The lines of a text of any kind. InputError for one that is empty, damaged, not UTF-8 or over ``limits``."""
    return _lines(_decoded(file, limits), file.name, limits)


def text_of(file: Upload, limits: Limits = LIMITS, language: str = "") -> str:
    """Return the whole text. Its lines may be paragraphs of any length. Raises the errors of ``lines_of``."""
    return "\n".join(lines_of(file, replace(limits, characters=limits.size), SOURCE, language))


def _decoded(file: Upload, limits: Limits) -> bytes:
    """The decompressed bytes of an upload, without byte order mark. Raises InputError for a file that is no text."""
    data = _unpacked(file, limits.size)
    if data.startswith(_UTF16):
        raise InputError(say("errors.utf16", file=file.name))
    data = data.removeprefix(codecs.BOM_UTF8)
    if (null := data.find(b"\0")) >= 0:
        line = data.count(b"\n", 0, null) + 1
        raise InputError(say("errors.null_byte", file=file.name, line=line))
    if not data.strip():
        raise InputError(say("errors.file_empty", file=file.name))
    return data


def _lines(data: bytes, name: str, limits: Limits) -> list[str]:
    lines = data.count(b"\n") + (not data.endswith(b"\n"))
    if lines > limits.lines:
        raise InputError(say("errors.too_many_lines", file=name, lines=lines, most=limits.lines))
    return [_line(part, number, name) for number, part in enumerate(data.removesuffix(b"\n").split(b"\n"), 1)]


def _checked(text: FileText, name: str, limits: Limits) -> FileText:
    for column in text.columns:
        for number, line in enumerate(column, start=1):
            check_length(line, number, name, limits)
    return text


def check_length(text: str, number: int, name: str, limits: Limits) -> None:
    """Raise InputError if ``text``, line ``number`` of file ``name``, has more characters than ``limits`` allows."""
    if len(text) > limits.characters:
        raise InputError(
            say("errors.sentence_too_long", file=name, line=number, characters=len(text), most=limits.characters)
        )


def _line(part: bytes, number: int, name: str) -> str:
    try:
        return part.decode("utf-8").removesuffix("\r")
    except UnicodeDecodeError as error:
        raise InputError(
            say("errors.not_utf8", file=name, line=number, byte=error.start + 1, value=part[error.start])
        ) from None


def _unpacked(file: Upload, most: int) -> bytes:
    """Decompress an upload, never holding more than ``most`` bytes in memory."""
    data = file.data
    try:
        for magic, unpack in ((b"\x1f\x8b", gzip.open), (b"\xfd7zXZ\x00", lzma.open)):
            if file.data.startswith(magic):
                with unpack(io.BytesIO(data)) as packed:
                    data = packed.read(most + 1)
    except (*BROKEN, OSError):
        raise InputError(say("errors.damaged", file=file.name)) from None
    if len(data) > most:
        raise InputError(say("errors.too_many_bytes", file=file.name, most=most))
    return data


def pairs_of(
    given: Sequence[Upload], limits: Limits = LARGE, languages: tuple[str, str] = ("", "")
) -> list[tuple[str, str]]:
    """The sentence pairs of two parallel files or of one file. One file is markup with both sides, or each line has a
    source, a tab and a target. ``languages``: codes of source and target, "" if unknown. Raises the errors of
    ``lines_of``, and InputError for unequal numbers of lines and for lines without exactly one tab."""
    files, name = [*given, given[0]][:2], given[0].name
    if len(given) > 1 or is_markup(_decoded(given[0], limits)):
        sides = zip(files, (SOURCE, REFERENCE), languages, strict=True)
        lines = [lines_of(file, limits, side, language) for file, side, language in sides]
        if len(lines[0]) != len(lines[1]):
            raise InputError(
                say(
                    "errors.lines_differ",
                    file=name,
                    lines=len(lines[0]),
                    other=files[1].name,
                    other_lines=len(lines[1]),
                )
            )
        return list(zip(*lines, strict=True))
    pairs = []
    table = raw_lines(given[0], limits)
    refuse_other_kinds(table, name, tabs=True)
    for number, line in enumerate(table, 1):
        source, tab, target = line.partition("\t")
        if not tab or "\t" in target:
            raise InputError(say("errors.tabs", file=name, line=number, tabs=line.count(chr(9))))
        for side in (source, target):
            check_length(side, number, name, limits)
        pairs.append((source, target))
    return pairs


def write_pairs(pairs: Sequence[tuple[str, str]], place: Path, kind: str = "pairs") -> dict[str, tuple[Path, ...]]:
    """Write sentence pairs into a subfolder of ``place`` named by ``kind`` and a hash of the pairs. Random pairs become
    "dev", for validation, and are left out of "train". Returns the two files of each split, source first. Raises
    InputError for fewer than ten different pairs, and if a file cannot be written."""
    different = [*dict.fromkeys(pairs)]
    if len(different) < _SHARE:
        raise InputError(say("errors.too_few_pairs", pairs=len(different), least=_SHARE))
    held_out = {*random.Random(SEED).sample(different, min(_HELD_OUT, len(different) // _SHARE))}
    digest = hashlib.sha256("\n".join([f"{SEED}", *map("\t".join, pairs)]).encode()).hexdigest()[:16]
    train, dev = [pair for pair in pairs if pair not in held_out], [pair for pair in different if pair in held_out]
    parts = {"train": train, "dev": dev}
    folder = place / f"{kind}-{digest}"
    files = {split: tuple(folder / f"{split}.{side}" for side in ("source", "target")) for split in parts}
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for split, rows in parts.items():
            for side, path in enumerate(files[split]):
                if not path.is_file():
                    write_text(path, "".join(f"{row[side]}\n" for row in rows))
    except OSError as error:
        raise InputError(say("errors.cannot_be_written", file=place, reason=error.strerror or error)) from error
    return files
