"""Data of the drawing: complete, of JSON types, and as the record has it."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Literal

import numpy as np
import pytest

import nmt
from nmt.charts.step_view import Frame, StepDrawing, step_view_data
from nmt.inspection.steps import translation_steps
from nmt.results import TranslationSteps
from tests.oracles.random_run import random_run

PARTS = {"previous", "state", "readout", "word", "next", "annotations", "context"}


@pytest.fixture(scope="module", params=["rnnsearch", "rnnencdec"])
def steps(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> TranslationSteps:
    model = nmt.load(random_run(tmp_path_factory.mktemp("run") / "one", request.param))
    return translation_steps(model, model.source.encode("the cat sleeps ."), model.target.encode("le chat dort ."))


def test_everything_is_there_and_of_json_types(steps: TranslationSteps) -> None:
    drawing = StepDrawing(name="one", kind="A model", steps=steps, frames=(Frame(0, "read", "Read."),), start=0)
    data = json.loads(json.dumps(step_view_data([drawing])))
    (model,) = data["models"]
    assert model["source"] == list(steps.source)
    assert len(model["steps"]) == len(model["target"]) == len(steps.target)
    directions = 2 if steps.attends else 1
    assert all(len(halves) == directions for halves in model["annotations"])
    assert set(model["boxes"]) == PARTS | ({"energies", "alpha"} if steps.attends else set())
    for given, step in zip(model["steps"], steps.steps, strict=True):
        assert (given["alpha"] is None) == (step.alpha is None)
        if step.alpha is not None:
            np.testing.assert_allclose(given["alpha"], step.alpha, atol=1e-4)
        assert given["state"]["norm"] == pytest.approx(np.linalg.norm(step.state), abs=1e-3)
        assert (given["next"] is None) == (step.next_state is None)
    assert model["frames"] == [{"word": 0, "stage": "read", "text": "Read."}]


def test_shapes_are_those_of_the_model(steps: TranslationSteps) -> None:
    drawing = StepDrawing(name="one", kind="A model", steps=steps, frames=(Frame(0, "read", "Read."),), start=0)
    boxes = drawing.to_dict()["boxes"]
    tokens, width = steps.annotations.shape
    assert boxes["annotations"]["shape"].endswith(f"[{tokens}, {width}]")
    assert boxes["context"]["shape"].endswith(f"[{len(steps.steps[0].context)}]")
    assert boxes["state"]["shape"].endswith(f"[{len(steps.steps[0].state)}]")
    empty = replace(steps, target=steps.target[-1:], steps=steps.steps[-1:])  # a translation of the end mark alone
    assert replace(drawing, steps=empty).to_dict()["boxes"] == boxes


@pytest.mark.parametrize("order", ["printed", "program"])
def test_the_state_depends_on_the_word_that_its_order_takes(
    order: Literal["printed", "program"], tmp_path: Path
) -> None:
    """A.2.2 prints y_{i−1}; the authors' program takes y_i, which is said."""
    model = nmt.load(random_run(tmp_path / "run", state_order=order))
    steps = translation_steps(model, model.source.encode("the cat ."), model.target.encode("le chat ."))
    boxes = StepDrawing(name="one", kind="A model", steps=steps, frames=(), start=0).to_dict()["boxes"]
    before = "y_{i−1}" if order == "program" else "y_{i−2}"
    assert any(before in equation for equation in boxes["state"]["equations"])
    said = [box["words"] for box in boxes.values() if "program" in box["words"]]
    assert len(said) == (order == "program")
