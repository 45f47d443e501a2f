"""Stored scenes: they are what the runs answer, and those that are shipped are of the shipped runs."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest

from nmt.answers.sentences import SENTENCES
from nmt.cli import main
from nmt.inference.translator import load
from nmt.inspection.maps import leave_one_out_of
from nmt.reproduce.released import OPENS_FIRST
from nmt.runs.fingerprint import read_fingerprint
from nmt.runs.folder import RunInfo, list_runs, read_run
from nmt.scenes.scene import StoredResults, read_scenes

CHECKPOINTS = Path(__file__).parents[2] / "checkpoints"


@pytest.mark.slow
def test_the_command_stores_what_the_runs_answer(stored_results: Path, random_runs: Path) -> None:
    scenes = read_scenes(stored_results)
    assert {scene.name for scene in scenes} == {each.name for each in SENTENCES if each.languages == ("en", "fr")}
    stored = StoredResults(scenes)
    sentence = SENTENCES[0].sentence
    for run in ("search-words", "encdec-bpe"):
        translator = load(random_runs / run)
        fingerprint, search = read_fingerprint(read_run(random_runs / run)), translator.search_settings
        live, found = translator.translate(sentence), stored.translation(fingerprint, search, sentence)
        assert found is not None
        assert found.encoded is not None
        assert (found.text, found.encoded, found.best.encoded) == (live.text, live.encoded, live.best.encoded)
        assert found.log_probability == pytest.approx(live.log_probability)
        np.testing.assert_allclose(found.best.token_log_probabilities, live.best.token_log_probabilities, atol=1e-4)
        attribution = stored.leave_one_out(fingerprint, found.encoded, found.best.encoded)
        if live.alignment is not None:
            assert found.alignment is not None
            np.testing.assert_allclose(found.alignment.weights, live.alignment.weights, atol=1e-3)
            np.testing.assert_allclose(found.alignment.weights.sum(axis=1), 1, atol=1e-6)
            assert attribution is None
        else:
            assert attribution is not None
            assert live.encoded is not None
            assert live.best.encoded is not None
            expected = next(iter(leave_one_out_of(translator, [(live.encoded, live.best.encoded)])))
            np.testing.assert_allclose(attribution.weights, expected.weights, atol=1e-4)


def test_what_is_said_of_a_sentence_is_true_of_what_the_app_opens_with() -> None:
    sentences = {each.name: each for each in SENTENCES}
    scenes = read_scenes()
    assert {scene.name for scene in scenes} == set(sentences)
    for scene in scenes:
        written = sentences[scene.name].written
        looking = [system for system in scene.systems if system.alpha is not None]
        shown = [system for system in looking if system.run in OPENS_FIRST] or looking
        assert shown
        assert all(written in system.text for system in shown)


def test_other_settings_sentences_and_weights_are_not_found(stored_results: Path, random_runs: Path) -> None:
    stored = StoredResults(read_scenes(stored_results))
    run = read_run(random_runs / "search-words")
    fingerprint, search = read_fingerprint(run), run.config.search
    sentence = SENTENCES[0].sentence
    assert stored.translation(fingerprint, search, sentence) is not None
    assert stored.translation(fingerprint, search, sentence + " ") is None
    assert stored.translation(fingerprint, search.changed(beam=3), sentence) is None
    assert stored.translation(fingerprint, search.changed(n_best=2), sentence) is None
    other = read_fingerprint(read_run(random_runs / "search-bpe"))
    assert stored.translation(type(other)(other.weights, fingerprint.text_pipeline, ""), search, sentence) is None


def test_a_broken_scene_is_named_by_the_reader(stored_results: Path, tmp_path: Path) -> None:
    data = json.loads((stored_results / "negation.json").read_text("utf-8"))
    data["systems"][0]["log_probability"] = "low"
    (tmp_path / "negation.json").write_text(json.dumps(data), "utf-8")
    with pytest.raises(Exception, match=r"negation\.json"):
        read_scenes(tmp_path)


def test_a_folder_without_runs_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["scenes", str(tmp_path), "--out", str(tmp_path / "out")]) == 2
    assert re.search(rf" {re.escape(str(tmp_path))} .*\brun\b", capsys.readouterr().err)


def test_shipped_scenes_are_of_the_shipped_runs() -> None:
    """Whoever changes a released run has to run `jointly scenes checkpoints` again."""
    runs = {info.name: info for info in list_runs(CHECKPOINTS) if isinstance(info, RunInfo)}
    for scene in read_scenes():
        spoken = (scene.source_language, scene.target_language)
        expected = {name for name, info in runs.items() if (info.source_language, info.target_language) == spoken}
        assert {one.run for one in scene.systems} == expected, scene.name
        for one in scene.systems:
            assert one.fingerprint == read_fingerprint(runs[one.run]), f"{scene.name}, {one.run}"
            assert one.search == runs[one.run].config.search
    pairs = {(info.source_language, info.target_language) for info in runs.values()}
    expected_scenes = {each.name: each.sentence for each in SENTENCES if each.languages in pairs}
    assert {scene.name: scene.sentence for scene in read_scenes()} == expected_scenes
