"""Between text and ids: [UNK] replaced piece by piece, words counted alike in both directions."""

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

import nmt
from nmt.data.dictionary import Dictionary
from nmt.inference.text_codec import _without_unknown
from nmt.results import END, UNKNOWN, Alignment


def test_only_the_unknown_piece_of_a_word_is_replaced() -> None:
    weights = np.array([[0.1, 0.8, 0.1], [0.1, 0.8, 0.1], [0.1, 0.7, 0.2], [0.6, 0.2, 0.2], [0.0, 0.0, 1.0]])
    alignment = Alignment(
        source=("▁the", "▁Kyoto", END),
        target=("▁l", "a", UNKNOWN, "▁x", END),
        weights=weights,
        source_words=(),
        target_words=(0, 0, 0, 1, 2),
    )
    assert _without_unknown(alignment, Dictionary({})) == ["laKyoto", "x"]
    assert _without_unknown(alignment, Dictionary({"Kyoto": "Tokyo"})) == ["laKyoto", "x"]


def test_a_whole_unknown_word_is_replaced_by_the_entry_of_a_word_never_of_the_end_mark() -> None:
    weights = np.array([[0.1, 0.2, 0.7], [0.6, 0.3, 0.1], [0.0, 0.0, 1.0]])
    alignment = Alignment(source=("the", "Oaks", END), target=(UNKNOWN, UNKNOWN, END), weights=weights)
    assert _without_unknown(alignment, Dictionary({})) == ["Oaks", "the"]
    assert _without_unknown(alignment, Dictionary({"Oaks": "Chênes", "oaks": "chênes"})) == ["Chênes", "the"]
    nothing_read = Alignment(source=(END,), target=(UNKNOWN, END), weights=np.ones((2, 1)))
    assert _without_unknown(nothing_read, Dictionary({"the": "la"})) == [UNKNOWN]


@pytest.mark.parametrize("name", ["search-words", "search-bpe"])
def test_words_of_ids_are_those_of_the_text(name: str, random_runs: Path) -> None:
    vocabulary = nmt.load(random_runs / name).target.vocabulary
    for words in (["la", "fille", "européenne"], ["chat"], [], ["zone", "économique", ".", "la"]):
        encoded = vocabulary.encode(words)
        assert vocabulary.word_indices(encoded.ids) == encoded.words
        assert vocabulary.words(encoded.ids) == words
    free = [3, 5, 0, 7, 2, 1, 9, 0]  # ids as a model may write them, with an end mark in between
    indices = vocabulary.word_indices(free)
    assert indices[0] == 0
    assert all(0 <= b - a <= 1 for a, b in pairwise(indices))
    assert indices[-1] == indices[-2] + 1


@pytest.mark.parametrize("name", ["search-words", "search-bpe", "encdec-bpe"])
def test_what_a_model_wrote_is_encoded_token_by_token(name: str, random_runs: Path) -> None:
    """Also where the vocabulary would have cut the words into other pieces: forced decoding says the same."""
    model = nmt.load(random_runs / name)
    source = model.source.encode("the girl has never seen the sea")
    recut = 0
    for hypothesis in model.translate("the girl has never seen the sea", beam=8, n_best=8).hypotheses:
        encoded = model.target.encode_tokens(hypothesis.tokens)
        assert model.target.vocabulary.tokens(encoded.ids) == encoded.tokens == hypothesis.tokens
        if hypothesis.alignment is not None:
            assert encoded.words == hypothesis.alignment.target_words
        (forced,) = model.score_encoded([(source, encoded)])
        np.testing.assert_allclose(forced.token_log_probabilities, hypothesis.token_log_probabilities, atol=1e-4)
        words = model.target.vocabulary.words(encoded.ids)
        recut += model.target.vocabulary.encode(words).ids != encoded.ids
    assert recut or name == "search-words"
    with pytest.raises(nmt.InputError, match='"xylophone" is not in'):
        model.target.encode_tokens(["xylophone", END])


def test_the_latest_weights_need_no_best_ones(random_runs: Path, tmp_path: Path) -> None:
    import shutil

    run = tmp_path / "run"
    shutil.copytree(random_runs / "search-words", run)
    (run / "model.safetensors").rename(run / "last.safetensors")
    assert nmt.load(run, weights="last").translate("the cat", beam=2).text
    with pytest.raises(nmt.InputError, match=r"model\.safetensors does not exist"):
        nmt.load(run)
