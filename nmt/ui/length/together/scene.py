"""Sentences put together, as a scene of the presentation."""

from __future__ import annotations

import streamlit as st

from nmt.reproduce.test_sets import LANGUAGES
from nmt.results import Languages
from nmt.scenes.concatenations import SENTENCES
from nmt.ui.checkpoints import Checkpoints
from nmt.ui.language_pair import pairs_of
from nmt.ui.length.together import strings
from nmt.ui.length.together.form import TogetherView
from nmt.ui.length.together.kept import show_kept


def show_together_scene(checkpoints: Checkpoints, number: int) -> None:
    """Show what the checkpoints that the app opens with keep of the first ``number`` stored sentences."""
    sentences = SENTENCES[LANGUAGES[0]]
    pair = next((pair for pair in pairs_of(checkpoints) if pair.source == LANGUAGES[0]), Languages("", ""))
    runs = {name: checkpoints.usable[name] for name in checkpoints.first_choice(pair)}
    if not runs:
        st.info(strings.NO_CHECKPOINT_READS, icon=":material/translate:")
        return
    show_kept(
        TogetherView(
            runs=runs,
            sentences=sentences,
            number=number,
            own=False,
            test_set="",
            words=0,
            most=0,
            beam=12,
            numbers={name: k for k, name in enumerate(runs)},
        ),
        large=True,
    )
