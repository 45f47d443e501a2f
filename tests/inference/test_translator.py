"""Text in, records out: every record is held against another way to get it."""

import json
from operator import itemgetter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import nmt
from nmt.alignments.links import Extraction
from nmt.config import SearchSettings
from nmt.errors import InputError
from nmt.inference.text_search import PreparedSteps, score_pairs
from nmt.inference.translator import Translator
from nmt.results import END, UNKNOWN
from nmt.results.record import read_sentence_record

SENTENCES = ["The girl reads, the cat sleeps.", "she", "a cat is on a mat in the sea .", "", "sea sea sea sea"]
PAIRS = [("the girl reads .", "la fille lit ."), ("a cat sleeps on the mat", "un chat dort")]


@pytest.fixture(params=["search-words", "search-bpe", "encdec-words", "encdec-bpe"])
def model(request: pytest.FixtureRequest, random_runs: Path) -> Translator:
    return nmt.load(random_runs / request.param)


@pytest.fixture(params=["search-words", "search-bpe"])
def search(request: pytest.FixtureRequest, random_runs: Path) -> Translator:
    return nmt.load(random_runs / request.param)


def test_alpha_has_a_row_and_a_column_for_each_token_and_rows_sum_to_1(search: Translator) -> None:
    t = search.translate(SENTENCES[0], beam=4)
    assert t.alignment is not None
    assert t.alignment.weights.shape == (len(t.best.tokens), len(t.alignment.source))
    assert t.alignment.source[-1] == t.alignment.target[-1] == END
    np.testing.assert_allclose(t.alignment.weights.sum(axis=1), 1, atol=1e-5)
    merged = t.alignment.merged()
    np.testing.assert_allclose(merged.weights.sum(axis=1), 1, atol=1e-5)
    assert merged.source[:-1] == tuple(search.source.tokenizer.tokenize(SENTENCES[0]))


def test_what_is_shown_of_a_model_says_which_it_is(search: Translator) -> None:
    assert repr(search) == f"<{search.name}: rnnsearch, en to fr>"


def test_a_score_is_that_of_forced_decoding(model: Translator) -> None:
    for hypothesis in model.translate("the girl has never seen the sea", beam=6, n_best=6).hypotheses:
        assert hypothesis.log_probability == pytest.approx(sum(hypothesis.token_log_probabilities), abs=1e-4)
        words = model.target.vocabulary.words(_ids(model, hypothesis.tokens))
        if UNKNOWN in "".join(words) or model.target.vocabulary.encode(words).tokens != hypothesis.tokens:
            continue  # another way to cut the same words into pieces
        pair = model.source.encode("the girl has never seen the sea"), model.target.vocabulary.encode(words)
        (forced,) = score_pairs(PreparedSteps(model.model), [pair], alpha=True)
        assert forced.log_probability == pytest.approx(hypothesis.log_probability, abs=1e-4)
        assert forced.tokens == hypothesis.tokens
        if hypothesis.alignment is not None:
            assert forced.alignment is not None
            np.testing.assert_allclose(forced.alignment.weights, hypothesis.alignment.weights, atol=1e-5)
            assert forced.alignment.target_words == hypothesis.alignment.target_words


def _ids(model: Translator, tokens: tuple[str, ...]) -> list[int]:
    surfaces = model.target.vocabulary.tokens(range(len(model.target.vocabulary)))
    return [surfaces.index(token) for token in tokens]


def test_many_at_once_are_as_one_by_one(model: Translator) -> None:
    together = model.translate(SENTENCES, beam=3, n_best=2)
    done: list[int] = []
    assert list(model.translate_stream(SENTENCES, model.search_settings.changed(beam=3), on_progress=done.append))
    assert done[-1] == 5
    assert sorted(done) == done
    for text, translation in zip(SENTENCES, together, strict=True):
        alone = model.translate(text, beam=3, n_best=2)
        assert translation.source == text
        assert [h.text for h in translation.hypotheses] == [h.text for h in alone.hypotheses]
        assert translation.log_probability == pytest.approx(alone.log_probability, abs=1e-4)
    assert together[3].text == ""


def test_forced_decoding_of_many_is_as_one_by_one(model: Translator) -> None:
    sources, targets = zip(*PAIRS, strict=True)
    for pair, scored in zip(PAIRS, model.score(sources, targets), strict=True):
        assert scored.log_probability == pytest.approx(model.score(*pair).log_probability, abs=1e-4)
        assert scored.log_probability == pytest.approx(sum(scored.token_log_probabilities), abs=1e-4)
    with pytest.raises(InputError, match=r"1 sources.*2 targets"):
        model.score(["a"], ["a", "b"])


