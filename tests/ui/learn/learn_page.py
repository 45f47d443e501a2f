"""The place Learn of the app, opened by its address."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from streamlit.testing.v1 import AppTest

APP = Path(__file__).parents[3] / "app.py"
SENTENCE = "the girl has never seen the sea ."


def opened(**asked: str | list[str]) -> AppTest:
    """Open a view. The arguments are parameters of the address."""
    at = AppTest.from_file(str(APP), default_timeout=60)
    at.switch_page("pages/learn.py")
    for name, value in asked.items():
        at.query_params[name] = value
    at.run()
    assert not at.exception
    return at


def components(at: AppTest) -> list[dict[str, Any]]:
    """Return the data of the drawings, from top to bottom."""
    return [json.loads(found.proto.json) for found in at.get("bidi_component")]
