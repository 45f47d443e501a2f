"""BLEU against length as a reader meets it: from the curve to the cause, and back."""

from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from nmt.texts import APP, LENGTH, LOOK, counted
from tests.browser.conftest import FITS_IN_WIDTH, wait_for_address

pytestmark = pytest.mark.browser

Visit = Callable[..., None]
Settle = Callable[[Any], None]


def asked(page: Any) -> dict[str, list[str]]:
    return parse_qs(urlsplit(page.url).query)


def press(page: Any, settle: Settle, name: str) -> None:
    page.get_by_role("button", name=name).first.click()
    settle(page)


def click_point(page: Any, number: int) -> None:
    """Where the point is: Plotly has a layer of its own over it."""
    point = page.locator(".js-plotly-plot .scatterlayer .point").nth(number)
    point.scroll_into_view_if_needed()
    box = point.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x - 3, y)
    page.mouse.move(x, y)
    page.mouse.click(x, y)


@pytest.mark.parametrize("size", [(1280, 720), (1440, 900), (390, 844)])
def test_the_curve_begins_in_the_upper_half_of_the_first_screen(
    server: str, page: Any, visit: Visit, size: tuple[int, int]
) -> None:
    """The released checkpoints carry their statistics."""
    page.set_viewport_size({"width": size[0], "height": size[1]})
    visit(f"{server}/length")
    page.locator(".js-plotly-plot .scatterlayer .point").first.wait_for()
    box = page.locator(".js-plotly-plot").bounding_box()
    axes = page.locator(".js-plotly-plot .gridlayer .ygrid").last.bounding_box()  # the highest line of the grid
    assert box["y"] <= axes["y"] <= size[1] / 2
    assert size[0] < 1000 or box["y"] + box["height"] <= size[1]
    assert page.evaluate(FITS_IN_WIDTH)
    names = (".xtick text", ".y2tick text", ".y2title", ".bartext", ".annotation-text")
    texts = {name: page.locator(f".js-plotly-plot {name}") for name in names}
    fills = {name: text.first.evaluate("text => getComputedStyle(text).fill") for name, text in texts.items()}
    assert len({*fills.values()}) == 1, fills


@pytest.mark.journey("length")
def test_a_click_on_a_point_shows_its_sentences_beside_it(server: str, page: Any, visit: Visit, settle: Settle) -> None:
    page.set_viewport_size({"width": 1280, "height": 720})
    visit(f"{server}/length", sets="jointly-300")
    page.locator(".js-plotly-plot .scatterlayer .point").first.wait_for()
    click_point(page, 2)
    wait_for_address(page, bucket="21-30")
    settle(page)
    table = page.get_by_test_id("stDataFrame").first
    table.wait_for()
    curve, beside = page.locator(".js-plotly-plot").bounding_box(), table.bounding_box()
    assert beside["x"] >= curve["x"] + curve["width"]
    assert beside["y"] + beside["height"] <= 720
    press(page, settle, LENGTH.close)
    wait_for_address(page, bucket=[])
    page.set_viewport_size({"width": 390, "height": 844})
    visit(f"{server}/length", sets="jointly-300", bucket="21-30")
    table.wait_for()
    curve, beside = page.locator(".js-plotly-plot").bounding_box(), table.bounding_box()
    assert beside["y"] >= curve["y"] + curve["height"]
    assert page.locator(".st-key-length-seen").bounding_box()["width"] == curve["width"]
    checkpoints = page.locator(".st-key-length-systems").get_by_test_id("stMultiSelect").bounding_box()
    assert checkpoints["height"] == 40  # one line, as before it is loaded


def test_a_click_shows_sentences_of_the_same_set_or_says_that_there_are_none(
    server: str, page: Any, visit: Visit, settle: Settle
) -> None:
    """The curve that opens first is of a test set whose sentences are not in the repository; another one is offered."""
    page.set_viewport_size({"width": 1280, "height": 720})
    visit(f"{server}/length")
    page.locator(".js-plotly-plot .scatterlayer .point").first.wait_for()
    click_point(page, 2)
    wait_for_address(page, bucket="21-30")
    settle(page)
    page.get_by_text(LENGTH.only_statistics.partition(".")[0].format(test_set="canada-laws-test")).wait_for()
    assert not page.locator(".word-diff").count()
    press(page, settle, LENGTH.show_other_set.format(test_set="jointly-300"))
    wait_for_address(page, sets="jointly-300", bucket="21-30")
    settle(page)
    page.locator(".word-diff").first.wait_for()
    source = page.locator(".st-key-one-sentence").get_by_test_id("stText").first.text_content()
    assert 21 <= len(source.split()) <= 30


def test_a_click_does_not_run_the_form_again(server: str, page: Any, visit: Visit, settle: Settle) -> None:
    """The popover of what one can add stays as it was: nothing above the picture is drawn anew."""
    page.set_viewport_size({"width": 1280, "height": 720})
    visit(f"{server}/length", sets="jointly-300")
    page.locator(".js-plotly-plot .scatterlayer .point").first.wait_for()
    settle(page)
    page.evaluate(
        """() => {
            window.stale = 0;
            const form = document.querySelector('.st-key-length-row');
            new MutationObserver(() => { window.stale += 1; }).observe(form, {
                attributes: true, attributeFilter: ["data-stale"], subtree: true,
            });
        }"""
    )
    click_point(page, 2)
    wait_for_address(page, bucket="21-30")
    settle(page)
    page.locator(".word-diff").first.wait_for()
    assert page.evaluate("window.stale") == 0


