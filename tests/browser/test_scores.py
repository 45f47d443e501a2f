"""The place Models as a reader meets it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.browser.conftest import wait_for_address

pytestmark = pytest.mark.browser

Visit = Callable[..., None]


def test_from_the_menu_and_by_its_link(server: str, page: Any, visit: Visit, settle: Callable[[Any], None]) -> None:
    """The released checkpoints carry their scores, so there is a table; what is chosen stands in the address."""
    visit(server)
    page.get_by_role("link", name="Models", exact=True).click()
    page.get_by_role("heading", name="Which checkpoint").wait_for()
    settle(page)
    assert urlsplit(page.url).path == "/models"
    page.get_by_text("Use this to").first.wait_for()
    assert page.get_by_role("link", name="Translate with it").count() > 1
    page.get_by_role("radio", name="Scores").click()
    settle(page)
    page.get_by_role("heading", name="Translation").wait_for()
    page.get_by_test_id("stDataFrame").nth(1).wait_for()
    page.get_by_role("radio", name="chrF").click()
    wait_for_address(page, score="chrf")
    settle(page)
    visit(f"{server}/checkpoints", show="Scores", score="TER", column="No UNK")  # old links
    page.get_by_text("edits per 100 words").wait_for()
    visit(f"{server}/scores", score="TER")
    page.get_by_text("edits per 100 words").wait_for()
    assert urlsplit(page.url).path == "/models"
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
