"""aligner.json: there and back, and what is said of one that is broken or whose runs are not there."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

import nmt
from nmt.aligners.combination import ALIGNER, is_aligner, read_aligner
from nmt.errors import InputError
from release.aligner import write_aligner


def test_there_and_back(place: Path, tmp_path: Path) -> None:
    for name in ("one", "both"):
        settings = read_aligner(place / "aligners" / name)
        write_aligner(tmp_path, settings)
        assert read_aligner(tmp_path) == settings
    assert settings.smoothing.reverse_jumps is not None
    assert sum(settings.smoothing.jumps) == sum(len(words) - 1 for words in (range(4), range(3), range(6), range(2)))


def test_runs_are_looked_for_beside_it_or_where_it_is_said(place: Path, tmp_path: Path) -> None:
    assert nmt.load_aligner(place / "aligners" / "one").name == "one"
    shutil.copytree(place / "aligners" / "one", tmp_path / "near")
    with pytest.raises(InputError, match="words"):
        nmt.load_aligner(tmp_path / "near")
    assert nmt.load_aligner(tmp_path / "near", runs=place / "checkpoints").settings.smoothing.pairs == 4
    shutil.copytree(place / "checkpoints", tmp_path / "checkpoints")
    assert nmt.load_aligner(tmp_path / "near").name == "near"


def test_other_weights_of_the_same_name_are_refused(place: Path, tmp_path: Path) -> None:
    shutil.copytree(place, tmp_path / "all")
    weights = tmp_path / "all" / "checkpoints"
    shutil.copy(weights / "back" / "config.json", weights / "kept.json")
    shutil.copy(weights / "pieces" / "model.safetensors", weights / "words" / "model.safetensors")
    with pytest.raises(InputError, match="words"):
        nmt.load_aligner(tmp_path / "all" / "aligners" / "one")


def test_a_folder_without_it_is_none(tmp_path: Path) -> None:
    assert not is_aligner(tmp_path)
    with pytest.raises(InputError, match=ALIGNER):
        read_aligner(tmp_path)


BROKEN: dict[str, dict[str, Any]] = {
    "format 2": {"format": 2},
    "smoothing": {"smoothing": None},
    "smoothing.jumps .*61 numbers": {"smoothing": {"mu": 0.2, "jumps": [1, 2], "reverse_jumps": None, "pairs": 1}},
    "smoothing.mu": {"smoothing": {"mu": 7, "jumps": [0] * 61, "reverse_jumps": None, "pairs": 1}},
    "other direction": {"smoothing": {"mu": 0, "jumps": [0] * 61, "reverse_jumps": [0] * 61, "pairs": 1}},
    "average.kind .*'median'": {"average": {"kind": "median", "floor": 1e-4}},
    "floor": {"average": {"kind": "geometric mean", "floor": 0}},
    "'guess'": {"rule": "guess"},
    "source language": {"runs": []},
    r"runs\[0\]\.name": {"runs": [{"name": "../words", "sha256": "0" * 64, "direction": "forward"}]},
    r"runs\[0\]\.sha256": {"runs": [{"name": "words", "sha256": "0", "direction": "forward"}]},
    r"runs\[0\]\.direction": {"runs": [{"name": "words", "sha256": "0" * 64, "direction": "sideways"}]},
    "runs .*3$": {"runs": 3},
    "there is no setting heads": {"heads": []},
}


@pytest.mark.parametrize("fault", BROKEN)
def test_a_broken_file_is_named(fault: str, place: Path, tmp_path: Path) -> None:
    data = json.loads((place / "aligners" / "one" / ALIGNER).read_text("utf-8")) | BROKEN[fault]
    data = {key: value for key, value in data.items() if value is not None}
    (tmp_path / ALIGNER).write_text(json.dumps(data), encoding="utf-8")
    with pytest.raises(InputError, match=f"{ALIGNER}.*{fault}"):
        read_aligner(tmp_path)