def test_from_the_menu_there_is_a_curve(server: str, page: Any, visit: Visit, settle: Settle) -> None:
    visit(server)
    page.get_by_role("link", name=APP.length, exact=True).click()
    page.get_by_role("heading", name=APP.length_question).wait_for()
    page.locator(".js-plotly-plot .scatterlayer .point").first.wait_for()
    settle(page)
    assert urlsplit(page.url).path == "/length"
    press(page, settle, APP.settings)
    page.get_by_role("radio", name="chrF").click()
    wait_for_address(page, metric="chrf")
    settle(page)
    assert page.evaluate(FITS_IN_WIDTH)


def test_everything_can_be_exported(server: str, page: Any, visit: Visit, settle: Settle) -> None:
    visit(f"{server}/length", sets="jointly-300")
    press(page, settle, APP.export)
    for kind in ("PDF", "SVG", "PNG", "CSV", "LaTeX"):
        button = page.get_by_role("button", name=kind, exact=True)
        button.wait_for(timeout=90_000)
        settle(page)
        with page.expect_download() as download:
            button.click()
        assert download.value.suggested_filename.endswith(kind.lower() if kind != "LaTeX" else "tex")


@pytest.mark.timeout(600)
def test_from_the_curve_to_the_cause_and_back(
    server: str, page: Any, visit: Visit, settle: Settle, tmp_path: Any
) -> None:
    """A set of one's own is measured, a point of its curve clicked, a sentence chosen and explored; then back."""
    sources = ["the girl reads .", "a cat is on the mat", "she has never seen the sea", "a girl sleeps on a mat ."]
    lines = [f"{source}\t{reference}\n" for source, reference in zip(sources, ["la fille lit ."] * 4, strict=True)]
    (tmp_path / "mine.tsv").write_text("".join(lines), "utf-8")
    visit(
        f"{server}/length",
        **{"systems": ["search", "encdec"], "metric": "ter", "by-length": "custom", "firsts": "1, 6, 7"},
    )
    press(page, settle, LENGTH.add_your_own)
    page.locator("input[type=file]").first.set_input_files(str(tmp_path / "mine.tsv"))
    settle(page)
    page.get_by_text("mine.tsv").first.wait_for()
    press(page, settle, LENGTH.add_test_set)
    page.get_by_text(counted(4, LENGTH.forms.set_added, name="mine")).wait_for()
    press(page, settle, LENGTH.measure.format(names="search and encdec", test_sets="mine"))
    page.locator(".js-plotly-plot .scatterlayer .point").nth(5).wait_for(timeout=240_000)  # torch is imported meanwhile
    wait_for_address(page, sets="mine")
    settle(page)

    click_point(page, 1)
    page.get_by_text(LENGTH.forms.sentences_shown[1].format(count=2, metric="TER")).wait_for()
    wait_for_address(page, bucket="6")
    settle(page)
    number = page.get_by_role("spinbutton", name=LENGTH.sentence, exact=True)
    number.fill("3")
    number.press("Enter")
    page.locator(".word-diff").nth(1).wait_for()
    wait_for_address(page, sentence="3")
    settle(page)
    before = asked(page)

    page.get_by_role("link", name=LENGTH.where_they_looked).click()
    page.get_by_role("heading", name=APP.look_question).wait_for()
    page.locator(".panel").first.wait_for(timeout=90_000)
    wait_for_address(page, s=sources[2])
    settle(page)
    assert page.locator(".panel").count() == 1  # RNNencdec has no alpha
    page.get_by_role("link", name=LOOK.back_to_length).click()
    page.get_by_role("heading", name=APP.length_question).wait_for()
    page.locator(".word-diff").nth(1).wait_for(timeout=90_000)
    settle(page)
    kept = {name: value for name, value in asked(page).items() if name in before}
    assert kept == before


def test_what_opens_has_room_and_a_refusal_is_in_sight(server: str, page: Any, visit: Visit, settle: Settle) -> None:
    """Export opens upwards where there is no room below; why a system was refused stands where the button was."""
    page.set_viewport_size({"width": 1280, "height": 900})
    visit(f"{server}/length", sets="jointly-300")
    press(page, settle, APP.export)
    body = page.get_by_test_id("stPopoverBody")
    assert body.evaluate("one => getComputedStyle(one).minHeight") == "320px"  # while it is empty, too
    body.get_by_text(LENGTH.figure_caption).wait_for()
    assert body.bounding_box()["height"] >= 320
    page.keyboard.press("Escape")
    press(page, settle, LENGTH.add_your_own)
    body.get_by_role("button", name=LENGTH.add_system).click()
    refused = body.get_by_text(LENGTH.choose_translations)
    refused.wait_for()
    box, frame = refused.bounding_box(), body.bounding_box()
    assert frame["y"] <= box["y"]
    assert box["y"] + box["height"] <= frame["y"] + frame["height"]
