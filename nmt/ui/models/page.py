"""The page Checkpoints from top to bottom."""

from __future__ import annotations

import streamlit as st

from nmt.errors import InputError
from nmt.ui.checkpoints import Checkpoints, find_checkpoints, folders_stamp
from nmt.ui.formatting import as_sentence
from nmt.ui.inputs import any_checkpoint, ask_names
from nmt.ui.models.card import show_card
from nmt.ui.models.compare_settings import show_difference
from nmt.ui.models.runs_table import show_runs
from nmt.ui.models.scoreboard import show_scoreboard
from nmt.ui.models.uploads import show_uploads
from nmt.ui.progress import poll

_ALL, _CARDS, _COMPARED, _SCORES, _UPLOAD = "All", "One by one", "Settings compared", "Scores", "Upload"
_SECTIONS = (_ALL, _CARDS, _COMPARED, _SCORES, _UPLOAD)
_EVERY = 5
"""Seconds between two looks at the folders."""


def show_registry() -> None:
    """What is there, and as it changes."""
    stamp = folders_stamp()
    checkpoints = find_checkpoints()
    poll(lambda: None, lambda: folders_stamp() != stamp, _EVERY)  # runs the page again once the folders have changed
    section = st.segmented_control(
        "Show",
        _SECTIONS,
        default=_ALL,
        required=True,
        key="show",
        bind="query-params",
        label_visibility="collapsed",
    )
    for run in checkpoints.broken:
        st.warning(as_sentence(f"{run.name} cannot be used: {run.problem}"), icon=":material/warning:")
    if section == _SCORES:
        show_scoreboard(checkpoints)
    elif section == _UPLOAD:
        show_uploads(checkpoints)
    elif not any_checkpoint(Checkpoints(checkpoints.usable, ())):
        return
    elif section == _ALL:
        show_runs(checkpoints)
    elif section == _CARDS:
        _show_cards(checkpoints)
    else:
        show_difference(checkpoints)


def _show_cards(checkpoints: Checkpoints) -> None:
    chosen = ask_names("Checkpoints", list(checkpoints.usable), checkpoints.first_choice()[:1], "runs")
    runs = {name: checkpoints.usable[name] for name in chosen}
    if not runs:
        st.info("Choose at least one checkpoint.", icon=":material/checklist:")
        return
    grid = st.grid(min(2, len(runs)), min_column_width=380, gap="medium")
    for name, run in runs.items():
        with grid.cell(), st.container(border=True, key=f"card-{name}"):
            try:
                show_card(name, run)
            except InputError as error:
                st.warning(as_sentence(str(error)), icon=":material/warning:")
