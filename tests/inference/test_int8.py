"""Eight bits a weight: how far off, how it is stored, what is refused."""

import shutil
from pathlib import Path

import pytest
import torch

import nmt
from nmt.errors import InputError
from nmt.inference.checkpoint import load_model, quantised, read_tensors, restored, save_tensors, save_weights
from nmt.runs.folder import ROW_SCALE, read_run, read_settings


def test_no_weight_is_off_by_more_than_half_a_step() -> None:
    torch.manual_seed(1)
    w = torch.randn(40, 30) * torch.logspace(-6, 3, 40).unsqueeze(1)
    w[7] = 0
    found = restored(quantised({"W": w}))["W"]
    step = w.abs().amax(dim=1, keepdim=True) / 127
    assert ((found - w).abs() <= 0.5001 * step).all()
    assert found.isfinite().all()
    assert torch.allclose(found.abs().amax(dim=1), w.abs().amax(dim=1), rtol=1e-6)
    assert torch.equal(restored(quantised({"W": found}))["W"], found)  # once more changes nothing


def test_what_is_stored_otherwise_is_left_alone() -> None:
    w, b = torch.randn(3, 4).half(), torch.randn(5)
    found = restored({"W": w, "b": b})
    assert torch.equal(found["W"], w.float())
    assert torch.equal(found["b"], b)
    assert quantised({"b": b})["b"].dtype == torch.float16


@pytest.fixture
def run(random_runs: Path, tmp_path: Path) -> Path:
    shutil.copytree(random_runs / "search-words", tmp_path / "mine")
    weights = tmp_path / "mine" / "model.safetensors"
    save_weights(weights, load_model(read_settings(tmp_path / "mine"), weights), {"update": 7}, torch.int8)
    return tmp_path / "mine"


def test_a_run_of_whole_numbers_is_a_run(run: Path, random_runs: Path) -> None:
    info, before = read_run(run), read_run(random_runs / "search-words")
    assert info.weights.dtype == "I8"
    assert info.weights.parameters == before.weights.parameters
    assert info.weights.bytes < before.weights.bytes
    exact, coarse = nmt.load(random_runs / "search-words"), nmt.load(run)
    a, b = exact.score("a b", "b a"), coarse.score("a b", "b a")
    assert a.log_probability != b.log_probability
    assert a.log_probability == pytest.approx(b.log_probability, rel=0.02)


@pytest.mark.parametrize("change", ["gone", "short", "orphan", "float", "flat"])
def test_scales_that_do_not_fit_are_named(run: Path, change: str) -> None:
    tensors = read_tensors(run / "model.safetensors")
    name = "decoder.U"
    if change == "gone":
        del tensors[name + ROW_SCALE]
    elif change == "short":
        tensors[name + ROW_SCALE] = tensors[name + ROW_SCALE][:-1]
    elif change == "float":
        tensors[name] = tensors[name].float()
    elif change == "flat":
        tensors[name] = tensors[name][:, 0].contiguous()
    else:
        del tensors[name]
    save_tensors(run / "model.safetensors", tensors, {"update": 7})
    with pytest.raises(InputError, match=r"model\.safetensors: .*decoder\.U"):
        load_model(read_settings(run), run / "model.safetensors")
