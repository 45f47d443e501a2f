"""Whole texts from top to bottom: the form, a card a checkpoint with its progress or its text, then every sentence."""

from __future__ import annotations

import streamlit as st

from nmt.ui.checkpoint_heading import NARROWEST, show_head
from nmt.ui.checkpoints import Checkpoints
from nmt.ui.job_progress import EVERY, show_progress
from nmt.ui.look.text.form import ask_text, forget_button
from nmt.ui.look.text.results import show_sentences, show_text
from nmt.ui.look.text.tasks import TextTask, text_tasks


def show_texts(checkpoints: Checkpoints) -> None:
    """Ask, translate in the background, show."""
    view = ask_text(checkpoints)
    if view is None:
        forget_button()
        return
    asked = text_tasks(view)
    found = {}
    grid = st.grid(min(3, len(asked)), min_column_width=NARROWEST, gap="medium")
    for each in asked:
        with grid.cell(), st.container(border=True, key=f"text-card-{each.name}"):
            show_head(each.name, each.run)
            if not each.over:
                st.fragment(_watch, run_every=EVERY)(each)
                continue
            found[each.name] = each.translations()
            _offer_to_go_on(each, len(found[each.name]))
            if found[each.name]:
                show_text(view, each, found[each.name])
    if any(found.values()):
        show_sentences(view, found)


def _watch(each: TextTask) -> None:
    """Progress, again and again by itself; when the job is over, the whole page is shown anew."""
    assert each.job is not None
    if each.job.state.over:
        st.rerun()
    show_progress(each.job.state)
    st.button("Stop", key=f"stop-{each.name}", icon=":material/stop_circle:", on_click=_stop, args=(each,))
    st.caption("Progress is saved: you can leave this page and continue later.")


def _stop(each: TextTask) -> None:
    forget_button()  # pressed while the page was busy, it would begin all again
    assert each.job is not None
    each.job.cancel()


def _offer_to_go_on(each: TextTask, there: int) -> None:
    """Where a text is not wholly translated: how far it is, and a button."""
    if each.complete:
        return
    if each.job is not None:
        show_progress(each.job.state)
    total = len(set(each.question.sentences))
    label = "Go on" if there else "Translate"
    if there:
        st.caption(f"{there:,} of {total:,} different sentences are translated.")
    st.button(label, key=f"go-{each.name}", icon=":material/play_arrow:", on_click=_start, args=(each,))


def _start(each: TextTask) -> None:
    each.question.start()
