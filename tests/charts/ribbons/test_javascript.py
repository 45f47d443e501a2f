"""The unit tests of the view's JavaScript."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from nmt.charts.ribbons import ribbon_files
from tests.charts.node import ROOT, run_node

UNIT_TESTS = sorted((Path(__file__).parent / "js").glob("*.test.js"))


@pytest.mark.parametrize("path", UNIT_TESTS, ids=lambda path: path.name)
def test_unit(path: Path) -> None:
    report = run_node("--test", "--test-reporter=tap", str(path))
    passed = re.search(r"^# pass (\d+)$", report, re.MULTILINE)
    assert passed is not None
    assert int(passed[1]) >= 1


def test_every_module_without_dom_has_unit_tests() -> None:
    modules = (ROOT / "nmt" / "charts" / "ribbons" / "js").glob("*.js")
    pure = {path.stem for path in modules if "no DOM" in path.read_text("utf-8")}
    assert pure == {path.name.removesuffix(".test.js") for path in UNIT_TESTS}


def test_words_enter_the_page_as_text_alone() -> None:
    files = ribbon_files()
    assert "innerHTML" not in files.js
    assert "insertAdjacentHTML" not in files.js
