"""A page that carries a record refers to nothing outside, and what a record says enters it as text."""

import json
import re
from html.parser import HTMLParser
from typing import Any

from nmt.instrument import page_of, scales, styles, texts


class _Page(HTMLParser):
    """Tags, addresses, and the text of each script by its name."""

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
        self._script = (found.get("id") or "module") if tag == "script" else None

    def handle_data(self, data: str) -> None:
        if self._script is not None:
            self.scripts[self._script] = self.scripts.get(self._script, "") + data


def test_a_saved_page_refers_to_nothing_outside() -> None:
    words = ["<b>", "$x$", "</script><script>alert(1)</script>"]
    record: dict[str, Any] = {
        "format": 1,
        "source": {"text": "<i>"},
        "systems": [{"name": "<u>", "text": "x", "source": {"tokens": words}, "target": {"tokens": words}}],
    }
    about, view = {"<u>": {"kind": "<s>"}}, {"end": False}
    page, text = _Page(), page_of("<i>title</i>", record, about, view, [("model", "<u>x</u>")])
    page.feed(text)
    assert page.addresses == []
    assert not {"i", "u", "s", "img", "link", "iframe"} & {*page.tags}
    assert page.tags.count("script") == 3  # the one in a token is text
    assert json.loads(page.scripts["record"]) == record
    assert json.loads(page.scripts["host"]) == {
        "about": about,
        "state": {"view": view},
        "controls": True,
        "scales": scales(),
        "styles": styles(),
        "texts": texts(),
    }
    assert "function mount" in page.scripts["module"]
    assert not re.search(r"url\(|@import|https?:", text.replace("http://www.w3.org/2000/svg", ""))
    assert page_of("<i>title</i>", record, about, view, [("model", "<u>x</u>")]) == text
