"""Switch between one sentence and a whole text."""

from __future__ import annotations

import re

import streamlit as st

from nmt.data.line_words import count_words
from nmt.ui.address import choose_one, current_choice, set_choice
from nmt.ui.formatting import counted
from nmt.ui.inputs import MOST_CHARACTERS, MOST_WORDS
from nmt.ui.look import former_values, strings

MODE, TEXT = "mode", "text"
"""Parameters of the address: which of the two, and the text that was typed."""

MOST_TYPED = 6000
"""Characters of a text that is typed: all of it stands in the address, which must stay short enough for a link."""

_MAY_END = re.compile(r"[.!?…]\S*\s+\S|\n\s*\S|[。！？]\s*\S")


def ask_mode() -> None:
    """Show the switch between the two."""
    choose_one(
        st.segmented_control,
        strings.MODE,
        strings.MODES,
        key=MODE,
        former=former_values.MODES,
        label_visibility="collapsed",
        width="content",
    )


def whole_text_chosen() -> bool:
    """Tell which of the two is chosen, before the switch is shown."""
    return current_choice(MODE, strings.MODES, former_values.MODES) == "text"


def take_sentence_mode() -> None:
    """Go on with one sentence, as the callback of a button."""
    set_choice(MODE, "sentence")


def offer_whole_text(typed: str, language: str) -> None:
    """Show a button that continues with a text, below a field for one sentence into which several were typed."""
    text = typed.strip()
    sentences = _sentences(text, language)
    too_long = count_words(text) > MOST_WORDS or len(text) > MOST_CHARACTERS
    if (sentences < 2 and not too_long) or len(text) > MOST_TYPED:
        return
    label = counted(sentences, strings.AS_TEXT)
    st.button(label, key="as-text", icon=":material/subject:", on_click=_take_text, args=(text,))


def _sentences(text: str, language: str) -> int:
    if not _MAY_END.search(text):
        return 1  # and nothing need be loaded to know it
    from nmt.data.sentences import split_text

    return len(split_text(text, language).sentences)


def _take_text(text: str) -> None:
    set_choice(MODE, "text")
    if TEXT not in st.session_state:  # a field that is not there yet would not write it
        st.query_params[TEXT] = text
    st.session_state[TEXT] = text
