"""The presentation on the small projector of a lecture room: everything is on the screen, in large type."""

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest

from nmt.texts import APP, PRESENT
from nmt.ui.present.page import Scene, scenes
from tests.browser.conftest import FITS_IN_WIDTH, wait_for_address

pytestmark = pytest.mark.browser

SIZE = {"width": 1280, "height": 720}
SIZES = [(1280, 720), (1920, 1080)]
Visit = Callable[..., None]


def opened(page: Any, visit: Visit, server: str, scene: str, step: int = 1, **more: str) -> None:
    page.set_viewport_size(SIZE)
    page.emulate_media(reduced_motion="reduce")  # ribbons and lost words are there at once
    visit(f"{server}/present", scene=scene, step=str(step), **more)


@pytest.mark.parametrize("scene", [scene for scene in scenes([]) if scene.name != "end"], ids=lambda scene: scene.name)
def test_every_scene_is_whole_on_the_screen(
    server: str, page: Any, visit: Visit, settle: Callable[[Any], None], scene: Scene
) -> None:
    """At each step: nothing to scroll, and the bar below all of it, in the same place."""
    tops = set()
    for step in range(1, scene.steps + 1):
        opened(page, visit, server, scene.name, step)
        tops.add(top_of_bar(page, settle))
    assert max(tops) - min(tops) <= 1


def top_of_bar(page: Any, settle: Callable[[Any], None]) -> float:
    """Check that all of a scene is on the screen."""
    page.get_by_role("button", name=PRESENT.next, exact=True).wait_for()
    page.locator(".ribbon, .small-figure, .drawing").first.wait_for()
    settle(page)
    main = "document.querySelector('[data-testid=stMain]')"
    assert page.evaluate(f"{main}.scrollHeight <= {main}.clientHeight + 1")
    assert page.evaluate(FITS_IN_WIDTH)
    bar = page.locator(".st-key-presentation-bar").bounding_box()
    assert SIZE["height"] - 20 <= bar["y"] + bar["height"] <= SIZE["height"]
    boxes = page.locator("[data-testid=stMain] :is(p, h1, h3, .alone, .word, .sentence, .small-figure, .drawing)")
    bottoms = boxes.evaluate_all(
        "all => all.filter(one => one.checkVisibility() && !one.closest('.st-key-presentation-bar'))"
        ".map(one => one.getBoundingClientRect().bottom)"
    )
    assert max(bottoms) <= bar["y"] + 1
    return float(bar["y"])


@pytest.mark.journey("present")
def test_the_clicker_steps_through_all_and_escape_leaves(
    server: str, page: Any, visit: Visit, settle: Callable[[Any], None]
) -> None:
    opened(page, visit, server, "together", step=5)
    page.locator(".system:nth-child(2) .alone del").first.wait_for()
    settle(page)
    page.keyboard.press("PageDown")
    wait_for_address(page, scene="together", step="6")
    page.keyboard.press("PageDown")
    page.get_by_role("heading", name=PRESENT.figure_2).wait_for()
    settle(page)
    page.keyboard.press("PageDown")
    page.locator(".st-key-presentation-end").wait_for()
    settle(page)
    black = "getComputedStyle(document.elementFromPoint(640, 100)).backgroundColor"
    assert page.evaluate(black) == "rgb(0, 0, 0)"
    page.keyboard.press("PageDown")  # there is nothing more
    page.keyboard.press("PageUp")
    page.get_by_role("heading", name=PRESENT.figure_2).wait_for()
    settle(page)
    page.keyboard.press("Escape")
    page.get_by_role("heading", name=APP.look_question).wait_for()


def test_presses_in_quick_succession_leave_the_page_alive(
    server: str, page: Any, visit: Visit, settle: Callable[[Any], None]
) -> None:
    """Streamlit would end the page for ever if the browser had dropped a message that the server takes for cached."""
    opened(page, visit, server, "figure-2")
    settle(page)
    for _ in range(8):
        page.keyboard.press("PageDown")
        page.locator(".st-key-presentation-end").wait_for()
        settle(page)
        page.keyboard.press("PageDown")
        page.keyboard.press("PageUp")
        page.get_by_role("heading", name=PRESENT.figure_2).wait_for()
        settle(page)


