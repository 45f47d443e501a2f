"""How far work in the background is, in a line and a bar."""

from __future__ import annotations

import streamlit as st

from nmt.tasks.jobs import JobState
from nmt.ui.formatting import as_sentence

EVERY = 1.0
"""Seconds between two looks at a job that is not over."""


def show_progress(state: JobState, unit: str = "sentences") -> None:
    """A bar while it waits or runs; a sentence if it failed; nothing else when it is over."""
    if state.status == "failed":
        st.error(as_sentence(state.problem), icon=":material/error:")
    elif not state.over:
        progress = state.progress
        share = progress.done / progress.total if progress.total else 0.0
        st.progress(min(1.0, share), progress_text(state, unit))


def progress_text(state: JobState, unit: str = "sentences") -> str:
    """What it does, how far it is, how fast, and how long it will take.

    >>> from nmt.tasks.progress import Progress
    >>> progress_text(JobState("running", "translate", Progress(12, 40, 120, 900), 85.4, 130.0))
    'translate: 12 of 40 sentences · 85 words per second · about 2 min 10 s left'
    >>> progress_text(JobState()), progress_text(JobState("running", "load the model"))
    ('Waiting for other work to end …', 'load the model …')
    """
    if state.status == "waiting":
        return "Waiting for other work to end …"
    progress = state.progress
    if not progress.total:
        return f"{state.stage or 'Starting'} …"
    parts = [f"{state.stage}: {progress.done:,} of {progress.total:,} {unit}"]
    if state.words_per_second is not None:
        parts.append(f"{state.words_per_second:.0f} words per second")
    if state.seconds_left is not None:
        parts.append(f"about {_duration(state.seconds_left)} left")
    return " · ".join(parts)


def _duration(seconds: float) -> str:
    """
    >>> _duration(0.4), _duration(59.6), _duration(3725)
    ('1 s', '1 min', '1 h 2 min')
    """
    whole = max(1, round(seconds))
    if whole < 60:
        return f"{whole} s"
    minutes, rest = divmod(whole, 60)
    if minutes < 60:
        return f"{minutes} min {rest} s" if rest else f"{minutes} min"
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min"
