"""Runs that are whole are told without loading them; runs that are not are named."""

import json
import os
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from safetensors.numpy import save_file

import nmt
from nmt.errors import InputError
from nmt.evaluation.evaluation_files import read_evaluated_system
from nmt.files import write_json
from nmt.inference.checkpoint import read_tensors, save_tensors
from nmt.records import as_record
from nmt.runs.folder import (
    CARD,
    LONGEST_CARD,
    BrokenRun,
    RunInfo,
    VocabularyInfo,
    list_runs,
    list_snapshots,
    own_results,
    read_events,
    read_run,
    read_weights_info,
    result_files,
    results_folder,
    snapshot_file,
)
from release.checksums import write_checksums


@pytest.fixture
def run(random_runs: Path, tmp_path: Path) -> Path:
    shutil.copytree(random_runs / "search-bpe", tmp_path / "runs" / "mine")
    return tmp_path / "runs" / "mine"


def test_what_is_told_is_what_is_loaded(run: Path) -> None:
    info, model = read_run(run), nmt.load(run)
    assert info.weights.parameters == sum(weights.numel() for weights in model.model.parameters())
    assert (info.name, info.weights.update, info.weights.dtype) == ("mine", 7, "F32")
    assert info.source_vocabulary.size == len(model.source.vocabulary)
    assert info.has_alignment
    assert len(info.weights.sha256()) == 64


