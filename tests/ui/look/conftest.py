"""Events of the interactive views: what a reader does in them, without a browser."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from nmt.ui import components


@pytest.fixture
def send(monkeypatch: pytest.MonkeyPatch) -> Callable[[AppTest, str, str, object], None]:
    """``send(at, key, event, value)``: the view with this key sends an event, as the browser does, and the page runs
    again."""
    waiting: dict[str, tuple[str, object]] = {}
    real = components.component

    def component(name: str) -> Callable[..., Any]:
        def show(*, key: str, **settings: Any) -> Any:
            if key in waiting:
                event, value = waiting.pop(key)
                st.session_state[key] = {event: value}
                settings[f"on_{event}_change"]()
                del st.session_state[key]
                st.rerun()
            return real(name)(key=key, **settings)

        return show

    monkeypatch.setattr(components, "component", component)

    def send(at: AppTest, key: str, event: str, value: object) -> None:
        waiting[key] = (event, value)
        at.run()
        assert not at.exception, at.exception
        assert key not in waiting, "there is no such view"

    return send
