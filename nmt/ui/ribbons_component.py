"""The ribbons as an element of a page."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import streamlit as st

from nmt.charts.ribbons import ribbon_files


@st.cache_resource(show_spinner=False)
def _component() -> Callable[..., Any]:
    """Registered once in a server's life."""
    files = ribbon_files()
    return st.components.v2.component("ribbons", html=files.html, css=files.css, js=files.js)


def show_ribbons(data: Mapping[str, Any], *, key: str) -> object:
    """Show what ``nmt.charts.ribbons.ribbons_data`` gave. Paper: Figure 3.

    Returns the target word that the reader chose, as the browser says it, or None.
    """
    return _component()(key=key, data=data, default={"word": None}, on_word_change=lambda: None).word
