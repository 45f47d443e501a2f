"""Import of a run folder from an untrusted zip file. The file is checked before unpacking, unpacked within limits, and
checked again before it counts as a run. No content is executed or unpickled."""

import re
import secrets
import shutil
import stat
import struct
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain, count
from pathlib import Path, PurePosixPath
from typing import IO

from nmt.data.links import read_dictionary
from nmt.data.subwords import load_vocabulary
from nmt.data.vocabulary import WORD_COUNTS, read_word_counts, vocabulary_names
from nmt.errors import InputError
from nmt.files import clear_abandoned, held
from nmt.runs.checksums import CHECKSUMS, check_all_files
from nmt.runs.folder import (
    ALIGNMENT,
    BEST,
    CARD,
    CONFIG,
    DICTIONARY,
    EVALUATION,
    LAST,
    RESUME,
    SNAPSHOTS,
    STRESS,
    TRAINING,
    RunInfo,
    read_events,
    read_run,
)
from nmt.runs.provenance import PROVENANCE, read_provenance
from nmt.texts import say, without

_FILES = {CONFIG, BEST, LAST, TRAINING, PROVENANCE, DICTIONARY, WORD_COUNTS, CARD, CHECKSUMS} | {
    name for side in ("source", "target") for name in vocabulary_names(side)
}
_IN_FOLDERS = {
    EVALUATION: r"[^.][^/]{0,99}\.(json|translations\.jsonl)",
    ALIGNMENT: r"[^.][^/]{0,99}\.json",
    STRESS: r"[^.][^/]{0,99}\.json",
    SNAPSHOTS: r"[0-9]{1,12}\.safetensors",
}
_LEFT_OUT = {RESUME, ".lock", ".DS_Store"}
"""Files that have no use outside the run folder in which they were written. They are not unpacked."""
_FORKS = "__MACOSX"
"""Folder for the metadata that macOS adds to zip files."""
_MOST_SHOWN = 100
"""Largest number of characters of an entry's name in a message."""
_ENDING = re.compile(r"\.zip$", re.IGNORECASE)
_CHUNK = 1 << 20
_PARTIAL = ".partial"
_UNREADABLE = (zipfile.BadZipFile, NotImplementedError, ValueError, OSError, struct.error)
"""Errors of the zip module for damaged files."""


Check = Callable[[RunInfo], None]
"""A check that raises InputError for a run with broken files."""


@dataclass(frozen=True, kw_only=True)
class ArchiveLimits:
    """Largest sizes that an archive may have.

    Attributes:
        packed, unpacked: bytes of the zip file, and of all unpacked files.
        unpacked_of_small, ratio: the unpacked files may have ``unpacked_of_small`` bytes, or ``ratio`` times the bytes
            of the zip file if that is more. Weights can hardly be compressed.
        text, texts: bytes of one unpacked file that is no weights file, and of all such files together.
        files: number of entries of the zip file.
        kept: bytes of the folder that holds all uploaded runs, with the new run.
    """

    packed: int = 250_000_000
    unpacked: int = 400_000_000
    unpacked_of_small: int = 32_000_000
    ratio: int = 4
    text: int = 8_000_000
    texts: int = 24_000_000
    files: int = 200
    kept: int = 4_000_000_000


LIMITS = ArchiveLimits()


def unpack_run(
    file: IO[bytes],
    name: str,
    into: Path,
    checks: Sequence[Check],
    limits: ArchiveLimits = LIMITS,
    taken: Collection[str] = (),
) -> RunInfo:
    """Unpack the run in a zip file into a new folder under ``into``. The folder in the zip file, or else the zip file's
    ``name``, gives the new name. Existing files are never touched.

    Raises InputError, and leaves no files, if the zip file is too large, damaged, encrypted or no zip file. Raises
    InputError unless it has exactly the files of one valid run, ``into`` has no run of that name, and there is room.

    ``checks``: checks of the unpacked run, such as of its evaluations. ``taken``: names of runs in other folders. A run
    with such a name gets the next free name, such as "NAME-2".
    """
    with _opened(file, name, limits) as archive:
        members, root = _members(archive, name, limits, file.seek(0, 2))
        asked = _run_name(root or _ENDING.sub("", PurePosixPath(name).name))
        run_name = next(
            free_name for free_name in chain([asked], (f"{asked}-{k}" for k in count(2))) if free_name not in taken
        )
        target = into / run_name
        if target.exists():
            raise InputError(say("errors.run_exists_rename", run=run_name))
        with _workspace(into, name) as temporary:
            stored = sum(path.stat().st_size for path in into.rglob("*") if path.is_file())
            if stored + sum(info.file_size for info in members.values()) > limits.kept:
                raise InputError(say("errors.uploads_full", most=_megabytes(limits.kept)))
            folder = temporary / run_name
            folder.mkdir()
            for path, info in members.items():
                _extract(archive, info, folder, path, name)
            try:
                check_run(folder, checks)
            except InputError as error:
                raise InputError(
                    say("errors.in_place", place=name, problem=without(str(error), f"{folder}/"))
                ) from None
            try:
                folder.rename(target)
            except OSError:
                if not target.exists():
                    raise
                raise InputError(say("errors.run_exists", run=run_name)) from None
    return read_run(target)


