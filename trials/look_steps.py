"""Random steps on Look in Chromium: typing, pinning, dragging, adding sentences, changing checkpoints and pages."""

import os
from collections.abc import Mapping
from copy import deepcopy
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

from playwright.sync_api import Locator, expect, sync_playwright

from nmt.instrument import texts
from nmt.texts import APP, MODELS
from tests.oracles.random_run import random_run
from trials.app import CHROMIUM_ARGUMENTS, browser_path, served
from trials.at_rest import SETTLED, enter, field
from trials.look_model import KINDS, OWN, SENTENCES, TRAVELS, LookModel, Step
from trials.trial import Cases, NotRun, Trial, must

ROOT = Path(__file__).parents[1]
_STEPS = 50
_KNOWN = ("one", "two")
_SECONDS = 300
_KEYS = {"horizontal": ("ArrowRight", "ArrowLeft"), "vertical": ("ArrowDown", "ArrowUp")}
"""What moves a ribbon's end: a translation much longer than its source stands beside it."""


def _run(random: Random, cases: Cases, folder: Path) -> None:
    if browser_path() is None:
        raise NotRun("there is no Chromium")
    for hidden, name in enumerate(_KNOWN, 12):
        random_run(folder / "runs" / name, hidden=hidden)
    environment = os.environ | {"JOINTLY_RUNS": str(folder / "runs"), "JOINTLY_CACHE": str(folder / "cache")}
    with served(ROOT, environment) as server, sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=browser_path(), args=[*CHROMIUM_ARGUMENTS])
        page = browser.new_page(viewport={"width": 1280, "height": 900}, reduced_motion="reduce")
        page.set_default_timeout(1000 * _SECONDS)
        model = LookModel(SENTENCES[0], ("one",), known=_KNOWN, beam=2)
        _open(page, server.address, model)
        states = {page.url: deepcopy(model)}
        for number in range(_STEPS):
            step = model.draw(random, (*KINDS, *TRAVELS))
            if not model.offers(step) or (step.kind == "pin" and model.changes):
                continue  # a translation that was changed may have any number of words
            lost = cases.lost
            with cases.case(f"step {number} of {model!r}: {step!r}"):
                if step.kind in TRAVELS:
                    model = _travelled(page, step.kind, states)
                else:
                    model.take(_taken(page, model, step))
                _check(page, model)
                states[page.url] = deepcopy(model)
            if cases.lost > lost:  # the next steps begin from what there must be
                model = LookModel(model.sentence, model.models, known=_KNOWN, beam=model.beam)
                _open(page, server.address, model)
        browser.close()


def _open(page: Any, address: str, model: LookModel) -> None:
    asked = {"s": model.sentence, "models": model.models, "beam": model.beam, "own": OWN}
    page.goto(f"{address}/?{urlencode(asked, doseq=True)}")
    page.locator(".system").first.wait_for()
    page.wait_for_function(SETTLED)


def _travelled(page: Any, kind: str, states: Mapping[str, LookModel]) -> LookModel:
    """Go back or forward, or load the page anew. Returns what the page had when it had this address. From an address at
    which no step ended, as between two pages, the reader comes back."""
    if kind == "reload":
        page.reload()
    else:
        there, back = (page.go_back, page.go_forward) if kind == "back" else (page.go_forward, page.go_back)
        there(wait_until="commit")
        if page.url not in states:
            back(wait_until="commit")
    page.locator(".system").first.wait_for()
    page.wait_for_function(SETTLED)
    return deepcopy(states[page.url])


