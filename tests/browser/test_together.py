"""Concatenated sentences as a reader meets them: a curve that grows, and the handle that adds a sentence."""

from collections.abc import Callable
from typing import Any

import pytest

from nmt.answers.shipped import CONCATENATED
from nmt.texts import TOGETHER
from tests.browser.conftest import FITS_IN_WIDTH, wait_for_address

expect = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed").expect

pytestmark = pytest.mark.browser

Visit = Callable[..., None]
Settle = Callable[[Any], None]
COMPUTE = TOGETHER.compute.partition("{")[0]


@pytest.mark.timeout(600)
def test_the_curve_grows_to_its_end(server: str, page: Any, visit: Visit, settle: Settle) -> None:
    visit(
        f"{server}/length",
        **{"view": "together", "models": ["search", "encdec"], "sample": "16", "words": "4", "beam": "1"},
    )
    page.get_by_role("button", name=COMPUTE).click()
    page.locator(".js-plotly-plot .scatterlayer .point").first.wait_for(timeout=240_000)  # torch is imported meanwhile
    page.locator(".js-plotly-plot .scatterlayer .trace").nth(1).wait_for()
    page.get_by_text(TOGETHER.as_table, exact=True).wait_for(timeout=240_000)  # all points are there
    settle(page)
    for trace in range(2):
        assert page.locator(".js-plotly-plot .scatterlayer .trace").nth(trace).locator(".point").count() == 8
    page.reload()  # what was computed is kept
    page.locator(".js-plotly-plot .scatterlayer .point").first.wait_for()
    assert not page.get_by_role("button", name=COMPUTE).count()


def test_the_handle_adds_sentences_by_mouse_and_keys_until_rnnencdec_has_lost_words(
    server: str, page: Any, visit: Visit, settle: Settle
) -> None:
    """The released checkpoints carry their results; the mark moves along the curve."""
    page.set_viewport_size({"width": 1280, "height": 720})
    page.emulate_media(reduced_motion="reduce")
    visit(server, s=CONCATENATED["en"][0], do="length")
    handle = page.get_by_role("slider", name="Sentences translated as one")
    handle.wait_for()
    mark = page.locator(".small-figure .here")
    places = [mark.get_attribute("x1")]
    handle.click()
    wait_for_address(page, k="2")
    expect(page.locator(".system .kept")).to_have_count(2)
    settle(page)
    handle.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    wait_for_address(page, k="4")
    expect(handle).to_have_attribute("aria-valuenow", "4")
    expect(handle).to_be_focused()
    settle(page)
    places.append(mark.get_attribute("x1"))
    assert float(places[0]) < float(places[1])
    search, encdec = page.locator(".system").all()
    expect(encdec.locator(".alone del").nth(1)).to_be_attached()
    expect(search.locator(".alone del")).to_have_count(0)
    assert page.evaluate(FITS_IN_WIDTH)
    page.keyboard.press("Control+z")
    wait_for_address(page, k="3")
    expect(handle).to_have_attribute("aria-valuenow", "3")
    settle(page)
    box = handle.bounding_box()
    page.mouse.move(box["x"] + 10, box["y"] + 10)
    page.mouse.down()
    page.mouse.move(box["x"] - 115, box["y"] + 10, steps=3)
    expect(handle).to_have_text("−2")
    page.mouse.up()
    wait_for_address(page, k=[])
    expect(page.locator(".system .kept")).to_have_count(0)


def test_no_press_is_lost_while_the_page_of_the_press_before_is_made(server: str, page: Any, visit: Visit) -> None:
    """From one sentence to two, what stands above the picture changes with the number of translations."""
    for sentence in ("the cat has seen a girl", "a girl has seen the sea", "she reads on the mat"):
        visit(server, s=sentence, models=["search", "encdec"], own=["the sea is a cat", "she sleeps"])
        handle = page.locator(".handle")
        handle.press("ArrowRight")
        handle.press("ArrowRight")
        wait_for_address(page, k="3")
        words = f"{sentence} the sea is a cat she sleeps".split()
        expect(page.locator(".system").first.locator(".source .word")).to_have_text(words, timeout=60_000)


@pytest.mark.parametrize("number", ["1", "3", "6"])
@pytest.mark.parametrize("width", [1280, 900, 390])
def test_the_handle_stands_whole_above_the_line_and_has_its_name(
    server: str, page: Any, visit: Visit, settle: Settle, number: str, width: int
) -> None:
    page.set_viewport_size({"width": width, "height": 844})
    visit(server, s=CONCATENATED["en"][0], k=number)
    handle = page.locator(".handle")
    handle.wait_for()
    settle(page)
    box, line = handle.bounding_box(), page.locator(".ribbon-scroll").first.bounding_box()
    assert box["x"] + box["width"] == pytest.approx(line["x"] + line["width"], abs=1)
    assert box["y"] + box["height"] <= line["y"] + 1
    name = handle.evaluate("one => getComputedStyle(one, '::after').content")
    assert name == '" sentence"'
    inside = page.locator(".ribbon-scroll").first.evaluate("one => one.scrollWidth <= one.clientWidth")
    assert inside


def test_a_finger_adds_a_sentence_and_takes_it_back(
    server: str, profile: Any, visit: Visit, settle: Settle, page: Any
) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    visit(server, s=CONCATENATED["en"][0])
    handle = page.locator(".handle")
    handle.wait_for()
    handle.dispatch_event("pointerdown", {"pointerId": 1, "pointerType": "touch", "clientX": 100, "isPrimary": True})
    handle.dispatch_event("pointerup", {"pointerId": 1, "pointerType": "touch", "clientX": 102, "isPrimary": True})
    wait_for_address(page, k="2")
    settle(page)
    page.locator("[data-control=undo]").click()
    wait_for_address(page, k=[])
    expect(page.locator(".alone")).to_have_count(0)
