"""Folders that are costly to make, made once per suite, however many workers share it."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import portalocker
import pytest


def made_once(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], object]) -> Path:
    """Return a folder that all tests may read and none may change; the first worker that asks for it makes it, and the
    others wait.

    Args:
        factory: knows where the temporary folders of this suite are.
        name: of the folder; one for each thing that is made.
        make: writes into the empty folder that it is called with.
    """
    own = factory.getbasetemp()
    shared = (own.parent if "PYTEST_XDIST_WORKER" in os.environ else own) / "made-once"
    shared.mkdir(exist_ok=True)
    folder, finished = shared / name, shared / f"{name}.finished"
    with portalocker.Lock(shared / f"{name}.lock", timeout=600):
        if not finished.exists():
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
            make(folder)
            finished.touch()
    return folder
