"""The place Length: the curve over lengths, or sentences put together."""

import streamlit as st

from nmt.texts import APP
from nmt.ui.address import choose_view
from nmt.ui.app_shell import name_window
from nmt.ui.checkpoints import Checkpoints
from nmt.ui.inputs import ask_pair
from nmt.ui.length.curve.choose import SYSTEMS
from nmt.ui.length.curve.page import show_lengths
from nmt.ui.length.together.curve import MODELS, ask_together, show_curves


def show_place(checkpoints: Checkpoints) -> None:
    """Ask for the view and the languages, of which each view has one pair, and show it."""
    with st.container(horizontal=True, vertical_alignment="bottom", key="length-place"):
        pair_place = st.container(width="content")
        with st.container(width="content"):
            view = choose_view(APP.view, APP.by_key.length_views, key="view")
    name_window(APP.by_key.length_views[view], APP.length)
    with pair_place:
        pair = ask_pair(checkpoints, SYSTEMS if view == "curve" else MODELS)
    if view == "curve":
        show_lengths(checkpoints, pair)
    elif (together := ask_together(checkpoints, pair)) is not None:
        show_curves(together)
