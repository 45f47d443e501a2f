"""The menu, and the titles of windows."""

import re
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import streamlit as st
from streamlit.runtime.context import ContextProxy
from streamlit.testing.v1 import AppTest

from nmt.texts import APP, LEARN, MODELS, follow, languages
from nmt.ui.app_shell import PLACES, pages
from nmt.ui.present.page import scenes
from nmt.ui.resources import reader_language
from tests.ui.opened import opened

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def _english_afterwards() -> Iterator[None]:
    yield
    follow(lambda: "en")


def test_every_place_has_a_file_and_a_folder() -> None:
    assert {path.stem for path in (ROOT / "pages").glob("*.py")} == {place.name for place in PLACES}
    for place in PLACES:
        assert (ROOT / "nmt" / "ui" / place.name).is_dir()
        assert f'open_page("{place.name}"' in (ROOT / place.file).read_text("utf-8")
    assert [place.path for place in PLACES if place.path != place.name] == [""]


@pytest.mark.parametrize(
    ("url", "asked"),
    [
        (None, ""),
        ("http://here:8501/", ""),
        ("http://here:8501/models?show=cards", ""),
        ("http://here:8501/behind/a%20proxy/length/", ""),
        ("http://here:8501/Models", "Models"),
        ("http://here:8501/look", "look"),
        ("http://here:8501/no%20where", "no where"),
    ],
)
def test_an_address_that_is_no_place_has_a_page_that_redirects(
    url: str | None, asked: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ContextProxy, "url", url)
    monkeypatch.setattr(st, "Page", lambda page, **named: SimpleNamespace(page=page, **named))
    places, others = pages()[:5], pages()[5:]
    assert [page.url_path for page in places] == ["", "length", "learn", "models", "present"]
    assert [page.default for page in places] == [True, False, False, False, False]
    assert [page.url_path for page in others] == ([asked] if asked else [])


@pytest.mark.parametrize(
    ("address", "file", "told"),
    [("Models", "pages/models.py", False), ("look", "pages/look.py", False), ("x*", "pages/look.py", True)],
)
def test_an_address_in_other_letters_leads_to_its_place(
    address: str, file: str, told: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    led: list[tuple[str, dict[str, list[str]]]] = []
    monkeypatch.setattr(st, "switch_page", lambda file, query_params: led.append((file, query_params)))

    def page(address: str) -> None:
        import streamlit as st

        from nmt.ui.address import open_address
        from nmt.ui.app_shell import _redirect

        if st.session_state.get("led"):
            open_address("look")
        else:
            _redirect(address)
            st.session_state["led"] = True

    at = AppTest.from_function(page, args=(address,), default_timeout=20)
    at.query_params.update({"s": "a cat", "models": ["x", "y"]})
    assert not at.run().exception
    assert led == [(file, {"s": ["a cat"], "models": ["x", "y"]})]
    said = [caption.value for caption in at.run().caption]  # by the page to which it leads
    expected = APP.not_there.format(what=APP.a_page, value=r"x\*")
    assert [each.endswith(expected) for each in said] == ([True] if told else [])


@pytest.mark.parametrize(
    ("locale", "asked", "language", "kept"),
    [
        (None, "", "en", False),
        ("ko-KR", "", "ko", False),
        ("KO", "", "ko", False),
        ("fr-FR", "", "en", False),
        ("ko-KR", "en", "en", True),
        ("en-US", "ko", "ko", True),
        ("en-US", "en", "en", False),
        ("ko-KR", "fr", "ko", False),
    ],
)
def test_the_address_says_a_language_that_the_browser_does_not_ask_for(
    locale: str | None, asked: str, language: str, kept: bool, runs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ContextProxy, "locale", locale)
    at = opened("models", **({"lang": asked} if asked else {}))
    (heading,) = [each.value for each in at.get("html") if "<h1" in str(each.value)]
    assert ('<h1 lang="ko">' in heading) == (language == "ko")
    assert ("lang" in at.query_params) == kept
    assert [button.label for button in at.button if button.key in ("to-en", "to-ko")] == [
        languages()["en" if language == "ko" else "ko"]
    ]


def test_every_place_has_a_journey_that_make_test_walks() -> None:
    tests = (ROOT / "tests" / "browser").glob("test_*.py")
    walked = {place for path in tests for place in re.findall(r'mark\.journey\("(\w+)"\)', path.read_text("utf-8"))}
    assert walked == {place.name for place in PLACES} | {"page", "instrument", "accessibility"}


def _window(monkeypatch: pytest.MonkeyPatch, page: str, **asked: str) -> str:
    """The title of the window of a page."""
    titles: list[str] = []
    monkeypatch.setattr(st, "set_page_config", lambda page_title, **_: titles.append(page_title))
    opened(page, **asked)
    return titles[-1]


@pytest.mark.parametrize(
    ("page", "parameter", "views", "place"),
    [
        ("learn", "view", LEARN.by_key.views, APP.learn),
        ("length", "view", APP.by_key.length_views, APP.length),
        ("models", "show", MODELS.by_key.sections, APP.models),
        ("present", "scene", {scene.name: scene.title for scene in scenes([])}, APP.present),
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
        assert _window(monkeypatch, page, **{parameter: name}) == f"{title} – {place} – {APP.app}"


def test_views_of_a_sentence_name_it(random_checkpoints: None, monkeypatch: pytest.MonkeyPatch) -> None:
    title = _window(monkeypatch, "learn", view="beam", s="The cat sleeps.")
    assert title == f"The cat sleeps. – {LEARN.by_key.views['beam']} – {APP.learn} – {APP.app}"
    title = _window(monkeypatch, "learn", view="draw", s="The cat sleeps.")
    assert title == f"{LEARN.by_key.views['draw']} – {APP.learn} – {APP.app}"


def test_outside_of_a_session_the_language_is_english(caplog: pytest.LogCaptureFixture) -> None:
    assert reader_language() == "en"
    assert not caplog.records


def test_the_script_that_tidies_the_history_may_run(runs: Path) -> None:
    scripts = [each.proto for each in opened().get("html") if "<script>" in each.proto.body]
    assert [script.unsafe_allow_javascript for script in scripts] == [True]
