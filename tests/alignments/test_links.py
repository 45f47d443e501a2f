"""Links against a search over all choices."""

from itertools import combinations

import numpy as np
import pytest

from nmt.alignments.links import argmax_links, mass_links, threshold_links
from nmt.results import END, Alignment
from tests.alignments.examples import random_alignment


@pytest.mark.parametrize("seed", range(40))
@pytest.mark.parametrize("mass", [1e-9, 0.2, 0.5, 0.9, 1.0])
def test_mass_is_the_smallest_set_with_enough_weight(seed: int, mass: float) -> None:
    alignment = random_alignment(seed, end=seed % 2 == 0)
    found = mass_links(alignment, mass)
    rows = len(alignment.target) - (alignment.target[-1] == END)
    for i in range(rows):
        row = [float(a) for a in alignment.weights[i]]
        needed = mass * sum(row) - 1e-6
        sets = [set(one) for size in range(1, len(row) + 1) for one in combinations(range(len(row)), size)]
        fewest = min(len(one) for one in sets if sum(row[j] for j in one) >= needed)
        best = max((one for one in sets if len(one) == fewest), key=lambda one: sum(row[j] for j in one))
        words = {j for j in best if alignment.source[j] != END}
        assert {j for j, k in found if k == i} == words
    assert all(i < rows for _, i in found)


def test_equal_weights_go_to_the_first() -> None:
    even = Alignment(source=("a", "b", "c"), target=("x",), weights=np.full((1, 3), 1 / 3))
    assert argmax_links(even) == {(0, 0)}
    assert mass_links(even, 0.5) == {(0, 0), (1, 0)}


def test_a_word_and_the_end_mark_with_equal_weight() -> None:
    """No link only where the end mark has more."""
    even = Alignment(source=("a", END), target=("x", END), weights=np.full((2, 2), 0.5))
    assert argmax_links(even) == {(0, 0)}


def test_rows_without_weight_and_sides_without_words_have_no_links() -> None:
    for alignment in (
        Alignment(source=("a", "b"), target=("x",), weights=np.zeros((1, 2))),
        Alignment(source=(), target=("x",), weights=np.zeros((1, 0))),
        Alignment(source=("a",), target=(), weights=np.zeros((0, 1))),
        Alignment(source=(END,), target=("x", END), weights=np.ones((2, 1))),
        Alignment(source=("a", END), target=(END,), weights=np.full((1, 2), 0.5)),
    ):
        assert argmax_links(alignment) == threshold_links(alignment, 0.1) == mass_links(alignment, 0.5) == frozenset()


def test_a_weight_reaches_its_own_threshold() -> None:
    one = Alignment(source=("a", "b"), target=("x",), weights=np.array([[0.3, 0.7]]))
    assert threshold_links(one, 0.3) == {(0, 0), (1, 0)}
    assert threshold_links(one, 0.31) == {(1, 0)}
