"""Concatenated sentences as a reader meets them: the slider, one's own sentences, and a curve that grows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from nmt.ui import strings as shared
from nmt.ui.length.together import strings
from tests.browser.conftest import wait_for_address

pytestmark = pytest.mark.browser

Visit = Callable[..., None]
Settle = Callable[[Any], None]
COMPUTE = strings.COMPUTE.partition("{")[0]


@pytest.mark.timeout(600)
def test_the_curve_grows_to_its_end(server: str, page: Any, visit: Visit, settle: Settle) -> None:
    visit(
        f"{server}/length",
        **{"view": "together", "models": ["search", "encdec"], "sample": "16", "words": "4", "beam": "1"},
    )
    page.get_by_role("button", name=COMPUTE).click()
    page.locator(".js-plotly-plot .scatterlayer .point").first.wait_for(timeout=240_000)  # torch is imported meanwhile
    page.locator(".js-plotly-plot .scatterlayer .trace").nth(1).wait_for()
    page.get_by_text(strings.AS_TABLE, exact=True).wait_for(timeout=240_000)  # all points are there
    settle(page)
    for trace in range(2):
        assert page.locator(".js-plotly-plot .scatterlayer .trace").nth(trace).locator(".point").count() == 8
    page.reload()  # what was computed is kept
    page.locator(".js-plotly-plot .scatterlayer .point").first.wait_for()
    assert not page.get_by_role("button", name=COMPUTE).count()


def test_the_slider_needs_no_model(server: str, page: Any, visit: Visit, settle: Settle) -> None:
    """The released checkpoints carry their results."""
    page.set_viewport_size({"width": 1280, "height": 720})
    visit(f"{server}/length", view="together", models=["rnnsearch-50", "rnnencdec-50"])
    lost = page.locator(".kept-words").nth(1).locator("del")
    lost.first.wait_for()
    assert page.locator(".st-key-own-rnnsearch-50").bounding_box()["y"] <= 360
    before = lost.count()
    page.get_by_role("slider", name=strings.NUMBER).focus()
    page.keyboard.press("ArrowRight")
    wait_for_address(page, k="4")
    settle(page)
    page.get_by_text(strings.AS_ONE[1].partition("{kept}")[0].format(count=4)).wait_for()
    assert lost.count() > before
    assert page.locator(".kept-words").first.locator("del").count() < 3
    assert page.locator(".js-plotly-plot .scatterlayer .trace").nth(1).locator(".point").count() == 8
    assert not page.get_by_role("button", name=COMPUTE).count()


def test_own_sentences_are_put_together_and_lead_to_look(server: str, page: Any, visit: Visit, settle: Settle) -> None:
    visit(
        f"{server}/length",
        view="together",
        models=["search", "encdec"],
        beam="2",
        own="the cat sleeps\nthe girl <b>reads</b>",
    )
    page.locator(".panel").first.wait_for(timeout=240_000)
    settle(page)
    page.get_by_role("slider", name=strings.NUMBER).focus()
    page.keyboard.press("ArrowRight")
    joined = "the cat sleeps the girl <b>reads</b>"
    page.get_by_text(joined, exact=True).wait_for()
    page.locator("a[href*=girl]").wait_for(timeout=90_000)  # below what every checkpoint wrote
    wait_for_address(page, k="2")
    settle(page)
    page.get_by_role("link", name=strings.WHERE_THEY_LOOKED.format(names="search")).click()
    page.get_by_role("heading", name=shared.LOOK_QUESTION).wait_for()
    page.locator(".system").nth(1).wait_for(timeout=90_000)
    page.locator(".panel").wait_for(timeout=90_000)
    wait_for_address(page, s=joined)
