"""The file that translates, opened from disk without a network."""

import base64
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import numpy as np
import pytest

import nmt
from nmt.cli import main
from tests.oracles.crossing import crossing
from tests.page.released import released_run

pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")

pytestmark = pytest.mark.browser

Open = Callable[..., Any]
SENTENCE = "the cat sleeps on the <b>mat</b> ."
FIELD = "document.querySelector('#instrument').shadowRoot.querySelector('#sentence')"


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    folder = tmp_path_factory.mktemp("runs")
    return [
        released_run(folder / "search", state_order="program"),
        released_run(folder / "encdec", architecture="rnnencdec"),
    ]


@pytest.fixture(scope="module")
def file(runs: list[Path]) -> str:
    return _written(runs)


def _written(runs: list[Path]) -> str:
    """Address of a new page over the runs."""
    path = runs[0].with_name(f"{runs[0].name}.html")
    assert main(["page", *map(str, runs), "--out", str(path)]) == 0
    return path.as_uri()


@pytest.fixture
def open_file(chromium: Any, file: str) -> Iterator[Open]:
    """``open_file(width=1300, dark=False, script="", address=file, fragment="", query="", locale="en-US")`` opens the
    file, ``script`` running first; the test fails if a script fails, if anything is reported on the console, or if any
    other address is asked for anything."""
    contexts, faults, addresses, opened = [], [], [], set()

    def show(
        width: int = 1300,
        dark: bool = False,
        script: str = "",
        address: str = file,
        fragment: str = "",
        query: str = "",
        locale: str = "en-US",
    ) -> Any:
        scheme = "dark" if dark else "light"
        context = chromium.new_context(
            viewport={"width": width, "height": 900}, color_scheme=scheme, offline=True, locale=locale
        )
        contexts.append(context)
        window = context.new_page()
        window.on("pageerror", lambda fault: faults.append(str(fault)))
        window.on("console", lambda message: faults.append(message.text))
        window.on("request", lambda request: addresses.append(request.url))
        window.add_init_script(script)
        address += f"?{query}" if query else ""
        opened.add(address)
        window.goto(f"{address}#{fragment}" if fragment else address)
        window.locator("body[data-state=done]").wait_for()
        return window

    yield show
    for context in contexts:
        context.close()
    assert faults == []
    assert {address for address in addresses if not address.startswith("blob:")} == opened


def translate(window: Any, sentence: str) -> None:
    window.locator("#sentence").fill(sentence)
    window.locator("#sentence").press("Enter")
    window.locator("body[data-state=done]").wait_for()


@pytest.mark.parametrize(
    "script",
    [pytest.param("", marks=pytest.mark.journey("page"), id="worker"), pytest.param("delete window.Worker", id="page")],
)
def test_a_sentence_is_translated_as_python_does(open_file: Open, runs: list[Path], script: str) -> None:
    window = open_file(script=script)
    assert window.locator("body").get_attribute("data-engine") == ("page" if script else "worker")
    translate(window, SENTENCE)
    expected = [nmt.load(run).translate(SENTENCE, beam=5).best for run in runs]
    assert window.locator("#matrices .target-text").all_inner_texts() == [expected[0].text]
    lines = window.locator("#ribbons .line.target").all()
    for line, best in zip(lines, expected, strict=True):
        assert best.encoded is not None
        shown = line.locator(".word").all_inner_texts()
        assert "".join(shown) == "".join(token.replace("▁", "") for token in best.tokens[:-1])
    assert window.locator("#ribbons .line.source").count() == 1  # RNNencdec has no alpha
    assert expected[0].alignment is not None
    words, crosses = expected[0].alignment.merged(), crossing(expected[0].alignment)
    remarks = window.locator("#ribbons .system").first.locator(".remark").all_inner_texts()
    assert len(remarks) == (crosses is not None)
    if crosses is not None:
        here = " ".join(words.target[i] for i in crosses.target)
        there = " ".join(words.source[j] for j in crosses.source)
        assert remarks == [f"“{here}” has the words of “{there}” in the reverse order: their ribbons cross."]


def test_a_byte_order_mark_is_no_space_as_in_python(open_file: Open, runs: list[Path]) -> None:
    window = open_file()
    translate(window, "\ufeff")
    assert window.locator("#matrices .target-text").all_inner_texts() == [nmt.load(runs[0]).translate("\ufeff").text]


def test_words_of_a_language_without_spaces_stand_apart_and_their_text_does_not(
    open_file: Open, tmp_path: Path
) -> None:
    run = released_run(tmp_path / "japanese", target_language="ja")
    window = open_file(address=_written([run]))
    translate(window, SENTENCE)
    best = nmt.load(run).translate(SENTENCE, beam=5).best
    assert window.locator("#matrices .target-text").inner_text() == best.text
    assert best.alignment is not None
    words = list(best.alignment.merged().target[:-1])
    assert len(words) > 1
    assert window.locator("#ribbons .line.target .word").all_inner_texts() == words


