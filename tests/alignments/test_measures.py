"""Coverage, entropy and shares against plain loops, and against cases whose answers are known."""

import math

import numpy as np
import pytest

from nmt.alignments.measures import entropy, measures
from nmt.results import END, Alignment
from tests.alignments.examples import random_alignment


@pytest.mark.parametrize("seed", range(20))
def test_against_loops(seed: int) -> None:
    alignment = random_alignment(seed, end=seed % 3 > 0)
    tokens = [token if k % 2 else "," for k, token in enumerate(alignment.source[:-1])]
    alignment = Alignment(source=(*tokens, alignment.source[-1]), target=alignment.target, weights=alignment.weights)
    found = measures(alignment)
    alpha = alignment.weights.tolist()
    for j in range(len(alignment.source)):
        assert found.coverage[j] == pytest.approx(sum(row[j] for row in alpha))
    for i, row in enumerate(alpha):
        total = sum(row)
        bits = -sum(a / total * math.log2(a / total) for a in row if a > 0)
        assert found.entropy[i] == pytest.approx(bits, abs=1e-9)
        assert found.end_share[i] == pytest.approx(row[-1] if alignment.source[-1] == END else 0)
        commas = [a for a, token in zip(row, alignment.source, strict=True) if token == ","]
        assert found.punctuation_share[i] == pytest.approx(sum(commas))
    assert found.coverage.sum() == pytest.approx(len(alignment.target), abs=1e-5)
    assert (found.entropy <= math.log2(len(alignment.source)) + 1e-9).all()


def test_entropy_is_in_bits() -> None:
    """Of n equal weights log2 n, of one weight 0, of 1/2 1/4 1/4 one and a half; nothing for a row of zeros."""
    rows = np.array([[0.25] * 4, [1, 0, 0, 0], [0.5, 0.25, 0.25, 0], [0, 0, 0, 0]])
    assert entropy(rows).tolist() == [2, 0, 1.5, 0]
    assert entropy(rows * 3).tolist() == pytest.approx([2, 0, 1.5, 0])


def test_sides_without_words() -> None:
    found = measures(Alignment(source=(), target=("a",), weights=np.zeros((1, 0))))
    assert (found.coverage.tolist(), found.entropy.tolist(), found.end_share.tolist()) == ([], [0], [0])
    found = measures(Alignment(source=("a", END), target=(), weights=np.zeros((0, 2))))
    assert (found.coverage.tolist(), found.entropy.tolist(), found.punctuation_share.tolist()) == ([0, 0], [], [])
