"""The row below the sentence or the text: languages, checkpoints, and the switch between the two."""

from __future__ import annotations

import streamlit as st

from nmt.results import Languages
from nmt.runs.folder import RunInfo
from nmt.ui.address import choose_many
from nmt.ui.checkpoints import Checkpoints
from nmt.ui.formatting import escaped, label, language
from nmt.ui.language_pair import ask_pair, follow_pair
from nmt.ui.look import strings
from nmt.ui.look.input_mode import ask_mode

MODELS = "models"
"""The parameter of the address."""


def ask_checkpoint_row(checkpoints: Checkpoints) -> tuple[Languages, dict[str, RunInfo]]:
    """Ask for the languages and the checkpoints, by name in the order chosen."""
    with st.container(horizontal=True, vertical_alignment="bottom", key="checkpoint-row"):
        pair = ask_pair(checkpoints, MODELS)
        follow_pair(pair, checkpoints, MODELS)
        runs = _ask_checkpoints(checkpoints, pair)
        ask_mode()
    return pair, runs


def _ask_checkpoints(checkpoints: Checkpoints, pair: Languages) -> dict[str, RunInfo]:
    """Ask for checkpoints that read the language of the pair; at first those that also write its other language."""
    readable = {name: run for name, run in checkpoints.usable.items() if run.source_language == pair.source}
    others = [name for name in st.query_params.get_all(MODELS) if name in checkpoints.usable and name not in readable]
    if others:
        notice = strings.READ_AS.format(language=language(pair.source), names=escaped(", ".join(others)))
        st.caption(f":material/warning: {notice}")
    names = choose_many(
        st.multiselect,
        strings.CHECKPOINTS,
        {name: _named(name, run, pair) for name, run in readable.items()},
        key=MODELS,
        default=checkpoints.first_choice(pair),
        former={label(name): name for name in readable},
        what=strings.CHECKPOINT,
        elsewhere=others,
        width="stretch",
        placeholder=strings.CHOOSE_CHECKPOINTS,
        label_visibility="collapsed",
    )
    return {name: readable[name] for name in names}


def _named(name: str, run: RunInfo, pair: Languages) -> str:
    """A checkpoint as the field names it: with its language if it writes another one than the pair beside it says."""
    if run.target_language == pair.target:
        return label(name)
    return strings.WRITES.format(name=label(name), language=language(run.target_language))