def test_a_word_lights_what_it_looked_at_and_a_cell_is_pinned_by_the_keyboard(open_file: Open) -> None:
    window = open_file()
    translate(window, SENTENCE)
    lit = 0
    for word in window.locator("#ribbons .system").first.locator(".line.target .word").all():
        word.hover()
        lit += window.locator("#ribbons .ribbon.lit").count()
        assert "←" in window.locator("#ribbons .readout").first.inner_text()
    assert lit == window.locator("#ribbons .ribbon").count() > 0
    canvas = window.locator("#matrices canvas").first
    canvas.focus()
    canvas.press("ArrowDown")
    canvas.press("Enter")
    assert window.locator("#matrices .pin-mark").count() == 1
    canvas.press("Escape")
    assert window.locator("#matrices .pin-mark").count() == 0


@pytest.mark.parametrize("dark", [False, True])
def test_nothing_sticks_out_of_a_narrow_window(open_file: Open, dark: bool) -> None:
    window = open_file(width=390, dark=dark)
    translate(window, "the girl reads on the mat , the cat sleeps on the mat and she has never seen the sea .")
    assert window.evaluate("document.documentElement.scrollWidth") == 390


def test_a_short_matrix_is_beside_the_ribbons_and_paper_has_no_buttons(open_file: Open) -> None:
    window = open_file()
    translate(window, "the cat sleeps")
    ribbons, matrices = (window.locator(f"#{each}").bounding_box() for each in ("ribbons", "matrices"))
    assert ribbons["x"] + ribbons["width"] < matrices["x"]
    assert matrices["y"] < ribbons["y"] + ribbons["height"]
    window.emulate_media(media="print")
    shown = [each.inner_text() for each in window.locator("main button").all() if each.is_visible()]
    assert {*shown} <= {*window.locator(".word, .label").all_inner_texts()}


def test_checkpoints_are_chosen_and_an_empty_sentence_is_no_error(open_file: Open) -> None:
    window = open_file()
    window.locator("#runs input").first.uncheck()
    window.locator("body[data-state=done]").wait_for()
    assert window.locator("#ribbons .system").count() == 1
    assert not window.locator("#matrices").is_visible()  # no checkpoint with alpha
    translate(window, "   ")
    assert not window.locator("#results").is_visible()
    assert window.locator("#status").inner_text()
    window.locator("#examples button").first.click()
    window.locator("body[data-state=done]").wait_for()
    assert window.locator("#results").is_visible()


def test_the_address_carries_the_sentence_the_runs_and_the_beam(open_file: Open, file: str) -> None:
    window = open_file()
    translate(window, SENTENCE)
    window.locator("#runs input").nth(1).uncheck()
    window.locator("body[data-state=done]").wait_for()
    window.locator("#beam").select_option("1")
    window.locator("body[data-state=done]").wait_for()
    address = window.evaluate("location.href")
    assert address.startswith(f"{file}#s=")
    shown = window.locator("#ribbons").inner_text()
    again = open_file(address=file, fragment=address.partition("#")[2])
    assert again.locator("#sentence").input_value() == SENTENCE
    assert again.locator("#beam").input_value() == "1"
    assert again.locator("#ribbons").inner_text() == shown
    again.evaluate("location.hash = '#s=she+is+seen&beam=999&run=nobody'")
    again.wait_for_function(f"{FIELD}.value === 'she is seen'")
    assert again.locator("#beam").input_value() == "5"


def test_back_leads_to_the_former_sentence_and_a_link_has_the_pin(open_file: Open) -> None:
    window = open_file()
    translate(window, "the cat sleeps")
    window.locator("#ribbons .line.target .word").first.click()
    pinned = window.evaluate("location.hash")
    assert "pin=search.0." in pinned
    translate(window, SENTENCE)
    assert "pin" not in window.evaluate("location.hash")
    window.go_back()
    window.wait_for_function(f"{FIELD}.value === 'the cat sleeps'")
    window.locator("body[data-state=done]").wait_for()
    linked = open_file(fragment=pinned[1:])
    for each in (window, linked):
        each.locator("#ribbons .line.target .word.lit").first.wait_for()
        assert each.evaluate("location.hash") == pinned
    window.go_forward()
    window.wait_for_function(f"{FIELD}.value === {SENTENCE!r}")


