"""A sentence translated, and every step of the translation taken apart."""

from __future__ import annotations

from dataclasses import dataclass

from nmt.results import Encoded, TranslationSteps
from nmt.runs.folder import RunInfo
from nmt.tasks.progress import Progress, ProgressReporter
from nmt.tasks.task import Task, task_key
from nmt.ui.resources import load_translator
from nmt.ui.tasks import run_key


@dataclass(frozen=True, kw_only=True)
class Taken:
    """Attributes:
    source, target: the sentence and its translation as the model read and wrote them.
    steps: all steps of the translation.
    unknown_words: words of the source that the vocabulary does not hold.
    """

    source: Encoded
    target: Encoded
    steps: TranslationSteps
    unknown_words: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class StepsTask(Task[Taken]):
    """All steps of a checkpoint's own translation of a sentence, not blank."""

    checkpoint: RunInfo
    sentence: str
    beam: int

    @property
    def key(self) -> str:
        return task_key("steps", run_key(self.checkpoint), self.sentence, self.beam)

    def run(self, progress: ProgressReporter) -> Taken:
        model = load_translator(self.checkpoint, progress)

        from nmt.inspection.translation_steps import translation_steps

        with progress.stage("translate", 0) as show:
            translation = model.translate(
                self.sentence,
                beam=self.beam,
                n_best=1,
                replace_unk=False,
                on_step=lambda done, limit: show(Progress(done, limit, unit="words at most")),
            )
        progress.checkpoint()
        source = model.source.encode(self.sentence)
        target = translation.best.encoded or model.target.encode_tokens(translation.best.tokens)
        steps = translation_steps(model, source, target)
        return Taken(source=source, target=target, steps=steps, unknown_words=translation.unknown_words)
