"""The ribbons in a browser without the app: dragged by mouse, touch and keys, undone, and fitted to the room."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from nmt.charts.style import line_style
from nmt.results import Alignment
from tests.charts.view_data import RibbonSystem, handle, page_of_view, ribbons_data

pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")

pytestmark = pytest.mark.browser

SOURCE = ("The", "agreement", "on", "the", "European", "Economic", "Area", "was", "signed")
TARGET = ("L'accord", "sur", "la", "zone", "économique", "européenne", "a", "été", "signé")
LOOKS = (1, 2, 3, 6, 5, 4, 7, 7, 8)
Open = Callable[..., Any]
_DRAWN = """async (data) => {
  draw(data);
  await new Promise((then) => requestAnimationFrame(() => requestAnimationFrame(then)));
}"""
"""Draws, and waits until the view has fitted its words to the room, which builds what has the keyboard anew."""


def system(source: tuple[str, ...] = SOURCE, target: tuple[str, ...] = TARGET, **settings: Any) -> RibbonSystem:
    weights = np.full((len(target), len(source)), 0.1 / len(source), dtype=np.float32)
    looks = LOOKS if target == TARGET else [min(i, len(source) - 1) for i in range(len(target))]
    for i, j in enumerate(looks):
        weights[i, j] += 0.9
    return RibbonSystem(
        title="search",
        kind="RNNsearch",
        style=line_style(0),
        source=source,
        target=target,
        text=" ".join(target),
        alignment=Alignment(source=source, target=target, weights=weights),
        **{"movable": True, **settings},
    )


@pytest.fixture
def open_ribbons(chromium: Any) -> Iterator[Open]:
    """``open_ribbons(systems, width=1280, touch=False)`` shows systems and returns the window; the test fails
    if a script fails."""
    contexts, faults = [], []

    def show(systems: list[RibbonSystem], width: int = 1280, touch: bool = False) -> Any:
        context = chromium.new_context(
            viewport={"width": width, "height": 720}, has_touch=touch, reduced_motion="reduce"
        )
        contexts.append(context)
        window = context.new_page()
        window.on("pageerror", lambda fault: faults.append(str(fault)))
        window.set_content(page_of_view("ribbons"))
        window.wait_for_function("typeof draw === 'function'")
        window.evaluate(_DRAWN, ribbons_data(systems))
        return window

    yield show
    for context in contexts:
        context.close()
    assert faults == []


def middle(box: dict[str, float]) -> tuple[float, float]:
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def word(window: Any, side: str, k: int) -> Any:
    return window.locator(f".line.{side} .word").nth(k)


def moves(window: Any) -> list[dict[str, int]]:
    return [value for name, value in window.evaluate("told") if name == "move"]


def move(i: int, source: int, goal: int) -> dict[str, int]:
    """What is told of a ribbon of the first system."""
    return {"panel": 0, "i": i, "from": source, "to": goal}


def drag(window: Any, i: int, goal: int, *, drop: bool = True) -> None:
    """Take the end of the ribbon of target word ``i`` and carry it below source word ``goal``."""
    window.mouse.move(*middle(window.locator(".grip .dot").nth(i).bounding_box()))
    window.mouse.down()
    x, y = middle(word(window, "source", goal).bounding_box())
    window.mouse.move(x, y + 60, steps=5)
    if drop:
        window.mouse.up()


def test_a_ribbon_is_dragged_by_its_end_and_told_once(open_ribbons: Open) -> None:
    window = open_ribbons([system()])
    drag(window, 5, 8, drop=False)
    assert window.locator(".ghost").count() == 1
    assert window.locator(".readout").inner_text() == "Make “européenne” look at “signed”"
    assert word(window, "source", 8).evaluate("element => element.classList.contains('aimed')")
    window.mouse.up()
    assert moves(window) == [move(5, 4, 8)]
    assert window.locator(".word.waiting").count() == 3  # all that is written after it
    assert window.locator(".ghost").count() == 1  # until the answer is there


def test_a_ribbon_is_dragged_anywhere_along_it(open_ribbons: Open) -> None:
    window = open_ribbons([system()])
    window.mouse.move(*middle(window.locator(".ribbon.bright").nth(0).bounding_box()))
    window.mouse.down()
    window.mouse.move(*middle(word(window, "source", 0).bounding_box()), steps=4)
    window.mouse.up()
    assert moves(window) == [move(0, 1, 0)]


def test_a_drag_that_ends_where_it_began_or_is_given_up_tells_nothing(open_ribbons: Open) -> None:
    window = open_ribbons([system()])
    drag(window, 5, 4)
    drag(window, 5, 8, drop=False)
    window.keyboard.press("Escape")
    window.mouse.up()
    assert moves(window) == []
    assert window.locator(".ghost").count() == 0
    fixed = open_ribbons([system(movable=False)])
    assert fixed.locator(".grip").count() == 0


@pytest.mark.parametrize("width", [1280, 390])
def test_a_finger_drags_an_end_and_the_page_does_not_scroll(open_ribbons: Open, width: int) -> None:
    window = open_ribbons([system()], width=width, touch=True)
    client = window.context.new_cdp_session(window)
    x, y = middle(window.locator(".grip .dot").nth(4).bounding_box())
    to_x, to_y = middle(word(window, "source", 0).bounding_box())
    touch = {"id": 1, "radiusX": 4, "radiusY": 4}
    client.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{**touch, "x": x, "y": y}]})
    for part in (0.25, 0.5, 0.75, 1):
        point = {**touch, "x": x + part * (to_x - x), "y": y + part * (to_y - y)}
        client.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [point]})
    client.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    window.wait_for_function("told.some(([name]) => name === 'move')")
    assert moves(window) == [move(4, 5, 0)]
    assert window.evaluate("scrollY") == 0


@pytest.mark.parametrize("width", [1280, 390])
def test_keys_move_an_end_and_apply_it(open_ribbons: Open, width: int) -> None:
    window = open_ribbons([system()], width=width)
    along, other = ("ArrowLeft", "ArrowDown") if width == 1280 else ("ArrowUp", "ArrowRight")
    first = window.locator(".grip").first
    first.focus()
    for _ in range(5):
        window.keyboard.press(other)
    focused = window.locator(".grip:focus")
    assert focused.get_attribute("aria-label") == "“européenne” looks at"
    assert focused.get_attribute("aria-valuetext") == "European"
    window.keyboard.press(along)
    window.keyboard.press(along)
    assert window.locator(".spoken").first.inner_text() == "Make “européenne” look at “on”"
    window.keyboard.press("Escape")
    assert window.locator(".ghost").count() == 0
    window.keyboard.press(along)
    window.keyboard.press("Enter")
    assert moves(window) == [move(5, 4, 3)]


def sentence(words: int, letters: int = 6) -> tuple[str, ...]:
    return tuple(f"{'w' * (2 + (5 * k) % letters)}{k}" for k in range(words))


@pytest.mark.parametrize("width", [1280, 1440, 390])
@pytest.mark.parametrize("words", [1, 5, 14, 45, 80])
def test_every_word_is_whole_within_the_page_and_no_two_overlap(open_ribbons: Open, words: int, width: int) -> None:
    shown = [system(sentence(words), sentence(words + 3)), system(sentence(words), sentence(words + 3), movable=False)]
    window = open_ribbons(shown, width=width)
    assert window.evaluate("document.documentElement.scrollWidth") <= width
    boxes = window.evaluate(
        """() => {
          const edges = ({ left, top, right, bottom }) => [left, top, right, bottom];
          const words = (system) => [...system.querySelectorAll(".word")];
          const systems = [...document.querySelectorAll(".system")];
          return systems.map((system) => words(system).map((word) => edges(word.getBoundingClientRect())));
        }"""
    )
    for system_boxes in boxes:
        assert len(system_boxes) == 2 * words + 3
        for left, _, right, _ in system_boxes:
            assert left >= -0.5
            assert right <= width + 0.5
        found = np.array(system_boxes)
        apart = (found[:, None, :2] >= found[None, :, 2:] - 0.6).any(2)
        assert (apart | apart.T | np.eye(len(found), dtype=bool)).all()
    sizes = window.evaluate(
        "[...document.querySelectorAll('.ribbon-inner')].map((one) => parseFloat(one.style.fontSize))"
    )
    assert min(sizes) >= (13 if words > 14 and width != 390 else 10)


@pytest.mark.parametrize(("words", "width"), [(9, 390), (45, 1280)])
def test_words_without_ribbons_have_the_size_of_those_with(open_ribbons: Open, words: int, width: int) -> None:
    with_ribbons = system(sentence(words), sentence(words))
    window = open_ribbons([with_ribbons, replace(with_ribbons, alignment=None)], width=width)
    sizes = window.locator(".ribbon-inner").evaluate_all("all => all.map((one) => one.style.fontSize)")
    assert len(sizes) == 2
    assert sizes[0] == sizes[1]


@pytest.mark.parametrize("width", [1280, 900, 390])
def test_no_line_begins_at_a_mark_of_punctuation(open_ribbons: Open, width: int) -> None:
    words = tuple("?!?!" if k % 4 == 3 else word for k, word in enumerate(sentence(60)))
    with_ribbons = system(words, words)
    data = ribbons_data([with_ribbons, replace(with_ribbons, alignment=None)])
    for shown in data["systems"]:
        shown |= {name: [word == "?!?!" for word in words] for name in ("source_close", "target_close")}
    window = open_ribbons([], width=width)
    window.evaluate(_DRAWN, data)
    lines = window.evaluate(
        """() => [...document.querySelectorAll(".ribbon-inner:not(.down) .line.target")].map((line) => (
          [...line.querySelectorAll(".word")].map((word) => [word.textContent, word.getBoundingClientRect().top])
        ))"""
    )
    assert len(lines) == (1 if width == 390 else 2)  # on a phone the words with ribbons stand one below the other
    for line in lines:
        assert len(line) == len(words)
        assert len({top for _, top in line}) > 1
        begins = [now[0] for before, now in pairwise(line) if now[1] > before[1]]
        assert begins
        assert "?!?!" not in begins


def test_a_press_that_comes_before_the_one_before_is_drawn_is_not_lost(open_ribbons: Open) -> None:
    """Nor does the keyboard lose its place; another sentence forgets what was asked for."""

    def show(number: int, first: str = "The") -> None:
        systems = [system((first, *SOURCE[1 : 3 * number]), TARGET[:2])]
        data = ribbons_data(systems, handle=handle(number, 6, "It rains."))
        window.evaluate(_DRAWN, data)

    def asked() -> list[int]:
        return [value for name, value in window.evaluate("told") if name == "number"]

    window = open_ribbons([system()])
    show(1)
    grip = window.locator(".handle")
    grip.press("ArrowRight")
    grip.press("ArrowRight")
    show(2)
    window.keyboard.press("ArrowRight")
    assert asked() == [2, 3, 4]
    for number in (3, 4):
        show(number)
        assert grip.evaluate("one => one.matches(':focus')")
    assert grip.inner_text() == "+"
    window.keyboard.press("ArrowLeft")
    show(1, first="A")
    window.keyboard.press("ArrowRight")
    assert asked()[3:] == [3, 2]


@pytest.mark.parametrize("width", [1280, 760])
def test_the_handle_leaves_both_lines_one_middle(open_ribbons: Open, width: int) -> None:
    window = open_ribbons([system()], width=width)
    window.evaluate("data => { draw(data); }", ribbons_data([system()], handle=handle(1, 6, "It rains.")))
    source, target = window.evaluate(
        """() => ["source", "target"].map((side) => {
          const boxes = [...document.querySelectorAll(`.${side} .word`)].map((word) => word.getBoundingClientRect());
          return (boxes[0].left + boxes.at(-1).right) / 2;
        })"""
    )
    assert abs(source - target) < 2
    scroll = window.locator(".ribbon-scroll")
    assert scroll.evaluate("({ scrollWidth, clientWidth }) => scrollWidth - clientWidth") == 0


@pytest.mark.parametrize(("words", "width", "least"), [(3, 1280, 60), (5, 760, 15), (9, 1280, 15)])
def test_words_of_a_short_sentence_use_the_width(open_ribbons: Open, words: int, width: int, least: int) -> None:
    """Words that the text joins stay together."""
    data = ribbons_data([system(sentence(words), sentence(words))], handle=handle(1, 6, "It rains."))
    data["systems"][0]["target_close"] = [k == words - 1 for k in range(words)]
    window = open_ribbons([], width=width)
    window.evaluate(_DRAWN, data)
    source, target = window.evaluate(
        """() => ["source", "target"].map((side) => {
          const boxes = [...document.querySelectorAll(`.${side} .word`)].map((word) => word.getBoundingClientRect());
          return boxes.slice(1).map(({ left }, k) => left - boxes[k].right);
        })"""
    )
    assert min(source) == pytest.approx(max(source), abs=1)  # pixels
    assert least < source[0] < 70
    assert target[0] == pytest.approx(source[0], abs=1)
    assert target[-1] < 0
    for first in (sentence(words), tuple("القط" for _ in range(words))):
        window.evaluate(_DRAWN, ribbons_data([system(first, sentence(words))], handle=handle(1, 6, "It rains.")))
        scroll = window.locator(".ribbon-scroll")
        assert scroll.evaluate("({ scrollWidth, clientWidth }) => scrollWidth - clientWidth") == 0


def test_the_former_line_stands_beneath_and_what_is_rewritten_is_marked(open_ribbons: Open) -> None:
    window = open_ribbons([system()])
    first = window.locator("#view").inner_html()
    changed = system(
        target=(*TARGET[:5], "signée", "hier"), former=TARGET, former_text="As it is set.", changed="moved"
    )
    window.evaluate(_DRAWN, ribbons_data([changed]))
    assert window.locator(".former-words").inner_text() == "As it is set."
    assert window.locator(".word.rewritten").all_inner_texts() == ["signée", "hier"]
    line = window.locator(".line.target").bounding_box()
    assert window.locator(".former").bounding_box()["y"] >= line["y"] + line["height"]
    window.keyboard.press("Control+z")
    assert window.evaluate("told.filter(([name]) => name === 'undo').length") == 1
    window.evaluate(_DRAWN, ribbons_data([system()]))
    assert window.locator("#view").inner_html() == first


def test_a_drag_takes_the_keyboard_from_the_field_where_the_sentence_was_typed(open_ribbons: Open) -> None:
    """Else Ctrl+Z would take back what was typed instead of the drag."""
    window = open_ribbons([system()])
    field = window.locator("#field")
    field.focus()
    drag(window, 5, 8)
    assert not field.evaluate("one => one.matches(':focus')")
    assert len(moves(window)) == 1


def test_a_word_that_was_clicked_is_not_lit_when_it_is_built_anew(open_ribbons: Open) -> None:
    """After a key Firefox takes any focus that a script gives for that of the keyboard, which lights a word."""
    window = open_ribbons([system()])
    word(window, "target", 2).dblclick()
    window.evaluate("HTMLElement.prototype.focus = (options) => told.push(['focus', options])")
    window.evaluate(_DRAWN, ribbons_data([system(target=(*TARGET[:5], "signée", "hier"))]))
    assert window.evaluate("told.at(-1)") == ["focus", {"preventScroll": True, "focusVisible": False}]
