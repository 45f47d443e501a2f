"""Coverage, entropy and shares against plain loops, and against cases whose answers are known."""

import math

import numpy as np
import pytest

from nmt.alignments.measures import coverage, entropy
from nmt.results import END, Alignment
from tests.alignments.examples import random_alignment


@pytest.mark.parametrize("seed", range(20))
def test_against_loops(seed: int) -> None:
    alignment = random_alignment(seed, end=seed % 3 > 0)
    received, bits_of_rows = coverage(alignment), entropy(alignment.weights)
    alpha = alignment.weights.tolist()
    for j in range(len(alignment.source)):
        assert received[j] == pytest.approx(sum(row[j] for row in alpha))
    for i, row in enumerate(alpha):
        total = sum(row)
        bits = -sum(a / total * math.log2(a / total) for a in row if a > 0)
        assert bits_of_rows[i] == pytest.approx(bits, abs=1e-9)
    assert received.sum() == pytest.approx(len(alignment.target), abs=1e-5)
    assert (bits_of_rows <= math.log2(len(alignment.source)) + 1e-9).all()


def test_entropy_is_in_bits() -> None:
    """Of n equal weights log2 n, of one weight 0, of 1/2 1/4 1/4 one and a half; nothing for a row of zeros."""
    rows = np.array([[0.25] * 4, [1, 0, 0, 0], [0.5, 0.25, 0.25, 0], [0, 0, 0, 0]])
    assert entropy(rows).tolist() == [2, 0, 1.5, 0]
    assert entropy(rows * 3).tolist() == pytest.approx([2, 0, 1.5, 0])


def test_sides_without_words() -> None:
    for source, target, received, bits in ((), ("a",), [], [0]), (("a", END), (), [0, 0], []):
        found = Alignment(source=source, target=target, weights=np.zeros((len(target), len(source))))
        assert (coverage(found).tolist(), entropy(found.weights).tolist()) == (received, bits)
