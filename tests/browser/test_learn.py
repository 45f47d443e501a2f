"""The place Learn as a reader meets it: by keys, by pointer, by its links, while it plays."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from nmt.texts import LEARN
from tests.browser.conftest import FITS_IN_WIDTH, wait_for_address

pytestmark = pytest.mark.browser

Visit = Callable[..., None]
BEGAN = LEARN.had_to_begin.partition("{words}")[0].strip()
SENTENCE = "the cat has never seen the sea ."
HOW = {"s": SENTENCE, "rnnsearch": "search", "rnnencdec": "encdec", "beam": "3"}


@pytest.fixture(scope="module")
def watched(runs: Path) -> Iterator[Path]:
    """A run with three steps, all of them the same weights."""
    from nmt.inference.checkpoint import load_model, save_weights
    from nmt.runs.folder import read_run, snapshot_file

    folder = runs / "watched"
    shutil.copytree(runs / "search", folder)
    (folder / "steps").mkdir()
    settings = read_run(folder)
    for update in (3, 500, 7000):
        model = load_model(settings, folder / "model.safetensors")
        save_weights(folder / snapshot_file(update), model, {"update": update})
    yield folder
    shutil.rmtree(folder)


def after(updates: str) -> str:
    """What stands over the matrix of a step of ``watched``."""
    return LEARN.panel.replace(":,", "").format(name="watched", updates=updates)


def fits(page: Any) -> bool:
    found: bool = page.evaluate(FITS_IN_WIDTH)
    return found


@pytest.mark.journey("learn")
def test_the_drawing_steps_by_keys_without_a_run_of_the_script(server: str, page: Any, visit: Visit) -> None:
    visit(f"{server}/learn", **HOW)
    drawing = page.locator(".drawing")
    drawing.wait_for()
    frames: list[str] = []
    page.on("websocket", lambda _: frames.append("new"))
    page.locator("[data-part=alpha]").focus()
    page.keyboard.press("Home")
    words = LEARN.read.partition("{count}")[0]
    assert page.locator(".sentence").inner_text().startswith(words)
    page.keyboard.press("ArrowRight")
    assert page.get_by_role("button", name="State", exact=True).get_attribute("aria-pressed") == "true"
    assert page.locator("[data-part=alpha]").get_attribute("class").split()[-1] == "later"
    for _ in range(4):
        page.keyboard.press("ArrowRight")
    assert page.locator(".later").count() == 0
    assert page.locator("[data-part=alpha]").evaluate("element => element.matches(':focus')")
    written = page.locator("[data-part=word] .written title").text_content()
    page.keyboard.press("ArrowDown")
    assert page.get_by_role("button", name="Word 2:").get_attribute("aria-pressed") == "true"
    assert page.locator("[data-part=previous] .written title").text_content() == written
    assert frames == []
    assert fits(page)


def test_the_drawing_plays(server: str, page: Any, visit: Visit) -> None:
    visit(f"{server}/learn", **HOW)
    page.locator("[data-part=state]").focus()
    page.keyboard.press("Home")
    page.get_by_role("button", name="Play").click()
    page.get_by_role("button", name="Scores", exact=True, pressed=True).wait_for()
    page.get_by_role("button", name="Stop").click()
    page.get_by_role("button", name="Play").wait_for()


@pytest.mark.parametrize("size", [(1280, 720), (1440, 900), (390, 844)], ids=str)
@pytest.mark.parametrize("view", ["how", "beam", "explanation", "training"])
def test_the_picture_begins_in_the_upper_half(
    server: str, page: Any, visit: Visit, watched: Path, view: str, size: tuple[int, int]
) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    training = {"run": "watched", "step": "3"} if view == "training" else {}
    visit(f"{server}/learn", **HOW, view=view, **training)
    picture = page.locator(
        {"how": ".drawing", "beam": ".tree", "explanation": ".js-plotly-plot", "training": ".strip canvas"}[view]
    ).first
    picture.wait_for()
    assert picture.bounding_box()["y"] < size[1] / 2
    assert fits(page)
    if view == "how" and size[0] > 1000:
        box = picture.bounding_box()
        assert box["y"] + box["height"] <= size[1]


def test_the_tree_goes_on_from_a_hypothesis(
    server: str, page: Any, visit: Visit, settle: Callable[[Any], None]
) -> None:
    visit(f"{server}/learn", **HOW, view="beam")
    node = page.locator(".node.pruned").first
    node.click()
    settle(page)
    token = node.locator("title").text_content().split(":")[0].split()[0]
    page.get_by_role("button", name="Continue from here").click()
    page.get_by_text(BEGAN).wait_for()
    settle(page)
    assert token.lower() in page.get_by_text(BEGAN).inner_text().lower()
    page.locator(".node").first.focus()
    page.get_by_role("button", name=LEARN.from_the_start).click()
    page.get_by_text(BEGAN).wait_for(state="hidden")
    settle(page)


def test_keys_clicks_and_the_address_of_the_film(
    server: str, page: Any, visit: Visit, watched: Path, settle: Callable[[Any], None]
) -> None:
    visit(f"{server}/learn", view="training", s=SENTENCE, run="watched", step="500")
    transparent = """canvas => canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data
      .filter((value, k) => k % 4 === 3 && value < 255).length"""
    pictures = page.locator(".strip canvas")
    pictures.first.wait_for()
    assert [picture.evaluate(transparent) for picture in pictures.all()] == [0, 0, 0]
    page.get_by_text(after("500")).first.wait_for()
    page.get_by_role("slider", name="Updates made").focus()
    page.keyboard.press("ArrowRight")
    page.get_by_text(after("7,000")).first.wait_for()
    settle(page)
    wait_for_address(page, step="7000")
    page.get_by_role("button", name="After 3 updates").click()
    page.get_by_text(after("3")).first.wait_for()
    wait_for_address(page, step="3")
    assert fits(page)


def test_the_film_plays_once_from_the_start(server: str, page: Any, visit: Visit, watched: Path) -> None:
    visit(f"{server}/learn", view="training", s=SENTENCE, run="watched")
    page.get_by_text(after("7,000")).first.wait_for()
    page.get_by_role("button", name="Play").wait_for()
    page.get_by_role("button", name="Play").click()
    page.get_by_text("After 3 updates").wait_for()


_BOTH_UNTIL_THE_END = """async (last) => {
  const within = (one) => [one, ...(one.shadowRoot ? all(one.shadowRoot) : [])];
  const all = (root) => [...root.querySelectorAll("*")].flatMap(within);
  const [caption, panels] = [".film .caption", ".panels"].map((name) => all(document).find((one) => one.matches(name)));
  const seen = [];
  while (!seen.length || !seen.at(-1)[0].includes(last)) {
    await new Promise(requestAnimationFrame);
    seen.push([caption.textContent, panels.querySelector(".title").textContent]);
  }
  return seen;
}"""


def test_the_matrix_follows_the_film_while_it_plays(server: str, page: Any, visit: Visit, watched: Path) -> None:
    visit(f"{server}/learn", view="training", s=SENTENCE, run="watched", step="7000")
    page.get_by_text(after("7,000")).first.wait_for()
    page.get_by_role("button", name="Play").click()
    page.get_by_text("After 3 updates").wait_for()
    seen = page.evaluate(_BOTH_UNTIL_THE_END, "7,000")
    updates = [caption.removeprefix("After ").removesuffix(" updates") for caption, _ in seen]
    assert {"500", "7,000"} <= {*updates}
    assert [after(number) for number in updates] == [title for _, title in seen]


def test_the_film_stands_still_where_the_system_asks_for_it(
    server: str, page: Any, visit: Visit, watched: Path
) -> None:
    page.emulate_media(reduced_motion="reduce")
    visit(f"{server}/learn", view="training", s=SENTENCE, run="watched")
    page.get_by_text("After 3 updates").wait_for()
    page.wait_for_timeout(1500)
    assert page.get_by_text("After 3 updates").count() == 1
    assert page.get_by_role("button", name="Play").count() == 1
