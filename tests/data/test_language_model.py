"""Against the formulas over dictionaries (tests/oracles/ngrams.py), and against the laws of probability."""

import itertools
import math
from collections import Counter

import numpy as np
import pytest

from nmt.data.language_model import END, UNKNOWN, LanguageModel, WordIds
from tests.oracles.ngrams import SlowModel

VOCABULARY = "a b c d e f".split()


def random_text(seed: int, sentences: int, letters: str = "abcdefxy") -> list[list[str]]:
    """Frequent letters come first; x and y are in no vocabulary."""
    random = np.random.default_rng(seed)
    weights = 1 / np.arange(1, len(letters) + 1)
    return [
        random.choice(list(letters), size=random.integers(1, 9), p=weights / weights.sum()).tolist()
        for _ in range(sentences)
    ]


@pytest.mark.parametrize("order", [1, 2, 3, 4])
@pytest.mark.parametrize("sentences", [1, 12, 300])
def test_probabilities_are_those_of_the_formulas(order: int, sentences: int) -> None:
    words = WordIds(VOCABULARY)
    text = random_text(0, sentences)
    model = LanguageModel(words.encode(text), words, order)
    slow = SlowModel(text, VOCABULARY, order)
    new = random_text(1, 40)
    encoded = words.encode(new)
    p = model.probabilities(encoded)
    assert (p[encoded.starts] == 1).all()
    expected = [value for sentence in new for value in (1.0, *slow.sentence(sentence))]
    np.testing.assert_allclose(p, expected, rtol=1e-12)
    entropies = [-math.fsum(map(math.log, slow.sentence(s))) / (len(s) + 1) for s in new]
    np.testing.assert_allclose(model.cross_entropies(encoded), entropies, rtol=1e-12)


def test_discounts_are_estimated_where_the_text_is_large_enough() -> None:
    """Else the comparison above would see the usual ones alone."""
    slow = SlowModel(random_text(0, 300), VOCABULARY, 4)
    assert slow.discounts[3] != [0, 0.5, 1, 1.5]


@pytest.mark.parametrize("order", [1, 2, 3, 4])
def test_probabilities_of_all_words_sum_to_one(order: int) -> None:
    """After every context of up to three words, seen or not, at the beginning of a sentence or in it."""
    words = WordIds(VOCABULARY)
    model = LanguageModel(words.encode(random_text(2, 60)), words, order)
    contexts = [c for n in range(4) for c in itertools.product("abx", repeat=n)]
    continued = [[*context, word] for context in contexts for word in [*VOCABULARY, "unknown"]]
    encoded = words.encode(continued)
    ends = np.append(encoded.starts[1:], len(encoded.tokens))
    p = model.probabilities(encoded)[ends - 2].reshape(len(contexts), -1)
    stopped = words.encode(contexts)
    stop = model.probabilities(stopped)[np.append(stopped.starts[1:], len(stopped.tokens)) - 1]
    np.testing.assert_allclose(p.sum(axis=1) + stop, 1, rtol=1e-12)


def test_sentences_do_not_know_of_each_other() -> None:
    words = WordIds(VOCABULARY)
    model = LanguageModel(words.encode(random_text(3, 50)), words, 4)
    text = random_text(4, 20)
    alone = [model.cross_entropies(words.encode([sentence]))[0] for sentence in text]
    np.testing.assert_allclose(model.cross_entropies(words.encode(text)), alone, rtol=1e-12)


@pytest.mark.parametrize("text", [[[]], [["a"]], [["a"], []]])
def test_sentences_that_are_shorter_than_the_order(text: list[list[str]]) -> None:
    words = WordIds(VOCABULARY)
    model, slow = LanguageModel(words.encode(text), words, 4), SlowModel(text, VOCABULARY, 4)
    for new in ([], ["a", "b", "a", "b"]):
        found = model.probabilities(words.encode([new]))[1:]
        np.testing.assert_allclose(found, slow.sentence(new), rtol=1e-12)


def test_ids() -> None:
    words = WordIds.of_frequent(Counter("aabbbc"), 2)
    encoded = words.encode([["b", "c", "a"], []])
    assert words.predicted == 4
    assert encoded.tokens.tolist() == [words.start, 3, UNKNOWN, 2, END, words.start, END]
    assert encoded.starts.tolist() == [0, 5]


def test_text_like_the_training_text_is_less_surprising() -> None:
    words = WordIds(VOCABULARY)
    model = LanguageModel(words.encode(random_text(5, 200, "abc")), words, 3)
    like, unlike = random_text(6, 50, "abc"), random_text(6, 50, "def")
    assert model.cross_entropies(words.encode(like)).max() < model.cross_entropies(words.encode(unlike)).min()
