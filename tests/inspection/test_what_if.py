"""Translations steered in words: what was asked is there, and the values are those of forced decoding."""

import dataclasses
from pathlib import Path

import numpy as np
import pytest

import nmt
from nmt.config import SearchSettings
from nmt.errors import InputError
from nmt.inference.translator import Translator
from nmt.inspection.what_if import what_if
from nmt.results import END, UNKNOWN, Hypothesis, Intervention
from tests.oracles.random_run import random_run

TEXT = "The girl has never seen the sea."
INTERVENTIONS = [
    Intervention(prefix="la fille"),
    Intervention(forbidden=("la", "chat")),
    Intervention(forced=((0, "elle"), (12, "européenne"))),
    Intervention(forced=((1, "zone économique"),)),
    Intervention(prefix="la", forbidden=("une",), forced=((9, "chat"),)),
]


@pytest.fixture(scope="module", params=["search-words", "search-bpe"])
def search(request: pytest.FixtureRequest, random_runs: Path) -> Translator:
    return nmt.load(random_runs / request.param)


def words(model: Translator, hypothesis: Hypothesis) -> list[str]:
    return model.target.vocabulary.words(model.target.encode_tokens(hypothesis.tokens).ids)


def check_values(model: Translator, text: str, hypothesis: Hypothesis) -> None:
    """Log-probabilities and alpha are those of forced decoding by the model itself."""
    pair = model.source.encode(text), model.target.encode_tokens(hypothesis.tokens)
    (forced,) = model.score_stream([pair])
    np.testing.assert_allclose(hypothesis.token_log_probabilities, forced.token_log_probabilities, atol=1e-4)
    assert hypothesis.log_probability == pytest.approx(forced.log_probability, abs=1e-3)
    if hypothesis.alignment is not None:
        assert forced.alignment is not None
        np.testing.assert_allclose(hypothesis.alignment.weights, forced.alignment.weights, atol=1e-4)


def test_nothing_laid_down_is_the_plain_translation(model: Translator) -> None:
    for text in (TEXT, "she", "the xylophone sleeps"):
        for no_unk in (False, True):
            plain = model.translate(text, beam=5, n_best=3, no_unk=no_unk, length_penalty=0.5)
            same = what_if(
                model, text, Intervention(), SearchSettings(beam=5, n_best=3, no_unk=no_unk, length_penalty=0.5)
            )
            assert same.to_dict() == plain.to_dict()
            assert same.unknown_words == plain.unknown_words
    assert what_if(model, " ", Intervention(prefix="la")).text == ""


@pytest.mark.parametrize("intervention", INTERVENTIONS, ids=range(len(INTERVENTIONS)))
def test_what_was_asked_is_there_and_costs_what_it_costs(model: Translator, intervention: Intervention) -> None:
    found = what_if(model, TEXT, intervention, SearchSettings(beam=8, n_best=5)).hypotheses
    demands = [(0, intervention.prefix), *intervention.forced]
    for hypothesis in found:
        assert not set(words(model, hypothesis)) & set(intervention.forbidden)
        for step, text in demands:
            assert isinstance(text, str)
            asked = model.target.vocabulary.encode(text.split()).tokens[:-1]
            end = step + len(asked)
            assert hypothesis.tokens[step:end] == asked
            following = hypothesis.tokens[end]
            assert model.target.vocabulary.kind == "words" or not asked or following[0] == "▁" or following == END
        check_values(model, TEXT, hypothesis)
    scores = [h.score for h in found]
    assert scores == sorted(scores, reverse=True)


def test_what_is_forbidden_was_there_before(random_runs: Path) -> None:
    """The first words of the plain translation, one by one; of pieces, too."""
    for name in ("search-words", "search-bpe", "encdec-bpe"):
        model = nmt.load(random_runs / name)
        vocabulary, tried = model.target.vocabulary, 0
        for word in dict.fromkeys(words(model, model.translate(TEXT, beam=8).best)):
            if UNKNOWN in word or model.target.tokenizer.tokenize(word) != [word] or 1 in vocabulary.ids([word]):
                continue
            tried += 1
            if tried > 3:
                break
            for hypothesis in what_if(
                model, TEXT, Intervention(forbidden=(word,)), SearchSettings(beam=8, n_best=4)
            ).hypotheses:
                assert word not in words(model, hypothesis)
                check_values(model, TEXT, hypothesis)
        assert tried, name


def test_the_tokens_of_its_own_translation_change_nothing(model: Translator) -> None:
    plain = model.translate(TEXT, beam=1).best
    for length in (0, 1, 3, len(plain.tokens) - 1):
        again = what_if(model, TEXT, Intervention(prefix=plain.tokens[:length]), SearchSettings(beam=1)).best
        assert again.tokens[: len(plain.tokens) - 1] == plain.tokens[:-1]
        if len(plain.tokens) <= 2 * (len(model.source.encode(TEXT).ids) - 1) + 10:  # the model ended it by itself
            assert again.to_dict() == plain.to_dict()


