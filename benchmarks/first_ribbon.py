"""Seconds from navigation to the first ribbon of alpha on the page Look, with a stored result.

    python -m benchmarks.first_ribbon --visits 10

Chromium at 1280x720 without a GPU, a fresh profile for each visit, the server warm; one JSON object on stdout: the
seconds of each visit and their median. They mean something on an idle machine only.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Sequence
from statistics import median
from typing import Any

from benchmarks.load import served
from benchmarks.program import NotMeasured, launched_chromium

_RIBBON = "svg.ribbons .ribbon"
_SIZE = {"width": 1280, "height": 720}


def seconds_to_ribbon(browser: Any, address: str) -> float:
    """Seconds until the first ribbon is in the picture, in a window that has loaded nothing before."""
    context = browser.new_context(viewport=_SIZE)
    try:
        page = context.new_page()
        began = time.perf_counter()
        page.goto(address, wait_until="commit")
        page.wait_for_selector(_RIBBON, state="attached", timeout=60_000)
        return time.perf_counter() - began
    finally:
        context.close()


def measure(address: str, visits: int) -> dict[str, Any]:
    """The object that is printed. A first visit, which is not counted, warms the server.

    Raises NotMeasured if there is no Playwright or no Chromium.
    """
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        raise NotMeasured("Playwright is not installed") from None
    seconds = []
    with sync_playwright() as driver:
        for _ in range(visits + 1):
            browser = launched_chromium(driver)
            seconds.append(round(seconds_to_ribbon(browser, address), 3))
            browser.close()
    return {"median": round(median(seconds[1:]), 3), "seconds": seconds[1:]}


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.first_ribbon", description=__doc__.splitlines()[0])
    parser.add_argument("--visits", type=int, default=10, metavar="N", help="how many are counted (default 10)")
    options = parser.parse_args(arguments)
    with served() as server:
        report = measure(server.address, options.visits)
    print(json.dumps(report, indent=1))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
