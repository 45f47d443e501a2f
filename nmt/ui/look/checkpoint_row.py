"""The row below the sentence or the text: languages, checkpoints, and the switch between the two."""

from __future__ import annotations

import streamlit as st

from nmt.results import Languages
from nmt.runs.folder import RunInfo
from nmt.ui.address import choose_many
from nmt.ui.checkpoints import Checkpoints
from nmt.ui.formatting import escaped, label, language
from nmt.ui.language_pair import ask_pair
from nmt.ui.look.input_mode import ask_mode

MODELS = "models"
"""The parameter of the address."""


def ask_checkpoint_row(found: Checkpoints) -> tuple[Languages, dict[str, RunInfo]]:
    """Ask for the languages and the checkpoints, by name in the order chosen."""
    with st.container(horizontal=True, vertical_alignment="bottom", key="checkpoint-row"):
        pair = ask_pair(found)
        runs = _ask_checkpoints(found, pair)
        ask_mode()
    return pair, runs


def _ask_checkpoints(found: Checkpoints, pair: Languages) -> dict[str, RunInfo]:
    """Those that read the language of the pair; at first those that also write its other language."""
    readable = {name: run for name, run in found.usable.items() if run.source_language == pair.source}
    others = [name for name in st.query_params.get_all(MODELS) if name in found.usable and name not in readable]
    if others:
        st.caption(
            f":material/warning: The text is read as {language(pair.source)}. Left out, as they read another language: "
            f"{escaped(', '.join(others))}."
        )
    names = choose_many(
        st.multiselect,
        "Checkpoints to compare",
        {name: label(name) for name in readable},
        key=MODELS,
        default=found.first_choice(pair),
        former={label(name): name for name in readable},
        what="checkpoint",
        elsewhere=others,
        width="stretch",
        placeholder="Choose checkpoints",
        label_visibility="collapsed",
    )
    return {name: readable[name] for name in names}