@contextmanager
def _workspace(into: Path, name: str) -> Iterator[Path]:
    """Yield a temporary folder under ``into``. The end of the block deletes it or, after a kill, the next upload. An
    OSError in the block, for example for a full disk, becomes an InputError."""
    try:
        (into / _PARTIAL).mkdir(parents=True, exist_ok=True)
        clear_abandoned(into / _PARTIAL, "*")
        with tempfile.TemporaryDirectory(dir=into / _PARTIAL) as temporary, held(Path(temporary)):
            yield Path(temporary)
    except OSError as error:
        raise InputError(f"{name} cannot be unpacked: {error.strerror or error}") from None


def check_run(folder: Path, checks: Sequence[Check]) -> None:
    """Raise InputError unless every file is valid."""
    try:
        info = read_run(folder)
        check_all_files(folder)
        for check in checks:
            check(info)
        for side, expected in (("source", info.source_vocabulary), ("target", info.target_vocabulary)):
            load_vocabulary(folder, side, expected.size)
        if (folder / DICTIONARY).is_file():
            read_dictionary(folder / DICTIONARY)
        read_word_counts(folder)
        read_events(folder)
        read_provenance(folder)
    except InputError:
        raise
    except (RecursionError, ValueError, TypeError, LookupError, AttributeError, OverflowError) as error:
        raise InputError(say("errors.archive_layout", error=error)) from None


def remove_run(name: str, folder: Path) -> None:
    """Delete an uploaded run. Raises InputError if ``folder`` has no such run, or another call has deleted it."""
    target, gone = folder / name, folder / _PARTIAL / secrets.token_hex(8)
    if target.parent != folder or name.startswith(".") or target.is_symlink() or not (target / CONFIG).is_file():
        raise InputError(say("errors.no_uploaded_run", run=name))
    gone.parent.mkdir(exist_ok=True)
    with held(gone):
        try:
            target.rename(gone)
        except FileNotFoundError:
            raise InputError(say("errors.no_uploaded_run", run=name)) from None
        shutil.rmtree(gone)


@contextmanager
def _opened(file: IO[bytes], name: str, limits: ArchiveLimits) -> Iterator[zipfile.ZipFile]:
    size = file.seek(0, 2)
    file.seek(0)
    if size > limits.packed:
        raise InputError(
            say("errors.archive_too_large", file=name, size=_megabytes(size), most=_megabytes(limits.packed))
        )
    try:
        archive = zipfile.ZipFile(file)
    except _UNREADABLE:
        raise InputError(say("errors.archive_no_zip", file=name)) from None
    with archive:
        yield archive


