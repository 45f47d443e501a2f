"""The view "How it works": the live drawing of Figure 1, with the internals of every step of a translation."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import streamlit as st

from nmt.answers.keys import STEPS, steps_key
from nmt.answers.request import Progress, ProgressReporter, Task
from nmt.charts.step_view import StepDrawing, step_view_data
from nmt.config import SearchSettings
from nmt.results import TranslationWithSteps
from nmt.ui.checkpoints import ARCHITECTURES, Checkpoints
from nmt.ui.components import step_view
from nmt.ui.compute import answer_to
from nmt.ui.formatting import escaped, listed
from nmt.ui.glossary import explained
from nmt.ui.learn import strings
from nmt.ui.learn.form import FIRST_SENTENCE, HowView, in_pieces
from nmt.ui.learn.wording import STAGES, drawing, in_words
from nmt.ui.resources import shipped_answers
from nmt.ui.tasks import CheckpointTask

_BEAM = 12
"""Of the scene, as the form has it at first; the steps of the opening sentence are stored with it."""


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


def show_steps_scene(checkpoints: Checkpoints, number: int) -> None:
    """Show the drawing of the opening sentence for the presentation, at one of the stages of a word, from 1."""
    runs = {name: checkpoints.usable[name] for name in checkpoints.first_choice()}
    _draw_steps(HowView(sentence=FIRST_SENTENCE, runs=runs, beam=_BEAM), number)


def show_steps(view: HowView) -> None:
    """The live drawing of every step, with and without attention."""
    unknown = _draw_steps(view)
    if unknown:
        st.text(strings.UNKNOWN_TO_MODELS.format(words=", ".join(dict.fromkeys(unknown))))
    said = strings.AFTER_FIGURE_1.format(names=listed([escaped(name) for name in view.runs]))
    if any(map(in_pieces, view.runs.values())):
        said += strings.PIECES if view.pieces else strings.IN_WORDS
    if any(run.has_alignment for run in view.runs.values()):
        said += strings.QUERY_KEY_VALUE
    st.caption(said, help=explained("encoder", "annotation", "decoder", "state", "attention", "context"))


def _draw_steps(view: HowView, stage: int = len(STAGES)) -> list[str]:
    """Draw every step, at first a stage, from 1, of the word where attention jumps furthest. Returns words of the
    source that a model does not know."""
    place = st.empty()
    drawings: list[StepDrawing] = []
    unknown: list[str] = []
    for name, run in view.runs.items():
        answer = answer_to(StepsTask(checkpoint=run, sentence=view.sentence, beam=view.beam), place)
        if answer is None:
            return []
        kind = ARCHITECTURES[run.config.model.architecture]
        steps = answer.result.steps
        if not view.pieces:
            steps = in_words(steps, answer.result.source, answer.result.target)
        drawings.append(drawing(name, kind, steps, stage))
        unknown += answer.result.source.unknown
    step_view(step_view_data(drawings), key="steps")
    return unknown
