"""Restriction against plain loops; rows of which nothing is left; what the notice says."""

import numpy as np
import pytest

from nmt.alignments.measures import is_punctuation
from nmt.alignments.policy import LEAST_SHARE, restrict
from nmt.results import END, Alignment
from tests.alignments.examples import random_alignment


def with_punctuation(alignment: Alignment) -> Alignment:
    source, target = (
        tuple("." if k % 3 == 1 and token != END else token for k, token in enumerate(side))
        for side in (alignment.source, alignment.target)
    )
    return Alignment(
        source=source,
        target=target,
        weights=alignment.weights,
        source_words=alignment.source_words,
        target_words=alignment.target_words,
    )


@pytest.mark.parametrize("seed", range(30))
@pytest.mark.parametrize(("without_end", "without_punctuation"), [(True, False), (False, True), (True, True)])
def test_against_loops(seed: int, without_end: bool, without_punctuation: bool) -> None:
    given = with_punctuation(random_alignment(seed, end=seed % 4 > 0, pieces=seed % 2 == 0))

    def stays(token: str) -> bool:
        return not ((without_end and token == END) or (without_punctuation and is_punctuation(token)))

    found = restrict(given, without_end=without_end, without_punctuation=without_punctuation)
    columns = [j for j, token in enumerate(given.source) if stays(token)]
    rows = [i for i, token in enumerate(given.target) if stays(token)]
    assert (list(found.source), list(found.target)) == (columns, rows)
    assert found.alignment.source == tuple(given.source[j] for j in columns)
    assert found.alignment.target_words == tuple(given.target_words[i] for i in rows)
    for k, i in enumerate(rows):
        total = sum(float(a) for a in given.weights[i])
        left = sum(float(given.weights[i, j]) for j in columns) / total
        assert found.share[k] == pytest.approx(left, abs=1e-6)
        assert (k in found.empty) == (left < LEAST_SHARE)
        for m, j in enumerate(columns):
            expected = 0 if k in found.empty else float(given.weights[i, j]) / total / left
            assert found.alignment.weights[k, m] == pytest.approx(expected, abs=1e-6)


def test_nothing_taken_out_is_the_same_alignment() -> None:
    given = random_alignment(1)
    found = restrict(given)
    assert found.alignment is given
    assert found.empty == ()
    assert found.share.tolist() == [1.0] * len(given.target)


def test_a_row_whose_weight_is_all_taken_out_is_empty_and_named(monkeypatch: pytest.MonkeyPatch) -> None:
    given = Alignment(
        source=("a", ".", END),
        target=("x", "y", "z"),
        weights=np.array([[0, 0.4, 0.6], [1e-6, 0, 1 - 1e-6], [0.5, 0.25, 0.25]]),
    )
    found = restrict(given, without_end=True, without_punctuation=True)
    assert found.empty == (0, 1)
    assert found.alignment.weights.tolist() == [[0], [0], [1]]
    assert found.share.tolist() == pytest.approx([0, 1e-6, 0.5])
    assert found.undivided.weights.tolist() == [[0], [0], [0.5]]
    monkeypatch.setattr("nmt.alignments.policy.LEAST_SHARE", 1e-7)
    generous = restrict(given, without_end=True, without_punctuation=True)
    assert generous.empty == (0,)
    assert generous.alignment.weights[1].tolist() == [1]


def test_sides_of_which_nothing_is_left() -> None:
    given = Alignment(source=(",", END), target=("x", END), weights=np.full((2, 2), 0.5))
    found = restrict(given, without_end=True, without_punctuation=True)
    assert (found.alignment.source, found.alignment.weights.shape, found.empty) == ((), (1, 0), (0,))
    found = restrict(Alignment(source=("x", END), target=(END,), weights=np.full((1, 2), 0.5)), without_end=True)
    assert (found.alignment.target, found.alignment.weights.shape, found.empty) == ((), (0, 1), ())


def test_an_end_mark_that_is_not_there_is_not_missed() -> None:
    given = random_alignment(3, end=False)
    found = restrict(given, without_end=True)
    np.testing.assert_allclose(found.alignment.weights, given.weights, atol=1e-6)
    assert found.alignment.source == given.source
