"""What a reader can do with a pinned cell: write another word there, or look at another source word."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from nmt.results import CellExplanation
from nmt.results.alignment import PIECE_MARK
from nmt.ui.address import set_choice
from nmt.ui.formatting import escaped
from nmt.ui.look.explore.decode import DecodedSentence
from nmt.ui.look.explore.what_if import MOVED, PREFIX

_SECTION, _WHAT_IF = "do", "what-if"
_MOST = 5


def offer_words(cell: CellExplanation, explored: DecodedSentence) -> None:
    """Buttons for the most probable other words; the rest of the translation then follows the chosen one."""
    others = [token for token in cell.next_tokens if token.token != cell.target[cell.i]][:_MOST]
    if not others:
        return
    st.caption("Write another word here, and let the model go on:")
    with st.container(horizontal=True, gap="xsmall"):
        for k, token in enumerate(others):
            begin = prefix_text([*explored.tokens[: cell.i], token.token])
            st.button(
                f"{escaped(token.token.replace(PIECE_MARK, '') or token.token)} · {token.probability:.2f}",
                key=f"word-{k}",
                on_click=_begin_with,
                args=(begin,),
                help="The translation up to here and this word are kept; the search writes the rest anew.",
            )


def offer_attention(row: int, column: int, words: Sequence[str], cell: CellExplanation) -> None:
    """A button that moves all attention of the target word to this source word.

    Args:
        row, column: numbers of the target and of the source word among all words.
        words: all source words.
    """
    if cell.alpha is None or cell.alpha[cell.j] == max(cell.alpha):
        return
    weights = ",".join("1" if k == column else "0" for k in range(len(words)))
    st.button(
        f"Make it look at “{escaped(words[column])}”",
        icon=":material/my_location:",
        on_click=_move,
        args=(f"{row}:{weights}",),
        help="All weight of this target word goes to this source word, and the rest is written anew.",
    )


def prefix_text(tokens: Sequence[str]) -> str:
    """The beginning of a translation as text.

    >>> prefix_text(["L'", "accord"]), prefix_text(["▁L", "'", "accord", "▁sur"])
    ("L' accord", "L'accord sur")
    """
    if any(token.startswith(PIECE_MARK) for token in tokens):
        return "".join(tokens).replace(PIECE_MARK, " ").strip()
    return " ".join(tokens)


def _begin_with(text: str) -> None:
    if PREFIX not in st.session_state:  # a field that is not there yet would not write it
        st.query_params[PREFIX] = text
    st.session_state[PREFIX] = text
    st.query_params.pop(MOVED, None)
    set_choice(_SECTION, _WHAT_IF)


def _move(weights: str) -> None:
    st.query_params[MOVED] = weights
    st.session_state.pop(PREFIX, None)
    set_choice(_SECTION, _WHAT_IF)
