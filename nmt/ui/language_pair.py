"""Which languages scores are shown of: one table and one curve have one pair."""

from __future__ import annotations

import streamlit as st

from nmt.reproduce.test_sets import LANGUAGES
from nmt.results import Languages
from nmt.ui import strings
from nmt.ui.address import choose_one
from nmt.ui.checkpoints import Checkpoints
from nmt.ui.formatting import language

PAIR = "pair"
"""The parameter of the address."""


def pairs_of(checkpoints: Checkpoints) -> list[Languages]:
    """Of all checkpoints, in the order in which each first occurs; English and French where there is none."""
    pairs = (Languages(run.source_language, run.target_language) for run in checkpoints.usable.values())
    return list(dict.fromkeys(pairs)) or [Languages(*LANGUAGES)]


def ask_pair(checkpoints: Checkpoints) -> Languages:
    """That of the first checkpoint, or what the reader chooses where there are several."""
    pairs = {f"{pair.source}-{pair.target}": pair for pair in pairs_of(checkpoints)}
    first = next(iter(pairs))
    if len(pairs) == 1:
        return pairs[first]
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


def named(pair: Languages) -> str:
    """As in "English to French"."""
    return strings.PAIR.format(source=language(pair.source), target=language(pair.target))
