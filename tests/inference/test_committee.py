"""Translating with several models, against the scores that each of them gives."""

from pathlib import Path

import pytest

import nmt
from nmt.errors import InputError

SENTENCES = ["the girl reads .", "a cat sleeps on the mat .", "she", ""]


def test_outputs_have_the_mean_of_the_log_probabilities_and_alpha_of_the_first(random_runs: Path) -> None:
    search, encdec = (nmt.load(random_runs / f"{name}-words", precision="fp32") for name in ("search", "encdec"))
    together = search.with_committee([encdec])
    assert together.name == "search-words + encdec-words"
    for translation in together.translate(SENTENCES, beam=4)[:-1]:
        best = translation.best
        written = search.target.encode_tokens(best.tokens)
        scores = [
            sum(forced.token_log_probabilities)
            for model in (search, encdec)
            for forced in model.score_stream([(translation.source, written)])
        ]
        assert best.log_probability == pytest.approx(sum(scores) / 2, abs=1e-3)
        assert best.alignment is not None
    assert (
        search.translate(SENTENCES[0]).best.text
        == nmt.load(random_runs / "search-words").translate(SENTENCES[0]).best.text
    ), "the model itself stays as it was"


def test_a_model_with_itself_is_that_model(random_runs: Path) -> None:
    model = nmt.load(random_runs / "search-bpe")
    alone, together = (each.translate(SENTENCES) for each in (model, model.with_committee([model])))
    assert [translation.text for translation in alone] == [translation.text for translation in together]


def test_models_of_other_vocabularies_are_refused(random_runs: Path) -> None:
    with pytest.raises(InputError, match="search-bpe does not have the languages and vocabularies of search-words"):
        nmt.load(random_runs / "search-words").with_committee([nmt.load(random_runs / "search-bpe")])
