"""Weights in a file that the system reads again: the same numbers, less memory, and nothing left behind."""

import ctypes
import os
import sys
from pathlib import Path

import pytest
import torch
from torch import Tensor, nn

import nmt
from nmt import native
from nmt.files import cache_folder
from nmt.inference import checkpoint
from nmt.inference.checkpoint import leave_memory, on_disk

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="needs the mappings of Linux")
LARGE = 2**24
PAGE = os.sysconf("SC_PAGE_SIZE")


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("JOINTLY_CACHE", str(tmp_path / "cache"))
    return cache_folder()


def tensors() -> dict[str, Tensor]:
    torch.manual_seed(1)
    return {"W": torch.randn(7, 5), "none": torch.randn(0, 3), "b": torch.randn(3), "one": torch.tensor(2.5)}


def resident() -> int:
    """Bytes of this process that are in memory."""
    return int(Path("/proc/self/statm").read_text("ascii").split()[1]) * PAGE


def test_the_numbers_are_the_same_and_no_file_is_left(cache: Path) -> None:
    given = tensors()
    placed = on_disk(given)
    assert [*placed] == [*given]
    for name, tensor in given.items():
        assert torch.equal(placed[name], tensor)
        assert placed[name].shape == tensor.shape
        assert placed[name].untyped_storage().filename is not None
    assert [*cache.iterdir()] == []


def test_pages_are_given_back_and_read_again(cache: Path) -> None:
    model = nn.Linear(LARGE // 4096, 4096, bias=False)
    placed = on_disk({"weight": model.weight.detach()})
    model.load_state_dict(placed, assign=True)
    expected = placed["weight"].clone()
    before = resident()
    leave_memory(model)
    assert before - resident() > 0.9 * 4 * LARGE
    assert torch.equal(model.weight, expected)
    assert before - resident() < 0.1 * 4 * LARGE


def test_without_a_disk_the_weights_stay_in_memory(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(checkpoint.os, "posix_fallocate", full)
    given = tensors()
    assert all(placed is given[name] for name, placed in on_disk(given).items())
    assert [*cache.iterdir()] == []
    cache.rmdir()
    cache.write_text("no folder", "utf-8")
    assert all(placed is given[name] for name, placed in on_disk(given).items())
    leave_memory(nn.Linear(3, 2))  # which has nothing to give back


@pytest.mark.skipif(native.library() is None, reason="there is no engine")
@pytest.mark.parametrize("precision", ["fp32", "int8"])
def test_a_model_translates_and_scores_as_before(random_runs: Path, cache: Path, precision: str) -> None:
    """Its weights leave memory when the steps of its search are made, and again where these are made anew."""
    for name in ("search-bpe", "encdec-words"):
        model = nmt.load(random_runs / name, precision=precision)
        assert all(p.untyped_storage().filename for p in model.model.parameters())
        scored = model.score("the cat sleeps", "le chat dort")
        translated = model.translate(["the cat sleeps", "a girl has seen the sea"], beam=4)
        assert model.score("the cat sleeps", "le chat dort").to_dict() == scored.to_dict()
        leave_memory(model.model)
        again = model.translate(["the cat sleeps", "a girl has seen the sea"], beam=4)
        assert [one.to_dict() for one in again] == [one.to_dict() for one in translated]


@pytest.mark.skipif(not hasattr(ctypes.CDLL(None), "malloc_trim"), reason="this is not glibc")
def test_what_lies_free_between_live_objects_returns_to_the_system(random_runs: Path) -> None:
    model = nmt.load(random_runs / "search-bpe")
    blocks = [bytearray(b"x" * 100_000) for _ in range(500)]
    live = blocks[::50]
    del blocks
    before = resident()
    model.translate(["the cat sleeps"])
    assert before - resident() > 30e6
    assert len(live) == 10
