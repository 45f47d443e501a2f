"""Guided attention through a whole training: alpha goes where the links say, even where that is of no use."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import nmt
from nmt.config import Config, ModelConfig, TrainingConfig
from nmt.data.prepare import PrepareSettings, VocabularySettings, prepare
from nmt.data.prepared import Prepared, open_prepared
from nmt.data.tokenised import Corpus
from nmt.errors import InputError
from nmt.training.trainer import Trainer
from tests.oracles.toy_corpus import LETTERS, letters, toy_corpus

CONFIG = Config(
    "toy",
    ModelConfig("rnnsearch", embedding=16, hidden=16, alignment=16, maxout=16),
    TrainingConfig(optimizer="adam", learning_rate=1e-2, loss_per="word", batch_size=40, max_updates=500, guided=1.0),
)


def backwards(folder: Path) -> Prepared:
    """Sentences to be said again whose links run backwards."""
    rng = np.random.default_rng(3)
    sentences = [letters(rng, 5) for _ in range(800)]
    lines = "".join(" ".join(sentence) + "\n" for sentence in sentences)
    (folder / "text").write_text(lines, encoding="utf-8")
    links = (" ".join(f"{len(s) - 1 - j}-{j}" for j in range(len(s))) for s in sentences)
    (folder / "links").write_text("".join(line + "\n" for line in links), encoding="utf-8")
    vocabulary = VocabularySettings("words", len(LETTERS) + 2)
    corpus = Corpus(folder / "text", folder / "text", 1, folder / "links")
    settings = PrepareSettings("en", "en", None, vocabulary, vocabulary)
    prepare([corpus], [corpus], settings, folder / "prepared", workers=1)
    return open_prepared(folder / "prepared")


@pytest.mark.slow
def test_alpha_follows_the_links(tmp_path: Path) -> None:
    for _ in Trainer.create(tmp_path / "run", CONFIG, backwards(tmp_path)).run():
        pass
    model = nmt.load(tmp_path / "run")
    rng = np.random.default_rng(4)
    right = total = 0
    for _ in range(100):
        words = letters(rng, 5)
        alignment = model.align(" ".join(words), " ".join(words))
        expected = [*reversed(range(len(words))), len(words)]  # the end marks are linked too
        right += int((alignment.weights.argmax(axis=1) == expected).sum())
        total += len(expected)
    assert right >= 0.95 * total


def test_it_needs_links(tmp_path: Path) -> None:
    prepared = toy_corpus(tmp_path)
    with pytest.raises(InputError, match="needs word links"):
        Trainer.create(tmp_path / "run", CONFIG, prepared)
    Trainer.create(tmp_path / "run", replace(CONFIG, training=TrainingConfig()), prepared)