def _taken(page: Any, model: LookModel, step: Step) -> Step:
    """Do the step as a reader does; returns what was done, which may be nothing, or at another word."""
    systems = page.locator(".system")
    system = systems.nth(model.models.index(step.name))
    if step.kind == "type":
        enter(page, step.text)
    elif step.kind == "pin":
        words = system.locator(".target .word")
        step = replace(step, i=step.i % words.count())
        if model.pin != f"{step.name}.{step.i}.":
            words.nth(step.i).click()
    elif step.kind == "unpin":
        if model.pinned is None:  # of a checkpoint that is not shown
            return replace(step, kind="nothing")
        number, i = model.pinned
        systems.nth(number).locator(".target .word").nth(i).click()
    elif step.kind == "drag":
        grip = system.locator(".grip").first
        if not grip.count():
            return replace(step, kind="nothing")
        grip.focus()
        place = int(grip.get_attribute("aria-valuenow"))
        on, back = _KEYS[grip.get_attribute("aria-orientation")]
        page.keyboard.press(on if place < int(grip.get_attribute("aria-valuemax")) else back)
        page.keyboard.press("Enter")
    elif step.kind == "begin":
        page.get_by_role("button", name=texts()["sections"]["options"]["what-if"]).click()
        begin = page.get_by_label(texts()["typed"]["begin"])
        begin.fill("a")
        begin.press("Enter")
    elif step.kind == "undo" and page.locator(".undo").count():  # else the browser takes back what was typed
        page.evaluate("document.activeElement?.blur()")
        page.keyboard.press("Control+z")
    elif step.kind == "reset":
        page.get_by_role("button", name="Reset", exact=True).click()
    elif step.kind == "models":
        gone = {*model.models} - _choose(page, model.models, step.models)
        if model.pin.partition(".")[0] in gone and not model.changes:
            model.pin = ""  # a checkpoint that goes and comes again has lost its pin
    elif step.kind == "beam":
        page.get_by_role("button", name="Settings", exact=True).click()
        slider = page.get_by_role("slider", name=APP.beam)
        slider.press("Home")
        for _ in range(step.number - 1):
            slider.press("ArrowRight")
        page.get_by_role("button", name="Settings", exact=True).click()
    elif step.kind == "add":
        if "own=" not in page.url:  # forgotten with the sentence that they came with
            page.goto(f"{page.url}&{urlencode({'own': OWN}, doseq=True)}")
            page.locator(".system").first.wait_for()
            page.wait_for_function(SETTLED)
        handle = page.locator(".handle")
        for _ in range(abs(step.number - model.number)):
            handle.press("ArrowRight" if step.number > model.number else "ArrowLeft")
    elif step.kind == "leave":
        page.get_by_role("link", name=APP.models, exact=True).first.click()
        page.get_by_role("heading", name=MODELS.by_key.questions["use"]).wait_for()
        page.wait_for_function(SETTLED)
        page.get_by_role("link", name=APP.look, exact=True).first.click()
        page.locator(".system").first.wait_for()
    return step


def _choose(page: Any, now: tuple[str, ...], models: tuple[str, ...]) -> set[str]:
    """Choose checkpoints in this order: what is not among the first ones goes, the others come. Returns those that
    stayed."""
    kept = now[: next((k for k, pair in enumerate(zip(now, models, strict=False)) if len({*pair}) > 1), len(models))]
    menu = page.locator(".st-key-choice-models input")
    for _ in now[len(kept) :]:
        before = page.url
        menu.press("Backspace")
        _wait_for_other(page, before)
    for name in models[len(kept) :]:
        before = page.url
        menu.fill(name)
        page.get_by_role("option", name=name, exact=True).click()
        menu.press("Escape")
        _wait_for_other(page, before)
    return {*kept}


def _wait_for_other(page: Any, address: str) -> None:
    """Wait until the page has another address and is at rest: while it is made again, the list of choices changes."""
    page.wait_for_function("before => location.href !== before", arg=address)
    page.wait_for_function(SETTLED)


_ADDRESS = """expected => {
  const asked = new URL(location).searchParams;
  const kinds = asked.getAll("change").map(change => change.split(":")[0]);
  return JSON.stringify([asked.getAll("pin"), kinds, asked.getAll("k")]) === JSON.stringify(expected);
}"""


def _check(page: Any, model: LookModel) -> None:
    wanted = model.address()
    page.wait_for_function(SETTLED)  # which it may be before it has begun
    _becomes(page.locator(".system-title strong"), [*model.models], "systems")
    _becomes(page.locator(".system").first.locator(".source .word"), model.words, "source")
    page.wait_for_function(SETTLED)
    must(page.get_by_test_id("stException").count() == 0, "an exception")
    must(field(page).input_value() == model.sentence, "another sentence in the field")
    try:
        page.wait_for_function(_ADDRESS, arg=[wanted["pin"], wanted["change"], wanted["k"]], timeout=60_000)
    except Exception:
        must(False, f"{wanted} is not the address {parse_qs(urlsplit(page.url).query)}")
    page.wait_for_function(SETTLED)
    asked = parse_qs(urlsplit(page.url).query)
    must(asked.get("beam", ["12"]) == [str(model.beam)], f"beam {asked.get('beam')}")
    page.mouse.move(2, 2)
    pinned = page.locator(".system").evaluate_all(
        "all => all.flatMap((one, k) => [...one.querySelectorAll('.target .word')]"
        ".map((word, i) => word.classList.contains('lit') ? [k, i] : null)).filter(Boolean)"
    )
    if not model.changes:
        expected = [] if model.pinned is None else [[*model.pinned]]
        must(pinned == expected, f"pinned {pinned}")
    former = page.locator(".former").count()
    must(former > 0 if "begin" in model.changes else former <= len(model.changes), f"{former} former lines")


def _becomes(locator: Locator, texts: list[str], what: str) -> None:
    """Wait until elements have these texts."""
    try:
        expect(locator).to_have_text(texts, timeout=60_000)
    except AssertionError:
        must(False, f"{what} {locator.all_inner_texts()}")


TRIAL = Trial(
    name="look-steps",
    tried="random steps on the page Look in Chromium: typing, pinning, dragging, undoing, adding sentences, changing "
    "checkpoints, settings and pages, going back and forward, loading anew",
    holds="page and address are those of a model of ten lines",
    run=_run,
    pieces=40,
    ci=0,
    seconds=3000,
    case_seconds=120,
)
