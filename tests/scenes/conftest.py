"""Stored results of two runs, made once."""

import shutil
from pathlib import Path

import pytest

from nmt.cli import main


@pytest.fixture(scope="session")
def stored_results(random_runs: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What `scenes` writes for search-words and encdec-bpe."""
    runs, out = tmp_path_factory.mktemp("runs"), tmp_path_factory.mktemp("scenes")
    for run in ("search-words", "encdec-bpe"):
        shutil.copytree(random_runs / run, runs / run)
    assert main(["scenes", str(runs), "--out", str(out), "--json"]) == 0
    return out
