"""A sentence that Look translates while it is typed: no act until Enter, or until something on it is touched."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import nmt
from tests.browser.conftest import wait_for_address
from trials.at_rest import enter, field

expect = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed").expect

pytestmark = pytest.mark.browser

FIRST, TYPED, LATER = "the cat .", "the girl reads", "the girl reads on the mat ."


def test_a_sentence_is_translated_while_it_is_typed_and_enters_the_history_once_touched(
    server: str, page: Any, visit: Callable[..., None], settle: Callable[[Any], None], runs: Path
) -> None:
    words, lit = page.locator("#ribbons .target .word"), page.locator("#ribbons .target .word.lit")
    model = nmt.load(runs / "search")

    def shows(sentence: str) -> None:
        page.locator(f'.system[aria-label="search: {model.translate(sentence, beam=2).text}"]').wait_for()
        settle(page)
        page.mouse.move(0, 0)

    def state() -> tuple[str, str, int, int]:
        page.mouse.move(0, 0)
        settle(page)
        return page.url, field(page).input_value(), lit.count(), page.evaluate("history.length")

    visit(server, s=FIRST, models=["search"], beam="2")
    words.nth(0).click()
    wait_for_address(page, pin="search.0.")
    pinned = state()
    field(page).fill(TYPED)
    shows(TYPED)
    assert (page.url, lit.count(), page.evaluate("history.length")) == (pinned[0], 0, pinned[3])
    field(page).fill("")
    field(page).press_sequentially(LATER, delay=60)  # some of it is translated meanwhile
    shows(LATER)
    expect(field(page)).to_be_focused()
    assert state() == (pinned[0], LATER, 0, pinned[3])
    field(page).fill(FIRST)
    shows(FIRST)
    assert state() == pinned
    field(page).fill(TYPED)
    shows(TYPED)
    words.nth(1).click()
    wait_for_address(page, s=TYPED, pin="search.1.")
    touched = state()
    assert touched[1:] == (TYPED, 1, pinned[3] + 1)
    field(page).fill(LATER)
    shows(LATER)
    page.go_back(wait_until="commit")
    wait_for_address(page, s=FIRST, pin="search.0.")
    expect(field(page)).to_have_value(FIRST)
    shows(FIRST)
    assert state()[:3] == pinned[:3]
    page.go_forward(wait_until="commit")
    wait_for_address(page, s=TYPED, pin="search.1.")
    expect(field(page)).to_have_value(TYPED)
    shows(TYPED)
    assert state() == touched
    field(page).fill("the sea")
    enter(page, LATER)  # before the pause is over
    wait_for_address(page, s=LATER, pin=[])
    shows(LATER)
    field(page).fill(TYPED)
    shows(TYPED)
    page.reload()
    shows(LATER)
    assert state()[:3] == (page.url, LATER, 0)


def test_all_of_a_long_sentence_is_seen_in_the_field(server: str, page: Any, visit: Callable[..., None]) -> None:
    visit(server, s=FIRST, models=["search"], beam="2")
    sizes = "text => [text.clientHeight, text.scrollHeight <= text.clientHeight, text.scrollWidth <= text.clientWidth]"
    low, *_ = field(page).evaluate(sizes)
    field(page).fill("the cat has never seen the sea and " * 8)
    high, *seen = field(page).evaluate(sizes)
    assert high > low
    assert seen == [True, True]
