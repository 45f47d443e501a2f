"""The line at the top of the views of Learn: a sentence, examples, and settings that are closed until wanted."""

from __future__ import annotations

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from nmt.ui.examples import EXAMPLES
from nmt.ui.inputs import MOST_CHARACTERS, SENTENCE
from nmt.ui.learn import strings

_EXAMPLE = "example"


def ask_sentence_line(first: str) -> tuple[str, DeltaGenerator]:
    """Ask for a sentence; the place for settings comes with it.

    Args:
        first: the sentence that is taken until the reader gives another one.

    Returns: the sentence on one line, never blank, and a popover.
    """
    examples = list(dict.fromkeys((first, *EXAMPLES)))
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        typed = st.text_input(
            strings.SENTENCE,
            key=SENTENCE,
            bind="query-params",
            max_chars=MOST_CHARACTERS,
            placeholder=first,
            label_visibility="collapsed",
        )
        st.menu_button(strings.EXAMPLES, examples, key=_EXAMPLE, on_click=_take_example)
        settings = st.popover(strings.SETTINGS, icon=":material/tune:", width="content")
    return " ".join((typed or "").split()) or first, settings


def _take_example() -> None:
    st.session_state[SENTENCE] = st.session_state[_EXAMPLE]
