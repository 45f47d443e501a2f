"""Coverage, entropy and shares against plain loops, and against cases whose answers are known."""

import math

import numpy as np
import pytest

from nmt.alignments.measures import coverage, entropy, is_punctuation, marks, repeated_tokens, summary
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


def repeated_by_search(tokens: list[str], ngram: int) -> set[int]:
    """All stretches that are equal to one before: of ``ngram`` tokens anywhere, of any length right behind it."""
    found: set[int] = set()
    for first in range(len(tokens)):
        for last in range(first + 1, len(tokens) + 1):
            here = tokens[first:last]
            length = last - first
            if all(is_punctuation(token) for token in here):
                continue
            anywhere = length == ngram and any(tokens[k : k + length] == here for k in range(first))
            at_once = first >= length and tokens[first - length : first] == here
            if anywhere or at_once:
                found |= set(range(first, last))
    return found


@pytest.mark.parametrize("seed", range(60))
def test_repeated_words_against_a_search(seed: int) -> None:
    random = np.random.default_rng(seed)
    tokens = random.choice(["a", "b", "c", ",", "."], size=int(random.integers(0, 16))).tolist()
    ngram = int(random.integers(1, 5))
    assert set(repeated_tokens(tokens, ngram)) == repeated_by_search(tokens, ngram)


def test_a_loop_is_marked_from_its_second_round_on() -> None:
    assert repeated_tokens([*"xabababy", END], 3) == (3, 4, 5, 6)


def test_the_end_mark_repeats_nothing() -> None:
    assert repeated_tokens([END, END], 1) == ()
    assert repeated_tokens([], 1) == ()


def test_coverage_beyond_the_limits_is_marked_but_not_on_end_marks_and_punctuation() -> None:
    """Coverage: a 0.1, b 3.1 or 2.9, the comma 0.1, c 0.21 or 0.19, the end mark 0.1; and the other way round."""
    for b, c, dropped, often in ((3.1, 0.21, (0,), (1,)), (2.9, 0.19, (0, 3), ())):
        few = Alignment(
            source=("a", "b", ",", "c", END),
            target=("x", "y", "z", "w"),
            weights=np.array([[0.1, b - 3, 0.1, c, 0.1], *[[0, 1, 0, 0, 0]] * 3]),
        )
        found = marks(few)
        assert (found.dropped, found.attended_often) == (dropped, often)
    much = Alignment(source=(",", END), target=tuple("uvwxyzab"), weights=np.full((8, 2), 0.5))
    assert marks(much).attended_often == ()
