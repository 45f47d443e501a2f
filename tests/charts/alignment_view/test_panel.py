"""Data of the view of alignments, and pins from outside."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nmt.charts.alignment_view import Bars, Mark, Move, Panel, Pin, view_data
from nmt.charts.colour_scales import DIFFERENCE, SCALES
from nmt.results import Alignment
from nmt.texts import CHARTS
from tests.charts.examples import ribbon_systems

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
    assert data["scale"] == SCALES["paper"].to_dict()
    assert data["difference_scale"] == json.loads(json.dumps(DIFFERENCE.to_dict()))


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ({"panel": 0, "source": [1], "target": [2]}, Pin(0, (1,), (2,))),
        ({"panel": 0, "source": [3, 1, 3], "target": []}, Pin(0, (1, 3), ())),
        ({"panel": 0, "source": [0], "target": [0]}, Pin(0, (0,), (0,))),
        ({"panel": 0, "source": [-1]}, None),
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


def even_panel(columns: int, rows: int) -> Panel:
    weights = np.full((rows, columns), 1 / columns)
    return Panel(alignment=Alignment(source=("a",) * columns, target=("b",) * rows, weights=weights), title="")


@given(st.data())
def test_a_pin_comes_back_from_the_address(data: st.DataObject) -> None:
    panels = [even_panel(n, m) for n, m in ((3, 4), (7, 1))]
    panel = data.draw(st.integers(0, 1))
    alignment = panels[panel].alignment
    source, target = (
        tuple(sorted(data.draw(st.sets(st.integers(0, len(words) - 1)))))
        for words in (alignment.source, alignment.target)
    )
    pin = Pin(panel, source, target)
    names = data.draw(st.lists(st.text(min_size=1), min_size=2, max_size=2, unique=True))
    named = dict(zip(names, panels, strict=True))
    assert Pin.from_address(pin.address(names[panel]), named) == (pin if source or target else None)


@given(st.text("0123-.٣x").map("a.{}".format) | st.text() | st.just(f"a.{'9' * 5000}.1"))
def test_any_address_is_a_pin_of_the_panels_or_none(text: str) -> None:
    panel = even_panel(12, 12)
    pin = Pin.from_address(text, {"a": panel})
    if pin is not None:
        assert Pin.checked(pin.to_dict(), [panel]) == pin
        numbers = {int(number) for number in text.removeprefix("a.").replace("-", ".").split(".") if number}
        assert {*pin.source, *pin.target} == numbers


def test_a_cell_is_one_word_of_each_side() -> None:
    assert Pin(0, (3,), (1,)).cell == (1, 3)
    assert Pin(0, (3,), ()).cell is None
    assert Pin(0, (3, 4), (1,)).cell is None


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"panel": 0, "i": 1, "from": 2, "to": 0}, Move(panel=0, target=1, source=2, goal=0)),
        ({"panel": 0, "i": 0, "from": 0, "to": 2}, Move(panel=0, target=0, source=0, goal=2)),
        ({"panel": 0, "i": 3, "from": 2, "to": 0}, Move(panel=0, target=3, source=2, goal=0)),
        ({"panel": 0, "i": 4, "from": 2, "to": 0}, None),
        ({"panel": 0, "i": 1, "from": 3, "to": 0}, None),
        ({"panel": 0, "i": "0", "from": 2, "to": 0}, None),
        ({"panel": 0, "i": 1, "from": 2, "to": 2}, None),
        ({"panel": 0, "i": 1, "from": 2, "to": 99}, None),
        ({"panel": 0, "i": -1, "from": 2, "to": 0}, None),
        ({"panel": True, "i": 1, "from": 2, "to": 0}, None),
        ({"panel": 1, "i": 1, "from": 2, "to": 0}, None),
        ({"panel": 2, "i": 1, "from": 2, "to": 0}, None),
        ({"panel": 7, "i": 1, "from": 2, "to": 0}, None),
        ({"panel": 0}, None),
        ("x", None),
    ],
)
def test_a_move_is_one_along_a_row_of_a_movable_panel(given: object, expected: Move | None) -> None:
    silent = replace(ribbon_systems()[1], movable=True)  # it has no alignment
    panels = [replace(even_panel(3, 4), movable=True), even_panel(3, 4), silent]
    assert Move.checked(given, panels) == expected


def test_the_signs_in_use_are_explained_once(panel: Panel, alignment: Alignment) -> None:
    two = replace(panel, target_marks={0: Mark("↻", "again"), 1: Mark("↻", "again")})
    gold = (CHARTS.sure_link, CHARTS.possible_link)
    assert two.to_dict()["signs"] == {
        "words": ["∅ dropped", "↻ again"],
        "matrix": [*(text.format(place=CHARTS.frame) for text in gold), CHARTS.hatched_bars],
        "links": [text.format(place=CHARTS.thin_line) for text in gold],
    }
    nothing = Panel(alignment=alignment, title="plain").to_dict()["signs"]
    assert nothing == {"words": [], "matrix": [], "links": []}
    assert replace(panel, entropy=None).to_dict()["signs"]["matrix"] == two.to_dict()["signs"]["matrix"][:2]


def test_a_panel_without_bars_has_no_room_for_them(alignment: Alignment, panel: Panel) -> None:
    assert replace(panel, coverage=None).to_dict()["bars"] is None
