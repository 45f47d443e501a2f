"""Damaged run folders in the app: each place opened with the run chosen."""

from __future__ import annotations

import shutil
from pathlib import Path
from random import Random

from trials.addresses import app_over, fault_of
from trials.random_addresses import RandomAddress
from trials.trial import Cases, Trial, must
from trials.whole_run import damage, whole_run

_NUMBER = 12
_SENTENCE = ("s", ("the cat sleeps .",))
_MINE = ("models", ("mine", "other"))
_ADDRESSES = (
    RandomAddress(page="", asked=(_SENTENCE, _MINE)),
    RandomAddress(page="", asked=(("mode", ("text",)), ("text", ("She reads. A cat.",)), _MINE)),
    RandomAddress(page="length", asked=(("systems", ("mine", "other")), ("sets", ("set",)))),
    RandomAddress(page="learn", asked=(_SENTENCE, ("run", ("mine",)))),
    RandomAddress(page="models", asked=(("show", ("cards",)), ("run", ("mine",)))),
    RandomAddress(page="models", asked=(("show", ("scores",)), _MINE)),
)


def _run(random: Random, cases: Cases, folder: Path) -> None:
    kept, runs = whole_run(folder / "whole"), folder / "runs"
    other = whole_run(runs / "other", "bpe")
    with app_over(runs):
        for _ in range(_NUMBER):
            shutil.copytree(kept, runs / "mine")
            done = damage(random, runs / "mine", other)
            for address in random.sample(_ADDRESSES, 3):
                with cases.case(f"{done}; {address}"):
                    must(not (fault := fault_of(address)), fault)
            shutil.rmtree(runs / "mine")


TRIAL = Trial(
    name="pages",
    tried="damaged run folders in the app: Look, Length, Learn and Models, with the run chosen",
    holds="the page comes to rest, without an exception",
    run=_run,
    pieces=40,
    ci=1,
    seconds=1800,
    case_seconds=90,
    megabytes=4000,
)
