"""The page "Scores" as a reader meets it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

pytestmark = pytest.mark.browser

Visit = Callable[..., None]


def test_from_the_menu_and_by_its_link(server: str, page: Any, visit: Visit, settle: Callable[[Any], None]) -> None:
    """The released checkpoints carry their scores, so there is a table; what is chosen stands in the address."""
    visit(server)
    page.get_by_role("link", name="Scores").click()
    page.get_by_role("heading", name="Scores").wait_for()
    settle(page)
    assert urlsplit(page.url).path == "/scores"
    page.get_by_role("heading", name="Translation").wait_for()
    assert page.get_by_test_id("stDataFrame").count() >= 2
    page.get_by_role("radio", name="chrF").click()
    settle(page)
    assert parse_qs(urlsplit(page.url).query)["score"] == ["chrF"]
    visit(f"{server}/scores", score="TER", column="No UNK")
    assert page.get_by_text("edits per 100 words").count() == 1
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
