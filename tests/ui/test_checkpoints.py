"""Where checkpoints are found and what they are called."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from nmt.ui.checkpoints import find_checkpoints, folders


def test_names_stay_apart_and_the_first_of_each_kind_is_chosen(
    tmp_path: Path, write_run: Any, look_in: Callable[..., None]
) -> None:
    released, own = tmp_path / "checkpoints", tmp_path / "mine"
    look_in(released, own)
    write_run(released / "b")
    write_run(own / "a", "rnnencdec")
    write_run(own / "b")
    found = find_checkpoints()
    assert {name: run.path for name, run in found.usable.items()} == {
        "b": released / "b",
        "a": own / "a",
        "mine/b": own / "b",
    }
    assert found.first_choice() == ["b", "a"]


def test_runs_folder_can_be_moved(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("JOINTLY_RUNS", str(tmp_path))
    assert folders()[1] == tmp_path
    monkeypatch.delenv("JOINTLY_RUNS")
    assert folders()[1] == folders()[0].parent / "runs"


def test_a_training_without_weights_is_not_there_yet_and_a_run_that_lost_them_is_named(
    tmp_path: Path, write_run: Any, look_in: Callable[..., None]
) -> None:
    look_in(tmp_path)
    for name in ("lost", "job", "command"):
        write_run(tmp_path / name)
        (tmp_path / name / "model.safetensors").unlink()
    (tmp_path / "job" / "job.json").touch()
    (tmp_path / "command" / "resume.safetensors").touch()
    found = find_checkpoints()
    assert not found.usable
    assert [run.name for run in found.broken] == ["lost"]
