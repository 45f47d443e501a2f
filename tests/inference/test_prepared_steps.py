"""Steps of a search: prepared once, and anew whenever the weights are other ones."""

import pytest
import torch
from torch import Tensor

from nmt.config import ModelConfig
from nmt.inference.text_search import PreparedSteps
from nmt.model import TranslationModel, build_model
from nmt.model.steps import DecodingSteps

WORDS = 30
SOURCE = torch.tensor([[4, 7, 9, 0]])
MASK = torch.ones_like(SOURCE, dtype=torch.bool)


def network() -> TranslationModel:
    config = ModelConfig(architecture="rnnsearch", embedding=16, hidden=16, alignment=16, maxout=16)
    model = build_model(config, WORDS, WORDS, seed=5).eval()
    generator = torch.Generator().manual_seed(6)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.copy_(0.3 * torch.randn(parameter.shape, generator=generator))
    return model


def first_word(steps: DecodingSteps) -> Tensor:
    """Log-probabilities of the first target word, [K]."""
    with torch.no_grad():
        return steps.step(steps.start(SOURCE, MASK), torch.tensor([[-1]])).log_probabilities[0, 0, :WORDS]


def test_prepared_once_while_the_weights_stay() -> None:
    prepared = PreparedSteps(network())
    assert prepared.steps() is prepared.steps()


def test_a_changed_weight_is_seen() -> None:
    model = network()
    prepared = PreparedSteps(model)
    before, old = first_word(prepared.steps()), prepared.steps()
    with torch.no_grad():
        model.readout.b_o += torch.randn(WORDS)
    assert prepared.steps() is not old
    assert (first_word(prepared.steps()) - before).abs().max() > 1e-3


def test_nothing_is_kept_in_training_mode() -> None:
    prepared = PreparedSteps(network().train())
    assert prepared.steps() is not prepared.steps()


def test_a_new_object_sees_what_a_fused_optimizer_did() -> None:
    model = network()
    before = first_word(PreparedSteps(model).steps())
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01, fused=True)
    model.train()
    model.loss(SOURCE, MASK, SOURCE, MASK).total.backward()
    optimizer.step()
    model.eval()
    assert (first_word(PreparedSteps(model).steps()) - before).abs().max() > 1e-3


def test_the_precision_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nmt.model.kernels._SLOW_BF16", False)
    model = network()
    with torch.no_grad():
        for parameter in model.parameters():  # fresh weights are so small that all words are nearly as probable
            parameter.copy_(torch.randn(parameter.shape, generator=torch.Generator().manual_seed(1)))
    low = first_word(PreparedSteps(model, torch.bfloat16).steps())
    assert torch.equal(low, first_word(DecodingSteps(model, torch.bfloat16)))
    assert not torch.equal(low, first_word(PreparedSteps(model).steps()))
