"""Fast paths of a search against slower ones; the equations themselves are in test_oracle.py."""

from typing import Any

import pytest
import torch
from torch import Tensor

from nmt.config import ModelConfig
from nmt.model import TranslationModel, build_model
from nmt.model.kernels import has_integer_products
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


def log_probabilities(model: TranslationModel, precision: torch.dtype | None = None, **limits: int) -> Tensor:
    """Those of three steps of every sentence in two hypotheses, [3, S, 2, K]."""
    steps = DecodingSteps(model, precision, **limits)
    with torch.no_grad():
        state = steps.start(*sentences())
        state = steps.select(state, torch.arange(6).unsqueeze(1).expand(-1, 2))
        found = []
        for previous in ([[-1, -1]] * 6, [[3, 5]] * 6, [[9, 0]] * 6):
            step = steps.step(state, torch.tensor(previous))
            found.append(step.log_probabilities[..., :WORDS].clone())
            state = step.state
    return torch.stack(found)


@MODELS
@ORDERS
def test_a_table_of_words_gives_what_products_give(
    architecture: str, order: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = model_of(architecture, order)
    by_table = log_probabilities(model)
    monkeypatch.setattr("nmt.model.steps.TABLE_BYTES", 0)
    torch.testing.assert_close(log_probabilities(model), by_table, rtol=0, atol=1e-5)


def test_steps_prepared_in_inference_mode_serve_outside_it() -> None:
    """Words that come later are added to the table in either mode."""
    model = model_of("rnnsearch")
    with torch.inference_mode():
        steps = DecodingSteps(model)
        state = steps.start(*sentences())
        first = steps.step(state, torch.full((6, 1), 3)).log_probabilities.clone()
    with torch.no_grad():
        state = steps.start(*sentences())
        assert torch.equal(steps.step(state, torch.full((6, 1), 3)).log_probabilities, first)
        again = steps.step(state, torch.full((6, 1), 4)).log_probabilities
    fresh = DecodingSteps(model)
    with torch.no_grad():
        assert torch.equal(fresh.step(fresh.start(*sentences()), torch.full((6, 1), 4)).log_probabilities, again)


@ORDERS
@pytest.mark.parametrize("cells", [1, 6 * 2 * 64 * 5])
def test_attention_in_pieces_is_attention(order: str, cells: int, monkeypatch: pytest.MonkeyPatch) -> None:
    model = model_of("rnnsearch", order)
    at_once = log_probabilities(model)
    monkeypatch.setattr("nmt.model.steps.CELLS", cells)
    torch.testing.assert_close(log_probabilities(model), at_once, rtol=0, atol=1e-5)


@pytest.mark.filterwarnings("ignore:TF32 acceleration")
@MODELS
@ORDERS
def test_onednn_gives_what_torchs_own_products_give(architecture: str, order: str) -> None:
    model = model_of(architecture, order)
    fast = log_probabilities(model)
    with torch.backends.mkldnn.flags(enabled=False):
        torch.testing.assert_close(log_probabilities(model), fast, rtol=0, atol=1e-5)


@MODELS
@ORDERS
@pytest.mark.parametrize("slow", [False, True])
def test_bf16_is_near_and_fp32_itself_where_it_would_be_slower(
    architecture: str, order: str, slow: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("nmt.model.kernels._SLOW_BF16", slow)
    model = model_of(architecture, order)
    full, low = log_probabilities(model), log_probabilities(model, torch.bfloat16)
    assert torch.equal(full, low) == slow
    assert (full - low).abs().max() < 0.1


@MODELS
@ORDERS
def test_int8_is_near_fp32_and_is_fp32_where_it_does_not_pay_off(architecture: str, order: str) -> None:
    model = model_of(architecture, order)
    full = log_probabilities(model)
    assert torch.equal(full, log_probabilities(model, torch.int8))
    if not has_integer_products():
        return
    assert 0 < (full - log_probabilities(model, torch.int8, integers_from=0)).abs().max() < 0.2


@pytest.mark.parametrize("precision", [None, torch.int8])
def test_the_same_outputs_alone_as_in_company(precision: torch.dtype | None) -> None:
    model = model_of("rnnsearch")
    ids, mask = sentences()
    settings = BeamSettings(beam=4, n_best=4)
    steps = DecodingSteps(model, precision, integers_from=0)
    together = beam_search(steps, ids, mask, settings)
    for i, expected in enumerate(together):
        length = int(mask[i].sum())
        alone = beam_search(steps, ids[i : i + 1, :length], mask[i : i + 1, :length], settings)[0]
        assert [c.ids for c in alone] == [c.ids for c in expected]
        for found, wanted in zip(alone, expected, strict=True):
            assert found.log_probability == pytest.approx(wanted.log_probability, abs=1e-4)


@torch.no_grad()
def test_steps_with_hard_attention_leave_the_others_soft() -> None:
    model = build_model(ModelConfig(embedding=5, hidden=6, alignment=4, maxout=3), 12, 12).eval()
    steps, source = DecodingSteps(model), torch.tensor([[4, 9, 7, 3, 0]])
    start = steps.start(source, torch.ones_like(source, dtype=torch.bool))

    def alpha(found: DecodingSteps) -> Tensor:
        alpha = found.step(start, torch.tensor([[-1]])).alpha
        assert alpha is not None
        return alpha

    before, hard, after = alpha(steps), alpha(steps.with_hard_attention()), alpha(steps)
    assert sorted(hard.flatten().tolist()) == [0, 0, 0, 0, 1]
    assert 0 < float(before.max()) < 1
    assert torch.equal(before, after)
