"""The film of a training run as an element of a page."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import streamlit as st

from nmt.charts.film_view import film_view_files


@st.cache_resource(show_spinner=False)
def _component() -> Callable[..., Any]:
    """Register the component, once per server; its files are passed as text, so that no build is needed."""
    files = film_view_files()
    return st.components.v2.component("film_view", html=files.html, css=files.css, js=files.js)


def film_view(data: Mapping[str, Any], *, key: str) -> object:
    """Show the data of ``nmt.charts.film_view.film_data``.

    Returns the number of the step on which the reader or the film came to rest, as sent by the browser, or None. A new
    one runs the script, or the fragment around this call, again.
    """
    return _component()(key=key, data=data, default={"step": None}, on_step_change=lambda: None).step
