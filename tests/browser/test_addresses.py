"""Addresses of places in other letters, of none, and the way back."""

from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from nmt.texts import APP, LOOK
from tests.browser.conftest import wait_for_address
from trials.at_rest import enter, field

expect = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed").expect

pytestmark = pytest.mark.browser

Visit = Callable[..., None]
Settle = Callable[[Any], None]


@pytest.mark.parametrize(("address", "path"), [("look", "/"), ("Look", "/"), ("Models", "/models")])
def test_a_place_is_found_by_its_name(address: str, path: str, server: str, page: Any, visit: Visit) -> None:
    visit(f"{server}/{address}", nonsense="kept")
    page.wait_for_url(lambda url: urlsplit(url).path == path)
    assert parse_qs(urlsplit(page.url).query)["nonsense"] == ["kept"]
    assert page.get_by_text(APP.not_there.partition("{")[0]).count() == 0


def test_look_is_found_on_a_server_that_nobody_has_opened(fresh_server: str, page: Any, visit: Visit) -> None:
    visit(f"{fresh_server}/look")
    page.wait_for_url(lambda url: urlsplit(url).path == "/")


def test_a_page_that_is_not_there_is_named_above_look(server: str, page: Any, visit: Visit, settle: Settle) -> None:
    visit(f"{server}/nopage")
    page.get_by_text(APP.not_there.format(what=APP.a_page, value="nopage")).wait_for()
    settle(page)
    assert urlsplit(page.url).path == "/"


def test_back_takes_one_step_for_each_page(server: str, page: Any, visit: Visit, settle: Settle) -> None:
    """Although the pages write what was chosen into their addresses when they are opened again."""
    visit(server, s="the cat .", models=["search"], beam="2")
    first, entries = page.url, page.evaluate("history.length")
    for name, path in ((APP.length, "/length"), (APP.look, "/")):
        page.get_by_role("link", name=name, exact=True).click()
        page.wait_for_function("path => location.pathname === path", arg=path)
        settle(page)
    wait_for_address(page, s="the cat .", models="search", beam="2")
    assert page.evaluate("history.length") == entries + 2
    page.go_back()
    page.wait_for_function("location.pathname === '/length'")
    page.go_back()
    page.wait_for_function("address => location.href === address", arg=first)


def test_back_forward_and_reload_bring_whole_states(server: str, page: Any, visit: Visit, settle: Settle) -> None:
    """Although fields, the program and the picture each write into the one address, which always has the sentence."""
    words, lit = page.locator(".target .word"), page.locator(".target .word.lit")

    def state() -> tuple[str, str, int]:
        page.mouse.move(0, 0)
        settle(page)
        return page.url, field(page).input_value(), lit.count()

    visit(server, models=["search"], beam="2")
    states = [state()]
    words.nth(0).click()
    states.append(state())
    enter(page, "the cat .")
    wait_for_address(page, s="the cat .", pin=[])
    states.append(state())
    words.nth(1).click()
    states.append(state())
    assert [bool(number) for *_, number in states] == [False, True, False, True]
    for travel, expected in ((page.go_back, [*states[2::-1]]), (page.go_forward, states[1:])):
        for url, sentence, number in expected:
            travel(wait_until="commit")
            page.wait_for_function("address => location.href === address", arg=url)
            expect(field(page)).to_have_value(sentence)
            assert state() == (url, sentence, number)
        page.reload()
        assert state() == expected[-1]


SLOW = """(() => {
  const add = WebSocket.prototype.addEventListener;
  const later = (listen) => (event) => { setTimeout(listen, window.slow ? 5000 : 0, event); };
  WebSocket.prototype.addEventListener = function (kind, listen) {
    add.call(this, kind, kind === "message" ? later(listen) : listen);
  };
})()"""
"""A script: once ``window.slow`` is true, the browser hears of each message of the server five seconds later."""


def test_clicks_that_are_faster_than_the_network_are_all_kept(
    server: str, page: Any, visit: Visit, settle: Settle
) -> None:
    """The second click brings the address that the browser had before it heard of the first."""
    page.add_init_script(SLOW)
    visit(server, s="the cat .", models=["search", "encdec"])
    page.evaluate("window.slow = true")
    page.get_by_text(LOOK.by_key.modes["text"], exact=True).click()
    page.wait_for_timeout(2000)  # the server has chosen it, the browser does not know
    page.locator("[aria-label=encdec] button").click()
    page.evaluate("setTimeout(() => { window.slow = false; }, 6000)")
    wait_for_address(page, models="search", mode="text")
    settle(page)
    wait_for_address(page, models="search", mode="text")
