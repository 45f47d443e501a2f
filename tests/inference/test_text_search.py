"""Translations that come as a stream: the same ones, in order, with no more than a window alive."""

import itertools
import weakref
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import nmt
from nmt.alignments.links import Extraction
from nmt.config import SearchSettings
from nmt.errors import InputError
from nmt.inference import text_search
from nmt.inference.translator import Translator
from nmt.results import Translation
from tests.oracles.random_run import ENGLISH


@pytest.fixture(params=["search-words", "encdec-bpe"])
def model(request: pytest.FixtureRequest, random_runs: Path) -> Translator:
    return nmt.load(random_runs / request.param)


def random_texts(seed: int, number: int) -> list[str]:
    """Texts of up to twelve words, some of them blank or unknown."""
    random = np.random.default_rng(seed)
    words = [*ENGLISH, "xylophone"]
    lengths = random.choice([0, 0, *range(1, 13)], number)
    return [" ".join(random.choice(words, length)) + " " * int(random.integers(2)) for length in lengths]


def ids(translation: Translation) -> list[tuple[str, tuple[str, ...]]]:
    return [(h.text, h.tokens) for h in translation.hypotheses]


def test_a_beam_is_as_wide_as_fits_in_memory(model: Translator, monkeypatch: pytest.MonkeyPatch) -> None:
    words = len(model.target.vocabulary)
    monkeypatch.setattr("nmt.inference.text_search._PROBABILITIES", 3 * words + words - 1)
    assert model.translate("a cat", beam=3).best.tokens
    with pytest.raises(InputError, match=r"beam of 4 .* maximum is 3"):
        model.translate("a cat", beam=4)


@pytest.mark.parametrize("seed", range(3))
def test_a_stream_gives_what_all_at_once_and_one_by_one_give(model: Translator, seed: int) -> None:
    texts = random_texts(seed, 9)
    together = model.translate(texts, beam=3, n_best=2)
    alone = [model.translate(text, beam=3, n_best=2) for text in texts]
    assert [ids(t) for t in together] == [ids(t) for t in alone]
    for window in (1, 4, 100):
        done: list[int] = []
        streamed = list(
            model.translate_stream(
                iter(texts), SearchSettings(beam=3, n_best=2), window=window, on_progress=done.append
            )
        )
        assert [t.source for t in streamed] == texts
        assert [ids(t) for t in streamed] == [ids(t) for t in alone]
        assert done == sorted(done)
        assert done[-1] == len(texts)
        for a, b in zip(streamed, alone, strict=True):
            assert a.log_probability == pytest.approx(b.log_probability, abs=1e-4)
            assert (a.alignment is None) == (b.alignment is None)
            if a.alignment is not None and b.alignment is not None:
                np.testing.assert_allclose(a.alignment.weights, b.alignment.weights, atol=1e-5)
    assert all(t.text == "" and not t.best.tokens for t in together if not t.source.strip())
    assert any(not text.strip() for text in texts)


@pytest.mark.parametrize("replace_unk", [False, True])
def test_without_alpha_all_else_is_the_same(random_runs: Path, replace_unk: bool) -> None:
    model = nmt.load(random_runs / "search-words")
    texts = random_texts(7, 12)
    kept = model.translate(texts, beam=4, n_best=4, replace_unk=replace_unk)
    plain = model.translate(texts, beam=4, n_best=4, replace_unk=replace_unk, alpha=False)
    assert [ids(t) for t in kept] == [ids(t) for t in plain]
    assert all(h.alignment is None for t in plain for h in t.hypotheses)
    assert any(h.alignment is not None for t in kept for h in t.hypotheses)
    assert model.translate(texts[1], alpha=False).alignment is None


def test_no_more_than_a_window_is_read_or_alive(random_runs: Path) -> None:
    model = nmt.load(random_runs / "search-words")
    window, read, alive = 5, 0, weakref.WeakSet[Translation]()

    def endless() -> Iterator[str]:
        nonlocal read
        for word in itertools.cycle(["she", "the cat", "a girl reads", ""]):
            read += 1
            yield word

    most = 0
    stream = model.translate_stream(endless(), SearchSettings(beam=2), window=window)
    for given in range(1, 31):
        alive.add(next(stream))
        most = max(most, len(alive))
        assert read <= given - 1 + window
    assert most <= window


def test_texts_that_fail_give_what_came_before_them(model: Translator) -> None:
    def texts() -> Iterator[str]:
        yield from ["she", "the cat sleeps"]
        raise InputError("line 3 is broken")

    stream = model.translate_stream(texts(), SearchSettings(beam=2))
    assert [next(stream).source, next(stream).source] == ["she", "the cat sleeps"]
    with pytest.raises(InputError, match="line 3"):
        next(stream)


def test_settings_are_refused_before_anything_is_read(model: Translator) -> None:
    def texts() -> Iterator[str]:
        raise AssertionError("read too soon")
        yield ""

    with pytest.raises(InputError, match=rf"^{model.name} .*(dictionary\.tsv|\balpha\b)"):
        model.translate_stream(texts(), SearchSettings(replace_unk="dictionary"))


def test_a_window_of_long_sentences_with_alpha_is_a_small_one(
    random_runs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = nmt.load(random_runs / "search-words")
    monkeypatch.setattr(text_search, "WINDOW_COST", 64 * 31 * 8)
    read = {False: 0, True: 0}

    def texts(alpha: bool) -> Iterator[str]:
        for _ in range(30):
            read[alpha] += 1
            yield " ".join(["cat"] * 30)

    for alpha in (False, True):
        next(model.translate_stream(texts(alpha), SearchSettings(beam=1), alpha=alpha))
    assert 1 < read[True] < read[False] < 30


def test_lines_are_tokenised_and_weights_kept_unless_one_says_otherwise(random_runs: Path) -> None:
    model, pair = nmt.load(random_runs / "search-words"), ("The sea.", "La mer.")
    for found in (model.align(*pair), *model.align_stream([pair]), model.posterior(*pair)):
        assert (found.source_words, found.target_words) == ((0, 1, 1, 2), (0, 1, 1, 2))
    assert next(model.translate_stream(["the sea"])).best.alignment is not None


def test_scores_and_alignments_as_a_stream(random_runs: Path) -> None:
    model = nmt.load(random_runs / "search-words")
    sources, targets = random_texts(1, 15), random_texts(2, 15)
    pairs = list(zip(sources, targets, strict=True))
    scored = list(model.score_stream(iter(pairs)))
    assert [s.log_probability for s in scored] == [
        pytest.approx(model.score(*pair).log_probability, abs=1e-4) for pair in pairs
    ]
    plain = list(model.score_stream(iter(pairs), alpha=False))
    assert [s.log_probability for s in plain] == [s.log_probability for s in scored]
    assert all(s.alignment is None for s in plain)
    assert all(s.alignment is not None for s in scored)
    argmax = Extraction("argmax").links
    assert [argmax(a) for a in model.align_stream(iter(pairs))] == [argmax(model.align(*pair)) for pair in pairs]
