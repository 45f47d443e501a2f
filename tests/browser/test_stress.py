"""The stress test as a reader meets it: the curve grows, and the slider makes one's own sentence longer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.browser.conftest import wait_for_address

pytestmark = pytest.mark.browser

Visit = Callable[..., None]
Settle = Callable[[Any], None]


@pytest.mark.timeout(600)
def test_the_curve_grows_to_its_end(server: str, page: Any, visit: Visit, settle: Settle) -> None:
    visit(f"{server}/stress", **{"models": ["search", "encdec"], "sample": "16", "words": "4", "beam": "1"})
    page.get_by_role("button", name="Start").click()
    page.locator(".js-plotly-plot .scatterlayer .point").first.wait_for(timeout=240_000)  # torch is imported meanwhile
    page.locator(".js-plotly-plot .scatterlayer .trace").nth(1).wait_for()
    page.get_by_text("As a table").wait_for(timeout=240_000)  # all points are there
    settle(page)
    for trace in range(2):
        assert page.locator(".js-plotly-plot .scatterlayer .trace").nth(trace).locator(".point").count() == 8
    page.reload()  # what was computed is kept
    page.locator(".js-plotly-plot .scatterlayer .point").first.wait_for()
    assert not page.get_by_role("button", name="Start").count()


def test_the_slider_joins_and_leads_to_explore(server: str, page: Any, visit: Visit, settle: Settle) -> None:
    visit(f"{server}/stress", models=["search", "encdec"], beam="2", own="the cat sleeps\nthe girl <b>reads</b>")
    page.locator(".panel").first.wait_for(timeout=240_000)
    settle(page)
    page.get_by_role("slider", name="Sentences concatenated").focus()
    page.keyboard.press("ArrowRight")
    joined = "the cat sleeps the girl <b>reads</b>"
    page.get_by_text(joined, exact=True).wait_for()
    page.locator("a[href*=girl]").wait_for(timeout=90_000)  # below what every checkpoint wrote
    wait_for_address(page, k="2")
    settle(page)
    page.get_by_role("link", name="Explore these alignments").click()
    page.get_by_role("heading", name="Explore").wait_for()
    page.locator(".panel").nth(1).wait_for(timeout=90_000)
    wait_for_address(page, s=joined)
    assert page.get_by_role("textbox").first.input_value() == joined