def test_a_prefix_may_end_within_a_word_if_it_is_given_in_tokens(random_runs: Path) -> None:
    model = nmt.load(random_runs / "search-bpe")
    ids = model.target.encode("fille").ids
    tokens = model.target.vocabulary.tokens(ids[:1])
    assert len(ids) > 2, "a word of several pieces"
    given = what_if(model, TEXT, Intervention(prefix=tokens), SearchSettings(beam=30, n_best=30)).hypotheses
    assert all(h.tokens[:1] == tokens for h in given)
    assert any(not h.tokens[1].startswith("▁") and h.tokens[1] != END for h in given)


def test_a_word_that_is_laid_down_may_lie_beyond_the_usual_end(model: Translator) -> None:
    begin = ["la", "fille", "lit"] * 8
    found = what_if(model, "she", Intervention(prefix=" ".join(begin)), SearchSettings(beam=4)).best
    assert words(model, found)[:24] == begin
    check_values(model, "she", found)
    far = what_if(model, "she", Intervention(forced=((40, "mer"),)), SearchSettings(beam=4)).best
    asked = model.target.vocabulary.encode(["mer"]).tokens[:-1]
    assert far.tokens[40 : 40 + len(asked)] == asked


def test_unk_can_be_forbidden_and_in_words_forced(random_runs: Path) -> None:
    for name in ("search-words", "encdec-bpe"):
        model = nmt.load(random_runs / name)
        forbidden = what_if(model, "xylophone", Intervention(forbidden=(UNKNOWN,)), SearchSettings(beam=12, n_best=12))
        assert forbidden.to_dict() == model.translate("xylophone", beam=12, n_best=12, no_unk=True).to_dict()
    model = nmt.load(random_runs / "search-words")
    forced = what_if(
        model, TEXT, Intervention(prefix="la [UNK]", forced=((3, "lit [UNK]"),)), SearchSettings(beam=6, n_best=3)
    )
    for hypothesis in forced.hypotheses:
        assert hypothesis.tokens[:2] == ("la", UNKNOWN)
        assert hypothesis.tokens[3:5] == ("lit", UNKNOWN)
        check_values(model, TEXT, hypothesis)
    replaced = what_if(model, TEXT, Intervention(prefix="la [UNK]"), SearchSettings(beam=6, replace_unk="copy"))
    assert UNKNOWN not in replaced.text


def test_moved_weights_are_used_and_shown(search: Translator) -> None:
    """Over source words, of any sum, in steps 1 and 2; what comes before is as it was."""
    plain = search.translate(TEXT, beam=1).best
    assert plain.alignment is not None
    sources = plain.alignment.merged().source
    row = tuple(float(k == 3) + 0.5 * (k == 0) for k in range(len(sources)))
    moved = what_if(search, TEXT, Intervention(weights=((1, row), (2, row))), SearchSettings(beam=1)).best
    assert moved.alignment is not None
    by_word = dataclasses.replace(
        moved.alignment, target_words=tuple(range(len(moved.tokens)))
    ).merged()  # columns merged, rows not
    np.testing.assert_allclose(by_word.weights[1:3], [np.array(row) / 1.5] * 2, atol=1e-6)
    assert moved.tokens[0] == plain.tokens[0]
    assert moved.token_log_probabilities[0] == plain.token_log_probabilities[0]
    np.testing.assert_array_equal(moved.alignment.weights[0], plain.alignment.weights[0])
    pair = search.source.encode(TEXT), search.target.encode_tokens(moved.tokens)
    (forced,) = search.score_stream([pair])
    assert abs(moved.token_log_probabilities[1] - forced.token_log_probabilities[1]) > 1e-3


def test_its_own_weights_change_nothing_over_words_and_over_tokens(search: Translator) -> None:
    plain = search.translate(TEXT, beam=1).best
    assert plain.alignment is not None
    over_words = dataclasses.replace(plain.alignment, target_words=tuple(range(len(plain.tokens)))).merged()
    if search.target.vocabulary.kind != "words":
        assert over_words.weights.shape[1] < plain.alignment.weights.shape[1]
    for weights in (plain.alignment.weights, over_words.weights):
        rows = tuple((step, tuple(3 * float(a) for a in row)) for step, row in enumerate(weights))
        again = what_if(search, TEXT, Intervention(weights=rows), SearchSettings(beam=1)).best
        assert again.tokens == plain.tokens
        np.testing.assert_allclose(again.token_log_probabilities, plain.token_log_probabilities, atol=1e-4)
        assert again.alignment is not None
        np.testing.assert_allclose(again.alignment.weights, plain.alignment.weights, atol=1e-5)


@pytest.mark.parametrize("unit", ["lstm", "reset_after"])
@pytest.mark.parametrize("score", ["additive", "general"])
def test_other_units_and_scores_are_steered_too(unit: str, score: str, tmp_path: Path) -> None:
    model = nmt.load(random_run(tmp_path / "run", unit=unit, score=score))  # type: ignore[arg-type]
    length = len(model.source.encode(TEXT).ids)
    row = tuple(float(k == 2) for k in range(length))
    for intervention in INTERVENTIONS:
        check_values(model, TEXT, what_if(model, TEXT, intervention, SearchSettings(beam=3)).best)
        moved = what_if(
            model, TEXT, dataclasses.replace(intervention, weights=((0, row),)), SearchSettings(beam=3)
        ).best
        assert moved.alignment is not None
        np.testing.assert_allclose(moved.alignment.weights[0], row, atol=1e-6)


