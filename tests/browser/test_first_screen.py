"""The first screen of Look: alpha begins in its upper half, long sentences fit, and a hover answers within a frame."""

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest

from nmt.instrument import texts
from nmt.texts import APP, LOOK, view_texts
from tests.browser.conftest import FITS_IN_WIDTH
from trials.at_rest import enter, field

expect = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed").expect

pytestmark = pytest.mark.browser

WORDS = 34
HINT = view_texts("instrument")["hints"]["pin"]
SOURCE = " ".join(["the", "old", "teacher", "sleeps", "in", "a", "small", "house", "near", "the"] * 4).split()[:WORDS]
ONE_SCREEN = (
    "She reads a long letter.",
    "The man saw the woman and the child at school.",
    "The agreement on the European Economic Area was signed in Brussels in August 1992.",
)
"""Sentences of 5, 10 and 14 words."""
TARGET = " ".join(["le", "vieux", "professeur", "dort", "dans", "une", "petite", "maison", "près", "de"] * 4).split()
"""A translation is often longer than its source."""
Visit = Callable[..., None]


@pytest.mark.parametrize(
    "size", [pytest.param((1280, 720), marks=pytest.mark.journey("look")), (1440, 900), (390, 844)], ids=str
)
def test_the_picture_begins_in_the_upper_half(server: str, page: Any, visit: Visit, size: tuple[int, int]) -> None:
    """The released checkpoints carry the result of the first sentence."""
    page.set_viewport_size({"width": size[0], "height": size[1]})
    visit(server)
    picture = page.locator("svg.ribbons").first
    picture.wait_for()
    box = picture.bounding_box()
    assert box["y"] < size[1] / 2
    assert box["y"] + box["height"] <= size[1]
    assert page.evaluate(FITS_IN_WIDTH)
    name = texts()["sentence_in"].format(language="English")
    heading, field = page.locator("h1").bounding_box(), page.get_by_role("textbox", name=name).bounding_box()
    assert field["y"] >= heading["y"] + heading["height"]


_FIRST_SEEN = """(() => {
  const seen = window.firstSeen = {};
  let frame = 0;
  const one = (selector) => document.querySelector(selector);
  const within = (key, selector) => one(`.st-key-${key} [data-testid=stBidiComponentIsolated]`)
    ?.shadowRoot?.querySelector(".instrument")?.shadowRoot?.querySelector(selector);
  const look = () => {
    const now = { ribbons: within("look-instrument", "#ribbons"),
      title: one("h1"), field: within("look-sentence", "textarea"), introduction: one("[data-testid=stHtml] p") };
    for (const [name, element] of Object.entries(now)) {
      if (element && !(name in seen) && (name === "ribbons" || getComputedStyle(element).visibility === "visible")) {
        seen[name] = frame;
      }
    }
    frame += 1;
    requestAnimationFrame(look);
  };
  look();
})()"""
"""Notes the frame of the screen in which each part is seen first: a busy machine draws fewer."""


def test_title_and_picture_of_a_window_that_opens_are_there_at_once(server: str, page: Any, visit: Visit) -> None:
    """Nothing of the page is seen before its view is there; with no sentence there is no picture to wait for."""
    page.add_init_script(_FIRST_SEEN)
    visit(server)
    seen = page.evaluate("firstSeen")
    assert {*seen} == {"ribbons", "title", "field", "introduction"}
    others = [seen[name] for name in ("title", "field", "introduction")]
    assert max(others) - min(others) <= 6
    assert seen["ribbons"] - min(others) <= 90
    visit(server, s=" ")
    page.locator("h1").wait_for()
    assert page.locator("h1").evaluate("one => getComputedStyle(one).visibility") == "visible"
    enter(page, "the cat sleeps")
    page.locator(".system").first.wait_for()
    expect(field(page)).to_be_focused()  # which it would not be, had the page been hidden once more


