"""The place Models from top to bottom."""

from __future__ import annotations

import streamlit as st

from nmt.ui import strings as shared
from nmt.ui.address import choose_one
from nmt.ui.app_shell import name_window
from nmt.ui.checkpoints import Checkpoints, find_checkpoints, folders_stamp
from nmt.ui.compute import poll
from nmt.ui.formatting import as_sentence
from nmt.ui.inputs import any_checkpoint
from nmt.ui.language_pair import ask_pair
from nmt.ui.models import strings
from nmt.ui.models.card import show_cards
from nmt.ui.models.guide import show_guide
from nmt.ui.models.runs_table import show_runs
from nmt.ui.models.scoreboard import show_scoreboard
from nmt.ui.models.uploads import show_uploads

_USE, _SCORES, _TABLES, _UPLOAD = "use", "scores", "trainings", "upload"
_EVERY = 5
"""Seconds between two looks at the folders."""


def show_registry() -> None:
    """Show which checkpoint is best for what, and behind that all that is known of each, as it changes."""
    stamp = folders_stamp()
    checkpoints = find_checkpoints()
    poll(lambda: None, lambda: folders_stamp() != stamp, _EVERY)  # runs the page again once the folders have changed
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key="models-place"):
        pair = ask_pair(checkpoints)
        section = choose_one(
            st.segmented_control,
            strings.SHOW,
            strings.SECTIONS,
            key="show",
            label_visibility="collapsed",
            width="content",
            wrap=True,
        )
    name_window(strings.SECTIONS[section], shared.MODELS)
    for run in checkpoints.broken:
        st.warning(as_sentence(strings.BROKEN.format(name=run.name, problem=run.problem)), icon=":material/warning:")
    if section == _SCORES:
        show_scoreboard(checkpoints, pair)
    elif section == _UPLOAD:
        show_uploads(checkpoints)
    elif not any_checkpoint(Checkpoints(checkpoints.usable, ())):
        return
    elif section == _USE:
        show_guide(checkpoints, pair)
    elif section == _TABLES:
        show_runs(checkpoints)
    else:
        show_cards(checkpoints)
