"""A probe finds what annotations say of the words around, and only that."""

import numpy as np
import pytest
import torch

from experiments.neighbours import by_word_alone, pairs_at, probe


@pytest.mark.parametrize("distance", [-2, 0, 1])
def test_pairs_are_all_words_at_the_distance_that_are_classes(distance: int) -> None:
    random = np.random.default_rng(3)
    sentences = [random.integers(0, 9, random.integers(1, 7)).tolist() for _ in range(20)]
    expected = [
        (number, j, other)
        for number, words in enumerate(sentences)
        for j in range(len(words))
        for k, other in enumerate(words)
        if k - j == distance and other < 5
    ]
    assert pairs_at(sentences, distance, 5) == expected


def test_a_probe_names_the_neighbour_that_is_in_the_annotation_and_no_other() -> None:
    torch.manual_seed(2)
    words = torch.randint(0, 4, (3000,))
    inside = torch.nn.functional.one_hot(words.roll(1), 4).float() @ torch.randn(4, 10) + 0.1 * torch.randn(3000, 10)
    for y, expected in ((words.roll(1), 1.0), (words, 0.25)):
        layer = probe(inside[:2000], y[:2000], 4)
        share = float((layer(inside[2000:]).argmax(1) == y[2000:]).double().mean())
        assert share == pytest.approx(expected, abs=0.06)


def test_a_guess_by_the_word_alone_falls_back_on_the_most_frequent_word() -> None:
    assert by_word_alone([(0, 3), (0, 3), (1, 2)], [(0, 3), (1, 2), (9, 3), (9, 2)]) == 0.75
