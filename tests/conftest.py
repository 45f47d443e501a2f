"""Run folders that all tests may read, and processes that all may use."""

import os
import sys
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest
import torch
from hypothesis import settings

from tests.oracles.random_run import random_run
from tests.oracles.two_processes import TwoProcesses
from tests.order import longest_first

# Examples are the same in every run, and nothing is stored: a test that fails does so everywhere.
settings.register_profile("repeatable", derandomize=True, database=None, deadline=None, max_examples=50)
settings.load_profile("repeatable")


def pytest_configure() -> None:
    """One thread for each of several workers, and for the processes that they start: with more, each waits for the
    others."""
    if int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1")) > 1 and "OMP_NUM_THREADS" not in os.environ:
        os.environ["OMP_NUM_THREADS"] = "1"
        torch.set_num_threads(1)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out the tests that need more GPUs than there are; where several workers share the rest, begin with the
    long ones."""
    here = torch.cuda.device_count()
    left_out = [item for item in items if any(mark.args[0] > here for mark in item.iter_markers("gpus"))]
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if item not in left_out]
    workers = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    if workers > 1:
        items[:] = longest_first(items, workers)


@pytest.fixture(scope="session", autouse=True)
def cache_of_all(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A cache folder for processes that outlive a test."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("JOINTLY_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture(autouse=True)
def cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache folder for each test, which is made when something is written to it."""
    folder = tmp_path_factory.getbasetemp() / "caches" / uuid.uuid4().hex
    monkeypatch.setenv("JOINTLY_CACHE", str(folder))
    return folder


@pytest.fixture(autouse=True)
def same_main_module() -> Iterator[None]:
    """Put the main module back: Streamlit's AppTest leaves its own there, which a new process would run again."""
    before = sys.modules["__main__"]
    yield
    sys.modules["__main__"] = before


@pytest.fixture(scope="session")
def random_runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with search-words, search-bpe, encdec-words and encdec-bpe, all with random weights."""
    folder = tmp_path_factory.mktemp("random-runs")
    for architecture in ("rnnsearch", "rnnencdec"):
        for kind in ("words", "bpe"):
            random_run(folder / f"{architecture[3:]}-{kind}", architecture, kind)  # type: ignore[arg-type]
    return folder


@pytest.fixture(scope="session")
def two_processes() -> Iterator[TwoProcesses]:
    processes = TwoProcesses()
    yield processes
    processes.close()
