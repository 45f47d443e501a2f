"""The view "How it works": the live drawing of Figure 1, with the internals of every step of a translation. The view
"What alpha is not": beside alpha, the effect of leaving a source word out, where the two point to different words."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import streamlit as st

from nmt.answers.keys import STEPS, steps_key
from nmt.answers.request import Progress, ProgressReporter, Task
from nmt.charts.step_view import StepDrawing, step_view_data
from nmt.config import SearchSettings
from nmt.results import END, Alignment, CellExplanation, TranslationWithSteps
from nmt.runs.folder import RunInfo
from nmt.ui import strings as shared
from nmt.ui.address import choose_one
from nmt.ui.checkpoints import ARCHITECTURES, Checkpoints
from nmt.ui.components import show_figure, step_view
from nmt.ui.compute import answer_to
from nmt.ui.formatting import escaped, label, listed
from nmt.ui.glossary import explained
from nmt.ui.learn import strings
from nmt.ui.learn.form import FIRST_SENTENCE, HowView, in_pieces
from nmt.ui.learn.wording import STAGES, drawing, in_words
from nmt.ui.resources import shipped_answers
from nmt.ui.tasks import CheckpointTask, ExplainTask, LeaveOneOutTask

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

        with progress.stage(shared.TRANSLATE_STAGE, 0) as show:
            return translate_with_steps(
                model,
                self.sentence,
                self._settings,
                lambda done, limit: show(Progress(done, limit, unit=shared.WORDS_AT_MOST)),
            )

    @property
    def _settings(self) -> SearchSettings:
        return self.checkpoint.config.search.changed(beam=self.beam, n_best=1, replace_unk=False)


def show_steps_scene(checkpoints: Checkpoints, number: int) -> None:
    """Show the drawing of the opening sentence for the presentation, at one of the stages of a word, from 1."""
    runs = {name: checkpoints.usable[name] for name in checkpoints.first_choice()}
    _draw_steps(HowView(sentence=FIRST_SENTENCE, runs=runs, beam=_BEAM), number, large=True)


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


def _draw_steps(view: HowView, stage: int = len(STAGES), *, large: bool = False) -> list[str]:
    """Draw every step, at first a stage, from 1, of the word where attention jumps furthest. Returns words of the
    source that a model does not know."""
    place = st.empty()
    drawings: list[StepDrawing] = []
    unknown: list[str] = []
    for name, run in view.runs.items():
        translated = answer_to(StepsTask(checkpoint=run, sentence=view.sentence, beam=view.beam), place)
        if translated is None:
            return []
        kind = ARCHITECTURES[run.config.model.architecture]
        steps = translated.steps
        if not view.pieces:
            steps = in_words(steps, translated.source, translated.target)
        drawings.append(drawing(name, kind, steps, stage))
        unknown += translated.source.unknown
    step_view(step_view_data(drawings, large=large), key="steps")
    return unknown


WORD = "word"
"""The parameter of the address: the number of a word of the translation."""


@dataclass(frozen=True)
class Disagreement:
    """Words that alpha and the effect of leaving out point to, for each target word but the end-of-sentence token.

    Attributes:
        alpha_peaks, effect_peaks: numbers of source words, from 0, never the end-of-sentence token.
    """

    alpha_peaks: tuple[int, ...]
    effect_peaks: tuple[int, ...]

    @property
    def words(self) -> tuple[int, ...]:
        """Numbers of the target words for which the two point to different source words."""
        return tuple(i for i, (a, b) in enumerate(zip(self.alpha_peaks, self.effect_peaks, strict=True)) if a != b)


def disagreement(alpha: Alignment, effect: Alignment) -> Disagreement:
    """Compare two maps over the same whole words, end-of-sentence tokens last; ties go to the earlier word."""
    peaks = [map_.weights[:-1, :-1].argmax(axis=1).tolist() for map_ in (alpha, effect)]
    return Disagreement(tuple(peaks[0]), tuple(peaks[1]))


def show_explanation(view: HowView) -> None:
    """Let the reader choose a word of the translation, and compare."""
    attending = next(((name, run) for name, run in view.runs.items() if run.has_alignment), None)
    if attending is None:
        st.info(strings.NO_ATTENTION, icon=":material/grid_off:")
        return
    name, run = attending
    place = st.empty()
    translated = answer_to(StepsTask(checkpoint=run, sentence=view.sentence, beam=view.beam), place)
    if translated is None:
        return
    effect = answer_to(LeaveOneOutTask(run, translated.source, translated.target), place)
    if effect is None:
        return
    alpha = alpha_of(translated)
    if len(alpha.target) < 2 or len(alpha.source) < 2:
        st.info(strings.NOTHING_WRITTEN, icon=":material/short_text:")
        return
    compared = disagreement(alpha, effect)
    options = {
        str(i): strings.DIFFERS.format(word=label(word)) if i in compared.words else label(word)
        for i, word in enumerate(alpha.target[:-1])
    }
    first, title = str(_furthest(alpha, effect, compared)), strings.WORD_OF_TRANSLATION
    chosen = choose_one(st.pills, title, options, key=WORD, default=first, label_visibility="collapsed", wrap=False)
    _show_word(run, translated, alpha, effect, compared, int(chosen))
    st.markdown(strings.WHAT_ALPHA_IS_NOT, help=explained("attention", "annotation", "leave-one-out"))
    st.caption(strings.DISAGREEMENT.format(name=escaped(name), differing=len(compared.words), words=len(options)))


def alpha_of(translated: TranslationWithSteps) -> Alignment:
    """Alpha of a translation over whole words."""
    rows = [step.alpha for step in translated.steps.steps if step.alpha is not None]
    return translated.source.aligned(translated.target, np.array(rows)).merged()


def _furthest(alpha: Alignment, effect: Alignment, compared: Disagreement) -> int:
    """Number of the target word with the largest distance between the two maps, among those for which they point to
    different words, if there are any."""
    distances = np.abs(alpha.weights[:-1, :-1] - effect.weights[:-1, :-1]).sum(axis=1)
    among = compared.words or range(len(distances))
    return max(among, key=lambda i: float(distances[i]))


def _show_word(
    run: RunInfo, translated: TranslationWithSteps, alpha: Alignment, effect: Alignment, compared: Disagreement, i: int
) -> None:
    from nmt.charts.curves import alpha_effect_chart

    peaks = dict.fromkeys((compared.alpha_peaks[i], compared.effect_peaks[i]))
    place, lines = st.empty(), []
    for j in peaks:
        task = ExplainTask(
            checkpoint=run,
            source=translated.source,
            target=translated.target,
            row=alpha.target_words[i],
            column=alpha.source_words[j],
            of_tokens=False,
        )
        cell = answer_to(task, place)
        if cell is None:
            return
        lines.append(_without(cell, alpha.source[j], float(alpha.weights[i, j])))
    source = [word if word != END else strings.END_OF_SENTENCE for word in alpha.source]
    figure = alpha_effect_chart(source, alpha.weights[i].tolist(), effect.weights[i].tolist())
    show_figure(figure, key="alpha-effect")
    st.text(strings.TO_WRITE.format(word=alpha.target[i], said=" ".join(lines)))


def _without(cell: CellExplanation, source: str, weight: float) -> str:
    """Compute how leaving a source word out changes the probability of the word that was written."""
    written = cell.target[cell.i]
    token = next(each for each in cell.next_tokens if each.token == written)
    assert token.probability_without is not None
    template = strings.FALLS if token.probability_without < token.probability else strings.RISES
    return template.format(source=source, weight=weight, before=token.probability, after=token.probability_without)