@pytest.mark.parametrize("wrong", [3, None, b"the cat", ["the cat", 3], {"the cat"}])
def test_what_is_no_text_is_refused_in_one_sentence(search: Translator, wrong: Any) -> None:
    for ask in (search.translate, lambda text: search.score(text, text), lambda text: search.align(text, text)):
        with pytest.raises(InputError, match="must be a sentence or a list of sentences"):
            ask(wrong)
    for given_a_list in (search.score, search.align):
        with pytest.raises(InputError, match="one sentence"):
            given_a_list("the cat", ["le chat"])  # type: ignore[call-overload]
    assert search.translate([]) == []
    with pytest.raises(InputError, match=r"did you mean search\.beam\?"):
        search.translate("a", bean=5)  # type: ignore[call-overload]
    with pytest.raises(InputError, match="SearchSettings"):
        search.translate("the cat", 5)  # type: ignore[call-overload]
    with pytest.raises(InputError, match="path of its folder"):
        nmt.load(3)  # type: ignore[arg-type]


def test_unknown_words_are_named_and_replaced(random_runs: Path) -> None:
    model = nmt.load(random_runs / "search-words")
    assert model.translate("the xylophone sleeps", beam=2).unknown_words == ("xylophone",)
    found = None
    for text in ("xylophone", "the mat", "zebra never", "she reads xylophone zebra"):
        for hypothesis in model.translate(text, beam=20, n_best=20).hypotheses:
            if UNKNOWN in hypothesis.tokens:
                found = text
    assert found is not None
    forbidden = model.translate(found, beam=20, n_best=20, no_unk=True)
    assert all(UNKNOWN not in h.tokens for h in forbidden.hypotheses)
    plain = model.translate(found, beam=20, n_best=20).hypotheses
    replaced = model.translate(found, beam=20, n_best=20, replace_unk=True).hypotheses
    for before, after in zip(plain, replaced, strict=True):
        assert before.tokens == after.tokens
        assert UNKNOWN not in after.text
        if before.tokens.count(UNKNOWN) == 1 and before.alignment is not None:
            i = before.tokens.index(UNKNOWN)
            likeliest = before.alignment.source[int(before.alignment.weights[i, :-1].argmax())]
            assert likeliest in after.text
    with pytest.raises(InputError, match=r"encdec-words .*\[UNK\]"):
        nmt.load(random_runs / "encdec-words").translate("the", replace_unk=True)


def test_alignment_of_a_pair_counts_whitespace_words(search: Translator) -> None:
    alignment = search.align("The girl's cat, never seen.", "la fille, jamais vu.")
    merged = alignment.merged()
    assert merged.source == ("The", "girl's", "cat,", "never", "seen.", END)
    assert merged.target == ("la", "fille,", "jamais", "vu.", END)
    links = sorted(Extraction("argmax").links(alignment), key=itemgetter(1))
    assert [j for _, j in links] == [0, 1, 2, 3]
    assert all(merged.weights[j, i] == merged.weights[j, :-1].max() for i, j in links)
    tokenised = search.align("the girl 's cat", "la fille", pretokenised=True).merged()
    assert tokenised.source == ("the", "girl", "'s", "cat", END)


def test_an_rnnencdec_has_no_alignment(random_runs: Path) -> None:
    model = nmt.load(random_runs / "encdec-words")
    assert model.translate("the cat").alignment is None
    with pytest.raises(InputError, match=r"^encdec-words .*\balignment\b"):
        model.align("the cat", "le chat")


def test_records_survive_json(search: Translator) -> None:

    t = search.translate("the cat sleeps", beam=3, n_best=2)
    data = json.loads(json.dumps(t.to_dict(), allow_nan=False))
    assert data == t.to_dict()
    record = read_sentence_record(data, "the record")
    assert record == t.record()
    assert [(each.rank, each.text) for each in record.systems] == [*enumerate((h.text for h in t.hypotheses), 1)]
    first = record.systems[0]
    assert (first.name, first.kind, record.source.language, first.language) == (search.name, "rnnsearch", "en", "fr")
    assert t.alignment is not None
    np.testing.assert_allclose(first.maps[0].weights, t.alignment.weights, atol=1e-6)


def test_every_step_can_end_the_search(model: Translator) -> None:
    class Enough(Exception):  # noqa: N818
        pass

    steps: list[tuple[int, int]] = []

    def on_step(done: int, limit: int) -> None:
        steps.append((done, limit))
        if done == 2:
            raise Enough

    with pytest.raises(Enough):
        model.search(SearchSettings(beam=3)).translate([model.read("the girl has never seen the sea")], on_step)
    assert [done for done, _ in steps] == [1, 2]


def test_importing_nmt_and_its_records_loads_no_torch() -> None:
    import subprocess
    import sys

    code = (
        "import sys, nmt; nmt.Alignment, nmt.InputError; import nmt.runs.folder, nmt.charts; "
        "sys.exit('torch' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
