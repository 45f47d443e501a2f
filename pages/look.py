"""How does a model translate my sentence, or my text, and where did it look for each word?"""

import streamlit as st

from nmt.ui.app_shell import open_page
from nmt.ui.checkpoints import find_checkpoints
from nmt.ui.look.checkpoint_row import MODE, whole_text_chosen
from nmt.ui.look.page import show_explorer
from nmt.ui.look.text import show_texts

open_page("look", with_picture=st.query_params.get(MODE) != "text")
if whole_text_chosen():
    show_texts(find_checkpoints().with_guests)
else:
    show_explorer(find_checkpoints().with_guests)
