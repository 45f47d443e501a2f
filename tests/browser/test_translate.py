"""The place Look as a reader meets it: real server, real Chromium, real (untrained) models."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest

import nmt
from nmt.charts.colour_scales import INK
from nmt.instrument import texts
from nmt.texts import APP, LOOK
from tests.browser.conftest import FITS_IN_WIDTH, wait_for_address
from tests.browser.patient_server import LASTING_BEAM, SECONDS_A_STEP
from trials.at_rest import enter, field

pytestmark = pytest.mark.browser

SENTENCE = "the cat has never seen the sea ."
HOSTILE = "<img src=x onerror=alert(1)> *star* $x$ مرحبا 안녕"
NOTE_LISTS = """
  window.listsOfFiles = 0;
  new MutationObserver(() => {
    window.listsOfFiles += document.querySelectorAll("[data-testid=stSidebarNav]").length;
  }).observe(document, { subtree: true, childList: true });
"""
"""Counts how often the list of the files was seen."""
Visit = Callable[..., None]


def translation(page: Any, name: str) -> str:
    system = page.locator(f'.system[aria-label^="{name}: "]')
    return str(system.get_attribute("aria-label", timeout=10_000)).removeprefix(f"{name}: ")


def test_a_link_opened_on_a_fresh_server_shows_its_view(fresh_server: str, page: Any, visit: Visit, runs: Path) -> None:
    """And nothing else before: neither another page nor Streamlit's list of the files in pages/."""
    page.add_init_script(NOTE_LISTS)
    visit(fresh_server, s=SENTENCE, models=["search"], beam="3")
    expected = nmt.load(runs / "search").translate(SENTENCE, beam=3).text
    assert translation(page, "search") == expected
    assert page.title() == f"{SENTENCE} – Look – Jointly"
    assert page.locator(".system").count() == 1
    assert page.evaluate("window.listsOfFiles") == 0


@pytest.mark.journey("look")
def test_typing_a_sentence_and_reading_the_matrix(
    server: str, page: Any, visit: Visit, settle: Callable[[Any], None], runs: Path
) -> None:
    visit(server, models=["search", "encdec"])
    page.get_by_role("textbox", name=texts()["sentence_in"].format(language="English")).wait_for()
    enter(page, SENTENCE)
    matrix = page.get_by_role("application").first
    page.locator('.system[aria-label^="encdec: "]').wait_for()
    matrix.wait_for()
    settle(page)

    best = nmt.load(runs / "search").translate(SENTENCE).best
    page.locator(f'.system[aria-label="search: {best.text}"]').wait_for()
    settle(page)
    assert translation(page, "encdec") == nmt.load(runs / "encdec").translate(SENTENCE).text
    wait_for_address(page, s=SENTENCE)

    assert best.alignment is not None
    alpha = best.alignment.weights
    i, j = 1, 5
    area = matrix.bounding_box()
    side = area["width"] / alpha.shape[1]
    assert area["height"] == pytest.approx(side * alpha.shape[0])
    matrix.hover(position={"x": (j + 0.5) * side, "y": (i + 0.5) * side})
    readout = page.locator(".panel .readout").first
    readout.get_by_text(f"α = {alpha[i, j]:.3f}").wait_for()
    assert readout.locator(".target").inner_text() == best.alignment.target[i]
    assert readout.locator(".source").inner_text() == best.alignment.source[j]
    assert readout.locator(".weight").inner_text() == f"α = {alpha[i, j]:.3f}"
    lit = page.locator(".panel").first.locator(".label.lit")
    assert lit.all_inner_texts() == [best.alignment.source[j], best.alignment.target[i]]
    pixel = matrix.evaluate(
        "(canvas, [x, y]) => [...canvas.getContext('2d').getImageData(x, y, 1, 1).data]",
        [int((j + 0.5) * side), int((i + 0.5) * side)],
    )
    assert pixel[:3] == pytest.approx(INK.colours(alpha[i, j]).astype(float), abs=1)

    page.mouse.move(5, 5)
    lit.first.wait_for(state="detached")


def test_arrow_keys_move_through_a_long_sentence(server: str, page: Any, visit: Visit, runs: Path) -> None:
    sentence = " ".join(["the girl reads on the mat"] * 10)
    visit(server, s=sentence, models=["search"])
    alignment = nmt.load(runs / "search").translate(sentence).alignment
    assert alignment is not None
    matrix = page.get_by_role("application")
    matrix.focus()
    for key in ("ArrowDown", "ArrowRight", "ArrowRight", "ArrowUp", "End", "ArrowRight"):
        page.keyboard.press(key)
    last = len(alignment.source) - 1
    spoken = page.locator(".view .spoken")
    end = f"source word {last + 1} of {last + 1}, </s>; alpha {alignment.weights[0, last]:.3f}"
    spoken.filter(has_text=end).wait_for(state="attached")
    assert f"Target word 1 of {len(alignment.target)}, {alignment.target[0]}" in spoken.inner_text()
    cursor, scroll, words = (page.locator(name).bounding_box() for name in (".cell-mark", ".scroll", ".row-words"))
    assert cursor["x"] + cursor["width"] <= scroll["x"] + scroll["width"] + 1
    assert words["x"] >= scroll["x"]  # the words have not been scrolled away
    page.keyboard.press("Control+Home")
    spoken.filter(has_text="source word 1 of").wait_for(state="attached")
    assert page.evaluate(FITS_IN_WIDTH)


def test_text_comes_out_as_typed(server: str, page: Any, visit: Visit) -> None:
    visit(server, s=HOSTILE, models=["search"])
    words = page.locator(".column-words .label").all_text_contents()
    assert "".join(words) == "".join(HOSTILE.split()) + "</s>"
    assert page.locator("img[src='x']").count() == 0


def test_a_new_choice_cancels_the_run_before(
    server: str, page: Any, visit: Visit, settle: Callable[[Any], None]
) -> None:
    words, lasting = 90, {"models": "endless", "beam": str(LASTING_BEAM)}
    link = f"{server}/?{urlencode({'s': ' '.join(['the cat sleeps'] * (words // 3)), **lasting})}"
    progress = page.get_by_text(APP.by_key.units["words-at-most"])
    page.goto(link)
    progress.wait_for()
    ended = time.monotonic() + (2 * words + 11) * SECONDS_A_STEP + 1
    field(page).fill("the cat .")
    page.get_by_role("button", name=LOOK.translate).click()
    page.locator(".label", has_text="cat").first.wait_for()
    settle(page)
    assert page.locator(".column-words .label").count() == 4
    assert time.monotonic() < ended  # else it was not cancelled
    time.sleep(ended - time.monotonic())
    # Had the long run gone on to its end, its translation would now be shown at once.
    page.goto(link)
    progress.wait_for()
    assert page.locator(".system").count() == 0
