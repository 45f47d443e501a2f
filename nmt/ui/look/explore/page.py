"""The alignment explorer from top to bottom."""

from __future__ import annotations

import streamlit as st

from nmt.ui import strings as shared
from nmt.ui.address import choose_one, link_back
from nmt.ui.app_shell import name_window, titled
from nmt.ui.checkpoints import Checkpoints
from nmt.ui.formatting import escaped
from nmt.ui.glossary import explained
from nmt.ui.inputs import SENTENCE
from nmt.ui.look import former_values
from nmt.ui.look import strings as look_strings
from nmt.ui.look.explore import strings
from nmt.ui.look.explore.decode import DecodedSentence, decode_all
from nmt.ui.look.explore.explain import show_explanation
from nmt.ui.look.explore.export import show_export
from nmt.ui.look.explore.form import ExplorerView, ask_explorer
from nmt.ui.look.explore.gold import GoldLinks, ask_gold, beyond, show_rates, with_gold
from nmt.ui.look.explore.maps import show_maps
from nmt.ui.look.explore.panels import draw_all
from nmt.ui.look.explore.picture import Word, show_length, show_picture
from nmt.ui.look.explore.pinned_view import RAIL, forget_word, is_pinned, pin_word, show_view
from nmt.ui.look.explore.unknown_words import show_unknown_words
from nmt.ui.look.explore.weights_table import show_tables
from nmt.ui.look.explore.what_if import show_what_if

_LENGTH, _EXPLAIN, _GOLD, _UNKNOWN = "length", "explain", "gold", "unknown"
_MAPS, _WHAT_IF, _TABLE, _EXPORT = "maps", "what-if", "table", "export"
_WIDTHS = (7, 3)
"""Of the matrices and of the rail at their right."""


def show_explorer(checkpoints: Checkpoints) -> None:
    """Ask for sentence and settings, decode, and show the results."""
    link_back("pages/length.py", strings.BACK_TO_LENGTH)
    view = ask_explorer(checkpoints)
    if view is None:
        return
    if SENTENCE in st.query_params and view.sentence:
        name_window(titled(view.sentence), shared.LOOK)
    decoded_sentences = decode_all(view)
    word = show_picture(view, decoded_sentences) if decoded_sentences else None
    if decoded_sentences:
        st.caption(strings.ABOUT_PICTURE, help=explained("attention", "coverage", "entropy", "nats"))
    if decoded_sentences or view.imported:
        _show(view, decoded_sentences, word)


@st.fragment
def _show(view: ExplorerView, decoded_sentences: list[DecodedSentence], word: Word | None) -> None:
    """Show the matrices, beside them a section on the pinned cell or the sentence, and below them the sections that
    need room. A pin or a choice made here runs only this function again, and repeats no translation."""
    left, right = st.columns(_WIDTHS, gap="medium")
    drawn = draw_all(view, decoded_sentences, view.imported)
    if word is None:
        forget_word()
    else:
        pin_word(drawn, *word)
    pinned = word is not None or is_pinned()
    with right:
        section = choose_one(
            st.selectbox,
            strings.SECTION,
            strings.SECTIONS,
            key="do",
            default=_EXPLAIN if pinned else _LENGTH,
            former=former_values.SECTIONS,
            label_visibility="collapsed",
        )
        rail = st.container(key=RAIL)
    links = GoldLinks(None)
    with rail:
        if section == _GOLD:
            links = ask_gold()
            if links.problem:
                st.warning(links.problem, icon=":material/warning:")
        if links.gold is not None:
            outside = beyond(drawn, links.gold)
            if outside:
                st.warning(escaped(outside), icon=":material/warning:")
            drawn = with_gold(drawn, links.gold)
    with left:
        pin = show_view(view, drawn)
    with rail:
        if section == _LENGTH:
            if show_length(view.sentence, decoded_sentences):
                st.caption(strings.ABOUT_CURVE, help=explained("BLEU"))
            else:
                st.caption(look_strings.NO_CURVE)
        elif section == _EXPLAIN:
            show_explanation(view, drawn, pin)
        elif section == _GOLD and links.gold is not None:
            show_rates(drawn, links.gold, view.least)
        elif section == _UNKNOWN:
            show_unknown_words(decoded_sentences)
        elif section == _EXPORT:
            show_export(view, drawn)
        elif section == _TABLE:
            st.caption(strings.BELOW)
    if section == _MAPS:
        show_maps(drawn, pin, rail)
    elif section == _WHAT_IF:
        show_what_if(view, drawn, pin, rail)
    elif section == _TABLE:
        show_tables(drawn)
