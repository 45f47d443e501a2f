"""Checkpoints for the tests of "How it works"."""

import shutil
from pathlib import Path

import pytest


@pytest.fixture
def encdec(runs: Path, random_runs: Path) -> Path:
    """The folder of runs with one checkpoint, ``encdec``, which has no attention."""
    shutil.copytree(random_runs / "encdec-words", runs / "encdec")
    return runs


@pytest.fixture
def both(encdec: Path, random_runs: Path) -> Path:
    """The folder of runs with a checkpoint of each kind: ``search`` and ``encdec``."""
    shutil.copytree(random_runs / "search-words", encdec / "search")
    return encdec


@pytest.fixture
def without_integers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Models that compute in single precision: their numbers are nearly the same on every machine."""
    monkeypatch.setattr("nmt.config.multiplies_integers", lambda: False)
