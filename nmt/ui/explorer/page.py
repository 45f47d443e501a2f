"""The alignment explorer from top to bottom."""

from __future__ import annotations

import streamlit as st

from nmt.ui.checkpoints import Checkpoints
from nmt.ui.explorer.form import ExplorerView, ask_view
from nmt.ui.explorer.gather import Explored, gather
from nmt.ui.explorer.panels import draw_all
from nmt.ui.explorer.view import show_view


def show_explorer(checkpoints: Checkpoints) -> None:
    """Ask, gather, draw."""
    view = ask_view(checkpoints)
    if view is None:
        return
    found = gather(view)
    if found:
        _show(view, found)


@st.fragment
def _show(view: ExplorerView, found: list[Explored]) -> None:
    """A pin runs this again and nothing above it."""
    show_view(view, draw_all(view, found))
