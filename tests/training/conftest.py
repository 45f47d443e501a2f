"""A prepared folder that all tests of this folder may read."""

from pathlib import Path

import pytest

from nmt.config import Config, ModelConfig, TrainingConfig
from nmt.data.prepared import Prepared, open_prepared
from tests.made_once import made_once
from tests.oracles.toy_corpus import toy_corpus


@pytest.fixture(scope="session")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Prepared:
    return open_prepared(made_once(tmp_path_factory, "copy", toy_corpus) / "prepared")


@pytest.fixture(scope="session")
def config() -> Config:
    """A tiny model with dropout, so that random numbers matter."""
    model = ModelConfig(architecture="rnnsearch", embedding=8, hidden=12, alignment=8, maxout=8, dropout=0.2)
    training = TrainingConfig(
        optimizer="adam",
        learning_rate=1e-2,
        batch_size=8,
        pool_batches=4,
        max_updates=30,
        log_every=4,
        validate_every=10,
        save_every=6,
    )
    return Config(recipe="test", model=model, training=training)


@pytest.fixture
def run(tmp_path: Path) -> Path:
    return tmp_path / "run"
