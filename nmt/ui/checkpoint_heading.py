"""The heading of a card about a checkpoint."""

from __future__ import annotations

import streamlit as st

from nmt.runs.folder import RunInfo
from nmt.ui.checkpoints import ARCHITECTURES
from nmt.ui.formatting import escaped, language

NARROWEST = 380  # pixels of a card, before the next one moves below


def show_head(name: str, run: RunInfo, *, languages: bool = True) -> None:
    """The first line of a card: which checkpoint, of which kind, and if asked from and into which language."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.subheader(escaped(name), anchor=False, width="content")
        attends = run.has_alignment
        st.badge(ARCHITECTURES[run.config.model.architecture], color="blue" if attends else "gray")
        if languages:
            st.caption(f"{language(run.source_language)} → {language(run.target_language)}", width="content")
