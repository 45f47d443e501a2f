"""Resampling against NumPy's own draws."""

import numpy as np
import pytest
from sacrebleu.significance import estimate_ci

from nmt.errors import InputError
from nmt.evaluation.bootstrap import Resamples, interval, ratio


def test_draws_are_those_of_one_choice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nmt.evaluation.bootstrap._DRAWS_AT_ONCE", 200)  # parts of six rows
    expected = np.random.default_rng(7).choice(30, size=(50, 30), replace=True)
    resamples = Resamples.draw(30, 50, 7)
    assert (len(resamples), resamples.seed) == (50, 7)
    for column, drawn in zip(resamples.times.T, expected, strict=True):
        assert column.tolist() == np.bincount(drawn, minlength=30).tolist()


def test_draws_are_kept_and_cannot_be_changed() -> None:
    times = Resamples.draw(20, 50, 3).times
    assert Resamples.draw(20, 50, 3).times is times
    with pytest.raises(ValueError, match="read-only"):
        times[0, 0] = 1


@pytest.mark.parametrize("number", [40, 79, 80, 1000])
def test_an_interval_has_the_ranks_of_sacrebleu(number: int) -> None:
    samples = np.random.default_rng(number).normal(size=number)
    found = interval(samples)
    assert found is not None
    assert (found.high - found.low) / 2 == estimate_ci(samples)[1]
    some = np.append(samples, np.nan)
    assert interval(some) == found
    assert interval(np.array([np.nan])) is None


def test_a_ratio_of_nothing_is_none() -> None:
    samples = np.array([1.0, 2.0, np.nan])
    assert ratio(10.0, 0.0, samples, samples) is None
    assert ratio(None, 2.0, samples, samples) is None
    found = ratio(10.0, 4.0, samples, samples)
    assert found is not None
    assert (found.value, found.interval) == (2.5, interval(np.array([1.0, 1.0])))


@pytest.mark.parametrize(("resamples", "seed"), [(39, 1), (0, 1), (100, -1)])
def test_too_few_resamples_are_refused(resamples: int, seed: int) -> None:
    with pytest.raises(InputError, match=rf"\b40 .*\b{resamples}$" if seed == 1 else r"seed .*-1$"):
        Resamples.draw(10, resamples, seed)
    assert len(Resamples.draw(10, 40, 0)) == 40
