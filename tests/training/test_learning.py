"""A tiny model must learn to say a sentence again, forwards and backwards, and must look where it reads.

"Where it reads" is to within one word: an annotation knows its neighbours, so looking at the word beside is as good.
"""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import nmt
from nmt.config import Config, ModelConfig, TrainingConfig
from nmt.training.trainer import Trainer
from tests.oracles.toy_corpus import copied, letters, reversed_words, toy_corpus

MODEL = ModelConfig("rnnsearch", embedding=16, hidden=16, alignment=16, maxout=16)
TRAINING = TrainingConfig(
    optimizer="adam",
    learning_rate=7e-3,
    epsilon=1e-8,
    loss_per="word",
    schedule="cosine",
    hold=0.5,
    warmup=20,
    batch_size=64,
    max_updates=2500,
    validate_every=2500,
    save_every=2500,
    log_every=500,
)


@pytest.mark.slow
@pytest.mark.parametrize(("task", "backwards"), [(copied, False), (reversed_words, True)])
def test_learns_the_task_and_its_alignment(
    task: Callable[[list[str]], list[str]], backwards: bool, tmp_path: Path
) -> None:
    prepared = toy_corpus(tmp_path, task, pairs=4000, longest=7)
    for _ in Trainer.create(tmp_path / "run", Config("toy", MODEL, TRAINING), prepared).run():
        pass
    model = nmt.load(tmp_path / "run")
    rng = np.random.default_rng(99)
    sentences = [letters(rng, 7) for _ in range(400)]
    right, looked_right, words = 0, 0, 0
    for sentence, translation in zip(
        sentences, model.translate_all([" ".join(s) for s in sentences], beam=4), strict=True
    ):
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
