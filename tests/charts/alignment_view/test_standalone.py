"""The view as a file of its own refers to nothing outside, and words in it are text."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser

import numpy as np

from nmt.charts.alignment_view import Panel, standalone_html, view_data
from nmt.charts.view_files import view_files
from nmt.results import Alignment
from nmt.texts import view_texts


class _Page(HTMLParser):
    """Tags, addresses, and the text of each kind of script."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.addresses: list[str] = []
        self.scripts: dict[str, str] = {}
        self._script: str | None = None

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        found = dict(attributes)
        self.addresses += [value for name in ("src", "href") if (value := found.get(name))]
        self._script = (found.get("type") or "") if tag == "script" else None

    def handle_data(self, data: str) -> None:
        if self._script is not None:
            self.scripts[self._script] = self.scripts.get(self._script, "") + data


def test_the_file_that_stands_alone_refers_to_nothing_outside() -> None:
    words = ("<b>", "$x$", "</script><script>alert(1)</script>")
    data = view_data([Panel(alignment=Alignment(source=words, target=words, weights=np.eye(3)), title="search")])
    text = standalone_html("<i>title</i>", data, [("model", "<u>x</u>")])
    page = _Page()
    page.feed(text)
    assert page.addresses == []
    assert not {"i", "u", "img", "link", "iframe"} & {*page.tags}
    assert page.tags.count("script") == 2  # the one in a token is text
    assert json.loads(page.scripts["application/json"]) == data | {"texts": view_texts("alignment_view")}
    assert page.scripts["module"].strip() == view_files("alignment_view", "standalone_page").js.strip()
    assert not re.search(r"url\(|@import|https?:", text.replace("http://www.w3.org/2000/svg", ""))
    assert standalone_html("<i>title</i>", data, [("model", "<u>x</u>")]) == text
