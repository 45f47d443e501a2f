"""Counts of the source words of training texts: what is left out, and which words of a sentence were hardly seen."""

from collections import Counter
from pathlib import Path

import pytest

from nmt.data.text import Tokenizer
from nmt.data.vocabulary import (
    MOST_BYTES,
    WORD_COUNTS,
    Shortlist,
    TextFit,
    read_word_counts,
    text_fit,
    write_word_counts,
)
from nmt.errors import InputError


def test_counts_of_frequent_words_come_back(tmp_path: Path) -> None:
    assert read_word_counts(tmp_path) is None
    counts = {"the": 90, "sea": 5, "Sea": 4, "3,000": 70, "…": 8, "l'île": 5, "海": 12}
    write_word_counts(tmp_path, counts)
    found = read_word_counts(tmp_path)
    assert found is not None
    assert found.fewest == 5
    assert found.counts == {"the": 90, "sea": 5, "l'île": 5, "海": 12}


def test_a_file_never_exceeds_its_limit_and_says_what_it_lacks(tmp_path: Path) -> None:
    counts = {f"word{k:06}": 5 + k % 7 for k in range(60_000)}
    write_word_counts(tmp_path, counts)
    assert (tmp_path / WORD_COUNTS).stat().st_size <= MOST_BYTES
    found = read_word_counts(tmp_path)
    assert found is not None
    assert found.fewest > 5
    assert found.counts == {word: count for word, count in counts.items() if count >= found.fewest}
    write_word_counts(tmp_path, dict.fromkeys(counts, 8))
    found = read_word_counts(tmp_path)
    assert found is not None
    assert (found.fewest, found.counts) == (9, {})


def test_a_file_has_as_many_words_as_it_may(tmp_path: Path) -> None:
    """One word for each number of occurrences, so that a few bytes make a difference."""
    write_word_counts(tmp_path, {f"é{k}": k for k in range(1, 30_000)})
    assert 300_000 - 150 < (tmp_path / WORD_COUNTS).stat().st_size <= 300_000


def test_words_that_were_hardly_seen(tmp_path: Path) -> None:
    words = Tokenizer("en").tokenize("Hello, the sea is near 3,000 zorps; Hello!")
    assert read_word_counts(tmp_path) is None
    write_word_counts(tmp_path, {"the": 90_000, "sea": 500, "is": 70_000, "near": 30, "Hello": 29})
    counts = read_word_counts(tmp_path)
    assert counts is not None
    assert counts.hardly_seen(words) == ("Hello", "zorps")


@pytest.mark.parametrize("text", ["{", '{"format": 2}', '{"format": 1, "fewest": 0, "words": []}'])
def test_a_broken_file_is_named(text: str, tmp_path: Path) -> None:
    (tmp_path / WORD_COUNTS).write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=WORD_COUNTS):
        read_word_counts(tmp_path)


ENGLISH = "the a of to in is it that she he never has seen sea girl cat house small red on and with for was not".split()


def test_unknown_words_are_counted_without_punctuation_and_numbers() -> None:
    counts = Counter({word: 10_000 // rank for rank, word in enumerate([".", ",", *ENGLISH], 1)})
    source = Tokenizer("en"), Shortlist.from_counts(counts, 40)
    fit = text_fit("the zorp (17) blick frobs!", *source)
    assert (fit.words, fit.unknown, fit.mostly_unknown) == (4, ("zorp", "blick", "frobs"), True)
    fit = text_fit("the sea zorp ... ! 17 18", *source)
    assert (fit.words, fit.unknown, fit.mostly_unknown) == (3, ("zorp",), False)
    assert not text_fit("17 !", *source).mostly_unknown
    assert text_fit("", *source) == TextFit(0, ())
    assert not text_fit("the zorp", *source).mostly_unknown  # half of them, not more