@pytest.mark.parametrize("sentence", ONE_SCREEN, ids=lambda sentence: str(len(sentence.split())))
def test_ribbons_matrix_and_the_other_model_are_one_screen(server: str, page: Any, visit: Visit, sentence: str) -> None:
    """As the released checkpoints translate."""
    page.set_viewport_size({"width": 1280, "height": 720})
    visit(server, s=sentence)
    page.locator(".panel canvas").wait_for()
    boxes = {
        name: page.locator(name).first.bounding_box()
        for name in ("svg.ribbons", ".panel canvas", ".system:nth-child(2) .word:last-child", ".panel .row-words")
    }
    for box in boxes.values():
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 1280
        assert box["y"] + box["height"] <= 720
    ribbons, canvas = boxes["svg.ribbons"], boxes[".panel canvas"]
    assert canvas["x"] >= ribbons["x"] + ribbons["width"]
    rows = page.locator(".panel .row-words .label").count()
    assert canvas["height"] >= 9 * rows
    scale = page.locator(".legend .scale-body").first.bounding_box()
    assert scale["width"] <= canvas["width"]
    assert page.locator(".system .readout").first.bounding_box()["height"] < 30  # the hint is one line
    assert page.locator(".column-title").bounding_box()["y"] < page.locator(".zoom").bounding_box()["y"] + 60


def test_what_a_translation_depended_on_opens_in_place(server: str, page: Any, visit: Visit) -> None:
    """Its matrix is on the screen, and nothing else moves."""
    page.set_viewport_size({"width": 1280, "height": 720})
    visit(server, s=ONE_SCREEN[-1])
    page.locator(".panel canvas").wait_for()
    others = [page.locator(name) for name in ("#ribbons", "#acts", "#sections")]
    before = [other.bounding_box() for other in others]
    page.get_by_role("button", name=texts()["effect"]).click()
    page.locator(".panel.not-attention canvas").wait_for()
    assert [other.bounding_box() for other in others] == before
    assert page.locator(".panel.not-attention canvas").bounding_box()["y"] < 600


def test_a_dark_page_is_printed_in_dark_ink(server: str, page: Any, visit: Visit) -> None:
    page.emulate_media(color_scheme="dark")
    visit(server)
    page.locator(".panel canvas").wait_for()
    page.emulate_media(color_scheme="dark", media="print")
    for printed in ("h1", ".word >> nth=0", ".panel .label >> nth=0"):
        expect(page.locator(printed)).to_have_css("color", "rgb(16, 22, 29)")
    reds = "one => one.getContext('2d').getImageData(0, 0, one.width, one.height).data.filter((_, k) => k % 4 === 0)"
    assert page.locator(".panel canvas").evaluate(f"one => Math.max(...({reds})(one))") > 250
    page.emulate_media(color_scheme="dark", media="screen")
    expect(page.locator("h1")).not_to_have_css("color", "rgb(16, 22, 29)")


PLACE = "all => all.map(one => one.getBoundingClientRect()).map(box => [box.left, box.top, box.right, box.bottom])"


@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("place", ["", "?mode=text", "length", "length?view=together", "learn", "learn?view=training"])
def test_settings_lie_over_the_page(
    server: str, page: Any, settle: Callable[[Any], None], place: str, width: int
) -> None:
    """Nothing moves when they open. Escape, a click beside them and their button close them, and Tab goes in."""
    page.set_viewport_size({"width": width, "height": 844})
    page.goto(f"{server}/{place}")
    button, settings = page.get_by_role("button", name=APP.settings), page.locator(".st-key-settings")
    button.wait_for()
    settle(page)
    shown = page.locator("h1, .stBidiComponent, .stPlotlyChart")
    before = [edges[:3] for edges in shown.evaluate_all(PLACE)[:3]]  # what is below may still grow
    for end in (lambda: page.keyboard.press("Escape"), lambda: page.mouse.click(4, 60), lambda: button.press("Enter")):
        button.press("Enter")
        settings.wait_for()
        settle(page)
        assert [edges[:3] for edges in shown.evaluate_all(PLACE)[:3]] == before
        ((left, _, right, _),) = page.get_by_role("dialog").evaluate_all(PLACE)
        assert 0 <= left < right <= width
        page.keyboard.press("Tab")
        assert page.get_by_role("dialog").locator(":focus").count() == 1
        end()
        settings.wait_for(state="detached")


