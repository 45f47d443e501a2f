"""The drawing's JavaScript: its own unit tests, and its reading of what Python packs."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from nmt.charts.step_view import step_view_files
from nmt.charts.step_view.vectors import packed_vector
from tests.charts.node import ROOT, evaluate, run_node

JS = ROOT / "nmt" / "charts" / "step_view" / "js"
UNIT_TESTS = sorted((Path(__file__).parent / "js").glob("*.test.js"))


@pytest.mark.parametrize("path", UNIT_TESTS, ids=lambda path: path.name)
def test_unit(path: Path) -> None:
    report = run_node("--test", "--test-reporter=tap", str(path))
    passed = re.search(r"^# pass (\d+)$", report, re.MULTILINE)
    assert passed is not None
    assert int(passed[1]) >= 1


def test_every_module_without_dom_has_unit_tests() -> None:
    pure = {path.stem for path in JS.glob("*.js") if "no DOM" in path.read_text("utf-8")}
    assert pure == {path.name.removesuffix(".test.js") for path in UNIT_TESTS}


def test_the_browser_reads_the_vectors_that_python_packs() -> None:
    values = np.random.default_rng(1).normal(0, 1.5, 320)
    packed = packed_vector(values)
    found = np.array(evaluate(JS / "vectors.js", "m.unpacked(given)", packed))
    assert np.abs(found - values).max() <= np.abs(values).max() / 254 + 1e-4
    assert packed["norm"] == pytest.approx(np.linalg.norm(values), abs=1e-4)
    assert packed["high"] == [pytest.approx(values.max(), abs=1e-4), int(values.argmax()) + 1]
    assert packed["low"] == [pytest.approx(values.min(), abs=1e-4), int(values.argmin()) + 1]


def test_a_vector_of_zeros_is_packed() -> None:
    assert evaluate(JS / "vectors.js", "m.unpacked(given)", packed_vector(np.zeros(3))) == [0, 0, 0]


def test_words_enter_the_page_as_text_alone() -> None:
    for path in JS.glob("*.js"):
        assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write", path.read_text("utf-8"))


def test_frame_and_script_fit_together() -> None:
    files = step_view_files()
    names = re.findall(r'find\("\.([\w-]+)"\)', files.js)
    assert len(names) > 5
    for name in names:
        assert re.search(rf'class="{name}"', files.html), name
    assert re.search(r"^export default ", files.js, re.MULTILINE)
