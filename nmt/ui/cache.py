"""Loaded models and finished translations, shared by all sessions of the server."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import streamlit as st

from nmt.results import Translation

if TYPE_CHECKING:
    from nmt.translator import Translator

_LOADED, _REMEMBERED = 6, 256

Unknown = Literal["Keep", "Forbid", "Replace"]
"""What happens to [UNK]."""


@dataclass(frozen=True)
class Request:
    """What is asked for; two equal requests are computed once.

    Attributes:
        run: the run folder.
        stamp: when its weights were written, in nanoseconds: other weights are another request.
        sentence: one sentence, not blank.
        beam, n_best: as in ``Translator.translate``.
        unknown: whether [UNK] is kept, forbidden, or replaced where the model has alpha.
    """

    run: Path
    stamp: int
    sentence: str
    beam: int
    n_best: int
    unknown: Unknown


@dataclass(frozen=True)
class Answer:
    """A translation and the seconds it took to compute, without loading the model or waiting in line."""

    translation: Translation
    seconds: float


class Desk:
    """One translation at a time; the latest answers are remembered."""

    def __init__(self) -> None:
        self._slot = threading.BoundedSemaphore(1)
        self._lock = threading.Lock()
        self._answers: OrderedDict[Request, Answer] = OrderedDict()

    def remembered(self, request: Request) -> Answer | None:
        with self._lock:
            if request in self._answers:
                self._answers.move_to_end(request)
            return self._answers.get(request)

    def answer(self, request: Request, on_wait: Callable[[], None], on_step: Callable[[int, int], None]) -> Answer:
        """Translate, or wait for the one who is translating just that.

        Both callbacks are called again and again and may raise to give up: ``on_wait`` while another
        translation runs, ``on_step(words so far, limit)`` before each target word. Raises InputError as the
        translator does.
        """
        while not self._slot.acquire(timeout=0.2):
            on_wait()
        try:
            answer = self.remembered(request)
            if answer is None:
                answer = _translate(request, on_step)
                with self._lock:
                    self._answers[request] = answer
                    while len(self._answers) > _REMEMBERED:
                        self._answers.popitem(last=False)
            return answer
        finally:
            self._slot.release()


@st.cache_resource(show_spinner=False)
def desk() -> Desk:
    """The server's one desk."""
    return Desk()


@st.cache_resource(max_entries=_LOADED, show_spinner=False)
def load_translator(run: Path, stamp: int) -> Translator:
    """Load a run, once for all sessions, anew when its weights change. The first call imports torch."""
    return read_translator(run)


def read_translator(run: Path) -> Translator:
    from nmt.loading import load

    return load(run)


def _translate(request: Request, on_step: Callable[[int, int], None]) -> Answer:
    translator = load_translator(request.run, request.stamp)
    start = time.perf_counter()
    translation = translator.translate(
        request.sentence,
        beam=request.beam,
        n_best=request.n_best,
        no_unk=request.unknown == "Forbid",
        replace_unk=request.unknown == "Replace" and translator.has_alignment,
        on_step=on_step,
    )
    return Answer(translation, time.perf_counter() - start)
