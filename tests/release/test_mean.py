"""``mean``, held against an average in NumPy."""

import json
import shutil
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

from nmt.runs.folder import read_run
from tests.programs import main


@pytest.fixture
def other(random_runs: Path, tmp_path: Path) -> Path:
    """The run ``search-words`` with other weights."""
    run = tmp_path / "other"
    shutil.copytree(random_runs / "search-words", run)
    rng = np.random.default_rng(1)
    weights = load_file(run / "model.safetensors")
    drawn = {name: rng.normal(size=w.shape).astype(np.float32) for name, w in weights.items()}
    save_file(drawn, run / "model.safetensors", {"nmt": json.dumps({"format": 1, "update": 9, "epoch": 0.5})})
    return run


def test_each_weight_is_the_mean_by_shares(random_runs: Path, other: Path, tmp_path: Path) -> None:
    run, out = random_runs / "search-words", tmp_path / "out"
    assert main(["release", "mean", str(run), str(other), "0.75", str(out)]) == 0
    first, second, found = (load_file(folder / "model.safetensors") for folder in (run, other, out))
    for name, mean in found.items():
        np.testing.assert_allclose(mean, 0.75 * first[name] + 0.25 * second[name], rtol=0, atol=1e-6)
    assert read_run(out).weights.update == read_run(run).weights.update
    assert read_run(out).weights.dev_nll_per_word is None, "nothing is measured on the mean"


@pytest.mark.parametrize("share", ["1.5", "nan", "-2", "half"])
def test_a_share_is_between_0_and_1(
    random_runs: Path, other: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], share: str
) -> None:
    run, out = random_runs / "search-words", tmp_path / "out"
    assert main(["release", "mean", str(run), str(other), "--", share, str(out)]) == 2
    assert "must be a number from 0 to 1" in capsys.readouterr().err
    assert not out.exists()


def test_runs_of_other_words_have_no_mean(
    random_runs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    runs = [str(random_runs / name) for name in ("search-bpe", "search-words")]
    assert main(["release", "mean", *runs, "0.5", str(tmp_path / "out")]) == 2
    assert "different source vocabularies" in capsys.readouterr().err
