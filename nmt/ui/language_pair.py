"""Choice of the languages whose scores are shown: one table and one curve have one pair."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import streamlit as st

from nmt.reproduce.released import LANGUAGES
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
    """Ask for a language pair if there are several, as ``ask_pairs``."""
    return ask_pairs(checkpoints, parameter)[0]


def ask_pairs(checkpoints: Checkpoints, parameter: str | None = None, *, together: bool = False) -> list[Languages]:
    """Ask for a language pair if there are several; the first is that of the first checkpoint.

    Args:
        parameter: the parameter of the address that names checkpoints. If the address names no pair and none of these
            checkpoints has the first pair, the pair of the first of them is chosen.
        together: whether two target languages of one source language, and all of them, are offered at once, too.
    """
    pairs = {_key([pair]): [pair] for pair in pairs_of(checkpoints)}
    first = next(iter(pairs))
    if len(pairs) == 1:
        return pairs[first]
    if parameter is not None and PAIR not in st.query_params:
        runs = [checkpoints.usable.get(name) for name in st.query_params.get_all(parameter)]
        requested = [_key([Languages(run.source_language, run.target_language)]) for run in runs if run is not None]
        if requested and first not in requested:
            st.query_params[PAIR] = requested[0]
    for source in dict.fromkeys(pair.source for pair in pairs_of(checkpoints)) if together else ():
        several = [pair for pair in pairs_of(checkpoints) if pair.source == source]
        some = [*combinations(several, 2), *([tuple(several)] if len(several) > 2 else [])]
        pairs |= {_key(each): [*each] for each in some}
    titles = {name: _titled(each) for name, each in pairs.items()}
    width = 240 if together else 200
    chosen = choose_one(
        st.selectbox, strings.LANGUAGE_FIELD, titles, key=PAIR, label_visibility="collapsed", width=width
    )
    return pairs[chosen]


def follow_pair(pairs: Sequence[Languages], checkpoints: Checkpoints, parameter: str) -> None:
    """Choose the first checkpoints of the languages that the reader has just chosen, unless a checkpoint chosen before
    translates between these two; for several target languages one checkpoint each. ``parameter``: that of the address
    that names checkpoints."""
    before = st.session_state.get(_PAIR_BEFORE, pairs)
    st.session_state[_PAIR_BEFORE] = pairs
    chosen = [checkpoints.usable[name] for name in st.query_params.get_all(parameter) if name in checkpoints.usable]
    written = {Languages(run.source_language, run.target_language) for run in chosen}
    if pairs != before and (len(before) > 1 or not all(pair in written for pair in pairs)):
        set_choice(parameter, *first_of(pairs, checkpoints))


def first_of(pairs: Sequence[Languages], checkpoints: Checkpoints) -> list[str]:
    """Names of the checkpoints to open with: of one pair all architectures, of several the first of each."""
    if len(pairs) == 1:
        return checkpoints.first_choice(pairs[0])
    return [name for pair in pairs for name in checkpoints.first_choice(pair)[:1]]


def _key(pairs: Sequence[Languages]) -> str:
    return f"{pairs[0].source}-{'+'.join(pair.target for pair in pairs)}"


def _titled(pairs: Sequence[Languages]) -> str:
    targets = ", ".join(language(pair.target) for pair in pairs)
    return strings.PAIR.format(source=language(pairs[0].source), target=targets)


def named(pair: Languages) -> str:
    """Name a pair, as in "English to French"."""
    return _titled([pair])
