"""Whole texts in the place Look: real server, real Chromium, real (untrained) models, real background."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import nmt
from nmt.texts import APP, LOOK
from tests.browser.conftest import wait_for_address
from tests.browser.patient_server import LASTING_BEAM
from trials.at_rest import field

pytestmark = pytest.mark.browser

TEXT = "A girl.\n\nThe cat sleeps on the mat. She reads."
PATIENCE = 120_000
"""Milliseconds: the first job of a server loads torch."""
Visit = Callable[..., None]


def test_a_text_is_typed_translated_and_taken_away(server: str, page: Any, visit: Visit, runs: Path) -> None:
    visit(server, models=["search", "encdec"], beam="3")
    page.get_by_text(LOOK.by_key.modes["text"], exact=True).click()
    box = page.get_by_label(LOOK.text_in.format(language="English"))
    low = box.bounding_box()["height"]
    box.fill("")
    box.press_sequentially(TEXT)  # Enter breaks the line
    assert box.input_value() == TEXT
    assert box.bounding_box()["height"] > low
    box.press("Control+Enter")
    with page.expect_download() as taken:
        page.locator(".st-key-text-card-encdec").get_by_role("button", name=LOOK.text).click(timeout=PATIENCE)
    for name in ("search", "encdec"):
        model = nmt.load(runs / name)
        sentences = ("A girl.", "The cat sleeps on the mat.", "She reads.")
        a, b, c = (model.translate(text, beam=3).text for text in sentences)
        expected = f"{a}\n\n{b} {c}"
        assert page.locator(f".st-key-text-{name}").inner_text(timeout=PATIENCE).strip() == expected.strip()
    assert taken.value.suggested_filename == "text.fr.txt"
    assert taken.value.path().read_text("utf-8") == expected
    wait_for_address(page, text=TEXT)


def test_a_long_text_shows_progress_and_is_stopped(
    server: str, page: Any, visit: Visit, settle: Callable[[Any], None]
) -> None:
    visit(server, mode="text", cut="lines", models=["endless"], beam=str(LASTING_BEAM))
    box = field(page)
    box.fill("\n".join(f"the cat {k} {'girl ' * 15}" for k in range(60)))
    box.press("Control+Enter")
    bar = page.get_by_text(APP.progress.format(stage="translate", done=0, total=60, unit="sentences"))
    bar.wait_for(timeout=PATIENCE)
    page.get_by_role("button", name=APP.cancel).click()
    page.locator(".st-key-go-endless").get_by_role("button").wait_for(timeout=PATIENCE)
    assert page.get_by_test_id("stProgress").count() == 0


def test_the_field_of_two_sentences_keeps_its_width(server: str, page: Any, visit: Visit) -> None:
    visit(server, s="The cat sleeps. The dog sleeps.", models=["search"], beam="2")
    page.locator(".st-key-one-by-one").wait_for()
    row = page.locator(".st-key-sentence-row")
    assert field(page).bounding_box()["width"] > 0.7 * row.bounding_box()["width"]