def test_progress_and_its_end(model: Translator) -> None:
    steps: list[tuple[int, int]] = []
    what_if(model, TEXT, Intervention(), SearchSettings(beam=2), on_step=lambda *step: steps.append(step))
    assert [done for done, _ in steps] == list(range(1, len(steps) + 1))


def test_equal_interventions_are_one_key() -> None:
    one, other = (
        Intervention(prefix="la", forbidden=("x",), forced=((1, "y"),), weights=((0, (1.0, 2.0)),)) for _ in range(2)
    )
    assert {one: 1}[other] == 1


@pytest.mark.parametrize(
    ("intervention", "message"),
    [
        (Intervention(prefix="la xylophone"), '"xylophone"'),
        (Intervention(forbidden=("xylophone",)), '"xylophone"'),
        (Intervention(forced=((1, "xylophone"),)), '"xylophone"'),
        (Intervention(prefix=("la", "xylophone")), '"xylophone"'),
        (Intervention(prefix=("la", END)), "prefix .*end-of-sentence"),
        (Intervention(forbidden=("la fille",)), '"la fille" .*2 words'),
        (Intervention(forbidden=(" ",)), "blank"),
        (Intervention(forced=((1, ""),)), "blank"),
        (Intervention(prefix="la fille", forced=((1, "chat"),)), "target token 1"),
        (Intervention(forced=((-1, "chat"),)), "-1"),
        (Intervention(forced=((2, "chat"), (1, "la fille"))), "target token 2"),
        (Intervention(prefix="la fille", forbidden=("fille",)), '"fille"'),
        (Intervention(prefix=("la", "fille"), forbidden=("fille",)), '"fille"'),
        (Intervention(forced=((1, "fille"),), forbidden=("fille",)), '"fille"'),
        (Intervention(weights=((1, (1.0, 2.0)),)), "2 numbers.*9 words.*9 tokens"),
        (Intervention(weights=((1, (0.0,) * 9),)), r"weights .*\b0\b.*sum"),
        (Intervention(weights=((1, (-1.0,) * 9),)), r"weights .*\b0$"),
        (Intervention(weights=((-1, (1.0,) * 9),)), "target token -1"),
        (Intervention(weights=((1, (1.0,) * 9), (1, (1.0,) * 9))), "target token 1 "),
    ],
)
def test_what_cannot_be_is_said_in_one_sentence(intervention: Intervention, message: str, random_runs: Path) -> None:
    with pytest.raises(InputError, match=message) as raised:
        what_if(nmt.load(random_runs / "search-words"), TEXT, intervention)
    assert "\n" not in str(raised.value)


def test_what_some_models_cannot(random_runs: Path) -> None:
    with pytest.raises(InputError, match=r"encdec-words .*weights"):
        what_if(nmt.load(random_runs / "encdec-words"), TEXT, Intervention(weights=((0, (1.0,) * 9),)))
    with pytest.raises(InputError, match=r"\[UNK\]"):
        what_if(nmt.load(random_runs / "search-words"), TEXT, Intervention(prefix="[UNK]"), SearchSettings(no_unk=True))
    pieces = nmt.load(random_runs / "search-bpe")
    with pytest.raises(InputError, match=r"search-bpe .*\[UNK\]"):
        what_if(pieces, TEXT, Intervention(forced=((0, "[UNK]"),)))
    with pytest.raises(InputError, match=r'search-bpe .*"QQQ"'):
        what_if(pieces, TEXT, Intervention(forbidden=("QQQ",)))


def test_a_blocked_word_gets_no_weight_and_the_rest_is_a_softmax_over_the_other_energies(model: Translator) -> None:
    """At the first step, where the state is that of the free search; for every word, and for two."""
    if not model.has_alignment:
        with pytest.raises(InputError, match="no attention"):
            what_if(model, TEXT, Intervention(blocked=(0,)))
        return
    text = TEXT
    free = model.translate(text, beam=1).best
    assert free.alignment is not None
    words = free.alignment.source_words
    for left_out in ((0,), (2,), (1, 3)):
        best = what_if(model, text, Intervention(blocked=left_out), SearchSettings(beam=1)).best
        assert best.alignment is not None
        tokens = [k for k, word in enumerate(words) if word in left_out]
        assert not best.alignment.weights[:, tokens].any()
        assert best.alignment.weights.sum(axis=1) == pytest.approx(1, abs=1e-5)
        expected = np.delete(free.alignment.weights[0], tokens)
        assert np.delete(best.alignment.weights[0], tokens) == pytest.approx(expected / expected.sum(), abs=1e-5)
    for wrong in ((len(set(words)) - 1,), (-1,)):
        with pytest.raises(InputError, match="left out"):
            what_if(model, text, Intervention(blocked=wrong))
