"""Guided attention through a whole training: alpha goes where the links say, even where that is of no use."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import nmt
from nmt.config import Config, ModelConfig, TrainingConfig
from nmt.data.prepare import VocabularySettings, prepare
from nmt.data.prepared import Prepared, open_prepared
from nmt.data.tokenised import Corpus
from nmt.errors import InputError
from nmt.results import UpdateEvent
from nmt.runs.folder import LAST, read_events
from nmt.training.trainer import Trainer
from tests.data.corpus_files import settings
from tests.oracles.toy_corpus import LETTERS, letters, toy_corpus

CONFIG = Config(
    recipe="toy",
    model=ModelConfig(architecture="rnnsearch", embedding=16, hidden=16, alignment=16, maxout=16),
    training=TrainingConfig(
        optimizer="adam", learning_rate=1e-2, loss_per="word", batch_size=40, max_updates=500, guided=1.0
    ),
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
    corpus = Corpus(source=folder / "text", target=folder / "text", repeat=1, links=folder / "links")
    made = settings(vocabulary, target_language="en", max_length=None)
    prepare([corpus], [corpus], made, folder / "prepared", workers=1)
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
    with pytest.raises(InputError, match=r"training\.guided .*--links"):
        Trainer.create(tmp_path / "run", CONFIG, prepared)
    Trainer.create(tmp_path / "run", replace(CONFIG, training=TrainingConfig()), prepared)


def test_resumed_as_if_nothing_had_happened(tmp_path: Path) -> None:
    prepared = backwards(tmp_path)
    config = replace(CONFIG, training=replace(CONFIG.training, max_updates=12, log_every=1, save_every=3))
    undisturbed = [
        event.nll_per_word
        for event in Trainer.create(tmp_path / "a", config, prepared).run()
        if isinstance(event, UpdateEvent)
    ]
    trainer = Trainer.create(tmp_path / "b", config, prepared)
    for event in trainer.run():
        if isinstance(event, UpdateEvent) and event.update == 5:
            trainer.stop("interrupted by the test")
    for _ in Trainer.resume(tmp_path / "b", prepared).run():
        pass
    events = [event for event in read_events(tmp_path / "b") if isinstance(event, UpdateEvent)]
    assert [event.nll_per_word for event in events] == undisturbed
    assert (tmp_path / "b" / LAST).read_bytes() == (tmp_path / "a" / LAST).read_bytes()
