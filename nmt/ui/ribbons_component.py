"""The ribbons and the small Figure 2 as elements of a page."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import streamlit as st

from nmt.charts.ribbons import SmallFigure, figure_files, ribbon_files


@st.cache_resource(show_spinner=False)
def _ribbons() -> Callable[..., Any]:
    """Register the component, once per server."""
    files = ribbon_files()
    return st.components.v2.component("ribbons", html=files.html, css=files.css, js=files.js)


@st.cache_resource(show_spinner=False)
def _figure() -> Callable[..., Any]:
    files = figure_files()
    return st.components.v2.component("small_figure", html=files.html, css=files.css, js=files.js)


def show_ribbons(data: Mapping[str, Any], *, key: str) -> object:
    """Show the data of ``nmt.charts.ribbons.ribbons_data``. Paper: Figure 3.

    Returns the target word that the reader chose, as sent by the browser, or None.
    """
    return _ribbons()(key=key, data=data, default={"word": None}, on_word_change=lambda: None).word


def show_small_figure(figure: SmallFigure, *, key: str, large: bool = False) -> None:
    """Show the small Figure 2, over the whole width if ``large``. Paper: Figure 2."""
    _figure()(key=key, data=figure.to_dict() | {"large": large})
