"""What the server keeps for all sessions."""

import re
import shutil
from pathlib import Path
from typing import Any

import pytest
import streamlit as st

from nmt.answers.request import LOADING
from nmt.runs.folder import RunInfo
from nmt.ui import checkpoints, resources
from nmt.ui.resources import in_script_run, load_snapshot, load_translator, once_a_run, script_run, word_counts
from tests.answers.onlooker import Onlooker
from tests.ui.opened import opened

APP = Path(__file__).parents[2] / "app.py"


def test_the_checkpoints_used_last_stay_loaded_and_the_others_do_not(
    runs: Path, write_run: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[str] = []
    monkeypatch.setattr("nmt.ui.resources.read_translator", lambda run: read.append(run.name))
    listed: list[RunInfo] = [write_run(runs / f"run-{number}") for number in range(8)]
    st.cache_resource.clear()

    def use(run: RunInfo) -> list[str]:
        read.clear()
        load_translator(run, Onlooker())
        return list(read)

    silent = Onlooker()
    load_translator(listed[0], silent)
    assert silent.stages == [(LOADING, 0)]
    st.cache_resource.clear()
    assert [use(run) for run in listed] == [[run.name] for run in listed]
    assert [use(run) for run in listed[-4:]] == [[]] * 4
    assert use(listed[3]) == [listed[3].name]
    assert [use(run) for run in (*listed[5:], listed[4])] == [[], [], [], [listed[4].name]]


def test_so_many_steps_of_a_training_stay_loaded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[int] = []
    monkeypatch.setattr("nmt.ui.resources.read_translator", lambda run, update: read.append(update))
    st.cache_resource.clear()
    for update in (*range(33), *range(1, 33), 0):
        load_snapshot(tmp_path, update, 1)
    assert read == [*range(33), 0]
    load_snapshot(tmp_path, 0, 2)
    assert read[33:] == [0, 0]


def test_words_are_counted_where_their_file_is_whole(runs: Path, write_run: Any) -> None:
    run: RunInfo = write_run(runs / "search")
    assert word_counts(run) is None
    shutil.copy(APP.parent / "checkpoints" / "scrubber-128" / "source.word-counts", run.path)
    counts = word_counts(run)
    assert counts is not None
    shutil.copy(APP.parent / "checkpoints" / "scrubber-128" / "provenance.json", run.path)
    said = (run.path / "provenance.json").read_text()
    for pairs, expected in ((1_999, None), (2_000, counts)):
        (run.path / "provenance.json").write_text(re.sub('(?<="pairs_per_epoch": )[0-9]+', str(pairs), said))
        word_counts.clear()
        assert word_counts(run) == expected
    (run.path / "source.word-counts").write_bytes(b"junk")
    assert word_counts(run) is None


def test_a_run_of_a_page_looks_up_once_and_the_next_run_again() -> None:
    asked: list[tuple[str, int]] = []

    @once_a_run
    def look_up(name: str, number: int = 0) -> str:
        asked.append((name, number))
        if name == "missing":
            raise FileNotFoundError(name)
        return f"{name}{number}"

    with script_run():
        assert in_script_run()
        assert [look_up("a"), look_up("a"), look_up("a", 1), look_up("a", number=2), look_up("b")] == [
            *("a0", "a0", "a1", "a2", "b0")
        ]
        for _ in range(2):  # what could not be found may be there the next time
            with pytest.raises(FileNotFoundError):
                look_up("missing")
    assert asked == [("a", 0), ("a", 1), ("a", 2), ("b", 0), ("missing", 0), ("missing", 0)]
    assert not in_script_run()
    with script_run():
        look_up("a")
    assert [look_up("a"), look_up("a")] == ["a0", "a0"]
    assert asked[6:] == [("a", 0)] * 3


def test_the_language_is_looked_up_once_for_a_page(monkeypatch: pytest.MonkeyPatch) -> None:
    """A page asks for it some hundreds of times."""
    asked: list[bool] = []
    monkeypatch.setattr(resources, "get_script_run_ctx", lambda **_: asked.append(True))
    with script_run():
        assert [resources.reader_language() for _ in range(3)] == ["en"] * 3
    assert len(asked) == 1


def test_the_folders_of_runs_are_looked_at_once_for_a_page(
    runs: Path, write_run: Any, translators: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    write_run(runs / "one")
    looked: list[Path] = []
    stamp = checkpoints._stamp_of_folders

    def look(folder: Path, files: tuple[str, ...]) -> str:
        if files == checkpoints._HEADERS:
            looked.append(folder)
        return stamp(folder, files)

    monkeypatch.setattr(checkpoints, "_stamp_of_folders", look)
    for sentence in ("the cat", "a girl sleeps"):  # its language is compared with those of the other checkpoints
        looked.clear()
        opened(s=sentence)
        assert looked == [runs]
    assert translators["one"].calls == 2
