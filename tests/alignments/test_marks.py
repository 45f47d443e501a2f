"""Marks: limits of coverage by hand, repeated words against a search over all stretches."""

import numpy as np
import pytest

from nmt.alignments.measures import is_punctuation, marks, repeated_tokens
from nmt.results import END, Alignment


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
