"""The mean of several maps against NumPy, over words that runs cut into different tokens."""

import numpy as np
import pytest

from nmt.aligners.combination import LONGEST, MU, Smoothing, WordWeights, averaged, smoothed
from nmt.errors import InputError
from nmt.records import as_record
from nmt.results import END, Alignment
from release.aligner import count_jumps
from tests.oracles.source_paths import state_probabilities


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


COUNTS = tuple(int(1000 / (1 + abs(jump - 1)) ** 2) for jump in range(-LONGEST, LONGEST + 1))


def drawn_counts(rows: int, columns: int, seed: int) -> np.ndarray:
    return np.random.default_rng(seed).dirichlet(np.full(columns, 0.3), size=rows).clip(1e-4)


@pytest.mark.parametrize("size", [1e-300, 1e300])
def test_the_size_of_a_row_does_not_matter(size: float) -> None:
    weights = drawn_counts(4, 3, 9)
    np.testing.assert_allclose(smoothed(weights * size, COUNTS, MU), smoothed(weights, COUNTS, MU), rtol=1e-9)


@pytest.mark.parametrize("mu", [0.0, 0.2, 1.0])
@pytest.mark.parametrize("shape", [(1, 1), (1, 4), (5, 1), (2, 2), (4, 5), (6, 3)])
def test_all_paths_added(shape: tuple[int, int], mu: float) -> None:
    weights = drawn_counts(*shape, seed=sum(shape))
    expected = state_probabilities(weights.tolist(), COUNTS, mu)
    np.testing.assert_allclose(smoothed(weights, COUNTS, mu), expected, rtol=1e-10)


def test_paths_with_jumps_beyond_the_longest() -> None:
    weights = drawn_counts(2, LONGEST + 5, seed=1)
    counts = (7, *COUNTS[1:-1], 90)
    expected = state_probabilities(weights.tolist(), counts, 0.7)
    np.testing.assert_allclose(smoothed(weights, counts, 0.7), expected, rtol=1e-10)


def test_the_words_after_decide_an_undecided_row() -> None:
    """Row 0 cannot tell source word 0 from 3; row 1 is sure of 1, and jumps by one are the rule."""
    weights = np.array([[0.5, 1e-4, 1e-4, 0.5], [1e-4, 1.0, 1e-4, 1e-4]])
    found = smoothed(weights, COUNTS, 1.0)
    assert found[0, 0] > 0.6 > 0.4 > found[0, 3]


@pytest.mark.slow
def test_a_thousand_words_neither_underflow_nor_overflow() -> None:
    """Twice as long a pair has the same middle: a chain forgets its ends."""
    once = np.where(np.eye(300, dtype=bool), 1.0, 1e-4)
    found = smoothed(np.where(np.eye(1000, dtype=bool), 1.0, 1e-4), COUNTS, 1.0)
    assert np.isfinite(found).all()
    np.testing.assert_allclose(found.sum(axis=1), 1)
    np.testing.assert_allclose(found[100:200, 100:200], smoothed(once, COUNTS, 1.0)[100:200, 100:200], atol=1e-6)
    few = np.where(np.random.default_rng(2).random((1000, 1000)) < 0.001, 1.0, 1e-100)
    np.testing.assert_allclose(smoothed(few, COUNTS, 1.0).sum(axis=1), 1)


@pytest.mark.parametrize("shape", [(0, 3), (3, 0), (0, 0)])
def test_nothing_to_smooth(shape: tuple[int, int]) -> None:
    assert smoothed(np.ones(shape), COUNTS, MU).shape == shape


def test_jumps_are_those_between_the_largest_weights() -> None:
    def ruled(places: list[int], columns: int) -> WordWeights:
        weights = np.full((len(places), columns), 0.01)
        weights[np.arange(len(places)), places] = 0.9
        return WordWeights(weights=weights, source=tuple(range(columns)), target=tuple(range(len(places))))

    counts = count_jumps([ruled([0, 1, 2, 2, 0], 3), ruled([0, 49, 0], 50), ruled([0], 1), ruled([], 2)])
    expected = {1: 2, 0: 1, -2: 1, LONGEST: 1, -LONGEST: 1}
    assert {jump - LONGEST: count for jump, count in enumerate(counts) if count} == expected


@pytest.mark.parametrize(("counts", "mu"), [(COUNTS[1:], 0.2), ((-1, *COUNTS[1:]), 0.2), (COUNTS, -0.1), (COUNTS, 1.1)])
def test_impossible_jumps_are_refused(counts: tuple[int, ...], mu: float) -> None:
    with pytest.raises(InputError, match=r"^jumps\b" if mu == 0.2 else rf"^mu .*{mu:g}$"):
        as_record(Smoothing, {"jumps": counts, "mu": mu, "reverse_jumps": None, "pairs": 1})
