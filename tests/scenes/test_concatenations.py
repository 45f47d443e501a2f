"""Stored concatenations: they are what the runs answer, and those that are shipped are of the shipped runs."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from nmt.errors import InputError
from nmt.inference.translator import load
from nmt.runs.fingerprint import Fingerprint, read_fingerprint
from nmt.runs.folder import RunInfo, list_runs, read_run
from nmt.scenes.concatenations import (
    SENTENCES,
    STORED,
    StoredConcatenations,
    beginnings,
    read_concatenations,
)

CHECKPOINTS = Path(__file__).parents[2] / "checkpoints"


@pytest.fixture
def made(stored_results: Path) -> Path:
    return stored_results / STORED.name


@pytest.mark.slow
def test_the_command_stores_what_the_runs_answer(made: Path, random_runs: Path) -> None:
    stored = StoredConcatenations(read_concatenations(made))
    for run in ("search-words", "encdec-bpe"):
        translator, info = load(random_runs / run), read_run(random_runs / run)
        fingerprint, search, sentences = read_fingerprint(info), info.config.search, SENTENCES[info.source_language]
        for source in [*sentences, *beginnings(sentences, info.source_language)]:
            assert stored.text(fingerprint, search, source) == translator.translate(source).text
        assert stored.text(fingerprint, search, sentences[0] + " ") is None
        assert stored.text(fingerprint, search.changed(beam=3), sentences[0]) is None
        assert stored.text(Fingerprint("", fingerprint.text_pipeline, ""), search, sentences[0]) is None


def test_a_broken_file_is_named_and_nothing_is_found(made: Path, tmp_path: Path) -> None:
    (tmp_path / "en.json").write_text((made / "en.json").read_text("utf-8").replace('"alone"', '"apart"'), "utf-8")
    with pytest.raises(InputError, match=r"en\.json"):
        read_concatenations(tmp_path)
    (english,) = read_concatenations(made)
    run = english.systems[0]
    assert StoredConcatenations(()).text(run.fingerprint, run.search, english.sentences[0]) is None


def test_a_folder_without_runs_is_refused(tmp_path: Path) -> None:
    from nmt.scenes.making_concatenations import make_concatenations

    with pytest.raises(InputError, match=rf"^{re.escape(str(tmp_path))} .*\brun\b"):
        make_concatenations(tmp_path)


def test_what_is_shipped_is_of_the_shipped_runs() -> None:
    """Whoever changes a released run has to run `jointly scenes checkpoints` again."""
    runs = {info.name: info for info in list_runs(CHECKPOINTS) if isinstance(info, RunInfo)}
    shipped = {made.source_language: made for made in read_concatenations()}
    assert {*shipped} == {info.source_language for info in runs.values()} & {*SENTENCES}
    for language, found in shipped.items():
        assert {one.run for one in found.systems} == {n for n, info in runs.items() if info.source_language == language}
        assert found.sentences == SENTENCES[language]
        for one in found.systems:
            assert one.fingerprint == read_fingerprint(runs[one.run]), one.run
            assert one.search == replace(runs[one.run].config.search, n_best=1)
            assert len(one.alone) == len(one.together) == len(found.sentences)
            assert one.alone[0] == one.together[0]
