"""What the server keeps for all sessions."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any

import pytest
import streamlit as st

from nmt.answers.request import Progress
from nmt.runs.folder import RunInfo
from nmt.ui.resources import load_translator


class Silent:
    """Receives progress and does nothing with it."""

    def stage(self, name: str, total: int) -> AbstractContextManager[Callable[[Progress], None]]:
        return nullcontext(lambda progress: None)

    def checkpoint(self) -> None:
        pass


def test_the_checkpoints_used_last_stay_loaded_and_the_others_do_not(
    runs: Path, write_run: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[str] = []
    monkeypatch.setattr("nmt.ui.resources.read_translator", lambda run: read.append(run.name))
    listed: list[RunInfo] = [write_run(runs / f"run-{number}") for number in range(8)]
    st.cache_resource.clear()

    def use(run: RunInfo) -> list[str]:
        read.clear()
        load_translator(run, Silent())
        return list(read)

    assert [use(run) for run in listed] == [[run.name] for run in listed]
    assert [use(run) for run in listed[-3:]] == [[], [], []]
    assert use(listed[0]) == [listed[0].name]
