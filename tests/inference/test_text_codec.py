"""Between text and ids: [UNK] replaced piece by piece, words counted alike in both directions."""

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

import nmt
from nmt.inference.text_codec import without_unknown
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
    assert without_unknown(alignment, {}) == ["laKyoto", "x"]
    assert without_unknown(alignment, {"Kyoto": "Tokyo"}) == ["laKyoto", "x"]


def test_a_spelled_unknown_word_is_replaced_as_a_whole() -> None:
    alignment = Alignment(
        source=("▁€", END),
        target=("▁[", "▁UN", "K", "▁]", "▁", "▁euros", END),
        weights=np.array([[1.0, 0.0]] * 6 + [[0.0, 1.0]]),
        target_words=(0, 0, 0, 0, 1, 1, 2),
    )
    assert without_unknown(alignment, {}) == ["€", "euros"]
    assert without_unknown(alignment, {"€": "euro"}) == ["euro", "euros"]


def test_a_whole_unknown_word_is_replaced_by_the_entry_of_a_word_never_of_the_end_mark() -> None:
    weights = np.array([[0.1, 0.2, 0.7], [0.6, 0.3, 0.1], [0.0, 0.0, 1.0]])
    alignment = Alignment(source=("the", "Oaks", END), target=(UNKNOWN, UNKNOWN, END), weights=weights)
    assert without_unknown(alignment, {}) == ["Oaks", "the"]
    assert without_unknown(alignment, {"Oaks": "Chênes", "oaks": "chênes"}) == ["Chênes", "the"]
    nothing_read = Alignment(source=(END,), target=(UNKNOWN, END), weights=np.ones((2, 1)))
    assert without_unknown(nothing_read, {"the": "la"}) == [UNKNOWN]


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
        (forced,) = model.score_stream([(source, encoded)])
        np.testing.assert_allclose(forced.token_log_probabilities, hypothesis.token_log_probabilities, atol=1e-4)
        words = model.target.vocabulary.words(encoded.ids)
        recut += model.target.vocabulary.encode(words).ids != encoded.ids
    assert recut or name == "search-words"
    with pytest.raises(nmt.InputError, match='"xylophone"'):
        model.target.encode_tokens(["xylophone", END])


def test_a_translation_with_unk_used_as_a_typed_target_has_the_log_probability_of_the_search(
    random_runs: Path,
) -> None:
    model = nmt.load(random_runs / "search-words")
    found = 0
    for sentence in ("the girl has never seen the sea", "a cat sleeps", "she reads", "the cat is on the mat ."):
        for hypothesis in model.translate(sentence, beam=12, n_best=12).hypotheses:
            read = model.target.encode(hypothesis.text)
            if UNKNOWN in hypothesis.tokens and read.tokens == hypothesis.tokens:
                found += 1
                forced = model.score(sentence, hypothesis.text)
                assert forced.log_probability == pytest.approx(hypothesis.log_probability, abs=1e-4)
                assert model.align(sentence, hypothesis.text).target == hypothesis.tokens
    assert found > 5


def test_the_text_of_tokens_with_unk_is_scored_as_the_tokens_are(random_runs: Path) -> None:
    model = nmt.load(random_runs / "encdec-words")
    source = model.source.encode("the cat reads")
    for words in (["la", UNKNOWN, "dort", "."], [UNKNOWN], ["une", UNKNOWN, ",", UNKNOWN, "a", "vu", "la", UNKNOWN]):
        written = model.target.encode_tokens([*words, END])
        (expected,) = model.score_stream([(source, written)])
        text = model.target.tokenizer.detokenize(words)
        assert model.score("the cat reads", text).log_probability == pytest.approx(expected.log_probability, abs=1e-4)
        spelled = model.score("the cat reads", text.replace(UNKNOWN, "[ UNK ]"))
        assert abs(spelled.log_probability - expected.log_probability) > 0.1


@pytest.mark.parametrize("kind", ["words", "bpe"])
def test_unk_in_a_target_is_the_unknown_word_and_in_a_source_it_is_text(kind: str, random_runs: Path) -> None:
    model = nmt.load(random_runs / f"search-{kind}")
    encoded = model.target.encode("la [UNK] dort, une [UNK].")
    assert encoded.ids.count(1) == 2
    assert model.target.vocabulary.words(encoded.ids)[1] == UNKNOWN
    assert encoded.tokens.count(UNKNOWN) == 2
    line = model.target.encode_line("la [UNK] dort, une [UNK].", False)
    assert line.ids == encoded.ids
    assert max(line.words) == 5
    assert model.target.encode_line("la [UNK] dort , une [UNK] .", True).ids == encoded.ids
    assert UNKNOWN not in model.source.encode("the [UNK] sleeps").tokens


def test_what_another_model_wrote_is_handed_over_word_by_word(random_runs: Path) -> None:
    words, pieces = (nmt.load(random_runs / f"search-{kind}").target for kind in ("words", "bpe"))
    given = words.encode_tokens(["la", UNKNOWN, "fille", ".", END])
    there = pieces.encode_output(given)
    assert pieces.vocabulary.words(there.ids) == ["la", UNKNOWN, "fille", "."]
    assert there.ids.count(1) == 1
    back = words.encode_output(there)
    assert back.ids == given.ids
    recut = pieces.encode_tokens(["▁", "l", "a", "▁", "f", "i", "l", "l", "e", END])
    assert pieces.encode_output(recut) == recut
    assert pieces.vocabulary.encode(["la", "fille"]).ids != recut.ids
    assert words.vocabulary.words(words.encode_output(recut).ids) == ["la", "fille"]


def test_the_latest_weights_need_no_best_ones(random_runs: Path, tmp_path: Path) -> None:
    import shutil

    run = tmp_path / "run"
    shutil.copytree(random_runs / "search-words", run)
    (run / "model.safetensors").rename(run / "last.safetensors")
    assert nmt.load(run, weights="last").translate("the cat", beam=2).text
    with pytest.raises(nmt.InputError, match=r"model\.safetensors"):
        nmt.load(run)
