"""The stress test as work in the background, whose points can be seen as they come."""

from __future__ import annotations

import threading
from collections import OrderedDict
from dataclasses import dataclass

import streamlit as st

from nmt.evaluation.test_set import TestSet
from nmt.results import StressPoint
from nmt.runs.folder import RunInfo
from nmt.tasks.jobs import Job
from nmt.tasks.progress import ProgressReporter
from nmt.ui.background import jobs, translation_cache
from nmt.ui.compute import load_translator

_REMEMBERED = 32

Curves = dict[str, tuple[StressPoint, ...]]
"""By checkpoint, as far as they go."""


class CurveBoard:
    """The points of the latest questions. May be used by any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._curves: OrderedDict[StressTask, Curves] = OrderedDict()

    def begin(self, question: StressTask) -> None:
        with self._lock:
            self._curves[question] = dict.fromkeys(question.names, ())
            while len(self._curves) > _REMEMBERED:
                self._curves.popitem(last=False)

    def add(self, question: StressTask, name: str, point: StressPoint) -> None:
        with self._lock:
            if question in self._curves:
                self._curves[question][name] += (point,)

    def curves(self, question: StressTask) -> Curves:
        with self._lock:
            return dict(self._curves.get(question, {}))


@st.cache_resource(show_spinner=False)
def board() -> CurveBoard:
    """The server's one board."""
    return CurveBoard()


@dataclass(frozen=True)
class StressTask:
    """Checkpoints on the same joined sentences.

    Attributes:
        names: of the checkpoints on the page.
        runs, stamps: the checkpoints, and when their weights were written, in nanoseconds.
        test: the sentences before they are joined.
        beam: of the search.
        most: sentences that are joined at last.
    """

    names: tuple[str, ...]
    runs: tuple[RunInfo, ...]
    stamps: tuple[int, ...]
    test: TestSet
    beam: int
    most: int

    @property
    def total(self) -> int:
        """Points of all curves."""
        return self.most * len(self.runs)

    def start(self) -> Job[Curves]:
        """The job that does this; the same one for equal questions."""
        return jobs().start(self, self.do)

    def find(self) -> Job[Curves] | None:
        """The job, if it was started."""
        return jobs().find(self)

    def do(self, reporter: ProgressReporter) -> Curves:
        """Do it now, in this thread: all checkpoints for each number of sentences, before the next number."""
        from nmt.evaluation.stress import StressTest

        board().begin(self)
        tests = {}
        for name, run, stamp in zip(self.names, self.runs, self.stamps, strict=True):
            with reporter.stage("load the model", 0):
                model = load_translator(run.path, stamp)
            settings = run.config.search.changed(beam=self.beam)
            tests[name] = StressTest(
                model=model, settings=settings, reporter=reporter, cache=translation_cache()
            ).points(self.test, self.most)
        for _ in range(self.most):
            for name, points in tests.items():
                board().add(self, name, next(points))
        return board().curves(self)
