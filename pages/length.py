"""How well does each checkpoint translate sentences of each length, and what is lost in long ones?"""

import streamlit as st

from nmt.ui.address import choose_one
from nmt.ui.app_shell import name_window, open_page
from nmt.ui.checkpoints import find_checkpoints
from nmt.ui.length.curve.page import show_lengths
from nmt.ui.length.together.page import show_together

open_page("Length", "What is lost when the sentence gets longer?")
checkpoints = find_checkpoints()
_VIEWS = {"curve": "BLEU against length", "together": "Put sentences together"}
view = choose_one(st.segmented_control, "View", _VIEWS, key="view", label_visibility="collapsed")
name_window("Length", _VIEWS[view])
if view == "curve":
    show_lengths(checkpoints)
else:
    show_together(checkpoints)
