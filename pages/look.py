"""How does a model translate my sentence, and where did it look for each word?"""

import streamlit as st

from nmt.ui.address import choose_one
from nmt.ui.app_shell import open_page
from nmt.ui.checkpoints import find_checkpoints
from nmt.ui.look.explore.page import show_explorer
from nmt.ui.look.sentence.cards import show_cards
from nmt.ui.look.sentence.form import show_form
from nmt.ui.look.text.page import show_texts

open_page("Look", "Where does a translation model look for each word that it writes?")
checkpoints = find_checkpoints()
_VIEWS = {"explore": "Alignment", "sentence": "Translation", "text": "Text or file"}
_FORMER = {"One sentence": "sentence", "Text or file": "text"}
chosen = choose_one(
    st.segmented_control, "What to show", _VIEWS, key="mode", former=_FORMER, label_visibility="collapsed"
)
if chosen == "text":
    show_texts(checkpoints)
elif chosen == "sentence":
    view = show_form(checkpoints)
    if view is not None:
        show_cards(view)
else:
    show_explorer(checkpoints)