def test_settings_stay_when_they_close(server: str, page: Any, visit: Visit, settle: Callable[[Any], None]) -> None:
    visit(server)
    chosen = page.get_by_role("radio", name=APP.by_key.unknown_choices["replace"])
    page.get_by_role("button", name=APP.settings).click()
    chosen.click()
    settle(page)
    page.keyboard.press("Escape")
    chosen.wait_for(state="detached")
    page.get_by_role("button", name=APP.settings).click()
    expect(chosen).to_be_checked()


@pytest.mark.parametrize("width", [1280, 390])
def test_the_controls_of_a_view_lie_over_the_maps(server: str, page: Any, visit: Visit, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 844})
    visit(server, models=["search"])
    page.locator(".panel canvas").first.wait_for()
    summary, others = page.locator("#view > button"), page.locator("svg.ribbons, .panel canvas, #sections")
    summary.scroll_into_view_if_needed()
    before = others.evaluate_all(PLACE)
    for close in (lambda: page.keyboard.press("Escape"), lambda: page.mouse.click(2, 400)):
        summary.press("Enter")
        page.locator("#controls:popover-open").wait_for()
        assert others.evaluate_all(PLACE) == before
        page.locator("#controls button").first.click(trial=True)  # nothing is over it
        close()
        page.locator("#controls:popover-open").wait_for(state="detached")


@pytest.mark.parametrize("width", [1280, 600])
def test_without_a_matrix_nothing_is_left_free_for_one(server: str, page: Any, visit: Visit, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 720})
    visit(server, models=["rnnencdec-50", "rnnencdec-30"])
    page.locator(".system").nth(1).wait_for()
    sections, ribbons = (page.locator(name).bounding_box() for name in ("#sections", "#ribbons"))
    assert sections["x"] == pytest.approx(ribbons["x"], abs=1)
    assert page.locator(".panel").count() == 0
    assert HINT.partition(".")[0] not in page.locator("body").inner_text()


LOSING = (  # what rnnencdec-en-fr makes of it is another sentence
    "My grandfather worked in a factory for forty years before he opened a small shop where he sold old books and "
    "postcards to the tourists."
)


def test_nothing_is_said_twice_and_the_crossing_is_explained_below_it(server: str, page: Any, visit: Visit) -> None:
    page.set_viewport_size({"width": 1280, "height": 720})
    visit(server, do="length")
    page.locator(".ring").wait_for()
    page.locator(".panel canvas").first.wait_for()
    ring, remark = page.locator(".ring").bounding_box(), page.locator(".remark").first.bounding_box()
    assert ring["y"] + ring["height"] <= remark["y"] <= ring["y"] + ring["height"] + 60
    written = " ".join(page.locator(".system, .panel").all_inner_texts())
    assert "log p" not in written
    assert "Ctrl" not in page.locator("body").inner_text()
    assert LOOK.introduction in page.locator("body").inner_text()
    assert page.locator(".panel.not-attention").count() == 0
    assert written.count(view_texts("instrument")["doubted"][0]) == 1
    assert written.count(HINT.partition(".")[0].split(" to ")[0]) == 1
    figure = page.locator("figure.small")
    assert "tok:" not in figure.inner_text()
    assert "tok:" in figure.locator("figcaption").get_attribute("title")
    visit(server, s=LOSING)
    page.locator(".system").nth(1).locator(".remark").get_by_text("probably wrong").wait_for()


