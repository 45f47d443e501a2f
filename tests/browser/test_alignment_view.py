"""The view of matrices in a browser, without the app, and as quick as drawing is."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from nmt.charts.colour_scales import INK, PAPER, STAND_IN
from nmt.results import Alignment
from nmt.texts import CHARTS
from tests.charts.printed import NOT_ATTENTION
from tests.charts.view_data import HATCHED_BARS, HATCHED_ROW, Bars, Mark, Panel, page_of_view, view_data

pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")

pytestmark = pytest.mark.browser

SOURCE = ("the", "cat", "sleeps", "</s>")
Open = Callable[..., Any]


def panel(title: str, target: tuple[str, ...] = ("le", "chat", "dort", "</s>"), **settings: Any) -> Panel:
    weights = np.random.default_rng(len(title)).dirichlet(np.ones(len(SOURCE)), len(target))
    return Panel(alignment=Alignment(source=SOURCE, target=target, weights=weights), title=title, **settings)


@pytest.fixture
def open_view(chromium: Any) -> Iterator[Open]:
    """``open_view(panels, width=1300, dark=False, **settings of view_data)`` shows panels and returns the window; the
    test fails if a script fails."""
    contexts, faults = [], []

    def show(panels: list[Panel], width: int = 1300, dark: bool = False, **settings: Any) -> Any:
        context = chromium.new_context(
            viewport={"width": width, "height": 900}, color_scheme="dark" if dark else "light"
        )
        contexts.append(context)
        window = context.new_page()
        window.on("pageerror", lambda fault: faults.append(str(fault)))
        window.set_content(page_of_view("alignment_view", view_data(panels, **settings)))
        window.locator(".panel").nth(len(panels) - 1).wait_for(state="attached")
        return window

    yield show
    for context in contexts:
        context.close()
    assert faults == []


@pytest.mark.parametrize("transpose", [False, True])
@pytest.mark.parametrize("show", ["matrix", "links", "both"])
def test_a_panel_without_words_says_why_and_the_others_are_drawn(open_view: Open, show: str, transpose: bool) -> None:
    nothing = Alignment(source=(), target=(), weights=np.zeros((0, 0)))
    empty = Panel(alignment=nothing, title="b − a", note="No difference: other words.", is_difference=True)
    window = open_view([panel("a"), panel("b"), empty], show=show, transpose=transpose)
    assert window.locator("canvas").count() == (0 if show == "links" else 2)
    assert window.locator("svg.lines").count() == (0 if show == "matrix" else 2)
    assert window.get_by_text("No difference: other words.").is_visible()
    window.set_viewport_size({"width": 700, "height": 900})
    window.locator(".readout").first.hover()


@pytest.mark.parametrize("dark", [False, True])
def test_the_paper_of_a_matrix_is_that_of_the_page(open_view: Open, dark: bool) -> None:
    """Of one that was built outside of the page, or before the theme changed, from its next drawing on."""
    one = Alignment(source=SOURCE, target=SOURCE, weights=np.eye(len(SOURCE)))
    window = open_view([Panel(alignment=one, title="a")], dark=dark, scale="ink")
    read = "canvas => [...canvas.getContext('2d').getImageData(3, 3, 1, 1).data].slice(0, 3)"
    for now in (dark, not dark):
        window.emulate_media(color_scheme="dark" if now else "light")
        window.set_viewport_size({"width": 1000 + 100 * now, "height": 900})
        window.evaluate("() => new Promise((resolve) => setTimeout(resolve, 100))")
        assert "#" + bytes(window.locator("canvas").evaluate(read)).hex() == (INK.dark if now else INK.stops)[-1]


@pytest.mark.parametrize("width", [1300, 600, 390])
def test_nothing_moves_under_the_pointer_when_the_read_out_speaks(open_view: Open, width: int) -> None:
    """The hint may need more lines than what is read out."""
    window = open_view([panel("a")], width=width)
    matrix = window.get_by_role("application")
    before = matrix.bounding_box()
    matrix.hover()
    assert "α = " in window.locator(".readout").inner_text()
    assert matrix.bounding_box() == before


def test_rows_of_different_maps_have_their_own_legends_and_a_ring_is_explained(open_view: Open) -> None:
    maps = replace(
        panel("maps", ("alpha", "effect")),
        row_scales=(replace(PAPER, symbol="alpha"), replace(STAND_IN, symbol="effect")),
        hatched_rows=(1,),
        rings=((1, 2),),
        ring="elsewhere",
    )
    window = open_view([maps])
    assert window.locator(".legend .scale-name").all_inner_texts() == ["alpha", "effect"]
    assert window.locator(".signs .sign").all_inner_texts() == [
        "ring: elsewhere",
        HATCHED_ROW,
    ]
    assert window.locator(".hatched-row").count() == 1
    colours = window.evaluate(
        """() => {
          const canvas = document.querySelector("canvas");
          const [width, height] = [canvas.width / 4, canvas.height / 2];
          const pixel = (j, i) => canvas.getContext("2d").getImageData((j + 0.5) * width, (i + 0.5) * height, 1, 1);
          return [0, 1].map((i) => [0, 1, 2, 3].map((j) => [...pixel(j, i).data].slice(0, 3)));
        }"""
    )
    weights = maps.alignment.weights
    for row, scale in enumerate((PAPER, STAND_IN)):
        expected = scale.colours(scale.positions(weights[row])).astype(int)
        assert np.abs(np.array(colours[row]) - expected).max() <= 1


def compared(columns: int = 28) -> list[Panel]:
    """Panels whose labels, signs and bars need different room: alpha, a map in its place, and a difference."""
    source = (*(f"s{j}" for j in range(columns - 1)), "</s>")
    found = []
    for title, target in (("a", ("le", "</s>")), ("b", ("extraordinairement", "</s>")), ("b − a", ("le", "mot"))):
        weights = np.random.default_rng(len(found)).dirichlet(np.ones(columns), 2)
        bars = Bars(title="coverage", explained=".", values=weights.sum(axis=0).tolist(), most=2.0, line=1.0)
        entropy = Bars(title="entropy, bits", explained=".", values=[1.0, 2.0], most=4.8, second=[0.5, 0.5])
        found.append(
            Panel(
                alignment=Alignment(source=source, target=target, weights=weights),
                title=title,
                text="a sentence " * (1 + 8 * len(found)),
                not_attention=NOT_ATTENTION if title == "b" else "",
                coverage=None if len(found) == 2 else bars,
                entropy=None if len(found) == 2 else entropy,
                source_marks={1: Mark("∅", "hardly looked at")} if title == "a" else {},
                is_difference=len(found) == 2,
                shown=[(0, 0), (1, 1)],
            )
        )
    return found


@pytest.mark.parametrize("columns", [6, 28, 60])
@pytest.mark.parametrize("width", [1440, 1280, 390])
def test_panels_that_are_compared_share_the_size_of_cells_and_the_room_for_words(
    open_view: Open, width: int, columns: int
) -> None:
    window = open_view(compared(columns), width=width)
    boxes = [canvas.bounding_box() for canvas in window.locator("canvas").all()]
    lefts = [
        box["x"] - panel.bounding_box()["x"] for box, panel in zip(boxes, window.locator(".panel").all(), strict=True)
    ]
    assert len({round(box["width"]) for box in boxes}) == 1
    assert len({round(box["height"]) for box in boxes}) == 1
    assert max(lefts) - min(lefts) < 1
    rows: dict[int, list[float]] = {}
    for box, panel in zip(boxes, window.locator(".panel").all(), strict=True):
        rows.setdefault(round(panel.bounding_box()["y"]), []).append(box["y"])
    assert all(max(row) - min(row) < 1 for row in rows.values())
    beside = {6: 1, 28: 2, 60: 3}[columns]  # each column has its word, which takes more than 8 pixels
    assert len(rows) == (3 if width == 390 else beside)


def whole(words: int, title: str) -> Panel:
    """A panel of a sentence and a translation of about its length, with bars and signs."""
    source, target = ((*(f"{'w' * (2 + k % 9)}{k}" for k in range(words + more)), "</s>") for more in (0, 2))
    weights = np.random.default_rng(words).dirichlet(np.full(len(source), 0.1), len(target))
    bars = Bars(title="coverage", explained=".", values=weights.sum(axis=0).tolist(), most=2.0, line=1.0)
    entropy = Bars(title="entropy, bits", explained=".", values=[1.0] * len(target), most=4.8)
    alignment = Alignment(source=source, target=target, weights=weights)
    return Panel(alignment=alignment, title=title, coverage=bars, entropy=entropy)


@pytest.mark.parametrize("words", [1, 5, 14, 45, 80])
@pytest.mark.parametrize("width", [1440, 1280, 420])
def test_a_matrix_is_whole_within_its_frame(open_view: Open, width: int, words: int) -> None:
    """Beside the ribbons (420 pixels of a window of 1280) up to 14 words, else over the whole width."""
    if width == 420 and words > 14:
        return
    panels = [whole(words, "a"), replace(whole(words, "b"), not_attention=NOT_ATTENTION)]
    window = open_view(panels, width=1280 if width == 420 else width)
    if width == 420:
        window.evaluate("document.querySelector('#view').style.width = '420px'")
        window.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    assert window.evaluate("document.documentElement.scrollWidth") <= window.viewport_size["width"]
    bars = [bar.bounding_box()["width"] for bar in window.locator(".scale-body").all()]
    for panel in window.locator(".panel").all():
        frame, matrix = panel.locator(".scroll").bounding_box(), panel.locator("canvas").bounding_box()
        assert matrix["width"] / (words + 1) >= 5
        assert matrix["x"] >= frame["x"]
        assert matrix["x"] + matrix["width"] <= frame["x"] + frame["width"]
        assert matrix["y"] + matrix["height"] <= frame["y"] + frame["height"]
        assert max(bars) <= matrix["width"] + 1
        scrolls = "one => one.scrollWidth > one.clientWidth || one.scrollHeight > one.clientHeight"
        assert not panel.locator(".scroll").evaluate(scrolls)
        for part in panel.locator(".heading, .readout, .part, .signs, .note").all():
            box, around = part.bounding_box(), panel.bounding_box()
            assert box["x"] + box["width"] <= around["x"] + around["width"] + 0.5
    for label in window.locator(".column-words .label").all()[:: max(1, words // 4)]:
        label.hover()
        window.wait_for_timeout(120)  # it comes in 80 milliseconds
        assert label.evaluate("one => getComputedStyle(one).color") != "rgba(0, 0, 0, 0)"


@pytest.mark.parametrize("columns", [6, 28, 60])
@pytest.mark.parametrize("width", [1440, 1280, 390])
def test_the_bars_beside_the_rows_are_never_cut(open_view: Open, width: int, columns: int) -> None:
    window = open_view(compared(columns), width=width)
    for panel in window.locator(".panel").all()[:2]:
        scroll = panel.locator(".scroll")
        for scrolled in (0, 10_000):
            scroll.evaluate("(element, left) => { element.scrollLeft = left; }", scrolled)
            frame = scroll.bounding_box()
            for part in (panel.locator(".bars.rows"), panel.locator(".bars-title.rows")):
                box = part.bounding_box()
                assert box["x"] + box["width"] <= frame["x"] + frame["width"] + 0.5
                assert box["x"] >= frame["x"]
            title = panel.locator(".bars-title.rows")
            assert title.evaluate("element => element.scrollWidth <= element.clientWidth")
            bar = panel.locator(".bars.rows .bar-first").nth(1)
            box = bar.bounding_box()
            hit = window.evaluate(
                "([x, y]) => document.elementFromPoint(x, y)?.closest('.bars.rows') !== null",
                [box["x"] + box["width"] - 1, box["y"] + box["height"] / 2],
            )
            assert hit  # nothing lies over it


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("show", ["matrix", "links", "both"])
def test_a_map_in_place_of_alpha_has_a_title_a_frame_a_hue_and_a_legend_of_its_own(
    open_view: Open, show: str, dark: bool
) -> None:
    panels = compared(6)[:2]
    window = open_view(panels, show=show, dark=dark)
    alpha, other = window.locator(".panel").all()
    assert other.get_by_text(NOT_ATTENTION).is_visible()
    assert alpha.get_by_text(NOT_ATTENTION).count() == 0
    image = "element => getComputedStyle(element).borderImageSource"
    framed = [part.evaluate(image) for part in other.locator(".part").all() if part.inner_html()]
    assert len(framed) == (2 if show == "both" else 1)
    assert all("repeating-linear-gradient" in source for source in framed)
    assert not any("gradient" in part.evaluate(image) for part in alpha.locator(".part").all())
    legends = [panel.locator(".legend").inner_text() for panel in (alpha, other)]
    assert [["αᵢⱼ" in legend, CHARTS.effect in legend] for legend in legends] == [[True, False], [False, True]]
    if show != "links":
        read = "canvas => [...canvas.getContext('2d').getImageData(3, 3, 1, 1).data].slice(0, 3)"
        scale = replace(STAND_IN, stops=STAND_IN.dark) if dark else STAND_IN
        expected = scale.colours(scale.positions(panels[1].alignment.weights[0, 0])).astype(int)
        assert np.abs(np.array(other.locator("canvas").evaluate(read)) - expected).max() <= 1
    if show != "matrix":
        stroke = "element => getComputedStyle(element).stroke"
        colours = [panel.locator(".line").first.evaluate(stroke) for panel in (alpha, other)]
        assert colours[0] != colours[1]
    else:
        assert window.get_by_text("∅ hardly looked at").is_visible()
        assert window.get_by_text(HATCHED_BARS).first.is_visible()
