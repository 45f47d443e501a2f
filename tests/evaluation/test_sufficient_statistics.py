"""Columns against counts by hand."""

from collections import Counter

import numpy as np
import pytest

from nmt.evaluation.sufficient_statistics import count, hypothesis_statistics, pair_statistics, sentence_statistics


def ngrams(units: "str | list[str]", n: int) -> "Counter[tuple[str, ...]]":
    return Counter(tuple(units[i : i + n]) for i in range(len(units) - n + 1))


def test_columns_are_what_one_counts_by_hand() -> None:
    """Without punctuation, where every tokeniser sees the same words."""
    sources = ["one two three", "", "four"]
    references = ["the old gate is green", "a new lamp", "desk"]
    hypotheses = ["the gate is old the", "a new blue lamp", ""]
    found = sentence_statistics(sources, hypotheses, references)
    assert found.pairs.source_words.tolist() == [3, 0, 1]
    assert found.pairs.reference_words.tolist() == found.pairs.reference_length.tolist() == [5, 3, 1]
    assert found.hypotheses.words.tolist() == found.hypotheses.length.tolist() == [5, 4, 0]
    assert found.hypotheses.edits.tolist() == [2, 1, 1]  # old moves, the becomes green; blue; desk
    for i, (hypothesis, reference) in enumerate(zip(hypotheses, references, strict=True)):
        for n in range(1, 5):
            both = ngrams(hypothesis.split(), n) & ngrams(reference.split(), n)
            assert found.hypotheses.matches[i, n - 1] == both.total()
            assert found.bleu[i, 5 + n] == ngrams(hypothesis.split(), n).total()
        left, right = hypothesis.replace(" ", ""), reference.replace(" ", "")
        assert (found.hypotheses.characters[i], found.pairs.reference_characters[i]) == (len(left), len(right))
        for n in range(1, 7):
            assert found.hypotheses.character_matches[i, n - 1] == (ngrams(left, n) & ngrams(right, n)).total()
    assert found.hypotheses.log_probability is found.hypotheses.tokens is found.pairs.source_unknown is None


def test_counted_in_parts_or_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    hypotheses, references = ["a b", "c", "d e f"], ["a b c", "", "d f"]
    at_once = count(hypotheses, references)
    done: list[int] = []
    monkeypatch.setattr("nmt.evaluation.sufficient_statistics._PART", 2)
    assert (count(hypotheses, references, done.append) == at_once).all()
    assert done == [2, 3]


def test_long_sentences_are_counted_one_by_one() -> None:
    """So that work can be ended between them."""
    lines = ["a b", "a " * 600, "b " * 600, "a", "b"]
    done: list[int] = []
    count(lines, ["a b"] * 5, done.append)
    assert done == [1, 2, 3, 5]


def test_what_a_model_says_is_kept_in_order() -> None:
    pairs = pair_statistics(["a", "b"], ["c", "d"], source_unknown=[0, 2], reference_unknown=[0, 0])
    assert pairs.without_unknown() is not None
    assert list(pairs.without_unknown()) == [0]  # type: ignore[call-overload]
    written = hypothesis_statistics(
        ["c", "e"], count(["c", "e"], ["c", "d"]), tokens=[2, 3], log_probability=[-1, -2.5]
    )
    assert written.tokens is not None
    np.testing.assert_array_equal(written.tokens, [2, 3])
    assert written.log_probability is not None
    np.testing.assert_array_equal(written.log_probability, [-1, -2.5])


@pytest.mark.parametrize(("words", "ends"), [(125, [2]), (126, [1, 2])])
def test_500_words_are_counted_together_and_no_more(words: int, ends: list[int]) -> None:
    line, done = " ".join(["a"] * words), list[int]()
    count([line] * 2, [line] * 2, done.append)
    assert done == ends
