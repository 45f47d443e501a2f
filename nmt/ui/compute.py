"""Computation for pages, shared by all sessions of the server: loaded models, remembered results, progress."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from nmt.errors import InputError
from nmt.tasks.priority_lock import PriorityLock
from nmt.ui.formatting import as_sentence
from nmt.ui.requests import Request

if TYPE_CHECKING:
    from nmt.inference.translator import Translator

_LOADED, _REMEMBERED = 6, 256

Result = TypeVar("Result")


@dataclass(frozen=True)
class Answer(Generic[Result]):
    """A result and the seconds it took to compute, without loading the model or waiting in line."""

    result: Result
    seconds: float


class ComputeService:
    """One computation at a time; the latest answers are remembered.

    Attributes:
        priority_lock: those of all who compute in this server; work in the background lets the desk go first.
    """

    def __init__(self) -> None:
        self.priority_lock = PriorityLock()
        self._lock = threading.Lock()
        self._answers: OrderedDict[Request[Any], Answer[Any]] = OrderedDict()

    def remembered(self, request: Request[Result]) -> Answer[Result] | None:
        with self._lock:
            if request in self._answers:
                self._answers.move_to_end(request)
            return self._answers.get(request)

    def answer(
        self, request: Request[Result], on_wait: Callable[[], None], on_step: Callable[[int, int], None]
    ) -> Answer[Result]:
        """Compute, or wait for the one who is computing just that.

        Both callbacks are called again and again and may raise to give up: ``on_wait`` while something else is
        computed, ``on_step(done, limit)`` before each step of the work, such as a target word. Raises InputError as the
        translator does.
        """
        with self.priority_lock.foreground(on_wait):
            answer = self.remembered(request)
            if answer is None:
                answer = _compute(request, on_step)
                with self._lock:
                    self._answers[request] = answer
                    while len(self._answers) > _REMEMBERED:
                        self._answers.popitem(last=False)
            return answer


@st.cache_resource(show_spinner=False)
def compute_service() -> ComputeService:
    """The server's one desk."""
    return ComputeService()


@st.cache_resource(max_entries=_LOADED, show_spinner=False)
def load_translator(run: Path, stamp: int) -> Translator:
    """Load a run, once for all sessions, anew when its weights change. The first call imports torch."""
    return read_translator(run)


def read_translator(run: Path) -> Translator:
    from nmt.inference.loading import load

    return load(run)


def _compute(request: Request[Result], on_step: Callable[[int, int], None]) -> Answer[Result]:
    translator = load_translator(request.run, request.stamp)
    start = time.perf_counter()
    result = request.compute(translator, on_step)
    return Answer(result, time.perf_counter() - start)


def compute_with_progress(
    request: Request[Result], place: DeltaGenerator, unit: str = "words"
) -> Answer[Result] | None:
    """The answer, from memory or computed now; None after saying in ``place`` why there is none.

    Every line of progress is a point at which a newer click, or closing the page, ends the work.

    Args:
        place: an empty element, empty again in the end, but for an error.
        unit: what is counted in the progress.
    """
    answer = compute_service().remembered(request)
    if answer is not None:
        return answer

    def wait() -> None:
        place.caption("Another translation is running; this one comes next …")

    def step(done: int, limit: int) -> None:
        text = "Working …" if limit == 1 else f"Translating: {done} of at most {limit} {unit}"
        place.progress(min(1.0, done / max(1, limit)), text)

    place.progress(0.0, "Loading the model …")
    try:
        answer = compute_service().answer(request, wait, step)
    except InputError as error:
        place.error(as_sentence(str(error)), icon=":material/error:")
        return None
    place.empty()
    return answer
