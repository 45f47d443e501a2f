"""The walk from a record to what a browser is sent climbs few floors of the house."""

import sys
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np
import pytest

import nmt
from nmt.results import Alignment
from nmt.results.record import record_of_map
from nmt.ui import components
from nmt.ui.instrument import show_instrument

ROOT = Path(nmt.__file__).parent
FLOORS = ("records", "texts", "files", "results", "alignments", "charts", "instrument", "ui")


def walked(work: Callable[[], object]) -> list[str]:
    """The packages that the program stands in, one after the other, during a work; a call or a return enters one."""
    stays: list[str] = []

    def stand(frame: FrameType | None) -> None:
        while frame is not None and not Path(frame.f_code.co_filename).is_relative_to(ROOT):
            frame = frame.f_back
        if frame is not None:
            package = Path(frame.f_code.co_filename).relative_to(ROOT).parts[0].removesuffix(".py")
            stays.extend([package] * (stays[-1:] != [package]))

    def on(frame: FrameType, event: str, _: Any) -> None:
        if event in ("call", "return") and Path(frame.f_code.co_filename).is_relative_to(ROOT):
            stand(frame if event == "call" else frame.f_back)

    sys.setprofile(on)
    try:
        work()
    finally:
        sys.setprofile(None)
    return stays


def test_a_record_is_shown_with_at_most_four_climbs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(components, "registered", lambda *_: lambda **_: None)
    record = record_of_map(Alignment(source=("a", "b"), target=("c", "d"), weights=np.eye(2)))
    show_instrument(record, key="instrument")  # what is read once from files
    stays = walked(lambda: show_instrument(record, key="instrument"))
    floors = [FLOORS.index(package) for package in stays]
    assert {"ui", "results", "records"} <= {*stays}
    assert sum(below < above for below, above in pairwise(floors)) <= 4, stays
