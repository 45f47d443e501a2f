"""Small released runs with random weights of 8 bits, and a page's JavaScript under node."""

from pathlib import Path
from typing import Any

from tests.charts.node import ROOT
from tests.oracles.random_run import random_run
from tests.programs import main

JS = ROOT / "nmt" / "page" / "js"


def released_run(folder: Path, *search: str, **settings: Any) -> Path:
    """Write a run as ``release`` does. ``search``: settings such as "length_penalty=1"; the others are those of
    ``random_run``."""
    run = random_run(folder.with_name(f"{folder.name}-before"), **settings)
    options = [part for setting in search for part in ("--search", setting)]
    assert main(["release", "publish", str(run), str(folder), "--weights", "int8", *options]) == 0
    return folder
