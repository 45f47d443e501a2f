"""A tiny model must learn to say a sentence again, forwards and backwards, and must look where it reads.

"Where it reads" is to within one word: an annotation knows its neighbours, so looking at the word beside is as good. In
the printed order alpha is made before the last word is known, and about every second training of this size finds
another way to keep its place (docs/log.md), so there the words alone are looked at, of shorter sentences.
"""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import nmt
from nmt.config import Config, ModelConfig, TrainingConfig
from nmt.inference.translator import Translator
from nmt.training.trainer import Trainer
from tests.oracles.toy_corpus import copied, letters, reversed_words, toy_corpus

MODEL = ModelConfig(architecture="rnnsearch", embedding=32, hidden=32, alignment=32, maxout=32)
TRAINING = TrainingConfig(
    optimizer="adam",
    learning_rate=5e-3,
    epsilon=1e-8,
    loss_per="word",
    schedule="cosine",
    hold=0.5,
    warmup=20,
    batch_size=64,
    max_updates=2000,
    log_every=500,
)
UPDATES = {copied: 2000, reversed_words: 1200}
"""Copying takes longer to learn than reversing (docs/log.md)."""


def trained(task: Callable[[list[str]], list[str]], order: str, longest: int, folder: Path) -> Translator:
    prepared = toy_corpus(folder, task, pairs=4000, longest=longest)
    model = replace(MODEL, state_order=order)  # type: ignore[arg-type]
    updates = UPDATES[task]
    training = replace(TRAINING, max_updates=updates, validate_every=updates, save_every=updates)
    for _ in Trainer.create(folder / "run", Config(recipe="toy", model=model, training=training), prepared).run():
        pass
    return nmt.load(folder / "run")


@pytest.mark.slow
@pytest.mark.thorough
def test_learns_to_reverse_in_the_printed_order(tmp_path: Path) -> None:
    model = trained(reversed_words, "printed", 5, tmp_path)
    rng = np.random.default_rng(99)
    sentences = [letters(rng, 5) for _ in range(400)]
    translations = model.translate([" ".join(s) for s in sentences], beam=4)
    right = sum(t.text.split() == reversed_words(s) for s, t in zip(sentences, translations, strict=True))
    assert right >= 0.97 * len(sentences)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("task", "backwards"), [pytest.param(copied, False, marks=pytest.mark.thorough), (reversed_words, True)]
)
def test_learns_the_task_and_its_alignment(
    task: Callable[[list[str]], list[str]], backwards: bool, tmp_path: Path
) -> None:
    model = trained(task, "program", 7, tmp_path)
    rng = np.random.default_rng(99)
    sentences = [letters(rng, 7) for _ in range(400)]
    right, looked_right, words = 0, 0, 0
    for sentence, translation in zip(sentences, model.translate([" ".join(s) for s in sentences], beam=4), strict=True):
        if translation.text.split() != task(sentence):
            continue
        right += 1
        assert translation.alignment is not None
        n = len(sentence)
        expected = range(n)[::-1] if backwards else range(n)
        found = translation.alignment.weights[:n, :n].argmax(axis=1)
        looked_right += int((np.abs(found - np.array(expected)) <= 1).sum())
        words += n
    assert right >= 0.99 * len(sentences)
    assert looked_right >= 0.97 * words
