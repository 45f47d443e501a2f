"""How far work in the background is, while the page stays as it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st

from nmt.tasks.jobs import Job, JobState
from nmt.ui.formatting import as_sentence, escaped

_EVERY = 1.0
"""Seconds between two looks."""


@dataclass(frozen=True, eq=False)
class NamedJob:
    """A job and what it is called."""

    name: str
    job: Job[Any]


def show_jobs(watched: Sequence[NamedJob], key: str) -> None:
    """A bar and a button for each job under way; the page runs again when one is over. One that failed says why.

    ``key``: of this place on the page, as the same job may be shown in several.
    """
    for each in watched:
        if each.job.state.status == "failed":
            st.error(f"{escaped(each.name)}: {as_sentence(each.job.state.problem)}", icon=":material/error:")
    active = [each for each in watched if not each.job.state.over]
    if active:
        st.fragment(_draw, run_every=_EVERY)(active, key)


def job_text(state: JobState) -> str:
    """What the job does now.

    >>> from nmt.tasks.progress import Progress
    >>> job_text(JobState("running", "translate", Progress(30, 300), 80.0, 65.0))
    'translate: 30 of 300 sentences, about 1 min 5 s left'
    """
    if state.status == "waiting":
        return "waiting for its turn"
    if not state.progress.total:
        return state.stage or "starting"
    left = ""
    if state.seconds_left is not None and state.seconds_left >= 1:
        minutes, seconds = divmod(round(state.seconds_left), 60)
        left = f", about {f'{minutes} min ' if minutes else ''}{seconds} s left"
    return f"{state.stage}: {state.progress.done:,} of {state.progress.total:,} sentences{left}"


def _draw(active: Sequence[NamedJob], key: str) -> None:
    for k, each in enumerate(active):
        state = each.job.state
        with st.container(horizontal=True, vertical_alignment="center"):
            share = state.progress.done / state.progress.total if state.progress.total else 0.0
            st.progress(min(1.0, share), f"{escaped(each.name)}: {escaped(job_text(state))}")
            st.button(
                "Cancel",
                key=f"cancel-{key}-{k}-{each.name}",
                on_click=each.job.cancel,
                icon=":material/stop:",
                width="content",
            )
    if any(each.job.state.over for each in active):
        st.rerun()
