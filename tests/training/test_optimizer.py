"""Our Adadelta against torch's; learning rates and guidance over a training."""

import math
from itertools import pairwise

import pytest
import torch

from nmt.config import TrainingConfig
from nmt.training.optimizer import CHUNK, Adadelta, learning_rate


@pytest.mark.parametrize("chunk", [CHUNK, 7])
def test_the_same_weights_and_averages_as_torch_has(chunk: int) -> None:
    generator = torch.Generator().manual_seed(1)
    start = [torch.randn(5, 6, generator=generator, dtype=torch.float64), torch.randn(11, dtype=torch.float64)]
    ours, theirs = ([torch.nn.Parameter(w.clone()) for w in start] for _ in range(2))
    never = torch.nn.Parameter(torch.ones(3, dtype=torch.float64))  # has no gradient
    mine = Adadelta([*ours, never], 0.7, 0.95, 1e-6, chunk=chunk)
    reference = torch.optim.Adadelta(theirs, lr=0.7, rho=0.95, eps=1e-6)
    for _ in range(20):
        for a, b in zip(ours, theirs, strict=True):
            b.grad = torch.randn(a.shape, generator=generator, dtype=torch.float64)
            a.grad = b.grad.t().contiguous().t() if a.dim() == 2 else b.grad.clone()  # in any layout
        mine.step()
        reference.step()
    for a, b in zip(ours, theirs, strict=True):
        torch.testing.assert_close(a, b, rtol=1e-12, atol=1e-15)
        for key in ("square_avg", "acc_delta"):
            torch.testing.assert_close(mine.state[a][key], reference.state[b][key], rtol=1e-12, atol=1e-18)
    assert torch.equal(never, torch.ones(3, dtype=torch.float64))


def rates(**settings: object) -> list[float]:
    config = TrainingConfig(learning_rate=2.0, max_updates=100, **settings)  # type: ignore[arg-type]
    return [learning_rate(config, update) for update in range(1, 101)]


def test_warm_up_is_linear_to_the_peak() -> None:
    assert rates(warmup=10)[:10] == pytest.approx([0.2 * k for k in range(1, 11)])


def test_constant_stays() -> None:
    assert set(rates()) == {2.0}


@pytest.mark.parametrize("schedule", ["cosine", "linear"])
def test_falls_from_the_peak_to_zero_after_the_hold(schedule: str) -> None:
    found = rates(schedule=schedule, warmup=20, hold=0.25)
    assert found[19:40] == pytest.approx([2.0] * 21)
    assert found[-1] == pytest.approx(0)
    assert found[69] == pytest.approx(1.0)  # half way down
    assert all(a >= b for a, b in pairwise(found[39:]))


def test_inverse_square_root() -> None:
    found = rates(schedule="inverse_sqrt", warmup=9)
    assert found[8] == pytest.approx(2.0)
    assert found[35] == pytest.approx(2.0 * math.sqrt(9 / 36))
