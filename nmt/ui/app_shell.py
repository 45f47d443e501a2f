"""The frame around every page: which pages there are, and how a page opens."""

from __future__ import annotations

import threading

import streamlit as st
from streamlit.navigation.page import Page

from nmt.ui.checkpoints import ROOT
from nmt.ui.links import consume_link
from nmt.ui.theme import dark_page

_LEGIBLE = """<style>
[data-testid="stMain"] { scrollbar-gutter: stable; } /* else a matrix that fits the width may come and go with it */
[data-testid="stBaseButton-primary"] kbd { color: inherit; opacity: 1; }
</style>"""
_LEGIBLE_DARK = """<style>
[data-testid="stBaseButton-primary"], [data-testid="stMultiSelect"] span[title] { color: #10161d; }
</style>"""
"""Streamlit writes white on the primary colour, also where that is a light one, and a shortcut half transparent; both
have too little contrast."""

_framed = threading.local()
"""Whether this script run came through app.py; a script run has a thread of its own."""


def pages() -> list[Page]:
    """All pages, in the order of the menu."""
    return [
        st.Page("pages/translate.py", title="Translate", icon=":material/translate:", default=True),
        st.Page("pages/explore.py", title="Explore", icon=":material/grid_on:"),
        st.Page("pages/lengths.py", title="Lengths", icon=":material/show_chart:"),
        st.Page("pages/stress.py", title="Stress test", icon=":material/compress:"),
        st.Page("pages/learning.py", title="Learning", icon=":material/school:"),
        st.Page("pages/checkpoints.py", title="Checkpoints", icon=":material/inventory_2:"),
        st.Page("pages/scores.py", title="Scores", visibility="hidden"),
    ]


def run_app() -> None:
    """Run the page that the address asks for. Called by app.py only."""
    page = _navigation()
    _framed.value = True
    try:
        page.run()
    finally:
        _framed.value = False


def open_page(title: str, lead: str) -> None:
    """The first line of every page: its heading, and one sentence on what it is for."""
    _require_frame()
    consume_link()
    st.html(_LEGIBLE + (_LEGIBLE_DARK if dark_page() else ""))
    st.caption("**Jointly** · how a translation model aligns words")
    st.title(title, anchor=False)
    st.caption(lead)


def redirect(page: str, show: str) -> None:
    """Lead to the section ``show`` of another page, with all else that the address asks for."""
    _require_frame()
    asked = {name: st.query_params.get_all(name) for name in st.query_params}
    st.switch_page(page, query_params=asked | {"show": show})


def _require_frame() -> None:
    """Bring a page into the frame of app.py.

    A server that has just started takes files in pages/ for pages of their own, without app.py, until a session
    calls st.navigation. So a link opened on such a server lands here without a frame; calling st.navigation and
    starting again keeps its address and everything in it.
    """
    if not getattr(_framed, "value", False):
        _navigation()
        st.rerun()


def _navigation() -> Page:
    """Name the window, then the pages. Without an icon of our own, a page's icon would be fetched from elsewhere."""
    icon = ROOT / "static" / "favicon.png"
    st.set_page_config(page_title="Jointly", page_icon=str(icon), layout="wide")
    return st.navigation(pages())
