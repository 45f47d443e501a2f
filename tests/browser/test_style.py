"""The rules of app.css: each selector still matches an element, whatever Streamlit calls its parts."""

import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from nmt.runs.folder import read_settings, write_settings
from nmt.texts import APP, by_name
from nmt.ui.app_shell import PLACES
from tests.browser.conftest import serve
from tests.oracles.random_run import random_run
from trials.at_rest import enter

pytestmark = pytest.mark.browser

SELECTORS = """() => {
  const split = (text) => {
    let depth = 0;
    const parts = [""];
    for (const letter of text) {
      depth += (letter === "(") - (letter === ")");
      if (letter === "," && !depth) {
        parts.push("");
      } else {
        parts[parts.length - 1] += letter;
      }
    }
    return parts.map((part) => part.trim());
  };
  const all = (rules, outer) => [...rules].flatMap((rule) => {
    if (rule.selectorText === undefined) {
      return rule.cssRules ? all(rule.cssRules, outer) : [];
    }
    const nested = (one) => one.includes("&") ? one.replaceAll("&", outer) : `${outer} ${one}`;
    const own = split(rule.selectorText).map((one) => outer ? nested(one) : one);
    return [...(rule.style.length ? own : []), ...own.flatMap((one) => all(rule.cssRules, one))];
  });
  const sheet = [...document.styleSheets].find((one) => one.ownerNode?.textContent.includes("st-key-places"));
  const matches = (one) => document.querySelector(one.replace(/:focus-visible|::before/, "")) !== null;
  return all(sheet.cssRules, "").map((one) => [one, matches(one)]);
}"""
"""Every selector of app.css with whether it matches an element of the page."""

WATCH = """window.atFirst = new Set();
new MutationObserver(() => {
  if (document.querySelector("[data-testid=stSkeleton]")) {
    window.atFirst.add("stSkeleton");
  }
}).observe(document, { childList: true, subtree: true });"""
"""Notes what is there only until a view is loaded."""
TAKE_RIBBONS = """() => {
  const drawn = document.querySelectorAll(".st-key-look-picture[data-maps]");
  drawn.forEach((one) => delete one.dataset.maps);
  return drawn.length;
}"""
"""Takes the ribbons out, so that the opening is as it was before they came. How long that lasts is chance."""
VIEWS = (
    ("", {"models": ["search", "encdec"]}),
    ("", {"mode": "text", "text": "the cat"}),
    ("/length", {"sets": "jointly-300", "bucket": "all"}),
    ("/length", {"bucket": "all"}),
    ("/length", {"view": "together"}),
    ("/learn", {}),
    ("/models", {"lang": "ko"}),
    ("/models", {"show": "cards", "runs": ["search", "encdec"]}),
    ("/models", {"show": "scores"}),
    ("/models", {"show": "trainings"}),
    ("/models", {"show": "train", "texts": "corpus"}),
    ("/present", {"scene": "how"}),
    ("/present", {"scene": "together"}),
    ("/present", {"scene": "end"}),
)


def test_every_selector_matches_an_element(
    runs: Path, tmp_path: Path, page: Any, visit: Callable[..., None], settle: Callable[[Any], None]
) -> None:
    matched: dict[str, bool] = {}

    def note() -> None:
        at_first = page.evaluate("[...window.atFirst]")
        for selector, matches in page.evaluate(SELECTORS):
            loading = any(name in selector for name in at_first)
            matched[selector] = matched.get(selector, False) or matches or loading

    back = random_run(Path(shutil.copytree(runs, tmp_path / "runs")) / "back")
    write_settings(back, replace(read_settings(back), source_language="fr", target_language="en"))
    page.add_init_script(WATCH)
    page.set_viewport_size({"width": 390, "height": 844})
    with serve(back.parent, tmp_path / "log") as server:
        for place, asked in VIEWS:
            visit(f"{server}{place}", **asked)
            settle(page)
            if "bucket" in asked:
                page.get_by_role("button", name=APP.export).click()
                page.locator("[data-testid=stImage] img").wait_for()
            if "mode" in asked:
                page.locator(".st-key-open-settings button").click()
                page.locator(".st-key-settings [role=radio]").first.wait_for()
            note()
            if "models" in asked:
                assert page.evaluate(TAKE_RIBBONS) == 1
                before_the_ribbons = [one for one, found in page.evaluate(SELECTORS) if found and "h1.opening" in one]
                assert len(before_the_ribbons) == 1
                matched[before_the_ribbons[0]] = True
                enter(page, "le chat noir dort sur la petite table de la cuisine")
                page.locator(".st-key-translate-as-fr-en button").wait_for()
                note()
    assert len(matched) > 20
    assert [selector for selector, matches in matched.items() if not matches] == []


def test_a_matrix_shows_that_it_scrolls_before_it_is_pointed_at(
    server: str, page: Any, visit: Callable[..., None], settle: Callable[[Any], None]
) -> None:
    visit(server, models=["search"])
    page.mouse.move(1, 1)
    page.locator(".panel .scroll").first.wait_for()
    bar = page.locator(".panel .scroll").first.evaluate("element => getComputedStyle(element).scrollbarColor")
    assert not bar.startswith("rgba(0, 0, 0, 0)")


def test_on_a_phone_all_places_are_visible_without_a_menu(
    server: str, page: Any, visit: Callable[..., None], settle: Callable[[Any], None]
) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    visit(server)
    settle(page)
    boxes = [link.bounding_box() for link in page.locator(".st-key-places a").all()]
    assert len(boxes) == len(PLACES)
    assert len({box["y"] for box in boxes}) == 1
    assert all(box["x"] >= 0 and box["x"] + box["width"] <= 390 for box in boxes)
    language = page.locator(".st-key-languages button").bounding_box()
    assert language["x"] >= max(box["x"] + box["width"] for box in boxes)
    assert abs(language["y"] + language["height"] / 2 - boxes[0]["y"] - boxes[0]["height"] / 2) < 6  # in one line
    pair = page.locator(".st-key-choice-pair input")
    page.add_style_tag(content="[data-testid=stMain] { scrollbar-gutter: auto; scrollbar-width: none; }")  # as a phone
    assert pair.evaluate("input => input.scrollWidth <= input.clientWidth")  # read whole
    page.locator(".st-key-places").get_by_role("link", name=by_name(PLACES[1].title)).click()
    page.get_by_role("heading", name=by_name(PLACES[1].question)).wait_for()
    visit(f"{server}/learn")
    assert page.locator(".st-key-learn-field textarea").bounding_box()["width"] > 300
