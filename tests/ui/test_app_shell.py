"""The menu, and the titles of windows."""

import re
from pathlib import Path
from typing import Any

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from nmt.ui import strings
from nmt.ui.app_shell import PLACES
from nmt.ui.learn import strings as learn
from nmt.ui.models import strings as models
from nmt.ui.present.page import scenes

ROOT = Path(__file__).parents[2]


def test_every_place_has_a_file_and_a_folder() -> None:
    assert {path.stem for path in (ROOT / "pages").glob("*.py")} == {place.name for place in PLACES}
    for place in PLACES:
        assert (ROOT / "nmt" / "ui" / place.name / "strings.py").exists()
        assert f'open_page("{place.name}"' in (ROOT / place.file).read_text("utf-8")
    assert [place.path for place in PLACES if place.path != place.name] == [""]


def test_every_place_has_a_journey_that_make_test_walks() -> None:
    tests = (ROOT / "tests" / "browser").glob("test_*.py")
    walked = {place for path in tests for place in re.findall(r'mark\.journey\("(\w+)"\)', path.read_text("utf-8"))}
    assert walked == {place.name for place in PLACES} | {"page", "accessibility"}


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
        ("length", "view", strings.LENGTH_VIEWS, strings.LENGTH),
        ("models", "show", models.SECTIONS, strings.MODELS),
        ("present", "scene", {scene.name: scene.title for scene in scenes([])}, strings.PRESENT),
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
    monkeypatch.setattr("nmt.ui.learn.place.ask_how", lambda *_, **__: None)
    monkeypatch.setattr("nmt.ui.present.page.show_steps_scene", lambda *_: None)
    for name, title in views.items():
        assert _window(monkeypatch, page, **{parameter: name}) == f"{title} – {place} – {strings.APP}"


def test_views_of_a_sentence_name_it(runs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    title = _window(monkeypatch, "learn", view="beam", s="The cat sleeps.")
    assert title == f"The cat sleeps. – {learn.VIEWS['beam']} – {strings.LEARN} – {strings.APP}"
    title = _window(monkeypatch, "learn", view="draw", s="The cat sleeps.")
    assert title == f"{learn.VIEWS['draw']} – {strings.LEARN} – {strings.APP}"
