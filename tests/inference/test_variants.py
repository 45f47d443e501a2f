"""Run folders of models with other units and scores: written, read, used."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import nmt
from nmt.answers.keys import search_key
from nmt.config import ModelConfig
from nmt.errors import InputError
from nmt.inference.text_search import PreparedSteps, score_pairs
from nmt.runs.fingerprint import read_fingerprint
from nmt.runs.folder import CONFIG, read_run, read_settings
from tests.oracles.random_run import random_run
from tests.programs import main

KINDS = pytest.mark.parametrize(
    "variant",
    [
        {"unit": "lstm"},
        {"unit": "reset_after", "score": "general"},
        {"score": "dot"},
        {"score": "concat"},
        {"score": "gaussian"},
        {"state_order": "equation"},
        {"hidden": 16, "unit": "reset_after", "state_order": "equation", "readout": "linear", "start": "both"},
        {"architecture": "rnnencdec", "unit": "lstm"},
        {"architecture": "rnnencdec", "unit": "reset_after"},
    ],
)
SENTENCE = "the girl has never seen the sea"


@KINDS
def test_a_translation_has_the_log_probability_and_alpha_of_its_score(variant: dict[str, Any], tmp_path: Path) -> None:
    model = nmt.load(random_run(tmp_path / "run", **variant))
    best = model.translate(SENTENCE, beam=4).best
    words = model.target.vocabulary
    surfaces = words.tokens(range(len(words)))
    pair = model.source.encode(SENTENCE), words.encode(words.words([surfaces.index(token) for token in best.tokens]))
    (forced,) = score_pairs(PreparedSteps(model.model), [pair], alpha=True)
    assert forced.log_probability == pytest.approx(best.log_probability, abs=1e-4)
    if variant.get("architecture") != "rnnencdec":
        np.testing.assert_allclose(forced.alignment.weights, best.alignment.weights, atol=1e-5)
    else:
        assert best.alignment is None


@KINDS
def test_a_release_translates_as_the_run_does(variant: dict[str, Any], tmp_path: Path) -> None:
    run = random_run(tmp_path / "run", **variant)
    assert main(["release", "publish", str(run), str(tmp_path / "released")]) == 0
    texts = [nmt.load(folder).translate(SENTENCE, beam=4).text for folder in (run, tmp_path / "released")]
    assert texts[0] == texts[1]
    assert read_settings(tmp_path / "released").config.model == read_settings(run).config.model


def test_a_run_folder_from_before_these_settings_is_the_papers_model(tmp_path: Path) -> None:
    run = random_run(tmp_path / "run")
    expected = nmt.load(run).translate(SENTENCE).best.log_probability
    settings = json.loads((run / CONFIG).read_text(encoding="utf-8"))
    for key in ("unit", "score", "encoder"):
        del settings["model"][key]
    (run / CONFIG).write_text(json.dumps(settings), encoding="utf-8")
    assert read_settings(run).config.model.unit == ModelConfig().unit == "gated"
    assert nmt.load(run).translate(SENTENCE).best.log_probability == expected


def test_weights_of_another_unit_are_refused_with_a_sentence(tmp_path: Path) -> None:
    run = random_run(tmp_path / "run", unit="lstm")
    settings = json.loads((run / CONFIG).read_text(encoding="utf-8"))
    settings["model"]["unit"] = "gated"
    (run / CONFIG).write_text(json.dumps(settings), encoding="utf-8")
    with pytest.raises(InputError, match=r"decoder\.C_forget .* no entry"):
        nmt.load(run)


def test_hard_attention_reads_one_word_a_step_and_is_another_search(tmp_path: Path) -> None:
    run = random_run(tmp_path / "run")
    model = nmt.load(run)
    hard = model.search_settings.changed(hard_attention=True)
    soft, best = model.translate(SENTENCE), model.translate(SENTENCE, hard).best
    assert sorted({*best.alignment.weights.ravel().tolist()}) == [0, 1]
    assert (best.alignment.weights.sum(axis=1) == 1).all()
    assert best.log_probability != soft.best.log_probability
    fingerprint = read_fingerprint(read_run(run))
    assert search_key(hard, fingerprint) != search_key(model.search_settings, fingerprint)
    assert "hard_attention" not in search_key(model.search_settings, fingerprint).text()
    with pytest.raises(InputError, match="RNNencdec"):
        nmt.load(random_run(tmp_path / "encdec", "rnnencdec")).translate(SENTENCE, hard_attention=True)
