"""The page "Lengths" as a reader meets it: from the curve to the cause, and back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from tests.browser.conftest import wait_for_address

pytestmark = pytest.mark.browser

Visit = Callable[..., None]
Settle = Callable[[Any], None]


def asked(page: Any) -> dict[str, list[str]]:
    return parse_qs(urlsplit(page.url).query)


def press(page: Any, settle: Settle, name: str) -> None:
    page.get_by_role("button", name=name).first.click()
    settle(page)


def click_point(page: Any, number: int) -> None:
    """Where the point is: Plotly has a layer of its own over it."""
    point = page.locator(".js-plotly-plot .scatterlayer .point").nth(number)
    point.scroll_into_view_if_needed()
    box = point.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x - 3, y)
    page.mouse.move(x, y)
    page.mouse.click(x, y)


def test_from_the_menu_there_is_a_curve(server: str, page: Any, visit: Visit, settle: Settle) -> None:
    """The released checkpoints carry their statistics."""
    visit(server)
    page.get_by_role("link", name="Lengths").click()
    page.get_by_role("heading", name="BLEU against length").wait_for()
    page.locator(".js-plotly-plot .scatterlayer .point").first.wait_for()
    settle(page)
    assert urlsplit(page.url).path == "/lengths"
    page.get_by_role("radio", name="chrF").click()
    wait_for_address(page, metric="chrF")
    settle(page)
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


@pytest.mark.timeout(600)
def test_from_the_curve_to_the_cause_and_back(
    server: str, page: Any, visit: Visit, settle: Settle, tmp_path: Any
) -> None:
    """A set of one's own is measured, a point of its curve clicked, a sentence chosen and explored; then back."""
    sources = ["the girl reads .", "a cat is on the mat", "she has never seen the sea", "a girl sleeps on a mat ."]
    lines = [f"{source}\t{reference}\n" for source, reference in zip(sources, ["la fille lit ."] * 4, strict=True)]
    (tmp_path / "mine.tsv").write_text("".join(lines), "utf-8")
    visit(
        f"{server}/lengths",
        **{"systems": ["search", "encdec"], "metric": "TER", "by-length": "By hand", "firsts": "1, 6, 7"},
    )
    press(page, settle, "Test sets and systems")
    page.locator("input[type=file]").first.set_input_files(str(tmp_path / "mine.tsv"))
    settle(page)
    page.get_by_text("mine.tsv").first.wait_for()
    press(page, settle, "Add the test set")
    page.keyboard.press("Escape")
    press(page, settle, "Measure search and encdec on mine")
    page.locator(".js-plotly-plot .scatterlayer .point").nth(5).wait_for(timeout=240_000)  # torch is imported meanwhile
    wait_for_address(page, sets="mine")
    settle(page)

    click_point(page, 1)
    page.get_by_text("2 sentences. TER here").wait_for()
    wait_for_address(page, bucket="6")
    settle(page)
    number = page.get_by_role("spinbutton", name="Sentence")
    number.fill("3")
    number.press("Enter")
    page.locator(".word-diff").nth(1).wait_for()
    wait_for_address(page, sentence="3")
    settle(page)
    before = asked(page)

    page.get_by_role("link", name="See where they looked").click()
    page.get_by_role("heading", name="Explore").wait_for()
    page.locator(".panel").first.wait_for(timeout=90_000)
    wait_for_address(page, s=sources[2])
    settle(page)
    assert page.locator(".panel").count() == 2
    page.get_by_role("radio", name="Links", exact=True).click()
    wait_for_address(page, show="Links")
    settle(page)
    page.get_by_role("link", name="Back to BLEU against length").click()
    page.get_by_role("heading", name="BLEU against length").wait_for()
    page.locator(".word-diff").nth(1).wait_for(timeout=90_000)
    settle(page)
    kept = {name: value for name, value in asked(page).items() if name in before}
    assert kept == before