def test_on_a_phone_the_bar_is_one_line(server: str, page: Any, visit: Visit, settle: Callable[[Any], None]) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    visit(f"{server}/present")
    page.get_by_role("button", name=PRESENT.next, exact=True).wait_for()
    settle(page)
    bar = page.locator(".st-key-presentation-bar").bounding_box()
    assert bar["height"] < 60
    assert page.locator("h1").bounding_box()["y"] >= 16
    assert page.evaluate(FITS_IN_WIDTH)


@pytest.mark.parametrize(("scene", "least"), [("own-1", 0.075), ("1", 0.042), ("long", 0.042)])
@pytest.mark.parametrize("size", SIZES, ids=str)
def test_words_and_ribbons_fill_the_window(
    server: str, page: Any, visit: Visit, settle: Callable[[Any], None], size: tuple[int, int], scene: str, least: float
) -> None:
    """Words are at least so large, in heights of the window. Nothing is cut, and no word touches another."""
    opened(page, visit, server, scene, 2, s="The cat sleeps.")
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.locator(".ribbon").first.wait_for()
    settle(page)
    sizes, ribbons = (
        page.locator(which).evaluate_all(f"all => all.map(one => parseFloat(getComputedStyle(one).{what}))")
        for which, what in ((".word", "fontSize"), ("svg.ribbons", "height"))
    )
    assert min(sizes) == max(sizes) >= least * size[1]
    assert sum(ribbons) >= 0.25 * size[1]
    edges = page.locator(".word:not(.close)").evaluate_all(
        "all => all.map(one => one.getBoundingClientRect()).map(box => [box.left, box.right, box.top, box.bottom])"
    )
    bar = page.locator(".st-key-presentation-bar").bounding_box()
    assert all(left >= 0 and right <= size[0] and bottom <= bar["y"] for left, right, _, bottom in edges)
    apart = ((a[1] <= b[0] + 1 or b[1] <= a[0] + 1 or a[3] <= b[2] + 1 or b[3] <= a[2] + 1) for a, b in pairwise(edges))
    assert all(apart)
    main = page.get_by_test_id("stMain")
    assert main.evaluate("one => one.scrollHeight <= one.clientHeight")
    page.locator(".word").nth(1).hover()
    assert page.locator(".word").nth(1).evaluate("one => parseFloat(getComputedStyle(one).fontSize)") == sizes[1]


def test_in_two_bands_every_ribbon_begins_at_a_source_word(server: str, page: Any, visit: Visit) -> None:
    opened(page, visit, server, "long", 2)
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


def test_how_it_works_is_read_from_the_last_row(server: str, page: Any, visit: Visit) -> None:
    """No letter of the drawing is smaller than 16 pixels, and none is cut by the edge of the drawing."""
    opened(page, visit, server, "how", 5)
    page.locator(".drawing .part").first.wait_for()
    texts = page.locator(".drawing :is(text, tspan), .steps .sentence, .steps button")
    sizes = texts.evaluate_all("all => all.map(one => parseFloat(getComputedStyle(one).fontSize))")
    assert min(sizes) >= 16
    outside = page.locator(".drawing").evaluate(
        """svg => {
          const edge = svg.getBoundingClientRect();
          return [...svg.querySelectorAll("text")].filter(one => {
            const box = one.getBoundingClientRect();
            return box.left < edge.left - 1 || box.right > edge.right + 1 || box.bottom > edge.bottom + 1;
          }).map(one => one.textContent);
        }"""
    )
    assert outside == []


def test_the_figure_uses_the_width(server: str, page: Any, visit: Visit) -> None:
    opened(page, visit, server, "figure-2")
    figure = page.locator("svg.small-figure")
    figure.wait_for()
    box, bar = figure.bounding_box(), page.locator(".st-key-presentation-bar").bounding_box()
    assert box["width"] >= 0.9 * bar["width"]
    assert box["y"] + box["height"] <= bar["y"]