def _members(
    archive: zipfile.ZipFile, name: str, limits: ArchiveLimits, size: int
) -> tuple[dict[str, zipfile.ZipInfo], str]:
    """The files to unpack by their path in the run folder, and the name of their common folder, "" at the top level.
    ``size``: bytes of the zip file. Raises InputError unless they are the files of one run within ``limits``."""
    infos = [info for info in archive.infolist() if not _is_left_out(info.filename)]
    if len(infos) > limits.files:
        raise InputError(say("errors.archive_entries", file=name, entries=len(infos), most=limits.files))
    for info in infos:
        _check_entry(info, name)
    infos = [info for info in infos if not info.is_dir()]
    total = sum(info.file_size for info in infos)
    most = min(limits.unpacked, max(limits.unpacked_of_small, limits.ratio * size))
    if total > most:
        raise InputError(say("errors.archive_unpacked", file=name, size=_megabytes(total), most=_megabytes(most)))
    settings = [info.filename for info in infos if PurePosixPath(info.filename).name == CONFIG]
    if len(settings) != 1 or settings[0].count("/") > 1:
        raise InputError(say("errors.archive_no_run", file=name, config=CONFIG))
    root = settings[0].rpartition("/")[0]
    members: dict[str, zipfile.ZipInfo] = {}
    for info in infos:
        path = info.filename.removeprefix(f"{root}/") if root else info.filename
        if not _is_known(path):
            raise InputError(say("errors.archive_strange", file=name, path=_quoted(info.filename)))
        if path in members:
            raise InputError(say("errors.archive_twice", file=name, path=_quoted(info.filename)))
        if not path.endswith(".safetensors") and info.file_size > limits.text:
            raise InputError(
                say(
                    "errors.archive_text",
                    file=name,
                    path=path,
                    size=_megabytes(info.file_size),
                    most=_megabytes(limits.text),
                )
            )
        members[path] = info
    texts = sum(info.file_size for path, info in members.items() if not path.endswith(".safetensors"))
    if texts > limits.texts:
        raise InputError(say("errors.archive_texts", file=name, size=_megabytes(texts), most=_megabytes(limits.texts)))
    return members, root


def _quoted(path: str) -> str:
    """Quote the name of an entry, cut to ``_MOST_SHOWN`` characters. In a damaged file a name may be very long."""
    return repr(path if len(path) <= _MOST_SHOWN else path[:_MOST_SHOWN] + "…")


def _is_left_out(path: str) -> bool:
    parts = path.split("/")
    return parts[0] == _FORKS or (parts[-1] in _LEFT_OUT and len(parts) <= 2) or parts[-1] == ".DS_Store"


def _check_entry(info: zipfile.ZipInfo, name: str) -> None:
    """Raise InputError unless the entry is a plain file or folder with a plain relative path."""
    path = info.filename
    parts = path.removesuffix("/").split("/")
    outside = path.startswith("/") or any(part in ("", ".", "..") for part in parts) or re.match(r"[A-Za-z]:", path)
    if outside or "\\" in path or info.orig_filename != path or not path.isprintable():
        raise InputError(say("errors.archive_path", file=name, path=_quoted(info.orig_filename)))
    kind = stat.S_IFMT(info.external_attr >> 16)
    if kind not in (0, stat.S_IFREG, stat.S_IFDIR):
        raise InputError(say("errors.archive_link", file=name, path=_quoted(path)))
    if info.flag_bits & 0x1:
        raise InputError(say("errors.archive_encrypted", file=name))
    if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise InputError(say("errors.archive_method", file=name, path=_quoted(path)))


def _is_known(path: str) -> bool:
    folder, slash, rest = path.partition("/")
    if not slash:
        return path in _FILES
    return folder in _IN_FOLDERS and re.fullmatch(_IN_FOLDERS[folder], rest) is not None


def _extract(archive: zipfile.ZipFile, info: zipfile.ZipInfo, folder: Path, path: str, name: str) -> None:
    """Write one file. Raises InputError if it is damaged or too large, and OSError if it cannot be written."""
    target = folder / path
    target.parent.mkdir(exist_ok=True)
    with target.open("xb") as file:
        for chunk in _chunks(archive, info, path, name):
            file.write(chunk)
            if file.tell() > info.file_size:
                raise InputError(f"{name}: {path} is larger than the zip file declares")


def _chunks(archive: zipfile.ZipFile, info: zipfile.ZipInfo, path: str, name: str) -> Iterator[bytes]:
    """Yield the content of one file. Raises InputError if it is damaged. Wrong offsets cause ValueError in zipfile."""
    try:
        with archive.open(info) as packed:
            while chunk := packed.read(_CHUNK):
                yield chunk
    except (*_UNREADABLE, zlib.error, EOFError, RuntimeError):
        raise InputError(say("errors.archive_damaged", file=name, path=path)) from None


def _run_name(text: str) -> str:
    """Derive a folder name from arbitrary text.

    >>> _run_name("my run (2)"), _run_name("..")
    ('my-run-2', 'run')
    """
    return re.sub(r"[^A-Za-z0-9._-]+", "-", text).strip(".-_")[:60] or "run"


def _megabytes(size: int) -> str:
    return f"{size / 1e6:,.0f} MB" if size >= 1e6 else f"{size:,} bytes"
