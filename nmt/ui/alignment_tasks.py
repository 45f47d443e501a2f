"""Tasks of pages for checkpoints and aligners: weights and links of given pairs."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from nmt.answers.request import ProgressReporter, Task, task_key
from nmt.results import Alignment, Encoded
from nmt.runs.folder import RunInfo
from nmt.ui import strings
from nmt.ui.resources import load_aligner, load_translator
from nmt.ui.tasks import run_key


@dataclass(frozen=True)
class AlignTask(Task[Alignment]):
    """Alpha of a given pair of words, over these words; the end marks are words of their own."""

    checkpoint: RunInfo
    source: tuple[str, ...]
    target: tuple[str, ...]

    @property
    def key(self) -> str:
        return task_key("align", run_key(self.checkpoint), self.source, self.target)

    def run(self, progress: ProgressReporter) -> Alignment:
        model = load_translator(self.checkpoint, progress)
        progress.checkpoint()
        return model.align(" ".join(self.source), " ".join(self.target), pretokenised=True).merged()


@dataclass(frozen=True)
class AlignerTask(Task[frozenset[tuple[int, int]]]):
    """Links of a given pair of words by an aligner: source word and target word, from 0."""

    aligner: Path
    source: tuple[str, ...]
    target: tuple[str, ...]

    @property
    def key(self) -> str:
        return task_key("aligner", str(self.aligner), self.source, self.target)

    def run(self, progress: ProgressReporter) -> frozenset[tuple[int, int]]:
        aligner = load_aligner(self.aligner, progress)
        progress.checkpoint()
        return frozenset(aligner.align(" ".join(self.source), " ".join(self.target), pretokenised=True).links)


@dataclass(frozen=True, kw_only=True)
class OtherMapsTask(Task[dict[str, Alignment]]):
    """Other maps than alpha of a given pair, over whole words, by name: the posterior, the leave-one-out attribution,
    and an aligner's weights if there is an aligner.

    Attributes:
        source, target: the pair as the model read and wrote it.
        source_words, target_words: the same as words, without the end mark.
        aligner: folder of the aligner; None = without one.
    """

    checkpoint: RunInfo
    source: Encoded
    target: Encoded
    source_words: tuple[str, ...]
    target_words: tuple[str, ...]
    aligner: Path | None

    @property
    def key(self) -> str:
        words = (self.source_words, self.target_words, None if self.aligner is None else str(self.aligner))
        return task_key("maps", run_key(self.checkpoint), self.source.ids, self.target.ids, words)

    def run(self, progress: ProgressReporter) -> dict[str, Alignment]:
        model = load_translator(self.checkpoint, progress)

        from nmt.inspection.maps import leave_one_out_of, posterior

        words = (" ".join(self.source_words), " ".join(self.target_words))
        maps = {}
        if model.has_alignment:
            progress.checkpoint()
            maps[strings.POSTERIOR] = next(posterior(model, [words], pretokenised=True)).merged()
        progress.checkpoint()
        maps[strings.LEAVE_ONE_OUT] = next(iter(leave_one_out_of(model, [(self.source, self.target)])))
        if self.aligner is not None:
            progress.checkpoint()
            aligner = load_aligner(self.aligner, progress)
            maps[strings.ALIGNER.format(name=aligner.name)] = next(aligner.maps([words], pretokenised=True))
        return maps
