"""The place Learn of the app, opened by its address."""

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
import torch
from streamlit.testing.v1 import AppTest

from nmt.inference.checkpoint import load_model, save_weights
from nmt.runs.folder import read_run, snapshot_file
from tests.kept import compare_with_kept
from tests.ui.opened import opened as page
from tests.ui.written_page import written

APP = Path(__file__).parents[3] / "app.py"
SENTENCE = "the girl has never seen the sea ."


def opened(**asked: str | list[str]) -> AppTest:
    """Open a view. The arguments are parameters of the address."""
    return page("learn", **asked)


def save_steps(run: Path, updates: Sequence[int], factors: Sequence[float] = (0.1, 0.5, 1.0)) -> None:
    """Weights that a training saved, at first from nearly none to those of the run."""
    (run / "steps").mkdir()
    for update, factor in zip(updates, factors, strict=True):
        model = load_model(read_run(run), run / "model.safetensors")
        with torch.no_grad():
            for parameter in model.parameters():
                parameter.mul_(factor)
        save_weights(run / snapshot_file(update), model, {"update": update})


def components(at: AppTest) -> list[dict[str, Any]]:
    """Return the data of the drawings, from top to bottom, without the field."""
    data = [json.loads(found.proto.json) for found in at.get("bidi_component")]
    return [drawing for drawing in data if not drawing.get("field")]


def compare_page_with_kept(at: AppTest, name: str, request: pytest.FixtureRequest) -> None:
    """Fail unless the page has what is kept, as in tests/ui/test_written_pages.py; without the ends of long lists, as
    their checksums change with the last digits of what a model computes."""
    told = re.sub(r"\n[^\n]*…\] = \d+ characters[^\n]*", "", written(at))
    compare_with_kept(Path(__file__).parents[1] / "kept" / f"{name}.txt", told, request)
