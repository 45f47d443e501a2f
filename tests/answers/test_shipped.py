"""Answers that come with the program: they are what the runs answer, and those that are shipped are of the shipped
runs."""

import base64
import json
import re
import shutil
import zlib
from dataclasses import replace
from pathlib import Path

import jsonschema
import numpy as np
import pytest

from nmt.answers.keys import DOUBTS, LEAVE_ONE_OUT, STEPS, SearchKey, leave_one_out_key, search_key, steps_key
from nmt.answers.shipped import (
    CONCATENATED,
    PRECISION,
    SENTENCES,
    ShippedAnswers,
    ShippedFile,
    beginnings,
    read_shipped,
)
from nmt.config import SearchSettings
from nmt.errors import InputError
from nmt.inference.translator import load
from nmt.inspection.maps import leave_one_out_of
from nmt.inspection.steps import translate_with_steps
from nmt.released import INSIDE, OPENS_FIRST
from nmt.results import Alignment, TranslationWithSteps, record
from nmt.runs.fingerprint import Fingerprint, read_fingerprint
from nmt.runs.folder import RunInfo, list_runs, read_run
from tests.programs import Commands, main

CHECKPOINTS = Path(__file__).parents[2] / "checkpoints"
SCHEMA = Path(record.__file__).with_name("record.schema.json")
SENTENCE = SENTENCES[0].sentence
RUNS = ("search-words", "encdec-bpe")


