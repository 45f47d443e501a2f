"""Run folders that all tests may read.

Nothing here imports torch before a test asks for something that needs it: a file of tests without torch starts in a
second.
"""

from __future__ import annotations

import os
import sys
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

from tests.made_once import made_once
from tests.order import longest_first

if TYPE_CHECKING:
    from tests.programs import Commands

# Examples are the same in every run, and nothing is stored: a test that fails does so everywhere.
settings.register_profile("repeatable", derandomize=True, database=None, deadline=None, max_examples=50)
settings.load_profile("repeatable")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--keep", action="store_true", help="write the drawings that are kept (tests/kept.py) anew")


def pytest_configure() -> None:
    """One thread for each of several workers, and for the processes that they start: with more, each waits for the
    others."""
    if int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1")) > 1 and "OMP_NUM_THREADS" not in os.environ:
        os.environ["OMP_NUM_THREADS"] = "1"


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out the tests that need more GPUs than there are; where several workers share the rest, begin with the
    long ones."""
    if on_gpus := [item for item in items if item.get_closest_marker("gpus")]:
        import torch

        here = torch.cuda.device_count()
        left_out = [item for item in on_gpus if any(mark.args[0] > here for mark in item.iter_markers("gpus"))]
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if item not in left_out]
    workers = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    if workers > 1:
        items[:] = longest_first(items, workers)


@pytest.fixture(scope="session", autouse=True)
def cache_of_all(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A cache folder for processes that outlive a test, and one for results of released runs; no folder of corpora."""
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("JOINTLY_DATA", raising=False)
        patch.setattr("nmt.evaluation.quoted.own_folder", lambda: tmp_path_factory.getbasetemp())
        patch.setenv("JOINTLY_CACHE", str(tmp_path_factory.mktemp("cache")))
        patch.setenv("JOINTLY_RESULTS", str(tmp_path_factory.mktemp("results")))
        if os.environ.get("JOINTLY_NATIVE") != "off":  # compiled once for all tests and their processes
            patch.setenv("JOINTLY_NATIVE", str(tmp_path_factory.getbasetemp().parent / "native"))
        yield


@pytest.fixture(autouse=True)
def cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache folder for each test, which is made when something is written to it."""
    folder = tmp_path_factory.getbasetemp() / "caches" / uuid.uuid4().hex
    monkeypatch.setenv("JOINTLY_CACHE", str(folder))
    return folder


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str]) -> Commands:
    """Runs commands and returns what they print."""
    from tests.programs import Commands

    return Commands(capsys)


@pytest.fixture(autouse=True)
def same_main_module() -> Iterator[None]:
    """Put the main module back: Streamlit's AppTest leaves its own there, which a new process would run again."""
    before = sys.modules["__main__"]
    yield
    sys.modules["__main__"] = before


@pytest.fixture(scope="session")
def random_runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with search-words, search-bpe, encdec-words and encdec-bpe, all with random weights."""

    def make(folder: Path) -> None:
        from tests.oracles.random_run import random_run

        for architecture in ("rnnsearch", "rnnencdec"):
            for kind in ("words", "bpe"):
                random_run(folder / f"{architecture[3:]}-{kind}", architecture, kind)  # type: ignore[arg-type]

    return made_once(tmp_path_factory, "random-runs", make)
