"""Minibatches in a few shapes, and the loss at every position: the same loss and gradient as without (the graphs
themselves need a GPU)."""

import multiprocessing
import signal
from dataclasses import replace
from itertools import islice

import numpy as np
import pytest
import torch

from benchmarks.cuda_graphs import enlarged, pass_loss, updates
from nmt.config import Config
from nmt.data.batching import BEGINNING, TrainingOrder
from nmt.data.prepared import Prepared
from nmt.model import TranslationModel, build_model
from nmt.training.update import to_device

CPU = torch.device("cpu")


def model_of(config: Config, prepared: Prepared, dropout: float) -> TranslationModel:
    settings = replace(config.model, dropout=dropout)
    model = build_model(settings, len(prepared.source_vocabulary), len(prepared.target_vocabulary))
    for parameter in model.parameters():
        torch.nn.init.normal_(parameter, std=0.2)
    return model.train()


@pytest.mark.parametrize("architecture", ["rnnsearch", "rnnencdec"])
@pytest.mark.parametrize("dropout", [0.0, 0.3])
def test_the_loss_at_every_position_is_that_of_the_words(
    architecture: str, dropout: float, config: Config, prepared: Prepared
) -> None:
    config = replace(config, model=replace(config.model, architecture=architecture))
    model = model_of(config, prepared, dropout)
    arrays = next(TrainingOrder(prepared.train, config.training).batches()).batch
    b = to_device(arrays, CPU)
    torch.manual_seed(7)
    plain = model.loss(b.source, b.source_mask, b.target, b.target_mask, 0.1, b.words, None, 0.0)
    expected = torch.autograd.grad(plain.total, list(model.parameters()))
    e = to_device(arrays if dropout else enlarged(arrays), CPU)  # random numbers depend on the shape
    torch.manual_seed(7)
    total, nll = pass_loss(model, [e.source, e.source_mask, e.target, e.target_mask], 0.1)
    torch.testing.assert_close(total, plain.total)
    torch.testing.assert_close(nll, plain.nll)
    for gradient, other in zip(torch.autograd.grad(total, list(model.parameters())), expected, strict=True):
        torch.testing.assert_close(gradient, other, rtol=1e-3, atol=1e-4)


def test_an_enlarged_minibatch_has_one_of_few_shapes_and_the_same_tokens(config: Config, prepared: Prepared) -> None:
    batch = next(TrainingOrder(prepared.train, config.training).batches()).batch
    larger = enlarged(batch)
    count, length = batch.source.shape
    assert larger.source.shape[0] % 16 == 0
    assert larger.source.shape[1] % 8 == larger.target.shape[1] % 8 == 0
    assert larger.source_mask[:, 0].all(), "each row has a token to attend to"
    assert larger.source_mask[count:].sum() == len(larger.source) - count
    assert np.array_equal(larger.source[:count, :length], batch.source)
    assert larger.target_mask.sum() == batch.target_mask.sum() == larger.words


def test_minibatches_of_several_processes_come_in_the_order_of_training(config: Config, prepared: Prepared) -> None:
    order = TrainingOrder(prepared.train, replace(config.training, pool_batches=2))
    plain = list(islice(order.batches(), 9))
    position = plain[2].next
    found = list(islice(updates(order, BEGINNING), 9))
    resumed = next(updates(order, position))
    for one, other in zip([*plain, plain[3]], [*found, resumed], strict=True):
        assert np.array_equal(one.batch.pairs, other.batch.pairs)
        assert (one.batch.words, one.next) == (other.batch.words, other.next)


def test_processes_end_with_the_training_that_handles_signals(config: Config, prepared: Prepared) -> None:
    others = set(multiprocessing.active_children())  # other tests of this process keep some until the end
    before = signal.signal(signal.SIGTERM, lambda *_: None)  # `jointly train` saves and stops at SIGTERM
    try:
        minibatches = updates(TrainingOrder(prepared.train, config.training), BEGINNING)
        next(minibatches)
        minibatches.close()  # type: ignore[attr-defined]
    finally:
        signal.signal(signal.SIGTERM, before)
    assert set(multiprocessing.active_children()) <= others
