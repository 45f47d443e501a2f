"""Choice of the languages whose scores are shown: one table and one curve have one pair."""

from __future__ import annotations

import streamlit as st

from nmt.reproduce.test_sets import LANGUAGES
from nmt.results import Languages
from nmt.ui import strings
from nmt.ui.address import choose_one, set_choice
from nmt.ui.checkpoints import Checkpoints
from nmt.ui.formatting import language

PAIR = "pair"
"""The parameter of the address."""
_PAIR_BEFORE = "pair-before"


def pairs_of(checkpoints: Checkpoints) -> list[Languages]:
    """List the pairs of all checkpoints, in the order in which each first occurs; English and French if there is no
    checkpoint."""
    pairs = (Languages(run.source_language, run.target_language) for run in checkpoints.usable.values())
    return list(dict.fromkeys(pairs)) or [Languages(*LANGUAGES)]


def ask_pair(checkpoints: Checkpoints, parameter: str | None = None) -> Languages:
    """Ask for a language pair if there are several; the first is that of the first checkpoint.

    Args:
        parameter: the parameter of the address that names checkpoints. If the address names no pair and none of these
            checkpoints has the first pair, the pair of the first of them is chosen.
    """
    pairs = {_key(pair): pair for pair in pairs_of(checkpoints)}
    first = next(iter(pairs))
    if len(pairs) == 1:
        return pairs[first]
    if parameter is not None and PAIR not in st.query_params:
        runs = [checkpoints.usable.get(name) for name in st.query_params.get_all(parameter)]
        requested = [_key(Languages(run.source_language, run.target_language)) for run in runs if run is not None]
        if requested and first not in requested:
            st.query_params[PAIR] = requested[0]
    titles = {name: named(pair) for name, pair in pairs.items()}
    former = {title: name for name, title in titles.items()}
    chosen = choose_one(
        st.selectbox,
        strings.LANGUAGE_FIELD,
        titles,
        key=PAIR,
        former=former,
        label_visibility="collapsed",
        width=200,
    )
    return pairs[chosen]


def follow_pair(pair: Languages, checkpoints: Checkpoints, parameter: str) -> None:
    """Choose the first checkpoints of a language pair that the reader has just chosen, unless a checkpoint chosen
    before translates between these languages. ``parameter``: that of the address that names checkpoints."""
    before = st.session_state.get(_PAIR_BEFORE, pair)
    st.session_state[_PAIR_BEFORE] = pair
    if pair != before and not any(
        checkpoints.usable[name].target_language == pair.target
        for name in st.query_params.get_all(parameter)
        if name in checkpoints.usable and checkpoints.usable[name].source_language == pair.source
    ):
        set_choice(parameter, *checkpoints.first_choice(pair))


def _key(pair: Languages) -> str:
    return f"{pair.source}-{pair.target}"


def named(pair: Languages) -> str:
    """Name a pair, as in "English to French"."""
    return strings.PAIR.format(source=language(pair.source), target=language(pair.target))
