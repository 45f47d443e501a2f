"""The views of the place Learn."""

from __future__ import annotations

import streamlit as st

from nmt.ui.address import choose_one
from nmt.ui.checkpoints import Checkpoints
from nmt.ui.learn import strings
from nmt.ui.learn.draw.page import show_draw
from nmt.ui.learn.how.page import show_how
from nmt.ui.learn.training.page import show_training


def show_place(checkpoints: Checkpoints) -> None:
    """Let the reader choose a view, and show it."""
    view = choose_one(st.segmented_control, strings.VIEW, strings.VIEWS, key="view", label_visibility="collapsed")
    if view == "training":
        show_training(checkpoints)
    elif view == "draw":
        show_draw(checkpoints)
    else:
        show_how(checkpoints, view)
