"""A page that translates, opened from disk in Chromium without a network, held against Python in int8.

    python -m benchmarks.translating_page checkpoints/rnnsearch-en-ja testsets/jointly-100-ja/sentences.en

writes the page of the run, types each line into it, and prints one JSON object: how many translations are equal token
by token, and of those that are how far log p and alpha are from Python's at most; the sentences of which the page shows
another text or other words than Python; and the median seconds from the key to the drawn result, which mean something
on an idle machine only.
Status 1 if fewer than 99 % are equal, or a number is further off than 1e-3 (log p: relative), the aims of the page.
"""

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

import nmt
from benchmarks.program import launched_chromium
from nmt.page import BEAM, Payload, collect, page_html
from nmt.results import Hypothesis
from nmt.results.alignment import joined

LISTEN = """
  window.heard = null;
  window.Worker = class extends Worker {
    constructor(...given) {
      super(...given);
      this.addEventListener("message", ({ data }) => { window.heard = data.system ?? window.heard; });
    }
  };
"""
"""Keeps what the page's worker answers last."""

SHOWN = """() => {
  const shown = (name) => document.querySelector("#instrument").shadowRoot.querySelector(name);
  return {
    heard: window.heard,
    text: shown("#matrices").hidden ? null : shown("#matrices").shadowRoot.querySelector(".target-text").innerText,
    words: [...shown("#ribbons").shadowRoot.querySelectorAll(".line.target .word")].map((word) => word.innerText),
  };
}"""

SENTENCE_TIMEOUT = 600_000  # milliseconds
LEAST_EQUAL, MOST_OFF = 0.99, 1e-3


def compare(browser: Any, run: str, payload: Payload, lines: Sequence[str]) -> dict[str, Any]:
    """The object that is printed.

    Args:
        browser: a Chromium of Playwright.
        payload: of a page with this run, which may choose the beam.
        lines: sentences, none of them blank.
    """
    translator = nmt.load(run, precision="int8")
    beam = payload.data["beam"]
    seconds: list[float] = []
    differing: list[dict[str, str]] = []
    shown_otherwise: list[str] = []
    log_p, alpha = [0.0], [0.0]
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "page.html"
        file.write_text(page_html(payload, "page"), encoding="utf-8")
        with _opened(browser, file) as window:
            for line in lines:
                began = time.perf_counter()
                found = _translated(window, line)
                seconds.append(time.perf_counter() - began)
                ours = found["heard"]
                best = translator.translate(line, beam=beam).best
                if tuple(ours["target"]["tokens"]) != best.tokens or ours["text"] != best.text:
                    differing.append({"sentence": line, "page": ours["text"], "python": best.text})
                    continue
                log_p.append(abs(ours["log_probability"] / best.log_probability - 1))
                if best.alignment is not None:
                    alpha.append(float(np.abs(np.array(ours["maps"][0]["weights"]) - best.alignment.weights).max()))
                if not _as_shown(found, best):
                    shown_otherwise.append(line)
    return {
        "run": run,
        "beam": beam,
        "sentences": len(lines),
        "equal": len(lines) - len(differing),
        "differing": differing,
        "shown_otherwise": shown_otherwise,
        "log_p_off": max(log_p),
        "alpha_off": max(alpha),
        "median_seconds": round(median(seconds), 3),
    }


def passes(result: dict[str, Any]) -> bool:
    """Whether a page reaches its aims."""
    enough = result["equal"] >= LEAST_EQUAL * result["sentences"] and not result["shown_otherwise"]
    return bool(enough and max(result["log_p_off"], result["alpha_off"]) <= MOST_OFF)


@contextmanager
def _opened(browser: Any, file: Path) -> Iterator[Any]:
    """A window without a network, in which the page has drawn its first translation."""
    context = browser.new_context(offline=True, viewport={"width": 1300, "height": 900})
    try:
        window = context.new_page()
        window.set_default_timeout(SENTENCE_TIMEOUT)
        window.add_init_script(LISTEN)
        window.goto(file.as_uri())
        window.locator("body[data-state=done]").wait_for()
        assert window.locator("body").get_attribute("data-engine") == "worker"
        yield window
    finally:
        context.close()


def _translated(window: Any, line: str) -> dict[str, Any]:
    window.evaluate("window.heard = null")
    window.locator("#sentence").fill(line)
    window.locator("#sentence").press("Enter")
    window.locator("body[data-state=done]").wait_for()
    found: dict[str, Any] = window.evaluate(SHOWN)
    return found


def _as_shown(found: dict[str, Any], best: Hypothesis) -> bool:
    """Whether the page shows Python's text, where it shows one, and Python's words."""
    assert best.encoded is not None
    words = joined(best.tokens, best.encoded.words)[:-1]
    return tuple(found["words"]) == words and found["text"] in (None, best.text)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("run", help="a released run with weights of 8 bits")
    parser.add_argument("sentences", type=Path, help="a file with one sentence per line")
    parser.add_argument("--beam", type=int, default=BEAM)
    options = parser.parse_args(arguments)
    lines = [line for line in options.sentences.read_text("utf-8").splitlines() if line.strip()]
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        browser = launched_chromium(driver)
        result = compare(browser, options.run, collect([options.run], options.beam), lines)
        browser.close()
    print(json.dumps(result, ensure_ascii=False, indent=2))
    return 0 if passes(result) else 1


if __name__ == "__main__":
    sys.exit(main())
