"""Translation of a sentence with the internals of every step."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from nmt.answers.keys import STEPS, steps_key
from nmt.answers.request import Progress, ProgressReporter, Task
from nmt.config import SearchSettings
from nmt.results import TranslationWithSteps
from nmt.ui.learn import strings
from nmt.ui.resources import shipped_answers
from nmt.ui.tasks import CheckpointTask


@dataclass(frozen=True, kw_only=True)
class StepsTask(CheckpointTask, Task[TranslationWithSteps]):
    """All steps of a checkpoint's own translation of a sentence, not blank."""

    sentence: str
    beam: int

    @cached_property
    def key(self) -> str:
        return steps_key(self.fingerprint, self._settings, self.sentence)

    def stored(self) -> TranslationWithSteps | None:
        return shipped_answers().find_record(STEPS, self.key, TranslationWithSteps)

    def run(self, progress: ProgressReporter) -> TranslationWithSteps:
        model = self.load(progress)

        from nmt.inspection.steps import translate_with_steps

        with progress.stage(strings.TRANSLATE_STAGE, 0) as show:
            return translate_with_steps(
                model,
                self.sentence,
                self._settings,
                lambda done, limit: show(Progress(done, limit, unit=strings.WORDS_AT_MOST)),
            )

    @property
    def _settings(self) -> SearchSettings:
        return self.checkpoint.config.search.changed(beam=self.beam, n_best=1, replace_unk=False)
