"""What the forms of several pages ask alike."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from nmt.runs.folder import RunInfo

APP = Path(__file__).parents[2] / "app.py"
NAMES = ["*bold*", "12:30", "$a$ & [b]", "plain_one"]


@pytest.fixture
def odd(runs: Path, write_run: Callable[..., RunInfo], translators: dict[str, Any]) -> list[str]:
    for name in NAMES:
        write_run(runs / name)
    return NAMES


def chosen_names(at: AppTest) -> list[str]:
    return list(at.multiselect(key="choice-models").value)


@pytest.mark.parametrize("name", NAMES)
def test_a_link_names_a_checkpoint_as_it_is_called(odd: list[str], name: str) -> None:
    """Whatever its letters mean in Markdown, in which Streamlit reads the options of a field."""
    at = AppTest.from_file(str(APP), default_timeout=60)
    chosen = list(dict.fromkeys([name, "plain_one"]))
    at.query_params["models"] = chosen
    at.run()
    assert not at.exception
    assert chosen_names(at) == chosen


def test_names_of_nothing_are_left_out(odd: list[str]) -> None:
    at = AppTest.from_file(str(APP), default_timeout=60)
    at.query_params["models"] = ["gone", "12:30"]
    at.run()
    assert not at.exception
    assert chosen_names(at) == ["12:30"]
