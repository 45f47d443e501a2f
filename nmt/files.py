"""Atomic writing of files and folders, locks of folders that are being filled, reading of JSON, and text for LaTeX."""

import glob
import hashlib
import json
import os
import platform
import re
import secrets
import shutil
import stat
import time
import tomllib
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from zlib import crc32

import portalocker
from platformdirs import user_cache_path, user_data_path

from nmt.errors import InputError
from nmt.records import FORMAT_VERSION, Record, as_record, check_format, parse_object
from nmt.texts import say

MOST_BYTES = 256 * 2**20
"""Largest size, in bytes, of a file that is read as a whole. Settings, vocabularies and evaluations are far smaller."""

_LOCK = ".lock"
_RECENT = 3600 * 10**9
CHECKOUT = Path(__file__).resolve().parents[1]
"""Folder that contains the package: the repository, unless the package is installed."""
ROOT = CHECKOUT if (CHECKOUT / "pyproject.toml").is_file() else Path(__file__).parent / "inside"
"""Folder of app, pages, runs and test sets: the checkout, or a folder of the installed package that setup.py fills."""


def own_folder() -> Path:
    """Folder of files that the user creates or downloads: the checkout, or the system's folder for user data."""
    return ROOT if ROOT == CHECKOUT else user_data_path("jointly", appauthor=False)


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Yield a new, empty file next to ``path``. On success this file, flushed to disk, atomically replaces ``path``. If
    several processes write one path at one time, the last file stays. On any error ``path`` is unchanged. A link stays:
    its target is replaced or created. InputError for a folder, a device, a pipe, or a circle of links."""
    path = _regular(path)
    machine = f".{crc32(platform.node().encode()):08x}"
    for left in path.parent.glob(f"{machine}-*.tmp"):  # files of killed processes
        if not _runs(left.name.split("-")[1]):
            left.unlink(missing_ok=True)
    temporary = path.with_name(f"{machine}-{os.getpid()}-{secrets.token_hex(8)}.tmp")
    try:
        with temporary.open("x") as file:  # mode of new files: the safetensors library writes 0600
            mode = stat.S_IMODE(os.fstat(file.fileno()).st_mode)
        yield temporary
        with temporary.open("r+b") as file:
            os.fsync(file.fileno())
        temporary.chmod(mode)
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def _runs(process: str) -> bool:
    import psutil

    return psutil.pid_exists(int(process))


def _regular(path: Path) -> Path:
    """Return the regular file to which a path leads through links. It need not exist. InputError as ``replacing``."""
    target = path
    try:
        target = path.resolve() if path.is_symlink() else path
        mode = target.lstat().st_mode  # one call: another process may create the file now
    except (FileNotFoundError, NotADirectoryError):
        return target
    except (OSError, RuntimeError) as error:
        raise InputError(say("errors.cannot_be_written", file=path, reason=error)) from None
    if stat.S_ISREG(mode):
        return target
    if stat.S_ISLNK(mode):
        raise InputError(f"{path} cannot be written: it is a link to itself")
    kind = "a folder" if stat.S_ISDIR(mode) else "a device or a pipe"
    raise InputError(f"{path} is {kind}, not a file; nothing was written to it")


def is_plain_name(name: str) -> bool:
    """True if a file or folder can have this name on any system. It has letters, digits, ".", "_" and "-", and begins
    with a letter or digit of ASCII."""
    return re.fullmatch(r"[A-Za-z0-9][\w.-]*", name) is not None


def write_text(path: Path, text: str) -> None:
    """Write a text in UTF-8 atomically, with unchanged line ends."""
    with replacing(path) as temporary:
        temporary.write_bytes(text.encode())


def write_json(path: Path, data: dict[str, Any]) -> None:
    """Write readable JSON atomically. Its first entry is the format version."""
    write_text(path, json.dumps({"format": FORMAT_VERSION} | data, ensure_ascii=False, indent=2) + "\n")


def export(path: Path, data: bytes) -> None:
    """Write a file that a user requested, atomically. InputError if it cannot be written."""
    try:
        with replacing(path) as temporary:
            temporary.write_bytes(data)
    except OSError as error:
        raise InputError(say("errors.cannot_be_written", file=path, reason=error.strerror or error)) from error


def read_whole(path: Path) -> bytes:
    """Read a file. InputError if it is missing, cannot be read, or is larger than MOST_BYTES."""
    try:
        with path.open("rb") as file:
            content = file.read(MOST_BYTES + 1)
    except FileNotFoundError:
        raise InputError(say("errors.no_file", file=path)) from None
    except OSError as error:
        raise InputError(say("errors.cannot_be_read", file=path, reason=error.strerror)) from None
    if len(content) > MOST_BYTES:
        raise InputError(say("errors.file_too_large", file=path, most=MOST_BYTES))
    return content


def read_json(path: Path) -> dict[str, Any]:
    """Read a JSON object. InputError as in ``read_whole``, and if the file is not JSON, or is not an object."""
    return parse_object(read_whole(path), str(path))


def read_versioned_json(path: Path) -> dict[str, Any]:
    """Read a JSON object of this program's format. InputError as in ``read_json``, and for another format."""
    data = read_json(path)
    check_format(data, str(path))
    del data["format"]
    return data


def read_record(cls: type[Record], path: Path) -> Record:
    """Read a record from a JSON file. Raises the errors of ``read_versioned_json`` and ``as_record``."""
    return as_record(cls, read_versioned_json(path), str(path))


