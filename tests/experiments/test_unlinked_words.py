"""Figures of words that translate none, word by word."""

import math
from itertools import combinations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from experiments.crossings import crosses
from experiments.unlinked_words import FIGURES, figures

RNG = np.random.default_rng(1)


def test_figures_of_each_word() -> None:
    for _ in range(20):
        words, places = RNG.integers(1, 6, 2)
        alpha = RNG.dirichlet(np.ones(places + 1), words + 1)
        log_p = RNG.normal(size=words + 1).tolist()
        possible = [set(RNG.integers(0, places, RNG.integers(0, 3)).tolist()) for _ in range(words)]
        found = figures(alpha, log_p, possible)
        assert found.shape == (words, len(FIGURES))
        for i, row in enumerate(found):
            best = max(range(places + 1), key=lambda j, i=i: alpha[i][j])
            bits = -math.fsum(value * math.log2(value) for value in alpha[i])
            assert np.allclose(row, [bits, alpha[i][places], best == places, best in possible[i], log_p[i]])


def test_a_row_without_doubt_has_no_bits() -> None:
    assert figures(np.eye(3), [0.0, -1.0, -2.0], [{0}, set()]).tolist() == [[0, 0, 0, 1, 0], [0, 0, 0, 0, -1]]


LINKS = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), max_size=8)


@given(LINKS)
def test_links_cross_if_two_of_them_do(links: list[tuple[int, int]]) -> None:
    expected = any((a - c) * (b - d) < 0 for (a, b), (c, d) in combinations(links, 2))
    assert crosses(links) == expected
