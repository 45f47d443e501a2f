"""Open random addresses of the app, old and new, and look whether a page breaks or does not come to rest.

    python -m trials.addresses                         # 1,000 in this process, 40 in a browser
    python -m trials.addresses --number 50 --browser 0 --seed 7

Each address that breaks is printed with its fault; --seed and its number draw it again. The checkpoints have random
weights, beside two released ones, whose scores and saved steps are shown.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from random import Random

import streamlit.components.v2.manifest_scanner as manifests
from streamlit import config
from streamlit.testing.v1 import AppTest
from streamlit.util import calc_hash

import nmt.ui.checkpoints
from tests.oracles.random_run import random_run
from trials.app import AppServer
from trials.random_addresses import RandomAddress, random_address

ROOT = Path(__file__).parents[1]
OWN_RUNS = ("encdec", "search")
"""Names of the checkpoints with random weights, which sort before the released ones."""
_RELEASED = {"with-scores": "rnnsearch-50", "with-steps": "scrubber-128"}
_SECONDS = 60
_DETAILS = "client.showErrorDetails"


def make_runs(folder: Path) -> None:
    """Write the checkpoints of the trial."""
    folder.mkdir(parents=True, exist_ok=True)
    random_run(folder / "search")
    random_run(folder / "encdec", "rnnencdec")
    for name, released in _RELEASED.items():
        (folder / name).symlink_to(ROOT / "checkpoints" / released, target_is_directory=True)


def addresses(seed: int, number: int) -> list[RandomAddress]:
    """Draw the addresses of a seed; more of them begin with the same ones."""
    random = Random(seed)
    return [random_address(random, OWN_RUNS) for _ in range(number)]


@contextmanager
def app_over(runs: Path) -> Iterator[None]:
    """Let pages of this process find these checkpoints alone, look for components in installed packages once, and say
    what an exception is."""
    folders, scan = nmt.ui.checkpoints.folders, manifests.scan_component_manifests
    details = config.get_option(_DETAILS)
    config.set_option(_DETAILS, "full")
    nmt.ui.checkpoints.folders = lambda: (runs,)
    manifests.scan_component_manifests = cache(scan)
    try:
        yield
    finally:
        nmt.ui.checkpoints.folders = folders
        manifests.scan_component_manifests = scan
        config.set_option(_DETAILS, details)


def fault_of(address: RandomAddress) -> str:
    """Open an address without a browser; return what is wrong with the page, "" if nothing."""
    at = AppTest.from_file(str(ROOT / "app.py"), default_timeout=_SECONDS)
    if address.page:
        at._page_hash = calc_hash(address.page)  # pages of former addresses have no file, so switch_page has no name
    for name, values in address.asked:
        at.query_params[name] = list(values)
    try:
        at.run()
    except RuntimeError as error:
        return f"did not come to rest: {error}"
    if at.exception:
        return f"{at.exception[0].value}\n{''.join(at.exception[0].stack_trace)}"
    return "" if at.title else "no title: the page ended before it began"


def browser_faults(drawn: Sequence[RandomAddress], runs: Path, cache_folder: Path) -> list[tuple[RandomAddress, str]]:
    """Open addresses in Chromium; return those with which something is wrong, and what."""
    environment = os.environ | {"JOINTLY_RUNS": str(runs), "JOINTLY_CACHE": str(cache_folder)}
    found = []
    with AppServer(ROOT, environment) as server:
        for address in drawn:
            opened = server.open(str(address))
            if not opened.holds:
                found.append((address, opened.summary))
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--number", type=int, default=1000, help="addresses opened in this process (default 1000)")
    parser.add_argument("--browser", type=int, default=40, help="addresses opened in a browser (default 40)")
    parser.add_argument("--seed", type=int, default=1, help="default 1")
    options = parser.parse_args(arguments)
    lost = 0
    with tempfile.TemporaryDirectory(prefix="jointly-addresses-") as place:
        runs, cache_folder = Path(place) / "runs", Path(place) / "cache"
        make_runs(runs)
        os.environ["JOINTLY_CACHE"] = str(cache_folder)
        with app_over(runs):
            for number, address in enumerate(addresses(options.seed, options.number), 1):
                fault = fault_of(address)
                if fault:
                    lost += 1
                    print(f"LOST {number} {address!r}\n{fault}", flush=True)
                elif number % 100 == 0:
                    print(f"{number} opened, {lost} lost", flush=True)
        if options.browser:
            for address, fault in browser_faults(addresses(options.seed + 1, options.browser), runs, cache_folder):
                lost += 1
                print(f"LOST in the browser {address!r}\n{fault}", flush=True)
    print(f"{options.number + options.browser} addresses, {lost} lost")
    return 1 if lost else 0


if __name__ == "__main__":
    sys.exit(main())
