"""The first screen of Look: alpha begins in its upper half, long sentences fit, and a hover answers within a frame."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

pytestmark = pytest.mark.browser

WORDS = 34
SOURCE = " ".join(["the", "old", "teacher", "sleeps", "in", "a", "small", "house", "near", "the"] * 4).split()[:WORDS]
TARGET = " ".join(["le", "vieux", "professeur", "dort", "dans", "une", "petite", "maison", "près", "de"] * 4).split()
"""A translation is often longer than its source."""
Visit = Callable[..., None]


@pytest.mark.parametrize("size", [(1280, 720), (1440, 900), (390, 844)], ids=str)
def test_the_picture_begins_in_the_upper_half(server: str, page: Any, visit: Visit, size: tuple[int, int]) -> None:
    """The released checkpoints carry the result of the first sentence."""
    page.set_viewport_size({"width": size[0], "height": size[1]})
    visit(server)
    picture = page.locator("svg.ribbons").first
    picture.wait_for()
    box = picture.bounding_box()
    assert box["y"] < size[1] / 2
    assert box["y"] + box["height"] <= size[1]
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    heading, field = page.locator("h1").bounding_box(), page.get_by_label("Sentence in English").bounding_box()
    assert field["y"] >= heading["y"] + heading["height"]


@pytest.mark.parametrize("size", [(1280, 720), (1440, 900)], ids=str)
def test_a_long_sentence_is_wholly_visible(server: str, page: Any, visit: Visit, size: tuple[int, int]) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    visit(server, s=" ".join(SOURCE), models=["search"], of="typed", t=" ".join(TARGET))
    page.locator(".system .ribbon").first.wait_for()
    for side, number in (("source", len(SOURCE)), ("target", len(TARGET))):
        words = page.locator(f".line.{side} .word")
        assert words.count() == number
        boxes = [words.nth(k).bounding_box() for k in (0, number - 1)]
        place = page.locator(".ribbon-scroll").bounding_box()
        for box in boxes:
            assert box["x"] >= place["x"]
            assert box["x"] + box["width"] <= place["x"] + place["width"]
            assert box["y"] + box["height"] <= size[1]
    assert page.locator(".ribbon-scroll.cut").count() == 0


def test_words_without_ribbons_go_on_in_the_next_line(server: str, page: Any, visit: Visit) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    visit(server, s=" ".join(SOURCE), models=["encdec", "search"], of="typed", t=" ".join(TARGET))
    page.locator(".system .ribbon").first.wait_for()
    wrapped, ribbons = page.locator(".ribbon-scroll").all()
    assert wrapped.evaluate("element => element.scrollWidth <= element.clientWidth")
    assert "cut" not in wrapped.get_attribute("class")
    assert "cut" in ribbons.get_attribute("class")  # fades where it goes on
    ribbons.evaluate("element => element.scrollTo(element.scrollWidth, 0)")
    page.wait_for_function("!document.querySelector('.ribbon-scroll.cut')")
