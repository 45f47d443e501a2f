"""What the view of alignments is given to draw, and the file that stands alone."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from html.parser import HTMLParser

import numpy as np
import pytest

from nmt.charts.alignment_view import SCALES, Bars, Mark, Panel, Pin, standalone_html, view_data, view_files
from nmt.results import Alignment

SOURCE, TARGET = ("the", 'a "q", b', "the", "</s>"), ("<b>", "$x$", "</script><script>alert(1)</script>")


@pytest.fixture
def alignment() -> Alignment:
    weights = np.random.default_rng(1).random((3, 4))
    return Alignment(source=SOURCE, target=TARGET, weights=weights / weights.sum(axis=1, keepdims=True))


@pytest.fixture
def panel(alignment: Alignment) -> Panel:
    bars = Bars(
        title="coverage", explained="Sum of alpha.", values=alignment.weights.sum(axis=0).tolist(), most=2.0, line=1.0
    )
    spread = Bars(title="entropy", explained="Spread.", values=[0.5, 1.0, 1.5], most=2.0, second=[0.1, 0.2, 0.3])
    return Panel(
        alignment=alignment,
        title="search",
        coverage=bars,
        entropy=spread,
        source_marks={2: Mark("∅", "dropped")},
        sure=[(0, 0)],
        possible=[(1, 3)],
        shown=[(2, 1)],
        log_probability=[-0.5, -1.25, -2],
    )


def test_the_view_gets_plain_data(panel: Panel, alignment: Alignment) -> None:
    data = json.loads(json.dumps(view_data([panel, panel], show="both", transpose=True, pin=Pin(1, (2,), (0, 1)))))
    (first, second) = data["panels"]
    assert first == second
    assert first["source"] == list(SOURCE)
    assert first["target"] == list(TARGET)
    assert np.array(first["weights"]) == pytest.approx(alignment.weights, abs=1e-6)
    assert first["bars"]["source"]["values"] == pytest.approx(alignment.weights.sum(axis=0), abs=1e-4)
    assert first["bars"]["target"]["second"] == [0.1, 0.2, 0.3]
    assert first["marks"] == {"source": [None, None, {"sign": "∅", "text": "dropped"}, None], "target": [None] * 3}
    assert (first["sure"], first["possible"]) == ([[0, 0]], [[1, 3]])
    ((i, j, weight),) = first["links_shown"]
    assert (i, j) == (2, 1)
    assert weight == pytest.approx(alignment.weights[2, 1], abs=1e-4)
    assert first["log_probability"] == [-0.5, -1.25, -2]
    assert (data["show"], data["transpose"], data["pin"]) == (
        "both",
        True,
        {"panel": 1, "source": [2], "target": [0, 1]},
    )
    assert view_data([Panel(alignment=alignment, title="plain")])["panels"][0]["bars"] is None


def test_scales_run_from_end_to_end() -> None:
    for scale in SCALES.values():
        data = scale.to_dict()
        ticks = [value for value, _ in data["ticks"]]
        assert ticks == sorted(ticks)
        assert (ticks[0], ticks[-1]) == (data["low"], data["high"])
        assert all(0 <= channel <= 255 for stop in data["stops"] for channel in stop)
    assert SCALES["paper"].to_dict()["stops"] == [[0, 0, 0], [255, 255, 255]]


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ({"panel": 0, "source": [1], "target": [2]}, Pin(0, (1,), (2,))),
        ({"panel": 0, "source": [3, 1, 3], "target": []}, Pin(0, (1, 3), ())),
        ({"panel": 0, "source": [], "target": []}, None),
        ({"panel": 1, "source": [1]}, None),
        ({"panel": -1, "source": [1]}, None),
        ({"panel": 0, "source": [4]}, None),
        ({"panel": 0, "target": [3]}, None),
        ({"panel": 0, "source": "1"}, None),
        ({"panel": 0, "source": [1.5]}, None),
        ({"panel": "0", "source": [1]}, None),
        ({"source": [1]}, None),
        ([], None),
        (None, None),
    ],
)
def test_a_pin_is_checked(said: object, expected: Pin | None, panel: Panel) -> None:
    assert Pin.checked(said, [panel]) == expected


def test_a_cell_is_one_word_of_each_side() -> None:
    assert Pin(0, (3,), (1,)).cell == (1, 3)
    assert Pin(0, (3,), ()).cell is None
    assert Pin(0, (3, 4), (1,)).cell is None


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


def test_the_file_that_stands_alone_refers_to_nothing_outside(panel: Panel) -> None:
    data = view_data([panel])
    text = standalone_html("<i>title</i>", data, [("model", "<u>x</u>")])
    page = _Page()
    page.feed(text)
    assert page.addresses == []
    assert not {"i", "u", "img", "link", "iframe"} & {*page.tags}
    assert page.tags.count("script") == 2  # the one in a token is text
    assert json.loads(page.scripts["application/json"]) == data
    assert "mount(document.getElementById" in page.scripts["module"]
    assert not re.search(r"url\(|@import|https?:", text.replace("http://www.w3.org/2000/svg", ""))
    assert standalone_html("<i>title</i>", data, [("model", "<u>x</u>")]) == text


def test_the_files_of_the_view_hold_together() -> None:
    """Every class that the script looks for is in the frame; no text becomes HTML."""
    files = view_files()
    for name in re.findall(r'find\("\.([\w-]+)"\)', files.js):
        assert re.search(rf'class="{name}"', files.html), name
    assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write", files.js)


def test_a_panel_without_bars_has_no_room_for_them(alignment: Alignment, panel: Panel) -> None:
    assert replace(panel, coverage=None).to_dict()["bars"] is None
