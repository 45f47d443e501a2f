"""Random address parameters, and random messages from the browser, that choose a cell of a matrix."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import numpy as np
from hypothesis import strategies

from nmt.errors import InputError
from nmt.records import as_record
from nmt.results import Alignment
from nmt.ui.instrument import Pin
from trials.generated import each_drawn
from trials.texts import JSON
from trials.trial import Cases, Trial, must

_NUMBER = 1500
_TEXTS = strategies.text(alphabet="0123456789.-st٣ \n\x00", max_size=12) | strategies.text(max_size=8)
_LONG = strategies.builds(lambda digit, times: digit * times, strategies.sampled_from("09-."), strategies.just(5000))
_ADDRESSES = _TEXTS | _LONG | _LONG.map(lambda digits: f"0.{digits}.1") | _TEXTS.map("two.5.{}".format)
_SIDES = strategies.lists(strategies.integers(-3, 9) | JSON, max_size=3) | JSON
_SENT = strategies.fixed_dictionaries({"name": _TEXTS | JSON, "source": _SIDES, "target": _SIDES})


def _run(random: Random, cases: Cases, _: Path) -> None:
    weights = np.full((2, 3), 1 / 3, np.float32)
    alignment = Alignment(source=("a", "b", "."), target=("x", "y"), weights=weights)

    def use(asked: Any) -> None:
        with cases.case(f"{asked!a}"):
            pin = Pin.read(asked) if isinstance(asked, str) else _sent(asked)
            cell = None if pin is None else pin.cell(alignment)
            if pin is not None and cell is not None:
                must(cell[0] in range(2) and cell[1] in range(3), f"{pin} is {cell}")

    each_drawn(random, _NUMBER, _ADDRESSES | _SENT | JSON, use)


def _sent(asked: Any) -> Pin | None:
    try:
        return as_record(Pin, asked, unknown="ignore")
    except InputError:
        return None


TRIAL = Trial(
    name="pins",
    tried="random values of the address that pin a cell, and random messages of the view in the browser",
    holds="a cell of the matrix or none",
    run=_run,
    pieces=20,
    ci=1,
    seconds=300,
    case_seconds=20,
)
