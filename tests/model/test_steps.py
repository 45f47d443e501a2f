"""Fast paths of a search against slower ones; the equations themselves are in test_oracle.py."""

from typing import Any

import pytest
import torch
from torch import Tensor

import nmt.model.kernels
import nmt.model.steps
from nmt.config import ModelConfig
from nmt.model import TranslationModel, build_model
from nmt.model.steps import DecodingSteps
from nmt.search.beam import BeamSettings, beam_search

MODELS = pytest.mark.parametrize("architecture", ["rnnsearch", "rnnencdec"])
ORDERS = pytest.mark.parametrize("order", ["printed", "program"])
WORDS = 130


def model_of(architecture: Any, order: Any = "printed", size: int = 64) -> TranslationModel:
    config = ModelConfig(
        architecture=architecture, embedding=size, hidden=size, alignment=size, maxout=size, state_order=order
    )
    model = build_model(config, WORDS, WORDS, seed=5).eval()
    generator = torch.Generator().manual_seed(6)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.copy_(0.15 * torch.randn(parameter.shape, generator=generator))
    return model


def sentences(count: int = 6, longest: int = 12) -> tuple[Tensor, Tensor]:
    generator = torch.Generator().manual_seed(7)
    ids = torch.randint(2, WORDS, (count, longest), generator=generator)
    lengths = torch.randint(2, longest + 1, (count, 1), generator=generator)
    mask = torch.arange(longest) < lengths
    return ids * (torch.arange(longest) < lengths - 1), mask


def log_probabilities(model: TranslationModel, precision: torch.dtype | None = None) -> Tensor:
    """Those of three steps of every sentence in two hypotheses, [3, S, 2, K]."""
    steps = DecodingSteps(model, precision)
    with torch.no_grad():
        state = steps.start(*sentences())
        state = steps.select(state, torch.arange(6).unsqueeze(1).expand(-1, 2))
        found = []
        for previous in ([[-1, -1]] * 6, [[3, 5]] * 6, [[9, 2]] * 6):
            step = steps.step(state, torch.tensor(previous))
            found.append(step.log_probabilities[..., :WORDS].clone())
            state = step.state
    return torch.stack(found)


@MODELS
@ORDERS
def test_a_table_of_words_gives_what_products_give(
    architecture: str, order: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_table = log_probabilities(model_of(architecture, order))
    monkeypatch.setattr(nmt.model.steps, "_TABLE_BYTES", 0)
    torch.testing.assert_close(log_probabilities(model_of(architecture, order)), with_table, rtol=0, atol=1e-5)


@ORDERS
@pytest.mark.parametrize("cells", [1, 6 * 2 * 64 * 5])
def test_attention_in_pieces_is_attention(order: str, cells: int, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = log_probabilities(model_of("rnnsearch", order))
    monkeypatch.setattr(nmt.model.steps, "_CELLS", cells)
    torch.testing.assert_close(log_probabilities(model_of("rnnsearch", order)), whole, rtol=0, atol=1e-5)


@MODELS
@ORDERS
def test_onednn_gives_what_torchs_own_products_give(
    architecture: str, order: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    fast = log_probabilities(model_of(architecture, order))
    monkeypatch.setattr(nmt.model.kernels, "_ONEDNN", False)
    torch.testing.assert_close(log_probabilities(model_of(architecture, order)), fast, rtol=0, atol=1e-5)


@MODELS
@ORDERS
def test_bf16_is_near_and_not_the_same(architecture: str, order: str) -> None:
    model = model_of(architecture, order)
    full, low = log_probabilities(model), log_probabilities(model, torch.bfloat16)
    assert 0 < (full - low).abs().max() < 0.1


def test_the_same_outputs_alone_as_in_company() -> None:
    model = model_of("rnnsearch")
    ids, mask = sentences()
    settings = BeamSettings(beam=4, n_best=4)
    together = beam_search(DecodingSteps(model), ids, mask, settings)
    for i, expected in enumerate(together):
        length = int(mask[i].sum())
        alone = beam_search(DecodingSteps(model), ids[i : i + 1, :length], mask[i : i + 1, :length], settings)[0]
        assert [c.ids for c in alone] == [c.ids for c in expected]
        for found, wanted in zip(alone, expected, strict=True):
            assert found.log_probability == pytest.approx(wanted.log_probability, abs=1e-4)
