"""Who on this server still wants which work: it is ended when the last reader turns to something else."""

from __future__ import annotations

import threading
import uuid
from collections.abc import Hashable, Iterable
from typing import Any, Protocol

import streamlit as st

from nmt.tasks.jobs import Job

_SESSION = "interest-session"


class BackgroundTask(Hashable, Protocol):
    """Work that may be under way."""

    def find(self) -> Job[Any] | None:
        """The job, if it was started."""


class JobSubscriptions:
    """Sessions and what each of them looks at, by kind of work. May be used by any thread.

    A session that is gone without turning to something else keeps its interest: its work goes on to the end.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._wanted: dict[tuple[str, str], frozenset[BackgroundTask]] = {}

    def update(self, session: str, kind: str, wanted: Iterable[BackgroundTask]) -> list[BackgroundTask]:
        """From now on this session wants these of the kind and no others; what no session wants any more."""
        with self._lock:
            before = self._wanted.pop((session, kind), frozenset())
            now = frozenset(wanted)
            if now:
                self._wanted[session, kind] = now
            others: frozenset[BackgroundTask] = frozenset().union(*self._wanted.values())
            return [question for question in before if question not in others]


@st.cache_resource(show_spinner=False)
def _subscriptions() -> JobSubscriptions:
    return JobSubscriptions()


def subscribe(kind: str, wanted: Iterable[BackgroundTask]) -> None:
    """This reader now looks at these questions of the kind; jobs that nobody looks at any more are cancelled. What they
    have on disk stays there."""
    session = st.session_state.setdefault(_SESSION, uuid.uuid4().hex)
    for question in _subscriptions().update(session, kind, wanted):
        job = question.find()
        if job is not None and not job.state.over:
            job.cancel()
