"""Saving that fails in one way only, and one process a run."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import portalocker

from nmt.errors import InputError


class SaveFailed(OSError):  # noqa: N818
    """The disk refused; the files that were there still are."""


@contextmanager
def saving() -> Iterator[None]:
    """What goes wrong with a file in here is a SaveFailed."""
    try:
        yield
    except OSError as error:
        raise SaveFailed(error.errno, error.strerror or str(error)) from error


@contextmanager
def only_one(run: Path) -> Iterator[None]:
    """InputError if another process holds this run; the lock goes with the process, however that ends."""
    with (run / ".lock").open("w") as file:
        try:
            portalocker.lock(file, portalocker.LockFlags.EXCLUSIVE | portalocker.LockFlags.NON_BLOCKING)
        except portalocker.LockException:
            raise InputError(f"{run} is being trained by another process") from None
        yield
