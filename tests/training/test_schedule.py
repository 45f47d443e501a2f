"""The learning rate against its definition."""

import math
from itertools import pairwise

import pytest

from nmt.config import TrainingConfig
from nmt.training.schedule import guidance, learning_rate


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


def test_the_weight_of_the_links_stays_or_falls_to_zero() -> None:
    assert {guidance(TrainingConfig(guided=0.5), update) for update in range(1, 50)} == {0.5}
    falling = TrainingConfig(guided=0.5, guided_until=0.4, max_updates=100)
    found = [guidance(falling, update) for update in range(1, 101)]
    assert found[0] == 0.5
    assert all(first - second == pytest.approx(0.5 / 40) for first, second in pairwise(found[:41]))
    assert found[40:] == pytest.approx([0.0] * 60)
