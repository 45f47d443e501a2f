"""The mean of several maps against NumPy, over words that runs cut into different tokens."""

import numpy as np
import pytest

from nmt.aligners.averaging import averaged
from nmt.results import END, Alignment


def cut(words: int, cuts: dict[int, int]) -> tuple[tuple[str, ...], tuple[int, ...]]:
    """Tokens and word numbers of a sentence of which some words are cut into more than one token, or into none."""
    numbers = [word for word in range(words) for _ in range(cuts.get(word, 1))]
    return (*(f"t{k}" for k in range(len(numbers))), END), (*numbers, words)


def drawn(seed: int, source_cuts: dict[int, int], target_cuts: dict[int, int]) -> Alignment:
    (source, source_words), (target, target_words) = cut(4, source_cuts), cut(3, target_cuts)
    weights = np.random.default_rng(seed).dirichlet(np.full(len(source), 0.2), size=len(target))
    return Alignment(
        source=source, target=target, weights=weights, source_words=source_words, target_words=target_words
    )


def over_words(alignment: Alignment, floor: float) -> np.ndarray:
    """[3, 4]: summed over the tokens of a source word, averaged over those of a target word, at least the floor."""
    found = np.zeros((3, 4))
    for i in range(3):
        rows = [k for k, word in enumerate(alignment.target_words) if word == i]
        for j in range(4):
            columns = [k for k, word in enumerate(alignment.source_words) if word == j]
            if rows and columns:
                found[i, j] = alignment.weights[np.ix_(rows, columns)].astype(float).sum(axis=1).mean()
    return np.maximum(found, floor)


@pytest.mark.parametrize("floor", [1e-4, 0.02])
@pytest.mark.parametrize("runs", [1, 2, 3])
def test_the_geometric_mean_over_words(runs: int, floor: float) -> None:
    maps = [drawn(1, {}, {}), drawn(2, {1: 3}, {0: 2}), drawn(3, {0: 2, 3: 2}, {2: 4})][:runs]
    found = averaged(maps, floor)
    expected = np.prod([over_words(one, floor) for one in maps], axis=0) ** (1 / runs)
    np.testing.assert_allclose(found.weights, expected, rtol=1e-5)
    assert (found.source, found.target) == ((0, 1, 2, 3), (0, 1, 2))


def test_a_word_that_one_run_has_no_token_for_gets_its_floor() -> None:
    maps = [drawn(4, {}, {}), drawn(5, {2: 0}, {1: 0})]
    found = averaged(maps, 1e-3)
    np.testing.assert_allclose(found.weights, np.sqrt(over_words(maps[0], 1e-3) * over_words(maps[1], 1e-3)), rtol=1e-5)


def test_a_word_that_no_run_has_a_token_for_is_left_out() -> None:
    found = averaged([drawn(6, {2: 0}, {1: 0}), drawn(7, {2: 0}, {1: 0})])
    assert (found.source, found.target, found.weights.shape) == ((0, 1, 3), (0, 2), (2, 3))


def test_nothing_on_a_side() -> None:
    empty = Alignment(source=(END,), target=("a", END), weights=np.ones((2, 1)))
    assert averaged([empty, empty]).weights.shape == (1, 0)
