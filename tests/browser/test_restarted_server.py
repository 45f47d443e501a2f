"""A page that is open while its server is restarted, as it was or with other scripts."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import nmt
from nmt.config import SearchSettings
from nmt.inspection.what_if import what_if
from nmt.results import Intervention
from tests.browser.conftest import serve, wait_for_address
from tests.browser.patient_server import UPDATED
from trials.at_rest import field

expect = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed").expect

pytestmark = pytest.mark.browser

SENTENCE = "the cat has never seen the sea ."


@pytest.mark.parametrize("updated", ["", "yes"], ids=["as it was", "updated"])
def test_an_open_page_goes_on_after_its_server_was_restarted(
    updated: str,
    runs: Path,
    tmp_path: Path,
    page: Any,
    visit: Callable[..., None],
    settle: Callable[[Any], None],
) -> None:
    """What was typed and the pin stay, the next change is answered, and the scripts are those of the new server."""
    lit = page.locator("#ribbons .target .word.lit")
    with serve(runs, tmp_path / "first") as address:
        visit(address, s=SENTENCE, models=["search"], beam="2", do="what-if")
        page.locator("#ribbons .target .word").nth(1).click()
        wait_for_address(page, pin="search.1.")
        word = lit.inner_text()
        field(page).fill("not entered")
    page.locator("[data-test-connection-state]:not([data-test-connection-state=CONNECTED])").wait_for()
    with serve(runs, tmp_path / "second", address, **{UPDATED: updated}):
        page.locator("[data-test-connection-state=CONNECTED]").wait_for()
        page.wait_for_function(f"Boolean(globalThis.updated) === {str(bool(updated)).lower()}")
        settle(page)
        expect(lit).to_have_text([word])
        expect(field(page)).to_have_value("not entered")
        begin = page.locator("#typed-begin")
        begin.fill("une fille")
        begin.press("Enter")
        expected = what_if(
            nmt.load(runs / "search"), SENTENCE, Intervention(prefix="une fille"), SearchSettings(beam=2)
        )
        page.locator(f'.system[aria-label="search: {expected.text}"] .former').wait_for()
        wait_for_address(page, change="begin:0::une fille", pin="search.1.")
        settle(page)
        page.locator("#ribbons .target .word").nth(0).click()
        wait_for_address(page, pin="search.0.")
