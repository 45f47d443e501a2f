"""The app in other languages, in Chromium: a third language is a table, whose longer words break no layout."""

import re
from collections.abc import Callable
from typing import Any

import pytest

from nmt.texts import languages
from tests.browser.conftest import FITS_IN_WIDTH

pytestmark = pytest.mark.browser
PLACES = (
    ("", {"models": ["search", "encdec"]}),
    ("", {"mode": "text"}),
    ("/length", {}),
    ("/length", {"view": "together"}),
    ("/learn", {}),
    ("/learn", {"view": "training"}),
    ("/models", {}),
    ("/models", {"show": "cards"}),
    ("/models", {"show": "scores"}),
    ("/models", {"show": "train"}),
    ("/present", {}),
)
OVERLAPS = """() => {
  const all = [...document.querySelectorAll("button, [data-testid=stSelectbox], h1, [role=radio]")];
  const seen = all.filter((one) => one.checkVisibility({ visibilityProperty: true }));
  const shown = (one) => { // a line of chosen names scrolls, and cuts the last one
    const box = one.getBoundingClientRect();
    const line = one.closest("[data-testid=stMultiSelectTagsContainer]")?.getBoundingClientRect();
    return line ? new DOMRect(box.x, box.y, Math.min(box.right, line.right) - box.x, box.height) : box;
  };
  const boxes = seen.map((one) => [one, shown(one)])
    .filter(([one, box]) => box.width > 1 && box.height > 1 && !one.closest(".st-key-languages"));
  return boxes.flatMap(([one, a], k) => boxes.slice(k + 1)
    .filter(([other, b]) => !one.contains(other) && !other.contains(one))
    .filter(([, b]) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 2
      && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 2)
    .map(([other]) => [one.innerText, other.innerText]));
}"""
"""Pairs of controls of which one covers a part of the other."""


@pytest.mark.parametrize(("code", "width"), [("xx", 390), ("xx", 1280), ("ko", 390)])
def test_no_place_is_broken(server: str, page: Any, visit: Callable[..., None], width: int, code: str) -> None:
    page.set_viewport_size({"width": width, "height": 844 if width == 390 else 720})
    for place, asked in PLACES:
        visit(f"{server}{place}", lang=code, **asked)
        assert page.evaluate(FITS_IN_WIDTH), (place, asked)
        assert page.evaluate(OVERLAPS) == [], (place, asked)
        if place == "/present" and code == "xx":
            continue  # its heading is a text of a file of data
        heading = page.locator("h1").inner_text()
        assert re.search("[가-힣]" if code == "ko" else " é é", heading), (place, asked)


def test_the_switch_keeps_the_page(server: str, page: Any, visit: Callable[..., None]) -> None:
    visit(f"{server}/models", show="scores")
    page.get_by_role("button", name=languages()["ko"]).click()
    page.get_by_role("button", name=languages()["en"]).wait_for()
    assert "show=scores" in page.url
    assert "lang=ko" in page.url
    page.reload()
    page.get_by_role("button", name=languages()["en"]).wait_for()
    page.set_viewport_size({"width": 390, "height": 300})
    page.get_by_test_id("stMain").evaluate("main => main.scrollTo(0, 200)")
    assert page.get_by_role("button", name=languages()["en"]).bounding_box()["y"] < 0  # with the menu
