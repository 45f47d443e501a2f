"""The alignment explorer from top to bottom."""

from __future__ import annotations

import streamlit as st

from nmt.ui.checkpoints import Checkpoints
from nmt.ui.formatting import escaped
from nmt.ui.links import link_back
from nmt.ui.look.explore.decode import DecodedSentence, decode_all
from nmt.ui.look.explore.explain import show_explanation
from nmt.ui.look.explore.export import show_export
from nmt.ui.look.explore.form import ExplorerView, ask_explorer
from nmt.ui.look.explore.gold import GoldLinks, ask_gold, beyond, show_rates, with_gold
from nmt.ui.look.explore.panels import draw_all
from nmt.ui.look.explore.pinned_view import show_view
from nmt.ui.look.explore.unknown_words import show_unknown_words
from nmt.ui.look.explore.weights_table import show_tables
from nmt.ui.look.explore.what_if import show_what_if

_EXPLAIN, _WHAT_IF, _GOLD, _UNKNOWN, _TABLE, _TAKE = (
    "Explain a cell",
    "What if",
    "Gold links",
    "Unknown words",
    "Table",
    "Take away",
)


def show_explorer(checkpoints: Checkpoints) -> None:
    """Ask, gather, draw."""
    link_back("pages/length.py", "Back to BLEU against length")
    view = ask_explorer(checkpoints)
    if view is None:
        return
    found = decode_all(view)
    if found or view.imported:
        _show(view, found)


@st.fragment
def _show(view: ExplorerView, found: list[DecodedSentence]) -> None:
    """The view, and below it what is done with it. A pin, and all that is asked below, runs this again and nothing
    above; no translation is made again for it."""
    place = st.container()
    section = st.segmented_control(
        "And then",
        [_EXPLAIN, _WHAT_IF, _GOLD, _UNKNOWN, _TABLE, _TAKE],
        key="do",
        bind="query-params",
        label_visibility="collapsed",
    )
    drawn = draw_all(view, found, view.imported)
    links = GoldLinks(None)
    if section == _GOLD:
        links = ask_gold()
        if links.problem:
            st.warning(links.problem, icon=":material/warning:")
    if links.gold is not None:
        outside = beyond(drawn, links.gold)
        if outside:
            st.warning(escaped(outside), icon=":material/warning:")
        drawn = with_gold(drawn, links.gold)
    with place:
        pin = show_view(view, drawn)
    if section == _EXPLAIN:
        show_explanation(view, drawn, pin)
    elif section == _WHAT_IF:
        show_what_if(view, drawn, pin)
    elif section == _GOLD and links.gold is not None:
        show_rates(drawn, links.gold, view.least)
    elif section == _UNKNOWN:
        show_unknown_words(found)
    elif section == _TABLE:
        show_tables(drawn)
    elif section == _TAKE:
        show_export(view, drawn)
