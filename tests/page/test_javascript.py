"""The page's JavaScript: its own unit tests, and no HTML from words."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.charts.node import run_node
from tests.page.released import JS

UNIT_TESTS = sorted((Path(__file__).parent / "js").glob("*.test.js"))


@pytest.mark.parametrize("path", UNIT_TESTS, ids=lambda path: path.name)
def test_unit(path: Path) -> None:
    report = run_node("--test", "--test-reporter=tap", str(path))
    passed = re.search(r"^# pass (\d+)$", report, re.MULTILINE)
    assert passed is not None
    assert int(passed[1]) >= 1


def test_words_enter_the_page_as_text_alone() -> None:
    for path in JS.glob("*.js"):
        assert not re.search(
            r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b", path.read_text("utf-8")
        )
