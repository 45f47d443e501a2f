"""The summary of an alignment, against sums written out."""

import math

import numpy as np
import pytest

from nmt.alignments.measures import summary
from nmt.results import END, Alignment


def test_pieces_are_merged_and_end_marks_and_punctuation_left_out() -> None:
    source, target = ("▁un", "seen", "▁,", END), ("▁in", "vu", "▁x", END)
    rows = [[0.25, 0.25, 0.5, 0], [0.5, 0.5, 0, 0], [0.125, 0, 0.25, 0.625], [1, 0, 0, 0]]
    found = summary(
        Alignment(
            source=source, target=target, weights=np.array(rows), source_words=(0, 0, 1, 2), target_words=(0, 0, 1, 2)
        )
    )
    assert found is not None
    words = [[0.75, 0.25, 0], [0.125, 0.25, 0.625]]  # of two target words over "unseen", "," and the end mark
    entropies = [-sum(p * math.log2(p) for p in row if p) for row in words]
    assert found.entropy == pytest.approx(sum(entropies) / 2)
    assert found.least_coverage == found.mean_coverage == pytest.approx(0.75 + 0.125 + 1)


def test_least_and_mean() -> None:
    rows = [[0.9, 0.1, 0, 0], [0.6, 0, 0.4, 0], [0, 0, 0, 1]]
    found = summary(Alignment(source=("a", "b", "c", END), target=("x", "y", END), weights=np.array(rows)))
    assert found is not None
    assert (found.least_coverage, found.mean_coverage) == (pytest.approx(0.1), pytest.approx(2 / 3))


def test_nothing_to_measure() -> None:
    assert summary(Alignment(source=(END,), target=("x", END), weights=np.ones((2, 1)))) is None
    assert summary(Alignment(source=("!", END), target=("x", END), weights=np.full((2, 2), 0.5))) is None
    assert summary(Alignment(source=("a", END), target=(END,), weights=np.full((1, 2), 0.5))) is None
