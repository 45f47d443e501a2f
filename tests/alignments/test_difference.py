"""Differences by hand and against loops; the divergence against its definition by Kullback-Leibler."""

import math

import numpy as np
import pytest

from nmt.alignments.measures import difference_of_pairs, jensen_shannon
from nmt.results import END, Alignment
from tests.alignments.examples import random_alignment


def kullback_leibler(p: list[float], q: list[float]) -> float:
    return sum(a * math.log2(a / b) for a, b in zip(p, q, strict=True) if a > 0)


def again(alignment: Alignment, seed: int) -> Alignment:
    """Other weights over the same words."""
    weights = np.random.default_rng(seed).dirichlet(np.ones(len(alignment.source)), size=len(alignment.target))
    return Alignment(source=alignment.source, target=alignment.target, weights=weights)


@pytest.mark.parametrize("seed", range(20))
def test_two_models_on_one_pair(seed: int) -> None:
    first = random_alignment(seed)
    second = again(first, seed + 100)
    found = difference_of_pairs(first, second)
    assert (found.source, found.target) == (first.source, first.target)
    assert set(found.source_sides) == {"both"}
    for i in range(len(first.target)):
        p, q = (
            [float(a) / sum(map(float, alignment.weights[i])) for a in alignment.weights[i]]
            for alignment in (first, second)
        )
        middle = [(a + b) / 2 for a, b in zip(p, q, strict=True)]
        divergence = (kullback_leibler(p, middle) + kullback_leibler(q, middle)) / 2
        assert found.divergence[i] == pytest.approx(divergence, abs=1e-9)
        assert found.delta[i].tolist() == pytest.approx([b - a for a, b in zip(p, q, strict=True)], abs=1e-6)
    back = difference_of_pairs(second, first)
    np.testing.assert_allclose(back.delta, -found.delta)
    np.testing.assert_allclose(back.divergence, found.divergence, atol=1e-12)


@pytest.mark.parametrize("seed", range(20))
def test_an_alignment_does_not_differ_from_itself(seed: int) -> None:
    alignment = random_alignment(seed)
    found = difference_of_pairs(alignment, alignment)
    assert not found.delta.any()
    assert found.divergence.max() == pytest.approx(0, abs=1e-12)


def test_the_ends_of_the_scale_and_rows_without_weight() -> None:
    p = np.array([[1.0, 0, 0], [0.5, 0.5, 0], [0, 0, 0], [0, 0, 0], [2.0, 2, 0]])
    q = np.array([[0, 0.5, 0.5], [0.5, 0.5, 0], [1.0, 0, 0], [0, 0, 0], [0.25, 0.25, 0]])
    found = jensen_shannon(p, q)
    assert found[[0, 1, 4]].tolist() == pytest.approx([1, 0, 0], abs=1e-12)
    assert np.isnan(found[[2, 3]]).all()


def test_an_edited_source_by_hand() -> None:
    """ "the old man sleeps" and "the man sleeps well": old is only in the first, well only in the second."""
    first = Alignment(
        source=("the", "old", "man", "sleeps", END),
        target=("x", "y"),
        weights=np.array([[0.1, 0.2, 0.3, 0.4, 0], [0, 1, 0, 0, 0]]),
    )
    second = Alignment(
        source=("the", "man", "sleeps", "well", END),
        target=("x", "y"),
        weights=np.array([[0.4, 0.3, 0.2, 0.1, 0], [0, 0, 0, 1, 0]]),
    )
    found = difference_of_pairs(first, second)
    assert found.source == ("the", "old", "man", "sleeps", "well", END)
    assert found.source_sides == ("both", "first", "both", "both", "second", "both")
    assert found.delta[0].tolist() == pytest.approx([0.3, -0.2, 0, -0.2, 0.1, 0], abs=1e-6)
    assert found.delta[1].tolist() == [0, -1, 0, 0, 1, 0]
    assert found.divergence[1] == pytest.approx(1)


@pytest.mark.parametrize("seed", range(30))
def test_edited_sources_keep_every_weight(seed: int) -> None:
    """Columns of "both" and "first" are the first source in order, of "both" and "second" the second; each row of the
    difference sums to 0; end mark stands beside end mark."""
    random = np.random.default_rng(seed)
    words = random.choice(list("abcde"), size=7).tolist()
    edited = [word for word in words if random.random() > 0.3]
    edited.insert(int(random.integers(0, len(edited) + 1)), "new")
    sources = [(*words, END), (*edited, END)]
    first, second = (
        Alignment(source=source, target=("x", "y"), weights=random.dirichlet(np.ones(len(source)), size=2))
        for source in sources
    )
    found = difference_of_pairs(first, second)
    sides = found.source_sides
    for source, side in zip(sources, ("first", "second"), strict=True):
        assert tuple(word for word, s in zip(found.source, sides, strict=True) if s in ("both", side)) == source
    assert sides[-1] == "both"
    assert "new" in [word for word, side in zip(found.source, sides, strict=True) if side == "second"]
    np.testing.assert_allclose(found.delta.sum(axis=1), 0, atol=1e-6)
    only_first = [k for k, side in enumerate(sides) if side == "first"]
    places = [j for j in range(len(sources[0])) if [k for k, s in enumerate(sides) if s != "second"][j] in only_first]
    np.testing.assert_allclose(found.delta[:, only_first], -first.weights[:, places], atol=1e-7)


@pytest.mark.parametrize("seed", range(30))
def test_where_both_sides_are_edited_each_pair_can_be_told_from_the_difference(seed: int) -> None:
    """Cell by cell: a row and column of both hold second less first, a word of one pair alone that weight."""
    random = np.random.default_rng(seed)
    pairs = []
    for _ in range(2):
        source, target = (tuple(random.choice(list("abc"), size=random.integers(1, 7))) for _ in range(2))
        pairs.append(
            Alignment(source=source, target=target, weights=random.dirichlet(np.ones(len(source)), size=len(target)))
        )
    first, second = pairs
    found = difference_of_pairs(first, second)
    expected = np.zeros(found.delta.shape)
    for pair, side, sign in ((first, "first", -1), (second, "second", 1)):
        rows, columns = (
            [k for k, where in enumerate(sides) if where in ("both", side)]
            for sides in (found.target_sides, found.source_sides)
        )
        assert tuple(found.target[k] for k in rows) == pair.target
        assert tuple(found.source[k] for k in columns) == pair.source
        expected[np.ix_(rows, columns)] += sign * pair.weights
    np.testing.assert_allclose(found.delta, expected, atol=1e-6)
    alone = [side != "both" for side in found.target_sides]
    assert np.isnan(found.divergence[alone]).all()
