"""The first screen: a stored result of the shipped checkpoints, drawn without loading a model."""

import json
import subprocess
import sys
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from nmt.texts import LOOK
from tests.ui.drawn import draw

ROOT = Path(__file__).parents[3]

_OPEN = """
import json, sys
from streamlit.testing.v1 import AppTest
at = AppTest.from_file("app.py", default_timeout=60)
at.query_params.update(json.loads(sys.argv[1]))
at.run()
assert not at.exception, at.exception
data = [json.loads(element.proto.json or "{}") for element in at.get("bidi_component")]
print(json.dumps({"torch": "torch" in sys.modules, "data": data}))
"""


@cache
def opened(query: str) -> tuple[bool, list[dict[str, Any]]]:
    """Whether torch was imported, and the data of all components, at an address given as JSON: a process that ends."""
    with TemporaryDirectory() as folder:
        done = _process(query, folder)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout.splitlines()[-1])
    return found["torch"], found["data"]


def _process(query: str, folder: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", _OPEN, query],
        cwd=ROOT,
        env={"PATH": "/usr/bin:/bin", "JOINTLY_CACHE": folder, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )


FIRST, NEGATION = "{}", json.dumps({"s": "I do not know where she lives.", "do": "length"})


@pytest.mark.slow
@pytest.mark.parametrize("query", [FIRST, NEGATION], ids=["first", "negation"])
def test_a_scene_loads_no_model(query: str) -> None:
    torch, data = opened(query)
    assert not torch
    (found,) = (draw(one) for one in data if one.get("record"))
    search, encdec = found["systems"]
    assert search["weights"] is not None
    assert encdec["weights"] is None
    assert len(found["panels"]) == 1  # RNNencdec's map is closed


@pytest.mark.slow
def test_the_first_sentence_is_the_papers_and_its_crossing_is_marked() -> None:
    _, data = opened(FIRST)
    (found,) = (draw(one) for one in data if one.get("record"))
    search = found["systems"][0]
    assert "European Economic Area" in " ".join(search["source"])
    crossed = {search["source"][j] for j in search["crossing"]["source"]}
    assert {"Economic", "Area"} <= crossed


@pytest.mark.slow
def test_the_small_figure_marks_the_length_of_the_sentence() -> None:
    _, data = opened(NEGATION)
    (figure,) = (one for one in data if "curves" in one)
    assert isinstance(figure["here"], dict)
    assert figure["here"]["words"] == 7
    assert figure["here"]["text"].startswith(LOOK.forms.words[1].format(count=7))
    assert isinstance(figure["curves"], list)
    assert len(figure["curves"]) == 2
    assert "tok:" in str(figure["signature"])
