"""How differently two checkpoints look at the same sentence pairs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from nmt.alignments.difference import jensen_shannon
from nmt.results import Alignment
from nmt.runs.folder import RunInfo
from nmt.tasks.jobs import Job
from nmt.tasks.progress import Progress, ProgressReporter
from nmt.ui.background import jobs
from nmt.ui.compute import load_translator


@dataclass(frozen=True)
class AttentionDivergence:
    """For each pair the mean Jensen-Shannon divergence, in bits, between the rows of alpha of two checkpoints that are
    both made to write the reference: 0 where they look alike, 1 where they look at different words.

    Attributes:
        first, first_stamp, second, second_stamp: checkpoints with attention, and when their weights were written.
        sources, references: the pairs; none of them blank.
    """

    first: RunInfo
    first_stamp: int
    second: RunInfo
    second_stamp: int
    sources: tuple[str, ...]
    references: tuple[str, ...]

    def start(self) -> Job[list[float]]:
        """The job that does this; the same one for equal questions."""
        return jobs().start(self, self.do)

    def find(self) -> Job[list[float]] | None:
        """The job, if it was started."""
        return jobs().find(self)

    def do(self, reporter: ProgressReporter) -> list[float]:
        """Do it now, in this thread."""
        one = self._read(self.first, self.first_stamp, reporter)
        other = self._read(self.second, self.second_stamp, reporter)
        return [mean_divergence(a.merged(), b.merged()) for a, b in zip(one, other, strict=True)]

    def _read(self, run: RunInfo, stamp: int, reporter: ProgressReporter) -> list[Alignment]:
        with reporter.stage("load the model", 0):
            model = load_translator(run.path, stamp)
        total = len(self.sources)
        with reporter.stage(f"read with {run.name}", total) as show:
            show(Progress(0, total))
            return model.align_all(self.sources, self.references, on_progress=lambda done: show(Progress(done, total)))


def mean_divergence(first: Alignment, second: Alignment) -> float:
    """Over the rows, in bits, of two alignments of the same words, however each model writes them."""
    assert first.weights.shape == second.weights.shape, "alignments of other words"
    return float(np.nanmean(jensen_shannon(first.weights.astype(np.float64), second.weights.astype(np.float64))))