@pytest.mark.parametrize("size", [(1280, 720), (1440, 900), (390, 844)], ids=str)
def test_a_long_sentence_is_wholly_visible(server: str, page: Any, visit: Visit, size: tuple[int, int]) -> None:
    """On the first screen, or on the first two of a narrow window, where the lines go down."""
    screens = 2 if size[0] < 640 else 1
    page.set_viewport_size({"width": size[0], "height": size[1]})
    visit(server, s=" ".join(SOURCE), models=["search"], of="typed", t=" ".join(TARGET))
    page.locator(".system .ribbon").first.wait_for()
    for side, number in (("source", len(SOURCE)), ("target", len(TARGET))):
        words = page.locator(f".line.{side} .word")
        assert words.count() == number
        boxes = [words.nth(k).bounding_box() for k in (0, number - 1)]
        place = page.locator(".ribbon-scroll").bounding_box()
        for box in boxes:
            assert box["x"] >= place["x"]
            assert box["x"] + box["width"] <= place["x"] + place["width"]
            assert box["y"] + box["height"] <= screens * size[1]
    fits = "all => all.every((one) => one.scrollWidth <= one.clientWidth)"
    assert page.locator(".ribbon-scroll").evaluate_all(fits)


def test_two_matrices_of_a_long_sentence_can_be_compared(server: str, page: Any, visit: Visit) -> None:
    """They stand one below the other with cells of one size, and all rows of one are seen at once."""
    page.set_viewport_size({"width": 1280, "height": 720})
    visit(server, s=" ".join(SOURCE), models=["search", "endless"], of="typed", t=" ".join([*TARGET, *TARGET[:6]]))
    page.locator(".panel canvas").nth(1).wait_for()
    boxes = [canvas.bounding_box() for canvas in page.locator(".panel canvas").all()]
    assert len({(box["x"], box["width"], box["height"]) for box in boxes}) == 1
    assert boxes[1]["y"] > boxes[0]["y"] + boxes[0]["height"]
    assert boxes[0]["width"] >= 6 * WORDS
    for scroll in page.locator(".panel .scroll").all():
        inside = scroll.evaluate("box => [box.scrollWidth - box.clientWidth, box.scrollHeight - box.clientHeight]")
        assert max(inside) <= 1, inside
    labels = page.locator(".panel").first.locator(".row-words .label:not(.thinned)").all()
    tops = [label.bounding_box()["y"] for label in labels]
    assert all(below - above >= 11 for above, below in pairwise(tops))


def test_in_a_narrow_window_no_line_goes_on_beyond_the_edge(server: str, page: Any, visit: Visit) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    visit(server, s=" ".join(SOURCE), models=["encdec", "search"], of="typed", t=" ".join(TARGET))
    page.locator(".system .ribbon").first.wait_for()
    for line in page.locator(".ribbon-scroll").all():  # words alone, and with ribbons
        assert line.evaluate("element => element.scrollWidth <= element.clientWidth")
    first, last = (page.locator(".line.target .word").nth(k) for k in (-len(TARGET), -1))
    source = page.locator(".line.source .word").last
    assert first.bounding_box()["x"] == last.bounding_box()["x"] > source.bounding_box()["x"]
    assert abs(source.bounding_box()["y"] - last.bounding_box()["y"]) < 2


def test_ribbons_follow_their_words_when_the_window_changes(server: str, page: Any, visit: Visit) -> None:
    """A short sentence is centred, so its words move with the width."""
    visit(server, s="the cat sleeps", models=["search"])
    page.locator(".system .ribbon").first.wait_for()
    for width in (1280, 390, 900):
        page.set_viewport_size({"width": width, "height": 844})
        page.wait_for_function("width => innerWidth === width", arg=width)
        page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        begins = page.locator("svg.ribbons").evaluate(
            "svg => [...svg.querySelectorAll('.ribbon')].map(path => Number(path.getAttribute('d').split(' ')[1]))"
        )
        lines = page.locator(".line.source .word").evaluate_all(
            "words => words.map(word => [word.offsetLeft, word.offsetLeft + word.offsetWidth])"
        )
        assert all(any(left - 1 <= begin <= right + 1 for left, right in lines) for begin in begins)
