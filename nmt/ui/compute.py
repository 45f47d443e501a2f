"""Answers for pages: looked up once, and if missing computed with progress or in the background."""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from typing import Any, TypeVar

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from nmt.answers.jobs import JobState, Subscriptions
from nmt.answers.request import Task
from nmt.answers.service import Answer
from nmt.errors import InputError
from nmt.ui.formatting import as_sentence
from nmt.ui.progress import PageProgress, show_progress
from nmt.ui.resources import compute_service

Result = TypeVar("Result")

_SESSION = "compute-session"


def answer_to(task: Task[Result], place: DeltaGenerator) -> Answer[Result] | None:
    """Look the answer up, or compute it now; None after saying in ``place`` why there is none."""
    return compute_service().find(task) or compute(task, place)


def compute(task: Task[Result], place: DeltaGenerator) -> Answer[Result] | None:
    """Compute an answer that was looked up before and not found; None after saying in ``place`` why there is none.

    Every line of progress is a point at which a newer click, or closing the page, ends the work.

    Args:
        place: an empty element for progress, empty again in the end unless there is an error.
    """
    try:
        answer = compute_service().compute(task, PageProgress(place), lambda: show_progress(JobState(), place))
    except InputError as error:
        place.error(as_sentence(str(error)), icon=":material/error:")
        return None
    place.empty()
    return answer


def start(tasks: Iterable[Task[Any]]) -> None:
    """Start background jobs, as a button's callback."""
    for task in tasks:
        compute_service().start(task)


def subscribe(kind: str, tasks: Iterable[Task[Any]]) -> None:
    """Register that this session now watches these tasks of the kind and no others. Jobs that no session watches any
    more are cancelled; their results on disk stay."""
    session = st.session_state.setdefault(_SESSION, uuid.uuid4().hex)
    for key in _subscriptions().update(session, kind, [task.key for task in tasks]):
        job = compute_service().jobs.find(key)
        if job is not None and not job.state.over:
            job.cancel()


@st.cache_resource(show_spinner=False)
def _subscriptions() -> Subscriptions:
    return Subscriptions()
