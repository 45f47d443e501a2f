"""A stored scene on its own: the picture of one sentence, or the curve over length."""

from __future__ import annotations

import streamlit as st

from nmt.answers.sentences import SENTENCES, SceneSentence
from nmt.results import Languages
from nmt.ui.checkpoints import Checkpoints
from nmt.ui.look import strings
from nmt.ui.look.explore.decode import decode_all
from nmt.ui.look.explore.form import view_of
from nmt.ui.look.explore.picture import show_large_figure, show_picture


def show_sentence_scene(checkpoints: Checkpoints, number: int, *, scene: SceneSentence) -> None:
    """Show the translations of the sentence by the first ``number`` of the checkpoints that the app opens with."""
    view = view_of(checkpoints, scene.sentence, Languages(*scene.languages))
    decoded_sentences = decode_all(view)
    if decoded_sentences:
        show_picture(view, decoded_sentences[:number], large=True)


def show_figure_scene(checkpoints: Checkpoints) -> None:
    """Show BLEU over the length of concatenated sentences, for the checkpoints that the app opens with."""
    scene = SENTENCES[0]
    view = view_of(checkpoints, scene.sentence, Languages(*scene.languages))
    if not show_large_figure(decode_all(view)):
        st.info(strings.NO_CURVE, icon=":material/show_chart:")
