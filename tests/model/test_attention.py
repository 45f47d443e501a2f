"""Scores beside the paper's: what they have in common, and Luong's own order of things."""

from typing import Any

import numpy as np
import pytest
import torch

import nmt.model.translation
from nmt.model import LinkBatch
from nmt.model.variants import attention_loop
from tests.oracles.numpy_luong import numpy_luong
from tests.oracles.paired import SIZES, Padded, load, padded, paired

SOURCE, TARGET = [3, 7, 2, 5, 0], [4, 6, 2, 7, 0]
ORDERS = pytest.mark.parametrize("order", ["printed", "program"])


def batch() -> tuple[Padded, Padded]:
    return padded([SOURCE, [8, 0], [0]]), padded([TARGET, [5, 0], [3, 3, 8, 1, 2, 6, 0]])


def trained(model: Any) -> dict[str, torch.Tensor]:
    """Loss and gradients, with a term for alpha itself."""
    x, y = batch()
    model.zero_grad()
    links = LinkBatch(*torch.tensor([[0, 0, 1, 2], [1, 3, 0, 5], [2, 0, 1, 0]]), torch.ones(4).double())
    output = model.loss(x.ids, x.mask, y.ids, y.mask, links=links, guided=0.5)
    output.total.backward()
    return {"loss": output.total.detach(), **{name: p.grad.clone() for name, p in model.named_parameters()}}


@ORDERS
def test_concat_is_the_papers_score_with_its_two_matrices_side_by_side(order: str) -> None:
    """The slides' (W_a + U_a)(s + h_j), sums meaning "beside each other": same loss, and the same gradients."""
    additive, concat = paired("rnnsearch", order), paired("rnnsearch", order, score="concat")
    weights = dict(additive.parameters)
    W_a, U_a = weights.pop("attention.W_a"), weights.pop("attention.U_a")
    load(concat.model, {**weights, "attention.W_a": np.hstack([W_a, U_a])})
    expected, found = trained(additive.model), trained(concat.model)
    parts = [expected.pop("attention.W_a"), expected.pop("attention.U_a")]
    torch.testing.assert_close(found, {**expected, "attention.W_a": torch.cat(parts, dim=1)}, rtol=1e-10, atol=1e-12)


@ORDERS
def test_dot_is_general_with_one_and_one(order: str) -> None:
    dot, general = paired("rnnsearch", order, score="dot"), paired("rnnsearch", order, score="general")
    ones = np.hstack([np.eye(SIZES.n), np.eye(SIZES.n)])
    load(general.model, {**dot.parameters, "attention.W_a": ones})
    expected, found = trained(dot.model), trained(general.model)
    del found["attention.W_a"]
    torch.testing.assert_close(found, expected, rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize("unit", ["gated", "lstm"])
@pytest.mark.parametrize("score", ["dot", "general", "concat", "additive"])
def test_program_order_is_luongs(unit: str, score: str) -> None:
    """Update, then attend from the new state, then predict: the same numbers for what is written differently."""
    pair = paired("rnnsearch", "program", unit=unit, score=score)
    luong = numpy_luong(pair.parameters, SOURCE, TARGET, unit, score)
    x, y = padded([SOURCE]), padded([TARGET])
    output = pair.model.forced(x.ids, x.mask, y.ids, y.mask)
    np.testing.assert_allclose(output.token_log_probabilities[0], luong.token_log_probabilities, rtol=1e-6)
    np.testing.assert_allclose(output.alpha[0], luong.alpha, rtol=1e-6, atol=1e-12)


@ORDERS
@pytest.mark.parametrize("score", ["additive", "concat"])
def test_the_loop_over_any_unit_and_score_is_the_papers_scan(
    order: str, score: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = trained(paired("rnnsearch", order, score=score).model)
    monkeypatch.setattr(nmt.model.translation, "attention_scan", attention_loop)
    found = trained(paired("rnnsearch", order, score=score).model)
    torch.testing.assert_close(found, expected, rtol=1e-9, atol=1e-12)
    assert not all(torch.equal(found[name], expected[name]) for name in expected), "the loop was not taken"