def test_a_word_is_left_out_a_ribbon_dragged_and_both_are_undone(open_file: Open, file: str) -> None:
    window = open_file()
    translate(window, SENTENCE)

    def lines() -> list[str]:
        return list(window.locator("#ribbons .line.target").all_inner_texts())

    def address() -> str:
        return str(window.evaluate("location.hash"))

    def done() -> None:
        window.locator("body[data-state=done]").wait_for()

    shown, plain = [lines()], address()
    word = window.locator("#ribbons .line.source .word").nth(1)
    word.hover()
    box = word.bounding_box()
    window.mouse.click(box["x"] + box["width"] - 8, box["y"] - 6)  # its cross
    done()
    assert "blocked" in word.get_attribute("class")
    assert word.get_attribute("aria-pressed") == "true"
    assert window.locator("#ribbons .former").count() == 1
    shown.append(lines())
    grip = window.locator("#ribbons .grip").first
    grip.focus()
    for key in ("End", "ArrowRight", "ArrowRight", "Enter"):
        grip.press(key)
    done()
    assert window.locator("[data-control=undo]:focus").count() == 1
    shown.append(lines())
    again = open_file(address=file, fragment=address()[1:])
    again.locator("#ribbons .former").wait_for()
    assert again.locator("#ribbons .line.target").all_inner_texts() == shown[2]
    assert again.evaluate("location.hash") == address()
    window.keyboard.press("Control+z")
    done()
    assert lines() == shown[1]
    window.locator("[data-control=undo]").click()
    assert (lines(), address()) == (shown[0], plain)
    assert window.locator("#ribbons .former").count() == 0


def test_a_sentence_in_another_language_is_translated_only_on_request_or_by_a_link(open_file: Open) -> None:
    window = open_file()
    korean = "나는 어제 사과를 먹었다."
    translate(window, korean)
    assert window.locator("#status").inner_text() == "This is Korean. The models of this page read English."
    assert not window.locator("#ribbons").is_visible()
    anyway = window.get_by_role("button", name="Translate anyway")
    assert window.locator("#status").bounding_box()["y"] < anyway.bounding_box()["y"]
    anyway.click()
    window.locator("#ribbons .line.source").first.wait_for()
    assert not window.locator("#anyway").is_visible()
    translate(window, SENTENCE)
    assert not window.locator("#anyway").is_visible()
    translate(window, "кошка спит")
    assert (
        window.locator("#status").inner_text()
        == "The script of this sentence is Cyrillic. The models of this page read English."
    )
    linked = open_file(fragment=f"s={korean}")
    assert linked.locator("#ribbons .line.source").count() == 1


def test_a_sentence_is_translated_while_it_is_typed(open_file: Open, runs: list[Path]) -> None:
    window = open_file()
    field = window.locator("#sentence")
    field.fill("")
    field.press_sequentially("the cat sl")
    window.locator("#ribbons .source .word").get_by_text("sl", exact=True).wait_for()
    field.press_sequentially("eeps")
    window.locator("#ribbons .source .word").get_by_text("sleeps", exact=True).wait_for()
    window.locator("body[data-state=done]").wait_for()
    assert field.input_value() == "the cat sleeps"
    best = nmt.load(runs[0]).translate("the cat sleeps", beam=5).best
    words = window.locator("#ribbons .target").first.locator(".word").all_inner_texts()
    assert "".join(words) == "".join(best.tokens[:-1]).replace("▁", "")


def test_source_words_are_carried_to_another_place_by_mouse_and_keys(open_file: Open, runs: list[Path]) -> None:
    """The order is a sentence, which both models translate; Undo takes it back."""
    window = open_file()
    translate(window, "the cat sleeps on the mat .")
    source, lines = window.locator("#ribbons .source .word"), window.locator("#ribbons .target")
    plain = lines.all_inner_texts()
    models = [nmt.load(run) for run in runs]

    def shown(sentence: str) -> None:
        window.locator("body[data-state=done]").wait_for()
        assert source.all_inner_texts() == sentence.split()
        expected = [model.translate(sentence, beam=5).best.tokens[:-1] for model in models]
        for line, tokens in zip(lines.all(), expected, strict=True):
            assert "".join(line.locator(".word").all_inner_texts()) == "".join(tokens).replace("▁", "")

    source.nth(2).scroll_into_view_if_needed()
    first, third = source.nth(0).bounding_box(), source.nth(2).bounding_box()
    window.mouse.move(first["x"] + first["width"] / 2, first["y"] + first["height"] / 2)
    window.mouse.down()
    window.mouse.move(third["x"] + third["width"] / 2, third["y"] + third["height"] / 2, steps=5)
    assert window.locator("#ribbons .source .behind").count() == 1
    window.mouse.up()
    window.locator("#ribbons .former").first.wait_for()
    shown("cat sleeps the on the mat .")
    assert "words in another order" in window.locator("#ribbons .changed").first.inner_text()
    assert "change=source" in window.evaluate("location.hash")
    source.nth(2).focus()
    window.keyboard.press("Alt+ArrowRight")
    window.locator("#ribbons .source .word:nth-of-type(4):focus").wait_for()
    shown("cat sleeps on the the mat .")
    window.keyboard.press("Control+z")
    window.keyboard.press("Control+z")
    window.locator("body[data-state=done]").wait_for()
    assert lines.all_inner_texts() == plain
    assert window.locator("#ribbons .former").count() == 0