@pytest.fixture(scope="module")
def made(random_runs: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What `scenes` writes for two runs."""
    runs, out = tmp_path_factory.mktemp("runs"), tmp_path_factory.mktemp("answers")
    for run in RUNS:
        shutil.copytree(random_runs / run, runs / run)
    assert main(["release", "scenes", str(runs), "--out", str(out), "--json"]) == 0
    return out


@pytest.fixture(scope="module")
def answers(made: Path) -> ShippedAnswers:
    return ShippedAnswers(read_shipped(made))


def of(run: Path) -> tuple[Fingerprint, SearchSettings, SearchKey]:
    info = read_run(run)
    fingerprint = read_fingerprint(info)
    return fingerprint, info.config.search, search_key(info.config.search, fingerprint)


@pytest.mark.slow
@pytest.mark.parametrize("name", RUNS)
def test_translations_are_those_of_the_run(answers: ShippedAnswers, random_runs: Path, name: str) -> None:
    model = load(random_runs / name, precision=PRECISION)
    fingerprint, _, key = of(random_runs / name)
    for each in SENTENCES:
        found = answers.find_whole(key, each.sentence)
        if each.languages != ("en", "fr"):
            assert found is None
            continue
        live = model.translate(each.sentence)
        assert found is not None
        assert found.encoded is not None
        assert found.best.encoded is not None
        assert (found.text, found.encoded, found.best.encoded) == (live.text, live.encoded, live.best.encoded)
        assert found.log_probability == pytest.approx(live.log_probability)
        np.testing.assert_allclose(found.best.token_log_probabilities, live.best.token_log_probabilities, atol=1e-5)
        pair = (found.encoded, found.best.encoded)
        attribution = answers.find_record(LEAVE_ONE_OUT, leave_one_out_key(fingerprint, *pair), Alignment)
        if live.alignment is not None:
            assert found.alignment is not None
            np.testing.assert_allclose(found.alignment.weights, live.alignment.weights, atol=1e-6)
            assert attribution is None
        else:
            assert attribution is not None
            (expected,) = leave_one_out_of(model, [pair])
            np.testing.assert_allclose(attribution.weights, expected.weights, atol=1e-5)


@pytest.mark.slow
@pytest.mark.parametrize("name", RUNS)
def test_concatenated_sentences_have_their_texts(answers: ShippedAnswers, random_runs: Path, name: str) -> None:
    model, sentences = load(random_runs / name, precision=PRECISION), CONCATENATED["en"]
    *_, key = of(random_runs / name)
    sources = [*sentences, *beginnings(sentences, "en")]
    found = answers.find(key, [*sources, "another"])
    assert {source: each.text for source, each in found.items()} == {s: model.translate(s).text for s in sources}
    assert answers.find_whole(key, sources[0]) is None


@pytest.mark.parametrize("name", RUNS)
def test_the_steps_are_those_of_the_runs(answers: ShippedAnswers, random_runs: Path, name: str) -> None:
    fingerprint, search, _ = of(random_runs / name)
    search = search.changed(n_best=1, replace_unk=False)
    found = answers.find_record(STEPS, steps_key(fingerprint, search, SENTENCE), TranslationWithSteps)
    assert found is not None
    live = translate_with_steps(load(random_runs / name, precision=PRECISION), SENTENCE, search)
    assert (found.source, found.target) == (live.source, live.target)
    ours, theirs = found.steps, live.steps
    assert (ours.text, ours.attends, ours.hidden) == (theirs.text, theirs.attends, theirs.hidden)
    np.testing.assert_allclose(ours.annotations, theirs.annotations, atol=1e-3)
    for one, other in zip(ours.steps, theirs.steps, strict=True):
        for vector in ("state", "context", "maxout", "energies", "alpha", "update_gate", "next_state"):
            stored, computed = getattr(one, vector), getattr(other, vector)
            assert (stored is None) == (computed is None), vector
            if stored is not None:
                np.testing.assert_allclose(stored, computed, atol=2e-3, rtol=1e-3, err_msg=vector)
        assert (one.log_probability, one.rank, one.next_tokens) == (
            other.log_probability,
            other.rank,
            other.next_tokens,
        )


def test_other_settings_sentences_and_weights_are_not_found(answers: ShippedAnswers, random_runs: Path) -> None:
    fingerprint, search, key = of(random_runs / RUNS[0])
    assert answers.find_whole(key, SENTENCE) is not None
    assert answers.find_whole(key, SENTENCE + " ") is None
    assert answers.find_whole(key, SENTENCE, n_best=2) is None
    for other in (
        replace(key, beam=3),
        replace(key, weights=""),
        replace(key, text_pipeline=""),
        replace(key, no_unk=True),
    ):
        assert answers.find_whole(other, SENTENCE) is None
        assert not answers.find(other, [SENTENCE])
    assert answers.find_record(STEPS, steps_key(fingerprint, search.changed(beam=3), SENTENCE), Alignment) is None


def test_they_are_found_on_every_machine(answers: ShippedAnswers, random_runs: Path) -> None:
    """Whatever it would compute with; the file says what they were computed with."""
    *_, key = of(random_runs / RUNS[0])
    elsewhere = replace(key, precision="bf16", kernel="cuda")
    here, there = answers.find_whole(key, SENTENCE), answers.find_whole(elsewhere, SENTENCE)
    assert here is not None
    assert there is not None
    assert (here.text, here.log_probability) == (there.text, there.log_probability)
    assert {file.precision for file in read_shipped()} == {"fp32"}


@pytest.mark.parametrize(
    ("before", "after"), [('"precision"', '"accuracy"'), ('"body":"', '"body":"%'), ('"format":1', '"format":2')]
)
def test_a_broken_file_is_named(made: Path, tmp_path: Path, before: str, after: str) -> None:
    text = (made / "encdec-bpe.json").read_text("utf-8")
    (tmp_path / "encdec-bpe.json").write_text(text.replace(before, after), "utf-8")
    with pytest.raises(InputError, match="encdec-bpe"):
        ShippedAnswers(read_shipped(tmp_path))
    assert ShippedAnswers(()).find(of(CHECKPOINTS / "rnnsearch-50")[2], [SENTENCE]) == {}


def test_a_folder_without_runs_is_refused(tmp_path: Path, cli: Commands) -> None:
    assert re.search(
        rf" {re.escape(str(tmp_path))} .*\brun\b",
        cli.refused("release", "scenes", str(tmp_path), "--out", str(tmp_path / "out")),
    )


def test_what_is_shipped_is_of_the_shipped_runs() -> None:
    """Whoever changes a released run has to run `python -m release scenes checkpoints` again."""
    runs = {info.name: info for info in list_runs(CHECKPOINTS) if isinstance(info, RunInfo)}
    files = {file.run: file for file in read_shipped()}
    answers = ShippedAnswers(files.values())
    with_steps = []
    for name, info in runs.items():
        fingerprint, search, key = of(info.path)
        languages = (info.source_language, info.target_language)
        whole = {each.sentence for each in SENTENCES if each.languages == languages}
        sentences = CONCATENATED.get(info.source_language, ())
        concatenated = {*sentences, *beginnings(sentences, info.source_language)}
        if not whole | concatenated:
            assert name not in files
            continue
        assert set(answers.find(key, whole | concatenated)) == whole | concatenated, name
        groups = [json.dumps(answer.group, sort_keys=True) for answer in files.pop(name).answers]
        assert set(groups) - {f'{{"kind": "{kind}"}}' for kind in (LEAVE_ONE_OUT, STEPS, DOUBTS)} == {
            replace(key, precision="", kernel="").text()
        }
        if name in (*OPENS_FIRST, INSIDE):  # whose translations of concatenated sentences are shown with alpha
            assert all(answers.find_whole(key, text) for text in concatenated)
        for sentence in whole:
            found = answers.find_whole(key, sentence)
            assert found is not None
            assert found.encoded is not None
            assert found.best.encoded is not None
            missing = leave_one_out_key(fingerprint, found.encoded, found.best.encoded)
            stands_in = answers.find_record(LEAVE_ONE_OUT, missing, Alignment)
            assert (stands_in is None) == (found.alignment is not None), name
        kept = search.changed(n_best=1, replace_unk=False)
        if answers.find_record(STEPS, steps_key(fingerprint, kept, SENTENCE), TranslationWithSteps) is not None:
            with_steps.append(name)
    assert not files
    assert {*with_steps} == {*OPENS_FIRST, INSIDE}


def test_what_is_stored_of_a_translation_is_its_record() -> None:
    schema = jsonschema.Draft202012Validator(json.loads(SCHEMA.read_text("utf-8")))
    stored = [each for file in read_shipped() for each in file.answers if each.body and "weights" in each.group]
    for answer in stored:
        body = json.loads(zlib.decompress(base64.b64decode(answer.body)))
        schema.validate(body["record"])
        (system,) = body["record"]["systems"]
        assert (body["record"]["source"]["text"], system["name"]) == (answer.name, "")
        assert list(map(len, body["ids"])) == [len(system[side]["tokens"]) for side in ("source", "target")]
    assert stored


def test_what_is_said_of_a_sentence_is_true_of_what_the_app_opens_with() -> None:
    def texts(file: ShippedFile) -> dict[str, str]:
        return {answer.name: answer.head["text"] for answer in file.answers if answer.head is not None}

    attending = {file.run: texts(file) for file in read_shipped() if read_run(CHECKPOINTS / file.run).has_alignment}
    for each in SENTENCES:
        looking = {run: found[each.sentence] for run, found in attending.items() if each.sentence in found}
        shown = {run: text for run, text in looking.items() if run in (*OPENS_FIRST, INSIDE)} or looking
        assert shown
        assert all(each.written in text for text in shown.values()), each.name
