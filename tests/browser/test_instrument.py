"""Hosts of the instrument in Chromium: the file of docs/instrument.md, and cells of a notebook."""

import functools
import http.server
import re
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import nmt
from tests.browser.conftest import ROOT
from tests.oracles.random_run import random_run

pytestmark = pytest.mark.browser


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    """A folder with ``nmt`` in it, served."""
    (tmp_path / "nmt").symlink_to(ROOT / "nmt")
    handler = functools.partial(_Quiet, directory=str(tmp_path))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()
        thread.join()


@pytest.mark.journey("instrument")
def test_the_file_of_the_documentation_shows_its_record(chromium: Any, tmp_path: Path, address: str) -> None:
    text = (ROOT / "docs" / "instrument.md").read_text("utf-8")
    (example,) = re.findall(r"^```html\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    assert len(example.splitlines()) < 40
    hostile = example.replace("the white house", "the <b>white</b> house").replace('"la maison', '"<i>la</i> maison')
    for name, page in (("host.html", example), ("hostile.html", hostile)):
        (tmp_path / name).write_text(page, encoding="utf-8")
        window = chromium.new_page()
        faults: list[str] = []
        window.on("pageerror", lambda fault: faults.append(str(fault)))  # noqa: B023 -- of this window
        window.on("console", lambda message: faults.append(message.text))  # noqa: B023
        window.goto(address + name)
        words = window.locator("#ribbons .line.target .word")
        assert words.all_inner_texts() == ["la", "maison", "blanche"]
        words.nth(1).hover()
        assert window.locator("#ribbons .readout").inner_text() == "maison ← house 0.90, the 0.10"
        assert window.locator("#ribbons .ribbon.lit").count() == 2
        assert window.locator("#matrices .kind").inner_text() == "Transformer · log p = −1.50 nats"
        assert window.locator("#matrices .target-text").inner_text() == (
            "la maison blanche" if page is example else "<i>la</i> maison blanche"
        )
        assert window.locator("b, i").count() == 0
        assert not window.locator("#instrument form").is_visible()
        assert faults == []
        window.close()


def test_cells_of_a_notebook_share_nothing_and_show_their_ribbons_without_scripts(
    chromium: Any, tmp_path: Path
) -> None:
    model = nmt.load(random_run(tmp_path / "run"))
    texts = ("the <b>cat</b> sleeps on the mat .", "a girl reads", "the cat sleeps on the mat " * 12)
    translations = [model.translate(text) for text in texts]
    page = "<!doctype html><body>" + "".join(each._repr_html_() or "" for each in translations)
    context = chromium.new_context(offline=True, viewport={"width": 900, "height": 2000})
    window = context.new_page()
    faults: list[str] = []
    window.on("pageerror", lambda fault: faults.append(str(fault)))
    window.on("console", lambda message: faults.append(message.text))
    window.set_content(page)
    first, second = (window.frame_locator("iframe").nth(k) for k in range(2))
    first.locator("#ribbons .line.target .word").first.click()
    for frame, translation in ((first, translations[0]), (second, translations[1])):
        assert frame.locator("#matrices .target-text").inner_text() == translation.text
    assert [frame.locator("#ribbons .word.lit").count() for frame in (first, second)] == [1, 0]
    assert window.evaluate("document.documentElement.scrollWidth") == 900
    pictures = window.locator("img").all()
    assert [each.get_attribute("alt") for each in pictures] == [each.text for each in translations]
    assert all(each.evaluate("one => one.naturalWidth > 50") for each in pictures)
    in_front = (
        "one => document.elementFromPoint(one.getBoundingClientRect().x + 9, one.getBoundingClientRect().y + 9).tagName"
    )
    assert pictures[0].evaluate(in_front) == "IFRAME"
    assert first.locator("body.drawn").count() == 1
    assert faults == []
    without = chromium.new_context(java_script_enabled=False, viewport={"width": 900, "height": 2000}).new_page()
    without.set_content(page)
    shot, blank = (
        without.locator("img").first.screenshot(),
        without.screenshot(clip={"x": 20, "y": 600, "width": 50, "height": 50}),
    )
    assert len(shot) > 5 * len(blank)  # nothing stands before it
    without.context.close()
    context.close()
