"""The page "Explore" as a reader meets it: one focus over matrix and links, pins, keys, files."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pypdf import PdfReader

import nmt
from nmt.alignments.formats import read
from nmt.alignments.policy import Policy
from nmt.instrument import texts
from nmt.texts import INSTRUMENT
from tests.browser.conftest import FITS_IN_WIDTH, wait_for_address
from trials.at_rest import enter

expect = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed").expect

EXPORT = INSTRUMENT.by_key.export
pytestmark = pytest.mark.browser

SENTENCE = "the cat has never seen the sea ."
SECTION = "#sections [aria-pressed=true]"
"""The tab of the section that is open."""
HOSTILE = "<img src=x onerror=alert(1)> *star* $x$ مرحبا 안녕"
Visit = Callable[..., None]
Settle = Callable[[Any], None]


def test_a_word_lights_its_partners_in_matrix_and_links(server: str, page: Any, visit: Visit, runs: Any) -> None:
    visit(server, s=SENTENCE, models=["search"], show="both", least="0.05")
    alignment = nmt.load(runs / "search").translate(SENTENCE).alignment
    assert alignment is not None
    j = 1
    page.locator(".words.source .word").nth(j).hover()
    expect(page.locator(".column-words .label.lit")).to_have_text([alignment.source[j]])
    shares = alignment.weights[:, j]
    partners = int((shares >= 0.05).sum())
    expect(page.locator(".row-words .label.partner")).to_have_count(partners)
    expect(page.locator(".lines path.line.lit")).to_have_count(partners)
    assert f"coverage\u00a0{shares.sum():.2f}" in page.locator(".panel .readout").inner_text()
    boxes = [text for text in page.locator(".words.target .box").all_inner_texts() if text]
    assert boxes == [f"{share:.2f}" for share in shares if share >= 0.05]


def test_no_cell_moves_from_under_the_pointer(server: str, page: Any, visit: Visit) -> None:
    """The room of the hint, which takes several lines in a narrow view, is kept while a cell is read out."""
    page.set_viewport_size({"width": 1000, "height": 900})
    visit(server, s=SENTENCE, models=["search"])
    matrix = page.get_by_role("application")
    page.locator(".panel .readout").hover()
    matrix.scroll_into_view_if_needed()
    before = matrix.bounding_box()
    assert before is not None
    page.mouse.move(before["x"] + before["width"] / 2, before["y"] + before["height"] / 2)
    page.locator(".panel .readout .weight").wait_for()
    assert matrix.bounding_box() == before


def test_a_pin_stays_in_the_address_and_is_explained(
    server: str, page: Any, visit: Visit, settle: Settle, runs: Any
) -> None:
    visit(server, s=SENTENCE, models=["search"], do="explain")
    page.get_by_text(texts()["explained"]["pin"]).wait_for()
    matrix = page.get_by_role("application")
    matrix.focus()
    for key in ("ArrowDown", "ArrowRight", "ArrowRight", "Enter"):
        page.keyboard.press(key)
    page.get_by_role("status").filter(has_text=" of its attention to ").wait_for()
    settle(page)
    wait_for_address(page, pin="search.1.2")
    alignment = nmt.load(runs / "search").translate(SENTENCE).alignment
    assert alignment is not None
    share = f"gave {100 * alignment.weights[1, 2]:.0f} % of its attention to"
    assert share in page.get_by_role("status").last.inner_text()
    page.reload()
    page.locator(".pin-mark").wait_for()
    page.get_by_role("application").press("Escape")
    wait_for_address(page, pin=[])
    page.get_by_text(texts()["explained"]["pin"]).wait_for()


def test_a_word_that_was_pinned_is_let_go_where_it_was_pinned_and_a_new_sentence_has_no_pin(
    server: str, page: Any, visit: Visit, settle: Settle
) -> None:
    visit(server, s=SENTENCE, models=["search"])
    word = page.locator(".system .target .word").nth(1)
    word.click()
    wait_for_address(page, pin="search.1.")
    settle(page)
    word.click()
    wait_for_address(page, pin=[])
    settle(page)
    page.get_by_text(texts()["explained"]["pin"]).wait_for()
    page.mouse.move(0, 0)  # or a word of the next translation may come to lie beneath it, and is lit by that
    page.get_by_role("application").focus()
    for key in ("ArrowDown", "Enter"):
        page.keyboard.press(key)
    wait_for_address(page, pin="search.1.0")
    settle(page)
    expect(page.locator(".system .word.lit")).to_have_count(1)
    enter(page, "the girl reads on the mat")
    wait_for_address(page, s="the girl reads on the mat", pin=[])
    settle(page)
    expect(page.locator(".word.lit, .pin-mark")).to_have_count(0)


def test_one_click_on_a_cell_opens_its_explanation(
    server: str, page: Any, visit: Visit, settle: Settle, runs: Any
) -> None:
    """The very cell that was clicked, though the mouse stays where it is; and its button makes the model look there."""
    page.set_viewport_size({"width": 1300, "height": 2400})  # the matrix is high
    visit(server, s=SENTENCE, models=["search"], beam="2")
    alignment = nmt.load(runs / "search").translate(SENTENCE, beam=2).alignment
    assert alignment is not None
    i, j = 1, int(alignment.weights[1].argmin())
    matrix = page.get_by_role("application")
    box, (rows, columns) = matrix.bounding_box(), alignment.weights.shape
    page.mouse.click(box["x"] + (j + 0.5) * box["width"] / columns, box["y"] + (i + 0.5) * box["height"] / rows)
    expect(page.locator(SECTION)).to_have_text(texts()["sections"]["options"]["explain"])
    wait_for_address(page, pin=f"search.{i}.{j}")
    settle(page)
    page.get_by_role("button", name=texts()["explained"]["move"].format(word=alignment.source[j])).click()
    page.locator(".system .former").wait_for()
    settle(page)
    lit = page.locator(".panel canvas")
    assert lit.count() == 1  # in place of the matrix before
    assert "change=weights" in page.url


def test_several_words_are_summed(server: str, page: Any, visit: Visit, runs: Any) -> None:
    visit(server, s=SENTENCE, models=["search"], show="links", least="0")
    alignment = nmt.load(runs / "search").translate(SENTENCE).alignment
    assert alignment is not None
    words = page.locator(".words.source .word")
    words.nth(0).click()
    words.nth(3).click()
    page.mouse.move(2, 2)
    together = alignment.weights[:, 0] + alignment.weights[:, 3]
    best = int(together.argmax())
    box = page.locator(".words.target .word").nth(best).locator(".box")
    expect(box).to_have_text(f"{min(1, together[best]):.2f}")


@pytest.fixture
def taken(page: Any, tmp_path: Path) -> Callable[[str], Path]:
    """``taken("PDF")`` chooses the format, saves, and gives the file."""

    def take(kind: str) -> Path:
        page.get_by_label(EXPORT["format"]).select_option(kind)
        with page.expect_download() as download:
            page.get_by_role("button", name=EXPORT["save"].format(format=kind)).click()
        path = tmp_path / str(download.value.suggested_filename)
        download.value.save_as(path)
        return path

    return take


def test_every_file_that_is_taken_away_can_be_read(
    server: str, page: Any, visit: Visit, taken: Callable[[str], Path], runs: Path
) -> None:
    visit(server, s=HOSTILE, models=["search"], do="export")
    alignment = nmt.load(runs / "search").translate(HOSTILE).alignment
    assert alignment is not None
    for kind in ("CSV", "JSON", "Nematus / SoftAlignments", "Pharaoh"):
        path = taken(kind)
        content = read(path.read_bytes(), path.name)
        if kind == "Pharaoh":
            assert {(i, j) for i, j in content.links[0].sure} == set(Policy().links(alignment))
            assert "argmax-null.from-0.source-target" in path.name
            continue
        (back,) = content.alignments
        assert (back.source, back.target) == (alignment.source, alignment.target)
        assert back.weights == pytest.approx(alignment.weights, abs=1e-5)
        assert "words.end-mark-kept.punctuation-kept" in path.name
    drawn = "".join(alignment.source)
    svg = taken("SVG").read_text(encoding="utf-8")
    assert "onerror" in svg
    assert "<img" not in svg
    pdf = PdfReader(taken("PDF")).pages[0].extract_text()
    assert "onerror" in pdf
    assert "$" in pdf
    image = taken("PNG").read_bytes()
    assert image.startswith(b"\x89PNG\r\n\x1a\n")
    html = taken("HTML")
    assert "<img" not in html.read_text(encoding="utf-8")
    own = page.context.new_page()
    own.goto(f"file://{html}")
    own.locator(".column-words .label").first.wait_for()
    assert "".join(own.locator(".column-words .label").all_text_contents()) == drawn
    assert own.locator("img").count() == 0
    own.close()
    assert page.evaluate(FITS_IN_WIDTH)


def test_the_matrix_comes_to_rest_at_every_width(server: str, page: Any, visit: Visit, settle: Settle) -> None:
    """Small text leaves more room for the cells, which must not make the text large again, and so on for ever."""
    visit(server, s=SENTENCE + " the girl reads on the mat", models=["search", "endless"])
    page.locator(".panel").nth(1).wait_for()
    settle(page)
    for width in range(1000, 1400, 25):
        page.set_viewport_size({"width": width, "height": 900})
        page.wait_for_timeout(120)
        boxes = {str(page.locator(".row-words .label").nth(2).bounding_box()) for _ in range(5)}
        assert len(boxes) == 1
