"""Atomic creation of a folder."""

from __future__ import annotations

import glob
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from nmt.data.manifest import MANIFEST, Manifest
from nmt.errors import InputError
from nmt.files import clear_abandoned, held


def check_out(out: Path, force: bool) -> None:
    """Raise InputError unless ``out`` may be written: it does not exist, is an empty folder, or is a prepared folder
    without foreign files and ``force`` is true."""
    if not out.exists() and not out.is_symlink():
        return
    if not out.is_dir() or out.is_symlink():
        raise InputError(f"{out} exists and is not a folder")
    names = {path.name for path in out.iterdir()}
    if not names:
        return
    try:
        known = {MANIFEST, *Manifest.load(out).files}
    except InputError:
        raise InputError(f"{out} exists and is not a prepared folder; it is left unchanged") from None
    if not force:
        raise InputError(f"{out} already holds a prepared folder; --force replaces it")
    if names - known:
        raise InputError(f"{out} holds {min(names - known)} beside the prepared data; it is left unchanged")


@contextmanager
def staging(out: Path) -> Iterator[Path]:
    """Yield a new folder beside ``out`` that replaces it if the block succeeds, and is deleted otherwise; after a kill,
    by the next call for the same ``out``.

    Raises InputError if it cannot be written (permissions, full disk).
    """
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
        raise InputError(f"{out} cannot be written: {error.strerror or error}") from error
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