@pytest.mark.parametrize(("width", "copies"), [(1300, True), (390, False)])
def test_the_picture_has_the_words_and_ribbons_of_the_page(open_file: Open, width: int, copies: bool) -> None:
    """Its pixels are those of a picture of the window, up to the smoothing of edges. Where no page may copy pictures,
    it is a file at once."""
    window = open_file(width=width, script="" if copies else "delete Navigator.prototype.clipboard")
    if copies:
        window.context.grant_permissions(["clipboard-read", "clipboard-write"])
    translate(window, SENTENCE)
    chosen = window.locator("#ribbons .target .word").first
    chosen.click()
    window.mouse.move(0, 0)
    status = window.locator("#copy [role=status]")
    if copies:
        window.locator("button.copy").click()
        window.get_by_text("The picture is copied.").wait_for()
        copied = window.evaluate(
            """async () => {
              const [item] = await navigator.clipboard.read();
              return [item.types, (await item.getType("image/png")).size > 0];
            }"""
        )
        assert copied == [["image/png"], True]
    with window.expect_download() as download:
        window.locator("#copy .save" if copies else "button.copy").click()
    assert status.inner_text() == "The picture is saved as a file."
    assert download.value.suggested_filename == "the-cat-sleeps-on-the-b.png"
    saved = _grey(window, Path(download.value.path()).read_bytes())
    window.mouse.move(0, 0)
    seen = _grey(window, window.locator("#ribbons .systems").screenshot())
    height, across = seen.shape
    assert np.abs(np.array(saved.shape) - 2 * (np.array(seen.shape) + 32)).max() <= 4  # screenshots have whole pixels
    inside = saved[32 : 32 + 2 * height, 32 : 32 + 2 * across]
    inside = inside[: 2 * height : 2, : 2 * across : 2]
    seen = seen[: len(inside), : inside.shape[1]]
    coarse = [_coarse(one) for one in (inside, seen)]
    assert np.abs(coarse[0] - coarse[1]).mean() < 4
    assert np.corrcoef(coarse[0].ravel(), coarse[1].ravel())[0, 1] > 0.95
    frame, word = window.locator("#ribbons .systems").bounding_box(), chosen.bounding_box()
    left, top = (round(word[side] - frame[side]) for side in ("x", "y"))
    of_word = (slice(top, top + round(word["height"])), slice(left, left + round(word["width"])))
    assert seen[of_word].mean() < 200  # it stands out
    assert abs(inside[of_word].mean() - seen[of_word].mean()) < 15


def test_the_link_of_a_served_page_stands_in_the_corner_of_its_picture(chromium: Any, file: str) -> None:
    """Below the words and ribbons. The page of a disk, which has no link, has nothing there."""
    with chromium.new_context(viewport={"width": 1300, "height": 900}) as context:
        window = context.new_page()
        page = Path(unquote(urlsplit(file).path))
        window.route("http://page.test/**", lambda route: route.fulfill(path=page, content_type="text/html"))
        window.goto("http://page.test/page.html#s=the+cat")
        window.locator("body[data-state=done]").wait_for()
        frame = window.locator("#ribbons .systems").bounding_box()
        with window.expect_download() as download:
            window.locator("button.copy").click()
        picture = _grey(window, Path(download.value.path()).read_bytes())
    line = picture.shape[0] - 2 * (frame["height"] + 32)
    assert abs(line - 2 * 15) <= 4
    assert np.ptp(picture[-32 - round(line) : -32]) > 100


def _grey(window: Any, png: bytes) -> np.ndarray:
    """Brightness of each pixel, 0 to 255, read by the browser."""
    rows = window.context.new_page().evaluate(
        """async (data) => {
          const blob = new Blob([Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0))]);
          const image = await createImageBitmap(blob);
          const context = new OffscreenCanvas(image.width, image.height).getContext("2d");
          context.drawImage(image, 0, 0);
          const { data: pixels } = context.getImageData(0, 0, image.width, image.height);
          return [image.height, image.width, Array.from(pixels).filter((_, k) => k % 4 === 1)];
        }""",
        base64.b64encode(png).decode(),
    )
    return np.array(rows[2], dtype=float).reshape(rows[0], rows[1])


def _coarse(image: np.ndarray) -> np.ndarray:
    """Means over squares of 8 pixels."""
    height, width = (side // 8 * 8 for side in image.shape)
    return image[:height, :width].reshape(height // 8, 8, width // 8, 8).mean((1, 3))
