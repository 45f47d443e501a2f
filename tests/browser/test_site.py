"""The site of the documents, as `make docs` builds it, opened from disk in Chromium without a network."""

import runpy
from pathlib import Path
from typing import Any

import pytest

from tests.browser.test_accessibility import COLOURS_STAND, OF_COLOURS, _serious
from tests.made_once import made_once

ROOT = Path(__file__).parents[2]
SITE: Any = runpy.run_path(str(ROOT / ".ci" / "site.py"))
LOOKED_AT = ("docs/index", "docs/tour", "docs/reading", "docs/options", "docs/api", "docs/paper", "README", "search")
pytestmark = [pytest.mark.slow, pytest.mark.thorough, pytest.mark.timeout(1200)]


def _make(folder: Path) -> None:
    assert SITE["build"](folder) is None


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made_once(tmp_path_factory, "site", _make)


def test_it_is_built_without_a_warning_and_no_link_leads_nowhere(site: Path) -> None:
    assert SITE["faults"](site) == []
    assert len(list(site.glob("docs/decisions/0*.html"))) == len(list(ROOT.glob("docs/decisions/0*.md")))


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ('<a href="other.html">', "other.html is not there"),
        ('<a href="page.html#x">', "page.html#x has no such place"),
        ('<a href="#x"><p id="y">', "#x has no such place"),
        ('<script src="https://example.org/a.js">', "would be loaded from the network"),
        ('<a href="https://example.org"><img src="data:,"><a href="page.html#y"><p id="y">', ""),
    ],
)
def test_faults_of_a_page_are_found(tmp_path: Path, text: str, fault: str) -> None:
    (tmp_path / "page.html").write_text(text, encoding="utf-8")
    found = SITE["faults"](tmp_path)
    assert [fault in line for line in found] == ([True] if fault else [])


@pytest.mark.browser
def test_its_pages_open_from_disk(site: Path, chromium: Any) -> None:
    """No page asks the network for anything, reports a fault, or is wider than a phone."""
    faults: list[str] = []
    serious: dict[str, Any] = {}
    context = chromium.new_context(viewport={"width": 390, "height": 844}, offline=True, reduced_motion="reduce")
    page = context.new_page()
    page.on("pageerror", lambda fault: faults.append(str(fault)))
    page.on("console", lambda message: faults.append(message.text))
    page.on("requestfailed", lambda request: faults.append(request.url))
    page.goto((site / "index.html").as_uri())
    page.wait_for_url("**/docs/index.html")
    frame = page.frame_locator("iframe.translates")
    frame.locator("body[data-state=done]").wait_for(timeout=120_000)
    assert frame.locator("path").count() > 10  # ribbons
    for name in LOOKED_AT:
        page.emulate_media(color_scheme="light")
        page.goto((site / f"{name}.html").as_uri())
        assert page.evaluate("document.documentElement.scrollWidth") <= 390, name
        before = len(faults)
        light = _serious(page)
        page.emulate_media(color_scheme="dark")
        page.wait_for_function(COLOURS_STAND)
        if found := light + _serious(page, OF_COLOURS):
            serious[name] = found
        del faults[before:]  # those of axe itself, which asks for style sheets and frames
    page.goto(f"{(site / 'search.html').as_uri()}?q=coverage")
    page.locator("ul.search li a").first.wait_for()
    context.close()
    assert (serious, faults) == ({}, [])
