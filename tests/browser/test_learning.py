"""The page Learning as a reader meets it: by keys, by its link, while it plays."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.browser.conftest import wait_for_address

pytestmark = pytest.mark.browser

Visit = Callable[..., None]
SENTENCE = "the cat has never seen the sea ."


@pytest.fixture
def watched(runs: Path) -> Iterator[Path]:
    """A run with three steps, all of them the same weights."""
    from nmt.inference.checkpoint import load_model, save_weights
    from nmt.runs.folder import read_run
    from nmt.runs.snapshots import snapshot_file

    folder = runs / "watched"
    shutil.copytree(runs / "search", folder)
    (folder / "steps").mkdir()
    settings = read_run(folder).settings
    for update in (3, 500, 7000):
        model = load_model(settings, folder / "model.safetensors")
        save_weights(folder / snapshot_file(update), model, {"update": update})
    yield folder
    shutil.rmtree(folder)


def test_keys_buttons_and_the_address(
    server: str, page: Any, visit: Visit, watched: Path, settle: Callable[[Any], None]
) -> None:
    visit(f"{server}/learning", s=SENTENCE, run="watched", step="500")
    page.get_by_text("watched, 500 updates").first.wait_for()
    page.keyboard.press("d")
    page.get_by_text("watched, 7,000 updates").first.wait_for()
    page.keyboard.press("a")
    page.get_by_text("watched, 500 updates").first.wait_for()
    settle(page)
    wait_for_address(page, step="500")
    page.get_by_role("slider", name="Updates made").focus()
    page.keyboard.press("ArrowLeft")
    page.get_by_text("watched, 3 updates").first.wait_for()
    page.get_by_role("textbox").first.click()
    page.keyboard.type(" add")  # letters that are typed are no shortcuts
    settle(page)
    assert page.get_by_text("watched, 3 updates").count() >= 1
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


def test_it_plays_to_the_end_and_stops(server: str, page: Any, visit: Visit, watched: Path) -> None:
    visit(f"{server}/learning", s=SENTENCE, run="watched", step="3")
    page.get_by_text("watched, 3 updates").first.wait_for()
    page.get_by_role("button", name="Play").click()
    page.get_by_text("watched, 7,000 updates").first.wait_for()
    page.get_by_role("button", name="Play").wait_for()
