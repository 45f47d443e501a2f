"""Translation of a sentence with the internals of every step."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from nmt.answers.request import Progress, ProgressReporter, Task, task_key
from nmt.config import SearchSettings
from nmt.results import Encoded, TranslationSteps
from nmt.runs.folder import RunInfo
from nmt.scenes.steps import StoredSteps
from nmt.ui.learn import strings
from nmt.ui.resources import fingerprint, load_translator
from nmt.ui.tasks import run_key


@dataclass(frozen=True, kw_only=True)
class TranslationWithSteps:
    """A translation with the internals of its steps.

    Attributes:
    source, target: the sentence and its translation as the model read and wrote them.
    steps: all steps of the translation.
    unknown_words: words of the source that the vocabulary does not hold.
    """

    source: Encoded
    target: Encoded
    steps: TranslationSteps
    unknown_words: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class StepsTask(Task[TranslationWithSteps]):
    """All steps of a checkpoint's own translation of a sentence, not blank."""

    checkpoint: RunInfo
    sentence: str
    beam: int

    @property
    def key(self) -> str:
        return task_key("steps", run_key(self.checkpoint), self.sentence, self.beam)

    def stored(self) -> TranslationWithSteps | None:
        stored_steps = _shipped().find(fingerprint(self.checkpoint), self._settings, self.sentence)
        if stored_steps is None:
            return None
        return TranslationWithSteps(
            source=stored_steps.source,
            target=stored_steps.target,
            steps=stored_steps.steps(),
            unknown_words=stored_steps.source.unknown,
        )

    def run(self, progress: ProgressReporter) -> TranslationWithSteps:
        model = load_translator(self.checkpoint, progress)

        from nmt.inspection.steps import translation_steps

        with progress.stage(strings.TRANSLATE_STAGE, 0) as show:
            translation = model.translate(
                self.sentence,
                self._settings,
                on_step=lambda done, limit: show(Progress(done, limit, unit=strings.WORDS_AT_MOST)),
            )
        progress.checkpoint()
        source = model.source.encode(self.sentence)
        target = translation.best.encoded or model.target.encode_tokens(translation.best.tokens)
        steps = translation_steps(model, source, target)
        return TranslationWithSteps(source=source, target=target, steps=steps, unknown_words=translation.unknown_words)

    @property
    def _settings(self) -> SearchSettings:
        return self.checkpoint.config.search.changed(beam=self.beam, n_best=1, replace_unk=False)


@st.cache_resource(show_spinner=False)
def _shipped() -> StoredSteps:
    """The steps that are part of the program, read once in a server's life."""
    return StoredSteps.shipped()
