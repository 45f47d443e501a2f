"""Leave-one-out maps against scores asked for one by one, from text that really lacks the word."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

import nmt
from nmt.inference.translator import Translator
from nmt.inspection.maps import maps_by_name, word_scores
from nmt.results import END
from nmt.results.links import LEAVE_ONE_OUT

PAIRS = [
    ("the girl reads .", "la fille lit ."),
    ("a cat sleeps on the mat", "un chat dort"),
    ("she", "elle a jamais vu"),
    ("", "la mer"),
    ("the sea", ""),
]


def word_log_probabilities(model: Translator, source: list[str], target: list[str]) -> NDArray[np.float64]:
    """log p of each target word, pieces together, end mark last, of a pair that is scored alone."""
    read, written = (side.vocabulary.encode(words) for side, words in ((model.source, source), (model.target, target)))
    (score,) = model.score_stream([(read, written)])
    values = np.zeros(len(target) + 1)
    np.add.at(values, list(written.words), score.token_log_probabilities)
    return values


def brute_force(model: Translator, source: list[str], target: list[str]) -> NDArray[np.float64]:
    """The map word by word: [words_y, words_x], both with the end-of-sentence token."""
    whole = word_log_probabilities(model, source, target)
    rows = np.zeros((len(target) + 1, len(source) + 1))
    for j in range(len(source)):
        rows[:, j] = whole - word_log_probabilities(model, source[:j] + source[j + 1 :], target)
    rows = np.where(rows > 0, rows, 0)
    for row in rows:
        if row.sum() == 0:
            row[-1] = 1
        else:
            row /= row.sum()
    return rows


def test_against_brute_force(model: Translator) -> None:
    maps = list(maps_by_name(model, PAIRS, LEAVE_ONE_OUT, pretokenised=True))
    assert len(maps) == len(PAIRS)
    for (source, target), found in zip(PAIRS, maps, strict=True):
        assert found.source == (*source.split(), END)
        assert found.target == (*target.split(), END)
        expected = brute_force(model, source.split(), target.split())
        np.testing.assert_allclose(found.weights, expected, atol=2e-4)
        np.testing.assert_allclose(found.weights.sum(axis=1), 1, atol=1e-5)


def test_some_words_matter_and_some_do_not(model: Translator) -> None:
    """The maps compared above are no trivial ones."""
    maps = maps_by_name(model, PAIRS[:2], LEAVE_ONE_OUT, pretokenised=True)
    weights = np.concatenate([found.weights[:-1, :-1].ravel() for found in maps])
    assert (weights > 0).any()
    assert (weights == 0).any()


def test_untokenised_lines_are_read_as_align_reads_them(random_runs: Path) -> None:
    model = nmt.load(random_runs / "search-bpe")
    line, target = "The girl reads, she sleeps.", "La fille lit, elle dort."
    (found,) = maps_by_name(model, [(line, target)], LEAVE_ONE_OUT, pretokenised=False)
    aligned = model.align(line, target).merged()
    assert (found.source, found.target) == (aligned.source, aligned.target)
    assert (found.source_words, found.target_words) == (aligned.source_words, aligned.target_words)


def test_progress_counts_pairs(random_runs: Path) -> None:
    done: list[int] = []
    list(
        maps_by_name(
            nmt.load(random_runs / "encdec-words"), PAIRS, LEAVE_ONE_OUT, pretokenised=True, on_progress=done.append
        )
    )
    assert done == [1, 2, 3, 4, 5]


def test_pairs_are_read_as_they_are_needed(random_runs: Path) -> None:
    """The first maps come before the last pairs are read."""
    read = 0

    def pairs() -> Iterator[tuple[str, str]]:
        nonlocal read
        while True:
            read += 1
            yield PAIRS[0]

    endless = maps_by_name(nmt.load(random_runs / "encdec-words"), pairs(), LEAVE_ONE_OUT, pretokenised=True)
    assert next(endless).source[-1] == END
    assert read < 10_000


@pytest.mark.parametrize("writes", ["encdec-words", "encdec-bpe"])
def test_words_that_another_model_wrote_have_the_scores_of_the_same_words_typed(
    random_runs: Path, model: Translator, writes: str
) -> None:
    other = nmt.load(random_runs / writes)
    written = other.target.vocabulary.encode("la fille lit la mer .".split())
    read = model.source.encode("the girl reads the sea .")
    expected = word_log_probabilities(model, "the girl reads the sea .".split(), "la fille lit la mer .".split())
    np.testing.assert_allclose(word_scores(model, read, written).log_probabilities, expected[:-1], rtol=0, atol=1e-5)
