"""Kept words against every choice of words that could be kept."""

import itertools

import numpy as np
import pytest

from nmt.evaluation.concatenation import kept_words


def most_kept(alone: list[str], together: list[str]) -> int:
    """By trying all choices, from the largest down."""
    for size in range(len(alone), 0, -1):
        for chosen in itertools.combinations(alone, size):
            rest = iter(together)
            if all(word in rest for word in chosen):
                return size
    return 0


@pytest.mark.parametrize("seed", range(20))
def test_no_choice_keeps_more_words(seed: int) -> None:
    random = np.random.default_rng(seed)
    words = [f"w{k}" for k in range(5)]
    alone = [[str(w) for w in random.choice(words, size=random.integers(0, 5))] for _ in range(2)]
    together = [str(w) for w in random.choice(words, size=random.integers(0, 9))]
    found = kept_words([" ".join(sentence) for sentence in alone], " ".join(together))
    assert [[fate.word for fate in sentence] for sentence in found.sentences] == alone
    assert found.kept == most_kept([*alone[0], *alone[1]], together)
    assert found.words == len(alone[0]) + len(alone[1])
    kept = [fate.word for sentence in found.sentences for fate in sentence if fate.kept]
    rest = iter(together)
    assert all(word in rest for word in kept)


def test_punctuation_and_case_lose_no_word() -> None:
    found = kept_words(["Elle lit.", "« Oui », dit-il !"], "elle lit, « oui » dit-il…")
    assert found.kept == found.words == 4
    assert [fate.word for fate in found.sentences[1] if fate.kept is None] == ["«", "»,", "!"]


def test_nothing_is_kept_of_an_empty_translation() -> None:
    found = kept_words(["Elle lit.", ""], "")
    assert (found.kept, found.words) == (0, 2)


def test_japanese_words_have_no_spaces() -> None:
    found = kept_words(["島は遠い。"], "島は近い。", "ja")
    assert not found.spaced
    assert "".join(fate.word for fate in found.sentences[0]) == "島は遠い。"
    assert 0 < found.kept < found.words


def test_of_two_words_that_changed_places_the_one_that_now_comes_first_is_kept() -> None:
    (sentence,) = kept_words(["la mer bleue"], "la bleue mer").sentences
    assert [fate.word for fate in sentence if fate.kept] == ["la", "bleue"]
