"""Members of zip and tar archives, which are never written outside the folder."""

import gzip
import shutil
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Generator, Iterator
from contextlib import closing, contextmanager
from pathlib import Path, PurePosixPath
from typing import IO
from zipfile import ZipFile

from nmt.errors import InputError

_BROKEN = (zipfile.BadZipFile, tarfile.TarError, gzip.BadGzipFile, zlib.error, EOFError, NotImplementedError)


def extract(archive: Path, folder: Path, wanted: Callable[[str], bool]) -> list[Path]:
    """Write those members of a .zip, .tar or .tgz whose names are ``wanted`` into ``folder``, under their own names.

    Raises InputError for a damaged archive, and for any member, wanted or not, whose name leads out of the folder:
    for a zip before anything is written, for a tar when that member is reached. Links and devices are skipped.
    """
    written = []
    with _reading(archive):
        for name, stream in _members(archive, wanted):
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            with path.open("wb") as file:
                shutil.copyfileobj(stream, file)
            written.append(path)
    return written


@contextmanager
def open_member(archive: Path, wanted: Callable[[str], bool], description: str) -> Iterator[IO[bytes]]:
    """Open the first member whose name is ``wanted`` as a stream of bytes. Raises InputError, which names the
    ``description`` of the member, if there is none, and the errors of ``extract``."""
    with _reading(archive), closing(_members(archive, wanted)) as members:
        for _, stream in members:
            yield stream
            return
    raise InputError(f"there is no {description} in {archive}")


@contextmanager
def _reading(archive: Path) -> Iterator[None]:
    try:
        yield
    except _BROKEN as error:
        raise InputError(f"{archive} is damaged or not an archive: {error}") from None


def _members(archive: Path, wanted: Callable[[str], bool]) -> Generator[tuple[str, IO[bytes]], None, None]:
    if zipfile.is_zipfile(archive):
        yield from _zip_members(archive, wanted)
    else:
        yield from _tar_members(archive, wanted)


def _zip_members(archive: Path, wanted: Callable[[str], bool]) -> Iterator[tuple[str, IO[bytes]]]:
    with ZipFile(archive) as file:
        for info in file.infolist():
            _check(info.filename, archive)
        for info in file.infolist():
            link = (info.external_attr >> 16) & 0o170000 == 0o120000
            if not info.is_dir() and not link and wanted(info.filename):
                with file.open(info) as stream:
                    yield info.filename, stream


def _tar_members(archive: Path, wanted: Callable[[str], bool]) -> Iterator[tuple[str, IO[bytes]]]:
    """Yield the members in one pass, since seeking back in a compressed archive means reading it again; each name is
    checked when it is reached."""
    with tarfile.open(archive, "r|*") as file:
        for info in file:
            _check(info.name, archive)
            name = info.name.removeprefix("./")
            if info.isfile() and wanted(name):
                stream = file.extractfile(info)
                assert stream is not None
                yield name, stream


def _check(name: str, archive: Path) -> None:
    """Raise InputError for a name that is absolute, leads upwards, or contains a backslash, a colon or a null."""
    path = PurePosixPath(name)
    if path.is_absolute() or ".." in path.parts or any(character in name for character in "\\:\0"):
        raise InputError(f"{archive} contains {name!r}, which leads out of the folder; the archive is not used")
