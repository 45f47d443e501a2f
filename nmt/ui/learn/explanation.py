"""Limits of alpha as an explanation: beside alpha, the effect of leaving a source word out, where the two point to
different words."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import streamlit as st

from nmt.results import END, Alignment, CellExplanation, TranslationWithSteps
from nmt.runs.folder import RunInfo
from nmt.ui.address import choose_one
from nmt.ui.compute import answer_to
from nmt.ui.formatting import escaped, label
from nmt.ui.glossary import explained
from nmt.ui.learn import strings
from nmt.ui.learn.form import HowView
from nmt.ui.learn.steps import StepsTask
from nmt.ui.tasks import ExplainTask, LeaveOneOutTask

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
    answer = answer_to(StepsTask(checkpoint=run, sentence=view.sentence, beam=view.beam), place)
    if answer is None:
        return
    source, target = answer.result.source, answer.result.target
    effect = answer_to(LeaveOneOutTask(run, source, target), place)
    if effect is None:
        return
    alpha = alpha_of(answer.result)
    if len(alpha.target) < 2 or len(alpha.source) < 2:
        st.info(strings.NOTHING_WRITTEN, icon=":material/short_text:")
        return
    compared = disagreement(alpha, effect.result)
    options = {
        str(i): strings.DIFFERS.format(word=label(word)) if i in compared.words else label(word)
        for i, word in enumerate(alpha.target[:-1])
    }
    first = str(_furthest(alpha, effect.result, compared))
    chosen = choose_one(
        st.pills,
        strings.WORD_OF_TRANSLATION,
        options,
        key=WORD,
        default=first,
        label_visibility="collapsed",
        wrap=False,
    )
    i = int(chosen)
    _show_word(run, answer.result, alpha, effect.result, compared, i)
    st.markdown(strings.WHAT_ALPHA_IS_NOT, help=explained("attention", "annotation", "leave-one-out"))
    st.caption(strings.DISAGREEMENT.format(name=escaped(name), differing=len(compared.words), words=len(options)))


def alpha_of(translated: TranslationWithSteps) -> Alignment:
    """Alpha of a translation over whole words."""
    rows = [step.alpha for step in translated.steps.steps]
    assert all(row is not None for row in rows)
    return Alignment(
        source=translated.source.tokens,
        target=translated.target.tokens,
        weights=np.array(rows),
        source_words=translated.source.words,
        target_words=translated.target.words,
    ).merged()


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
        answer = answer_to(task, place)
        if answer is None:
            return
        lines.append(_without(answer.result, alpha.source[j], float(alpha.weights[i, j])))
    source = [word if word != END else strings.END_OF_SENTENCE for word in alpha.source]
    figure = alpha_effect_chart(source, alpha.weights[i].tolist(), effect.weights[i].tolist())
    st.plotly_chart(figure, key="alpha-effect", config={"displayModeBar": False})
    st.text(strings.TO_WRITE.format(word=alpha.target[i], said=" ".join(lines)))


def _without(cell: CellExplanation, source: str, weight: float) -> str:
    """Compute how leaving a source word out changes the probability of the word that was written."""
    written = cell.target[cell.i]
    token = next(each for each in cell.next_tokens if each.token == written)
    assert token.probability_without is not None
    template = strings.FALLS if token.probability_without < token.probability else strings.RISES
    return template.format(source=source, weight=weight, before=token.probability, after=token.probability_without)
