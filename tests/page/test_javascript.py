"""The page's JavaScript: its own unit tests, and no HTML from words."""

from pathlib import Path

import pytest

from tests.charts.node import check_no_markup, run_unit_tests
from tests.page.released import JS

UNIT_TESTS = sorted((Path(__file__).parent / "js").glob("*.test.js"))


@pytest.mark.parametrize("path", UNIT_TESTS, ids=lambda path: path.name)
def test_unit(path: Path) -> None:
    run_unit_tests(path)


def test_words_enter_the_page_as_text_alone() -> None:
    check_no_markup(JS)
