"""Random texts in the box of the HTML page that translates, opened in Chromium without a network."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

from playwright.sync_api import Page

import nmt
from nmt.cli import main
from nmt.page.payload import MOST_CHARACTERS
from tests.page.released import released_run
from trials.app import chromium_page
from trials.texts import random_text
from trials.trial import Cases, Trial, must

_NUMBER, _BEAM = 60, 5
_DONE = "body[data-state=done]"


@contextmanager
def _opened(file: Path, faults: list[str]) -> Iterator[Page]:
    """The file in a Chromium that is offline; faults of its scripts, and addresses that it asks, are collected."""
    with chromium_page(offline=True) as window:
        window.on("pageerror", lambda fault: faults.append(str(fault)))
        window.on("request", lambda request: faults.append(f"asked {request.url}") if _elsewhere(request.url) else None)
        window.goto(file.as_uri())
        window.locator(_DONE).wait_for()
        yield window


def _elsewhere(address: str) -> bool:
    return not re.match(r"(file|blob|data):", address)


def _check(window: Page, model: Any, text: str) -> None:
    box = window.locator("#sentence")
    box.fill(text)
    box.press("Enter")
    window.locator(_DONE).wait_for()
    if (anyway := window.locator("#anyway")).is_visible():  # the page takes the text for another language
        anyway.click()
        window.locator(_DONE).wait_for()
    typed = box.input_value()  # the box has its own ends of lines
    status = window.locator("#status").inner_text()
    visible = window.locator("#results").is_visible()
    shown = window.locator("#matrices .target-text").all_text_contents() if visible else []
    if not typed.strip() or len(typed) > MOST_CHARACTERS:
        must(not shown and bool(status), f"{shown}, and it says {status!r}")
        return
    expected = model.translate(typed, beam=_BEAM).text
    must(shown == [expected], f"it says {status!r} and shows {shown!a}; Python gives {expected!a}")


def _run(random: Random, cases: Cases, folder: Path) -> None:
    kind, order = random.choice(("words", "bpe")), random.choice(("printed", "program"))
    run = released_run(folder / "run", kind=kind, state_order=order)
    file = folder / "page.html"
    must(main(["page", str(run), "--out", str(file)]) == 0, "the page was not written")
    model, faults = nmt.load(run, precision="int8"), list[str]()
    with _opened(file, faults) as window:
        for number in range(_NUMBER):
            text = random_text(random).encode("utf-8", "ignore").decode()  # a browser is told no half characters
            with cases.case(f"{number}: {kind}, {order}, {text!a}"):
                faults.clear()
                _check(window, model, text)
                must(not faults, str(faults))


TRIAL = Trial(
    name="html-page",
    tried="random texts of all Unicode categories in the box of the HTML page that translates, in Chromium, offline",
    holds="the translation that Python gives, or a sentence; no script fails and nothing is asked of a network",
    run=_run,
    pieces=10,
    ci=1,
    seconds=900,
    case_seconds=60,
    megabytes=4000,
)
