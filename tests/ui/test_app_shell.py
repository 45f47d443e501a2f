"""The menu, and former addresses."""

from pathlib import Path
from typing import Any

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from nmt.ui import strings
from nmt.ui.address import PAGE
from nmt.ui.app_shell import FORMER
from nmt.ui.learn import strings as learn
from nmt.ui.length import strings as length
from nmt.ui.models import strings as models
from nmt.ui.present.page import STAGES

ROOT = Path(__file__).parents[2]


def test_pages_are_four_places_and_former_addresses() -> None:
    files = {path.stem for path in (ROOT / "pages").glob("*.py")}
    assert files == {"learn", "length", "look", "models"} | {*FORMER}
    assert {page for page, _ in FORMER.values()} <= {f"pages/{name}.py" for name in files - {*FORMER}}


@pytest.mark.slow
@pytest.mark.parametrize("address", [address for address in FORMER if address != "explore"])
def test_a_former_address_leads_on_with_what_it_asks_for(address: str) -> None:
    """In the app's frame; a fresh server, and the address in the browser, are in tests/browser."""
    at = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    at.switch_page(f"pages/{address}.py").run()
    assert not at.exception
    page, added = FORMER[address]
    places = {"length": strings.LENGTH, "learn": strings.LEARN, "models": strings.MODELS}
    assert at.session_state[PAGE] == places[Path(page).stem]
    for name, value in added.items():
        assert at.query_params.get(name, value) in (value, [value])


def _window(monkeypatch: pytest.MonkeyPatch, page: str, **asked: str) -> str:
    """The title of the window of a page."""
    titles: list[str] = []
    monkeypatch.setattr(st, "set_page_config", lambda page_title, **_: titles.append(page_title))
    at = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    if page != "look":
        at.switch_page(f"pages/{page}.py")
    at.query_params.update(asked)
    at.run()
    assert not at.exception
    return titles[-1]


@pytest.mark.parametrize(
    ("page", "parameter", "views", "place"),
    [
        ("learn", "view", learn.VIEWS, strings.LEARN),
        ("length", "view", length.VIEWS, strings.LENGTH),
        ("models", "show", models.SECTIONS, strings.MODELS),
        ("look", "present", {stage.name: stage.title for stage in STAGES}, strings.LOOK),
    ],
)
def test_every_view_has_a_window_title_of_its_own(
    page: str,
    parameter: str,
    views: dict[str, str],
    place: str,
    runs: Path,
    translators: dict[str, Any],
    write_run: Any,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    write_run(runs / "search")
    monkeypatch.setattr("nmt.ui.learn.place.show_how", lambda *_: None)
    for name, title in views.items():
        assert _window(monkeypatch, page, **{parameter: name}) == f"{title} – {place} – {strings.APP}"


def test_views_of_a_sentence_name_it(runs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    title = _window(monkeypatch, "learn", view="beam", s="The cat sleeps.")
    assert title == f"The cat sleeps. – {learn.VIEWS['beam']} – {strings.LEARN} – {strings.APP}"
    title = _window(monkeypatch, "learn", view="draw", s="The cat sleeps.")
    assert title == f"{learn.VIEWS['draw']} – {strings.LEARN} – {strings.APP}"
