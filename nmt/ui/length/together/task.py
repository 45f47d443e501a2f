"""The stress test as background work, whose points are shown as they are computed."""

from __future__ import annotations

import threading
from collections import OrderedDict
from dataclasses import asdict, dataclass
from functools import cached_property

import streamlit as st

from nmt.answers.keys import task_key
from nmt.answers.request import ProgressReporter, Task
from nmt.evaluation.test_set import TestSet
from nmt.results import StressPoint
from nmt.runs.folder import RunInfo
from nmt.ui.resources import fingerprint, load_translator, translation_cache

Curves = dict[str, tuple[StressPoint, ...]]
"""The points computed so far, by checkpoint."""


class CurveBoard:
    """The points of the latest stress tests, by the keys of their tasks. May be used by any thread."""

    def __init__(self, remembered: int = 32) -> None:
        self._lock, self._remembered = threading.Lock(), remembered
        self._curves: OrderedDict[str, Curves] = OrderedDict()

    def begin(self, key: str, names: tuple[str, ...]) -> None:
        with self._lock:
            self._curves[key] = dict.fromkeys(names, ())
            while len(self._curves) > self._remembered:
                self._curves.popitem(last=False)

    def add(self, key: str, name: str, point: StressPoint) -> None:
        with self._lock:
            if key in self._curves:
                self._curves[key][name] += (point,)

    def curves(self, key: str) -> Curves:
        with self._lock:
            return dict(self._curves.get(key, {}))


@st.cache_resource(show_spinner=False)
def board() -> CurveBoard:
    """Return the server's board."""
    return CurveBoard()


@dataclass(frozen=True, kw_only=True)
class StressTask(Task[Curves]):
    """Checkpoints on the same concatenated sentences.

    Attributes:
        names, runs: the checkpoints.
        test: the sentences before they are concatenated.
        beam: beam of the search.
        most: largest number of sentences that are concatenated.
    """

    names: tuple[str, ...]
    runs: tuple[RunInfo, ...]
    test: TestSet
    beam: int
    most: int

    @cached_property
    def key(self) -> str:
        runs = [asdict(fingerprint(run)) for run in self.runs]
        test = [self.test.source_sha256, self.test.reference_sha256]
        return task_key("stress", self.names, runs, test, self.beam, self.most)

    @property
    def total(self) -> int:
        """Points of all curves."""
        return self.most * len(self.runs)

    def run(self, progress: ProgressReporter) -> Curves:
        """Take all checkpoints for each number of sentences, before the next number."""
        key = self.key
        board().begin(key, self.names)
        tests = {}
        for name, run in zip(self.names, self.runs, strict=True):
            model = load_translator(run, progress)

            from nmt.evaluation.stress import StressTest

            settings = run.config.search.changed(beam=self.beam, n_best=1)
            tests[name] = StressTest(
                model=model, settings=settings, reporter=progress, cache=translation_cache()
            ).points(self.test, self.most)
        for _ in range(self.most):
            for name, points in tests.items():
                board().add(key, name, next(points))
        return board().curves(key)
