"""The supervised attention term against its definition, and its gradient against differences."""

from collections.abc import Callable

import numpy as np
import pytest
import torch

from nmt.config import Config, ModelConfig, TrainingConfig
from nmt.errors import InputError
from nmt.model import LinkBatch
from tests.oracles.numpy_rnn import END
from tests.oracles.paired import padded, paired

SOURCES = [[3, 7, 2, 5, END], [8, 2, END]]
TARGETS = [[4, 6, 2, END], [5, 3, 8, 2, 7, END]]
GOALS: list[dict[int, list[int]]] = [{0: [1], 1: [0, 2], 3: [4]}, {2: [0], 4: [1, 0, 2], 5: [2]}]
"""For each pair the source tokens that a target token is linked with; some have none."""


def links() -> LinkBatch:
    entries = [(b, i, j, 1 / len(goal)) for b, goals in enumerate(GOALS) for i, goal in goals.items() for j in goal]
    pair, target, source, weight = zip(*entries, strict=True)
    return LinkBatch(
        torch.tensor(pair), torch.tensor(target), torch.tensor(source), torch.tensor(weight, dtype=torch.float64)
    )


def loss(order: str, guided: float) -> Callable[[], torch.Tensor]:
    model = paired("rnnsearch", order).model
    x, y = padded(SOURCES), padded(TARGETS)
    return lambda: model.loss(x.ids, x.mask, y.ids, y.mask, links=links(), guided=guided).total


@pytest.mark.parametrize("order", ["printed", "program"])
def test_it_is_the_cross_entropy_of_alpha(order: str) -> None:
    pair = paired("rnnsearch", order)
    expected = 0.0
    for source, target, goals in zip(SOURCES, TARGETS, GOALS, strict=True):
        alpha = pair.oracle(source, target).alpha
        assert alpha is not None
        for i, goal in goals.items():
            expected -= float(np.mean([np.log(alpha[i, j]) for j in goal]))
    found = loss(order, 0.7)() - loss(order, 0.0)()
    assert found.item() == pytest.approx(0.7 * expected, rel=1e-6)
    x, y = padded(SOURCES), padded(TARGETS)
    without_links = pair.model.loss(x.ids, x.mask, y.ids, y.mask, links=None, guided=0.7).total
    assert without_links.item() == loss(order, 0.0)().item()


@pytest.mark.parametrize("order", ["printed", "program"])
def test_gradients_are_those_of_differences(order: str) -> None:
    model = paired("rnnsearch", order).model
    x, y = padded(SOURCES), padded(TARGETS)

    def total() -> torch.Tensor:
        return model.loss(x.ids, x.mask, y.ids, y.mask, links=links(), guided=3.0).total

    model.zero_grad()
    total().backward()
    rng = np.random.default_rng(5)
    for name, parameter in model.named_parameters():
        flat, gradient = parameter.data.view(-1), parameter.grad
        assert gradient is not None
        for k in rng.choice(len(flat), size=min(3, len(flat)), replace=False).tolist():
            value = flat[k].item()
            sides = []
            for step in (1e-5, -1e-5):
                flat[k] = value + step
                sides.append(total().item())
            flat[k] = value
            assert gradient.view(-1)[k].item() == pytest.approx((sides[0] - sides[1]) / 2e-5, rel=1e-4, abs=1e-6), name


def test_a_weight_next_to_nothing_is_counted_as_a_millionth() -> None:
    from nmt.model.translation import guided_attention

    alpha = torch.tensor([[[1.0, 0.0]]], dtype=torch.float64)
    one = torch.zeros(1, dtype=torch.long)
    given = LinkBatch(one, one, one + 1, torch.ones(1, dtype=torch.float64))
    assert guided_attention(alpha, given).item() == pytest.approx(6 * np.log(10))


def test_the_baseline_cannot_be_guided() -> None:
    with pytest.raises(InputError, match=r"training\.guided\b"):
        Config(recipe="mine", model=ModelConfig(architecture="rnnencdec"), training=TrainingConfig(guided=1.0))
