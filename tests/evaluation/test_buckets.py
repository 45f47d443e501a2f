"""Ranges of lengths against brute force over every length."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from nmt.errors import InputError
from nmt.evaluation.buckets import (
    FITTED,
    MOST,
    Buckets,
    by_equal_counts,
    by_hand,
    by_width,
    fitted,
    lengths_of,
    rolling,
)
from nmt.evaluation.sufficient_statistics import pair_statistics
from nmt.results import Span
from nmt.results.scores import EVERYTHING


def owners(spans: tuple[Span, ...], length: int) -> list[int]:
    """By the definition, a length at a time."""
    return [k for k, s in enumerate(spans) if s.first <= length and (s.last is None or length <= s.last)]


@pytest.mark.parametrize("width", [1, 7, 10, 60, 100])
@pytest.mark.parametrize("last", [1, 2, 61, 64])
def test_by_width_every_length_from_1_has_one_bucket(width: int, last: int) -> None:
    spans = by_width(width, last)
    for length in range(1, 200):
        expected = (length - 1) // width if length < last else len(spans) - 1
        assert owners(spans, length) == [expected]
    assert owners(spans, 0) == []
    assert (spans[-1].first, spans[-1].last) == (last, None)


def test_the_papers_buckets_by_default() -> None:
    assert [span.name for span in by_width()] == "1-10 11-20 21-30 31-40 41-50 51-60 61+".split()


def test_there_are_at_most_so_many() -> None:
    assert len(by_width(1, MOST)) == len(rolling(3, MOST)) == MOST
    assert by_equal_counts(np.array([7]), MOST) == (Span(1),)


def test_by_hand() -> None:
    assert by_hand([1, 4, 5, 30]) == (Span(1, 3), Span(4, 4), Span(5, 29), Span(30))
    assert [span.name for span in by_hand([3, 4, 9])] == ["3", "4-8", "9+"]
    assert owners(by_hand([3, 4]), 2) == []


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("longest", [1, 6, 18, 34, 47, 58, 90])
def test_no_fitted_range_is_empty_and_every_sentence_is_in_one(seed: int, longest: int) -> None:
    lengths = np.random.default_rng(seed).integers(0, longest + 1, size=1 + 40 * seed)
    lengths[0] = longest
    spans = FITTED.spans(lengths)
    assert all(len(owners(spans, int(n))) == (n > 0) for n in lengths)
    assert all(span.holds(lengths).any() for span in spans)
    assert 1 <= len(spans) <= 7


def test_fitted_ranges_are_the_papers_as_far_as_sentences_go() -> None:
    assert fitted(np.arange(1, 100)) == by_width()
    assert [span.name for span in fitted(np.arange(1, 45))] == "1-10 11-20 21-30 31-40 41+".split()
    gap = np.concatenate([np.arange(1, 15), np.arange(41, 150)])
    assert fitted(gap) == by_equal_counts(gap, 6)
    assert len(fitted(np.arange(1, 30))) == 1  # fifteen sentences in each range on average at least
    with pytest.raises(InputError, match="lengths"):
        fitted(np.array([0]))


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("buckets", [1, 2, 5, 9])
def test_equal_counts_cut_as_near_to_the_shares_as_lengths_allow(seed: int, buckets: int) -> None:
    lengths = np.random.default_rng(seed).geometric(0.05 + 0.1 * seed, size=200 + seed) - 1
    spans = by_equal_counts(lengths, buckets)
    some = lengths[lengths > 0]
    assert all(len(owners(spans, n)) == 1 for n in range(1, 300))
    assert 1 <= len(spans) <= buckets
    possible = [int((some < n).sum()) for n in range(2, some.max() + 1)]  # sentences below each possible cut
    below = {int((some < span.first).sum()) for span in spans[1:]}
    for share in range(1, buckets):
        wanted = len(some) * share / buckets
        nearest = min(abs(n - wanted) for n in possible)
        assert any(abs(n - wanted) == nearest for n in below)
    sizes = [int(span.holds(some).sum()) for span in spans]
    assert sum(sizes) == len(some)
    assert min(sizes) > 0


def test_equal_counts_where_lengths_are_few() -> None:
    assert by_equal_counts(np.array([7] * 30), 4) == (Span(1),)
    assert by_equal_counts(np.array([3, 0, 9]), 5) == (Span(1, 3), Span(4))
    assert by_equal_counts(np.repeat(np.arange(1, 13), 5), 4) == (Span(1, 3), Span(4, 6), Span(7, 9), Span(10))


@pytest.mark.parametrize("width", [1, 2, 5, 10])
def test_a_window_around_each_length(width: int) -> None:
    spans = rolling(width, 40)
    assert len(spans) == 40
    for n, span in enumerate(spans, 1):
        inside = [length for length in range(-20, 80) if -(width // 2) <= length - n <= (width - 1) // 2]
        assert len(inside) == width
        assert [length for length in range(1, 80) if owners((span,), length)] == [x for x in inside if x > 0]


def test_holds_is_the_definition() -> None:
    lengths = np.arange(100)
    for span in (Span(1, 10), Span(61), Span(5, 5), EVERYTHING):
        assert span.holds(lengths).tolist() == [bool(owners((span,), n)) for n in lengths.tolist()]


def test_words_of_either_side() -> None:
    pairs = pair_statistics(["a  b c", ""], ["a b.", "x"])
    assert lengths_of(pairs, "source").tolist() == [3, 0]
    assert lengths_of(pairs, "reference").tolist() == [2, 1]
    with pytest.raises(InputError, match=r"source .*reference.*'target'"):
        lengths_of(pairs, "target")  # type: ignore[arg-type]


FAULTS: dict[str, tuple[Callable[..., Any], tuple[Any, ...]]] = {
    "width": (by_width, (0,)),
    "last": (by_width, (10, 0)),
    "too many": (by_width, (1, MOST + 1)),
    "none": (by_hand, ([],)),
    "zero": (by_hand, ([0, 5],)),
    "order": (by_hand, ([1, 5, 5],)),
    "count": (by_equal_counts, (np.array([1, 2]), 0)),
    "many": (by_equal_counts, (np.array([1, 2]), MOST + 1)),
    "no words": (by_equal_counts, (np.array([0, 0]), 2)),
    "window": (rolling, (0, 10)),
    "longest": (rolling, (3, 0)),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_what_cannot_be_is_one_sentence(fault: str) -> None:
    function, arguments = FAULTS[fault]
    with pytest.raises(InputError) as caught:
        function(*arguments)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(("lengths", "windows"), [([], 1), ([0], 1), ([1], 1), ([3, 7], 7)])
def test_there_is_a_window_for_each_length_up_to_the_longest(lengths: list[int], windows: int) -> None:
    assert Buckets("rolling", (3,)).spans(np.array(lengths, dtype=np.int64)) == rolling(3, windows)