def test_a_run_is_found_by_its_name(run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Wherever a run is read: by every command, and by ``nmt.load``."""
    monkeypatch.setenv("JOINTLY_RUNS", str(run.parent))
    assert read_run("mine").path == run
    assert nmt.load("mine").name == read_evaluated_system("mine").name == "mine"
    with pytest.raises(InputError, match="there is no run folder yours"):
        read_run("yours")


def test_a_run_trained_in_the_working_folder_comes_before_others_of_its_name(
    run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("JOINTLY_RUNS", raising=False)
    monkeypatch.setattr("nmt.runs.folder.own_folder", lambda: run.parent.parent)
    (tmp_path / "course").mkdir()
    monkeypatch.chdir(tmp_path / "course")
    assert read_run("mine").path == run
    here = shutil.copytree(run, tmp_path / "course" / "runs" / "mine")
    assert read_run("mine").path.resolve() == here


def edit_config(run: Path, **changes: object) -> None:
    data = json.loads((run / "config.json").read_text())
    data.update(changes)
    (run / "config.json").write_text(json.dumps(data))


BREAK: dict[str, tuple[Callable[[Path], object], str]] = {
    "no weights": (lambda run: (run / "model.safetensors").unlink(), "model.safetensors"),
    "junk weights": (
        lambda run: (run / "model.safetensors").write_bytes(b"\x80junk" * 9),
        "model.safetensors",
    ),
    "cut weights": (lambda run: os.truncate(run / "model.safetensors", 3000), "model.safetensors"),
    "weights of another format": (lambda run: save_tensors(run / "model.safetensors", {}, {"format": 9}), "format 9"),
    "no language code": (lambda run: edit_config(run, source_language="![x](http://y)"), "source_language"),
    "no vocabulary": (lambda run: (run / "source.vocabulary.json").unlink(), "source.vocabulary.json"),
}


@pytest.mark.parametrize("how", BREAK)
def test_a_broken_run_is_named_and_the_others_are_listed(how: str, run: Path) -> None:
    shutil.copytree(run, run.parent / "whole")
    breaking, message = BREAK[how]
    breaking(run)
    broken, whole = list_runs(run.parent)
    assert isinstance(broken, BrokenRun)
    assert isinstance(whole, RunInfo)
    assert broken.name == "mine"
    assert message in broken.problem
    with pytest.raises(InputError, match=message):
        nmt.load(run)


def test_weights_that_are_not_the_models_are_refused(run: Path) -> None:
    edit_config(run, model={"architecture": "rnnencdec", "embedding": 8, "hidden": 12, "alignment": 12, "maxout": 8})
    with pytest.raises(InputError, match=r"model\.safetensors"):
        nmt.load(run)


def test_weights_that_are_no_numbers_are_refused(run: Path) -> None:
    tensors = read_tensors(run / "model.safetensors")
    tensors["decoder.U"][2, 3] = float("nan")
    save_tensors(run / "model.safetensors", tensors, {})
    with pytest.raises(InputError, match=r"decoder\.U "):
        nmt.load(run)


def test_a_vocabulary_of_another_size_is_refused(run: Path, random_runs: Path) -> None:
    (run / "target.sentencepiece.model").unlink()
    shutil.copy(random_runs / "search-words" / "target.vocabulary.json", run)
    with pytest.raises(InputError, match=r"target .*vocabulary"):
        nmt.load(run)


def test_a_vocabulary_has_at_least_the_special_ids_and_at_most_ten_million() -> None:
    for size in (2, 10_000_000):
        assert as_record(VocabularyInfo, {"kind": "bpe", "size": size}).size == size
    for size in (1, 10_000_001):
        with pytest.raises(InputError, match=f"^size must be .*, not {size}$"):
            as_record(VocabularyInfo, {"kind": "bpe", "size": size})


@pytest.mark.parametrize(
    ("types", "parameters", "dtype"),
    [
        ({"m": ("int8", (2, 3)), "m.row_scale": ("float32", (2,)), "v": ("float32", (4,))}, 10, "I8"),
        ({"a": ("float32", (2, 2)), "b": ("float16", (2, 1, 3)), "v": ("float64", (1,))}, 11, "F16/F32"),
    ],
)
def test_weights_are_counted_without_their_scales(
    tmp_path: Path, types: dict[str, tuple[str, tuple[int, ...]]], parameters: int, dtype: str
) -> None:
    """Also where all that is there of them is their header."""
    path = tmp_path / "model.safetensors"
    arrays = {name: np.ones(shape, dtype=kind) for name, (kind, shape) in types.items()}
    save_file(arrays, path, {"nmt": json.dumps({"format": 1, "update": 3})})
    found = read_weights_info(path)
    assert (found.parameters, found.dtype, found.update, found.epoch) == (parameters, dtype, 3, 0)
    assert found.bytes == path.stat().st_size
    content = path.read_bytes()
    header = json.loads(content[8 : 8 + int.from_bytes(content[:8], "little")])
    write_json(tmp_path / "weights.json", {"bytes": len(content), "header": header})
    path.unlink()
    assert read_weights_info(path) == found
    with pytest.raises(InputError, match=r"last\.safetensors does not exist: this run has no saved weights"):
        read_weights_info(tmp_path / "last.safetensors")


def test_a_run_that_was_stopped_before_it_was_validated_can_be_resumed(run: Path) -> None:
    (run / "model.safetensors").rename(run / "last.safetensors")
    with pytest.raises(InputError, match=r"model\.safetensors does not exist"):
        read_run(run)
    (run / "resume.safetensors").touch()
    (broken,) = [one for one in list_runs(run.parent) if one.name == run.name]
    assert isinstance(broken, BrokenRun)
    assert broken.problem == (
        f"{run} has no validated weights yet; if its training was stopped, `jointly train` with --resume continues it"
    )
    assert read_run(run, "last.safetensors").weights.path == run / "last.safetensors"


def test_snapshots_are_in_the_order_of_training_and_named_after_their_update(run: Path) -> None:
    assert list_snapshots(run) == []
    (run / "steps").mkdir()
    tensors = read_tensors(run / "model.safetensors")
    for update in (10, 9, 0):
        save_tensors(run / snapshot_file(update), tensors, {"format": 1, "update": update})
    for name in ("best", "\u0663", "9.old"):
        (run / "steps" / f"{name}.safetensors").write_bytes(b"not looked at")
    assert [(one.update, one.path.name) for one in list_snapshots(run)] == [
        (0, "0.safetensors"),
        (9, "9.safetensors"),
        (10, "10.safetensors"),
    ]
    (run / snapshot_file(9)).rename(run / snapshot_file(8))
    with pytest.raises(InputError, match=r"8\.safetensors is named after another update: .* of update 9$"):
        list_snapshots(run)


def test_results_of_ones_own_stand_in_the_place_of_released_ones(
    run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("JOINTLY_RESULTS", str(tmp_path / "results"))
    assert own_results(run) is None
    assert results_folder(run, into_run=False) == run
    weights = write_checksums(run)["model.safetensors"]
    own = tmp_path / "results" / f"mine-{weights[:8]}"
    assert own_results(run) == own
    assert results_folder(run, into_run=True) == run
    assert not own.exists()
    assert results_folder(run, into_run=False) == own
    assert own.is_dir()
    for folder, names in ((run, "ab"), (own, "bc")):
        (folder / "stress").mkdir()
        for name in names:
            (folder / "stress" / f"{name}.json").touch()
    assert result_files(run, "stress") == [run / "stress/a.json", own / "stress/b.json", own / "stress/c.json"]
    assert result_files(run, "stress", own=False) == [run / "stress/a.json", run / "stress/b.json"]


def test_no_folder_no_runs(tmp_path: Path) -> None:
    assert list_runs(tmp_path / "nowhere") == []
    with pytest.raises(InputError, match="nowhere"):
        read_run(tmp_path / "nowhere")
    with pytest.raises(InputError, match=r"best.*last.*'newest'"):
        nmt.load(tmp_path, weights="newest")


def test_events_of_a_killed_training(run: Path) -> None:
    line = '{"event": "stop", "update": 3, "reason": "x", "seconds": 1.0}'
    (run / "training.jsonl").write_text(f'{line}\n{{"event": "upd')
    assert [event.update for event in read_events(run)] == [3]
    (run / "training.jsonl").write_text(f"{line}\nnonsense\n{line}\n")
    with pytest.raises(InputError, match="line 2"):
        read_events(run)
    (run / "training.jsonl").write_bytes(b"\xff\n" + line.encode())
    with pytest.raises(InputError, match="line 1"):
        read_events(run)


def test_of_a_card_that_is_too_long_the_beginning_is_read(run: Path) -> None:
    assert LONGEST_CARD == 10**6  # docs/formats.md
    (run / CARD).write_text("é" * (LONGEST_CARD + 1), encoding="utf-8")
    assert read_run(run).card() == "é" * LONGEST_CARD
    (run / CARD).unlink()
    assert read_run(run).card() == ""


def test_weights_that_are_deleted_while_they_are_opened_are_named(
    tmp_path: Path, random_runs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As by another session; torch opens the file a second time."""
    path = Path(shutil.copy(random_runs / "search-words" / "model.safetensors", tmp_path / "weights"))
    real = torch.UntypedStorage.from_file

    def from_file(*given: Any, **named: Any) -> Any:
        path.unlink()
        return real(*given, **named)

    monkeypatch.setattr(torch.UntypedStorage, "from_file", from_file)
    with pytest.raises(InputError, match=re.escape(str(path))):
        read_tensors(path)
