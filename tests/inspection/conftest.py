"""Runs with random weights, one of each kind."""

from pathlib import Path

import pytest

import nmt
from nmt.inference.translator import Translator


@pytest.fixture(scope="module", params=["search-words", "search-bpe", "encdec-words", "encdec-bpe"])
def model(request: pytest.FixtureRequest, random_runs: Path) -> Translator:
    return nmt.load(random_runs / request.param)
