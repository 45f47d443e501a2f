"""Shards: one text, or two parallel texts, cut into files of equally many lines. Any number of processes on any number
of machines can work on the shards independently.

The folder of shards holds the shards and ``manifest.json``. A work is a computation on all shards, such as a
translation by one run. It has a subfolder with one part, its output, per shard. A part is written whole or not at all,
with a record of the checksums of part, shard and work. A part that exists is not computed again.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import islice, zip_longest
from pathlib import Path
from typing import Any

from nmt.data.corpus import Line, read_text
from nmt.data.text_files import REFERENCE, SOURCE
from nmt.errors import InputError
from nmt.files import read_json, read_record, replacing, sha256_of, staging, write_json
from nmt.records import FORMAT_VERSION

MANIFEST, WORK = "manifest.json", "work.json"
SIDES = ("source", "target")


@dataclass(frozen=True, kw_only=True)
class Manifest:
    """manifest.json of a folder of shards.

    Attributes:
        files, sha256: names of the files that were cut, one or source and target, and checksums of their stored bytes.
        lines: number of lines of each file.
        lines_per_shard: number of lines of a shard. The last shard may have fewer.
        shards: the checksums of each shard, one for each side.
    """

    files: tuple[str, ...]
    sha256: tuple[str, ...]
    lines: int
    lines_per_shard: int
    shards: tuple[tuple[str, ...], ...]
    format: int = FORMAT_VERSION


@dataclass(frozen=True, kw_only=True)
class PartRecord:
    """Record beside a part: checksums of the part, of its shard, and of the work."""

    sha256: str
    shard: tuple[str, ...]
    work: str
    format: int = FORMAT_VERSION


@dataclass(frozen=True)
class Work:
    """A computation that is applied to every shard.

    Attributes:
        name: a plain name, such as translate-rnnsearch-50.
        identity: everything that decides the output: the command, checksums of weights, settings.
        lines: function that returns the output lines of a shard. Arguments: the lines of each side, and the number of
            the shard's first line in the whole text, from 0.
    """

    name: str
    identity: Mapping[str, Any]
    lines: Callable[[Sequence[list[str]], int], Iterable[str]]

    @property
    def sha256(self) -> str:
        return hashlib.sha256(json.dumps(self.identity, sort_keys=True).encode()).hexdigest()

    @property
    def folder(self) -> str:
        """Name of the folder of the parts. Works of different identities have different names."""
        return f"{self.name}-{self.sha256[:8]}"


def cut(files: Sequence[Path], lines: int, out: Path, most: int, on_long: Callable[[str], None]) -> Manifest:
    """Cut one file, or two parallel files, into shards of ``lines`` lines. A line of more than ``most`` characters
    becomes blank on both sides, and ``on_long`` gets a sentence about that line.

    Raises InputError if ``out`` exists, for the errors of ``read_text``, and for unequal numbers of lines.
    """
    if out.exists():
        raise InputError(f"{out} exists already; choose another folder, or remove it")
    total, checksums = 0, list[tuple[str, ...]]()
    with staging(out) as folder:
        texts = _side_by_side(files, most, on_long)
        while block := list(islice(texts, lines)):
            paths = [folder / _shard_name(len(checksums), side) for side in SIDES[: len(files)]]
            for path, side in zip(paths, zip(*block, strict=True), strict=True):
                path.write_bytes("".join(f"{line}\n" for line in side).encode())
            checksums.append(tuple(map(sha256_of, paths)))
            total += len(block)
        manifest = Manifest(
            files=tuple(path.name for path in files),
            sha256=tuple(map(sha256_of, files)),
            lines=total,
            lines_per_shard=lines,
            shards=tuple(checksums),
        )
        write_json(folder / MANIFEST, asdict(manifest))
    return manifest


def _side_by_side(files: Sequence[Path], most: int, on_long: Callable[[str], None]) -> Iterator[tuple[str, ...]]:
    for number, lines in enumerate(zip_longest(*map(read_text, files, (SOURCE, REFERENCE))), start=1):
        texts = []
        for path, line in zip(files, lines, strict=True):
            if line is None:
                raise InputError(f"{path} ends before line {number}, but its counterpart is longer")
            if _too_long(line, most):
                on_long(f"{path}, line {number}: more than {most:,} characters, the limit; it is treated as blank")
            texts.append(line.text or "")
        yield tuple(texts) if not any(_too_long(line, most) for line in lines) else ("",) * len(files)


def _too_long(line: Line, most: int) -> bool:
    return line.text is None or len(line.text) > most


def _shard_name(number: int, side: str) -> str:
    return f"{number:07d}.{side}"


def _part_name(number: int) -> str:
    return f"{number:07d}.part"


@dataclass(frozen=True)
class Shards:
    """A folder of shards."""

    folder: Path
    manifest: Manifest

    @classmethod
    def read(cls, folder: Path) -> Shards:
        """Open a folder that ``cut`` made. Raises InputError for a folder without a valid manifest."""
        if not (folder / MANIFEST).is_file():
            raise InputError(f"{folder} is not a folder of shards: it has no {MANIFEST}; `jointly shard` makes one")
        return cls(folder, read_record(Manifest, folder / MANIFEST))

    def __len__(self) -> int:
        return len(self.manifest.shards)

    def missing(self, work: Work, numbers: Iterable[int]) -> list[int]:
        """The numbers of shards without a part of the work, among ``numbers``. Raises InputError for a part that was
        changed, or made from another text or with other weights or settings."""
        out = self.folder / work.folder
        return [number for number in numbers if self._part_checksum(out, number, work.sha256) is None]

    def compute(self, work: Work, number: int) -> None:
        """Write the part of a shard, and then its record. Raises InputError if the shard is missing or has changed."""
        expected, texts = self.manifest.shards[number], []
        for side, checksum in zip(SIDES, expected, strict=False):
            path = self.folder / _shard_name(number, side)
            content = path.read_bytes() if path.is_file() else b""
            if hashlib.sha256(content).hexdigest() != checksum:
                raise InputError(f"{path} is missing or is not the shard that was cut; cut the text again")
            texts.append(content.decode().split("\n")[:-1])
        out = self.folder / work.folder
        out.mkdir(exist_ok=True)
        if not (out / WORK).exists():
            _write_whole(out / WORK, [json.dumps(work.identity, ensure_ascii=False, indent=2)])
        first = number * self.manifest.lines_per_shard
        checksum = _write_whole(out / _part_name(number), work.lines(texts, first))
        record = asdict(PartRecord(sha256=checksum, shard=expected, work=work.sha256))
        _write_whole(_record_of(out / _part_name(number)), [json.dumps(record, indent=2)])

    def _part_checksum(self, out: Path, number: int, work: str) -> str | None:
        """Checksum of a part. None if the part or its record does not exist. Raises InputError for a part of another
        work or shard, and for one that has changed."""
        part = out / _part_name(number)
        record_path = _record_of(part)
        if not record_path.is_file() or not part.is_file():
            return None
        record = read_record(PartRecord, record_path)
        if record.work != work:
            raise InputError(f"{part} was made by other weights or settings; remove it, and compute it again")
        if record.shard != self.manifest.shards[number]:
            raise InputError(f"{part} was made from another text; remove it, and compute it again")
        if sha256_of(part) != record.sha256:
            raise InputError(f"{part} is not as it was written; remove it, and compute it again")
        return record.sha256

    def works(self) -> list[Path]:
        """The folders of the works that have begun."""
        return sorted(path.parent for path in self.folder.glob(f"*/{WORK}"))

    def merge(self, name: str | None, out: Path) -> Path:
        """Join the parts of work ``name`` (None: the only work) into ``out``, and return the folder of the work. Raises
        InputError, and writes nothing, without exactly one such work, or if ``out`` is in the folder of shards.
        InputError also if a part is missing, has changed, or is of another work or text."""
        folders = self.works()
        if name is not None:
            folders = [folder for folder in folders if folder.name == name]
        if len(folders) != 1:
            works = ", ".join(folder.name for folder in self.works())
            has = f"it has {works}" if works else "nothing was computed there yet"
            which = f"has no work {name}" if name is not None else "does not have exactly one work"
            raise InputError(f"{self.folder} {which}; {has}")
        (folder,) = folders
        work = Work("", read_json(folder / WORK), lambda _, __: ()).sha256
        numbers = range(len(self))
        expected = {_part_name(number) for number in numbers}
        strangers = {path.name for path in folder.glob("*.part")} - expected
        if strangers:
            raise InputError(f"{folder / min(strangers)} is not a part of this text, which has {len(self):,} shards")
        gaps = [number for number in numbers if self._part_checksum(folder, number, work) is None]
        if gaps:
            named = ", ".join(map(str, gaps[:3])) + (" and others" if len(gaps) > 3 else "")
            raise InputError(f"{len(gaps):,} of {len(self):,} parts of {folder.name} are missing: {named}")
        if out.resolve().is_relative_to(self.folder.resolve()):
            raise InputError(f"{out} is inside {self.folder}, whose files are merged; choose another place")
        with replacing(out) as path, path.open("wb") as file:
            for number in numbers:
                with (folder / _part_name(number)).open("rb") as part:
                    shutil.copyfileobj(part, file)
        for abandoned in folder.glob(".*.tmp"):  # left by processes that were killed
            abandoned.unlink(missing_ok=True)
        return folder


def _record_of(part: Path) -> Path:
    return part.with_name(f"{part.name}.json")


def _write_whole(path: Path, lines: Iterable[str]) -> str:
    """Write a file atomically, even if another process writes the same file. Returns the checksum of the file."""
    checksum = hashlib.sha256()
    with replacing(path) as temporary, temporary.open("wb") as file:
        for line in lines:
            data = f"{line}\n".encode("utf-8", "surrogatepass")
            checksum.update(data)
            file.write(data)
    return checksum.hexdigest()
