"""Random addresses of the app, old and new: does a page fail, or never finish?

The checkpoints have random weights, beside two released ones, whose scores and saved steps are shown.
"""

from collections.abc import Iterator
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
from trials.random_addresses import RandomAddress, random_address
from trials.trial import Cases, Trial, must

ROOT = Path(__file__).parents[1]
OWN_RUNS = ("encdec", "search")
"""Names of the checkpoints with random weights, which sort before the released ones."""
_RELEASED = {"with-scores": "rnnsearch-50", "with-steps": "scrubber-128"}
_SECONDS = 60
_NUMBER = 50
"""Addresses of a piece."""
_DETAILS = "client.showErrorDetails"


def make_runs(folder: Path) -> None:
    """Write the checkpoints of the trial."""
    folder.mkdir(parents=True, exist_ok=True)
    random_run(folder / "search")
    random_run(folder / "encdec", "rnnencdec")
    for name, released in _RELEASED.items():
        (folder / name).symlink_to(ROOT / "checkpoints" / released, target_is_directory=True)


def addresses(seed: int, number: int) -> list[RandomAddress]:
    """Draw the first ``number`` addresses of a seed."""
    random = Random(seed)
    return [random_address(random, OWN_RUNS) for _ in range(number)]


@contextmanager
def app_over(runs: Path) -> Iterator[None]:
    """Let pages of this process find only these checkpoints, search installed packages for components only once, and
    show exceptions with all details."""
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
        at._page_hash = calc_hash(address.page)  # switch_page would want the name of a file
    for name, values in address.asked:
        at.query_params[name] = list(values)
    try:
        at.run()
    except RuntimeError as error:
        return f"did not come to rest: {error}"
    if at.exception:
        return f"{at.exception[0].value}\n{''.join(at.exception[0].stack_trace)}"
    return "" if at.get("html") else "no title: the page ended before it began"


def _run_pages(random: Random, cases: Cases, folder: Path) -> None:
    make_runs(folder / "runs")
    with app_over(folder / "runs"):
        for _ in range(_NUMBER):
            address = random_address(random, OWN_RUNS)
            with cases.case(f"{address!r}"):
                must(not (fault := fault_of(address)), fault)


TRIAL = Trial(
    name="addresses",
    tried="random addresses of the app, with values that are valid or nonsense",
    holds="the page comes to rest, without an exception",
    run=_run_pages,
    pieces=40,
    ci=1,
    seconds=1800,
    case_seconds=90,
    megabytes=4000,
)