def read_toml(cls: type[Record], path: Path) -> Record:
    """Read a record from a TOML file that comes with the program. Raises the errors of ``as_record``."""
    return as_record(cls, tomllib.loads(path.read_text(encoding="utf-8")), str(path))


def sha256_of(path: Path) -> str:
    """Compute the SHA-256 of a file, in hexadecimal. InputError if it is missing or cannot be read."""
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except FileNotFoundError:
        raise InputError(say("errors.file_missing", file=path)) from None
    except OSError as error:
        raise InputError(say("errors.cannot_be_read", file=path, reason=error.strerror)) from None


@contextmanager
def held(folder: Path) -> Iterator[None]:
    """Hold the lock of a folder in the block. The lock is a file beside the folder, which need not exist yet. The end
    of the block releases the lock and removes the file. A kill of the process only releases the lock."""
    lock = folder.with_name(folder.name + _LOCK)
    with lock.open("w") as file:
        portalocker.lock(file, portalocker.LockFlags.EXCLUSIVE)
        try:
            yield
        finally:
            lock.unlink(missing_ok=True)


def clear_abandoned(parent: Path, pattern: str) -> list[str]:
    """Remove the folders in ``parent`` whose lock no process holds any more, and their lock files. Returns the folders'
    names. Folders without a lock file stay."""
    cleared = []
    for lock in sorted(parent.glob(pattern + _LOCK)):
        folder = lock.with_name(lock.name.removesuffix(_LOCK))
        try:
            with lock.open("r+") as file:
                portalocker.lock(file, portalocker.LockFlags.EXCLUSIVE | portalocker.LockFlags.NON_BLOCKING)
                shutil.rmtree(folder, ignore_errors=True)
                lock.unlink(missing_ok=True)
        except (OSError, portalocker.LockException):  # another process holds it, it is gone, or it is not ours
            continue
        cleared.append(folder.name)
    return cleared


def size_of(folder: Path) -> int:
    """Bytes of the files of a folder, subfolders included. Files removed meanwhile do not count."""
    total = 0
    for path in folder.rglob("*"):
        with suppress(OSError):
            total += path.lstat().st_size
    return total


def clear_oldest(parent: Path, most: int) -> None:
    """Remove the least recently used folders of a cache until ``most`` bytes remain. Those of the last hour stay."""
    folders = sorted((path for path in parent.glob("[!.]*") if path.is_dir()), key=changed_at)
    total = sum(map(size_of, folders))
    for folder in folders:
        if total <= most or time.time_ns() - changed_at(folder) < _RECENT:
            return
        total -= size_of(folder)
        shutil.rmtree(folder, ignore_errors=True)


def cache_folder() -> Path:
    """Return $JOINTLY_CACHE, or else the system's place for caches, such as ~/.cache/jointly. It need not exist."""
    configured = os.environ.get("JOINTLY_CACHE")
    return Path(configured) if configured else user_cache_path("jointly", appauthor=False)


def changed_at(path: Path) -> int:
    """Return the time of a file's last change, in nanoseconds, or 0 for a missing file or a link to nowhere."""
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return 0


_LATEX = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    **{character: f"\\{character}" for character in "{}$&#_%"},
}


def in_latex(text: str) -> str:
    """``text`` for LaTeX: special characters are escaped, and white space becomes one space."""
    return "".join(_LATEX.get(character, character) for character in re.sub(r"\s+", " ", text))


def check_replaceable(folder: Path, kind: str, ours: Callable[[], Collection[str]], force: bool) -> None:
    """Raise InputError unless ``folder`` may be written: if it does not exist, is empty or, with ``force``, has only
    files of this program.

    kind: what the message calls a folder that the program wrote there, such as "a corpus". ours: returns the names of
    the files that the program wrote there. InputError if it did not write the folder.
    """
    if not folder.exists() and not folder.is_symlink():
        return
    if not folder.is_dir() or folder.is_symlink():
        raise InputError(f"{folder} exists and is not a folder")
    names = {path.name for path in folder.iterdir()}
    if not names:
        return
    try:
        strange = names - set(ours())
    except InputError:
        raise InputError(f"{folder} exists and is not {kind}; it is left unchanged") from None
    if not force:
        raise InputError(f"{folder} already holds {kind}; --force replaces it")
    if strange:
        raise InputError(f"{folder} holds {min(strange)} beside {kind}; it is left unchanged")


@contextmanager
def staging(out: Path) -> Iterator[Path]:
    """Yield a new folder beside ``out``. If the block succeeds, the new folder replaces ``out``. Else it is deleted,
    after a kill by the next call for the same ``out``. Raises InputError if the folder cannot be written."""
    parent, name = out.absolute().parent, out.absolute().name
    folder = parent / f".{name}.partial-{os.getpid()}"
    try:
        parent.mkdir(parents=True, exist_ok=True)
        clear_abandoned(parent, f".{glob.escape(name)}.partial-*")
        with held(folder):
            folder.mkdir()
            yield folder
            _move_into_place(folder, out)
    except OSError as error:
        raise InputError(say("errors.cannot_be_written", file=out, reason=error.strerror or error)) from error
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _move_into_place(folder: Path, out: Path) -> None:
    if not out.exists():
        folder.rename(out)
        return
    old = folder.with_name(folder.name.replace(".partial-", ".replaced-"))
    out.rename(old)
    folder.rename(out)
    shutil.rmtree(old)
