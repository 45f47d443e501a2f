"""The live drawing of Figure 1 as an element of a page."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import streamlit as st

from nmt.charts.step_view import step_view_files


@st.cache_resource(show_spinner=False)
def _component() -> Callable[..., Any]:
    """Register the component, once per server; its files are passed as text, so that no build is needed."""
    files = step_view_files()
    return st.components.v2.component("step_view", html=files.html, css=files.css, js=files.js)


def step_view(data: Mapping[str, Any], *, key: str) -> None:
    """Show the data of ``nmt.charts.step_view.step_view_data``. Moving between steps does not run the script again.

    Paper: Figure 1
    """
    _component()(key=key, data=data)
