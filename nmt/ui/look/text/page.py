"""Whole texts from top to bottom: the form, a card for each checkpoint with its progress or its text, then every
sentence."""

from __future__ import annotations

import streamlit as st

from nmt.ui.checkpoints import NARROWEST, Checkpoints, show_head
from nmt.ui.compute import NamedJob, show_progress, start, watch_jobs
from nmt.ui.look import strings
from nmt.ui.look.text.form import ask_text, forget_button
from nmt.ui.look.text.results import show_sentences, show_text
from nmt.ui.look.text.tasks import TextState, text_states


def show_texts(checkpoints: Checkpoints) -> None:
    """Ask, translate in the background, show."""
    view = ask_text(checkpoints)
    if view is None:
        forget_button()
        return
    states = text_states(view)
    grid = st.grid(min(3, len(states)), min_column_width=NARROWEST, gap="medium")
    for each in states:
        with grid.cell(), st.container(border=True, key=f"text-card-{each.name}"):
            show_head(each.name, each.run)
            if not each.complete and each.job is not None and not each.job.state.over:
                # the button, pressed while the page was busy, would begin all again after a cancellation
                watch_jobs([NamedJob("", each.job)], f"text-{each.name}", on_cancel=forget_button)
                st.caption(strings.PROGRESS_IS_SAVED)
                continue
            _offer_to_go_on(each)
            if each.translations:
                show_text(view, each)
    runs_of_texts = {
        each.name: each.translations for each in states if each.complete or each.job is None or each.job.state.over
    }
    if any(runs_of_texts.values()):
        show_sentences(view, runs_of_texts)


def _offer_to_go_on(each: TextState) -> None:
    """Show the progress of a text that is not completely translated, and a button that continues."""
    if each.complete:
        return
    if each.job is not None:
        show_progress(each.job.state)
    total = len(set(each.task.sentences))
    done = len(each.translations)
    if done:
        st.caption(strings.PARTLY_DONE.format(done=f"{done:,}", total=f"{total:,}"))
    label = strings.GO_ON if done else strings.TRANSLATE
    st.button(label, key=f"go-{each.name}", icon=":material/play_arrow:", on_click=start, args=([each.task],))
