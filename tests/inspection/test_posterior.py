"""Posterior maps: made of alpha and of scores that can be asked for, and named where there can be none."""

from pathlib import Path

import numpy as np
import pytest

import nmt
from nmt.errors import InputError
from nmt.inspection.maps import cost_of, posterior
from nmt.results.links import ATTENTION, LEAVE_ONE_OUT, POSTERIOR
from nmt.results.translation import Encoded

PAIRS = [("the girl reads .", "la fille lit ."), ("she", "elle a jamais vu"), ("", "la mer"), ("the sea", "")]


@pytest.mark.parametrize("run", ["search-words", "search-bpe"])
def test_maps_have_the_shape_of_alpha_and_one_word_leaves_no_choice(run: str, random_runs: Path) -> None:
    model = nmt.load(random_runs / run)
    done: list[int] = []
    maps = list(posterior(model, PAIRS, pretokenised=True, on_progress=done.append))
    assert done == [4]  # one group
    for (source, target), found in zip(PAIRS, maps, strict=True):
        np.testing.assert_allclose(found.weights, model.posterior(source, target, pretokenised=True).weights, atol=5e-6)
    for (source, target), found in zip(PAIRS, maps, strict=True):
        plain = model.align(source, target, pretokenised=True)
        assert (found.source, found.target) == (plain.source, plain.target)
        assert (found.source_words, found.target_words) == (plain.source_words, plain.target_words)
        np.testing.assert_allclose(found.weights.sum(axis=1), 1, rtol=1e-5)
        if len(found.source) > 1:
            assert not np.allclose(found.weights, plain.weights, atol=1e-3)
        else:
            np.testing.assert_allclose(found.weights, 1, rtol=1e-6)


def test_the_baseline_has_none(random_runs: Path) -> None:
    with pytest.raises(InputError, match="no posterior"):
        list(posterior(nmt.load(random_runs / "encdec-words"), PAIRS, pretokenised=True))


def test_costs_are_counted_in_softmaxes() -> None:
    """Three target words and 25 source tokens: each step as 10 softmaxes, and one more for ten whole tokens read."""
    source, target = (
        Encoded(ids=(4,) * length, tokens=("a",) * length, words=tuple(range(length)), unknown=()) for length in (25, 3)
    )
    costs = [cost_of(source, target, name) for name in (ATTENTION, POSTERIOR, LEAVE_ONE_OUT)]
    assert costs == [3 * 12, 3 * 12 + 3 * 25, 3 * 12 * 25]
