"""The presentation on the small projector of a lecture room: everything is on the screen, in large type."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from nmt.ui.present import strings
from nmt.ui.present.page import STAGES

pytestmark = pytest.mark.browser

SIZE = {"width": 1280, "height": 720}
LARGE = 1.5 * 17
"""Pixels: 150 % of the type of Look."""
Visit = Callable[..., None]


@pytest.mark.parametrize("scene", [stage.name for stage in STAGES])
def test_the_bar_is_on_the_screen(server: str, page: Any, visit: Visit, scene: str) -> None:
    page.set_viewport_size(SIZE)
    visit(server, present=scene)
    button = page.get_by_role("button", name=strings.NEXT)
    button.wait_for()
    box = button.bounding_box()
    assert box["y"] + box["height"] <= SIZE["height"]
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


def test_what_is_lost_is_on_the_screen_with_what_was_written(server: str, page: Any, visit: Visit) -> None:
    page.set_viewport_size(SIZE)
    visit(server, present="together")
    card = page.locator("[class*=st-key-own-rnnencdec]")
    card.locator("del").first.wait_for()
    box, bar = card.bounding_box(), page.locator(".st-key-presentation-bar").bounding_box()
    assert box["y"] + box["height"] <= bar["y"]


@pytest.mark.journey
def test_a_long_sentence_is_as_large_as_a_short_one(server: str, page: Any, visit: Visit) -> None:
    page.set_viewport_size(SIZE)
    visit(server, present="long")
    page.locator(".banded .ribbon").first.wait_for()
    sizes = page.locator(".word").evaluate_all(
        "words => words.map(word => parseFloat(getComputedStyle(word).fontSize))"
    )
    assert min(sizes) >= LARGE
    assert min(sizes) == max(sizes)
    edges = page.locator(".word").evaluate_all(
        "words => words.map(word => word.getBoundingClientRect()).map(box => [box.left, box.right, box.bottom])"
    )
    bar = page.locator(".st-key-presentation-bar").bounding_box()
    assert all(left >= 0 and right <= SIZE["width"] and bottom <= bar["y"] for left, right, bottom in edges)


def test_in_two_bands_every_ribbon_begins_at_a_source_word(server: str, page: Any, visit: Visit) -> None:
    page.set_viewport_size(SIZE)
    visit(server, present="long")
    page.locator(".banded .ribbon").first.wait_for()
    begins = page.locator(".ribbon").evaluate_all(
        "paths => paths.map(path => path.getAttribute('d').split(' ').slice(1, 3).map(Number))"
    )
    words = page.locator(".line.source .word").evaluate_all(
        "words => words.map(word => [word.offsetLeft, word.offsetLeft + word.offsetWidth, word.offsetTop, "
        "word.offsetTop + word.offsetHeight])"
    )
    for x, y in begins:
        assert any(left - 1 <= x <= right + 1 and y in (top, bottom) for left, right, top, bottom in words)


def test_the_figure_uses_the_width(server: str, page: Any, visit: Visit) -> None:
    page.set_viewport_size(SIZE)
    visit(server, present="figure-2")
    figure = page.locator("svg.small-figure")
    figure.wait_for()
    box, bar = figure.bounding_box(), page.locator(".st-key-presentation-bar").bounding_box()
    assert box["width"] >= 0.9 * bar["width"]
    assert box["y"] + box["height"] <= bar["y"]
