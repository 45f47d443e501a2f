"""The first picture of Look: the sentence, its translations, ribbons of alpha, and its length on a small Figure 2."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import streamlit as st

from nmt.alignments.crossing import crossing
from nmt.alignments.policy import restrict
from nmt.charts.ribbons import RibbonSystem, SmallCurve, SmallFigure, ribbons_data
from nmt.charts.style import line_style
from nmt.data.line_words import word_counter
from nmt.errors import InputError
from nmt.evaluation.measurement_files import StoredStress, read_stress
from nmt.evaluation.sentence_scores import standing
from nmt.results import UNKNOWN, Evaluation
from nmt.runs.folder import RunInfo
from nmt.ui import strings as shared
from nmt.ui.app_shell import dark_page
from nmt.ui.checkpoints import ARCHITECTURES, run_stamp
from nmt.ui.components import show_ribbons, show_small_figure
from nmt.ui.evaluated import evaluated
from nmt.ui.formatting import counted, language, listed, nats
from nmt.ui.look import strings
from nmt.ui.look.explore.decode import DecodedSentence
from nmt.ui.look.explore.form import ExplorerView
from nmt.ui.text_notice import misfit

_KEY = "ribbons"
Word = tuple[int, int]
"""Number of a checkpoint and of its target word, end mark not counted."""

_CONCATENATED = "-concatenated"


def show_picture(
    view: ExplorerView, decoded_sentences: Sequence[DecodedSentence], *, large: bool = False
) -> Word | None:
    """Show the translations of a sentence by the checkpoints; return the target word that the reader chose.

    Args:
        decoded_sentences: in the order chosen, which the colours follow.
        large: in the type of a presentation.
    """
    systems = [_system(view, decoded, k) for k, decoded in enumerate(decoded_sentences)]
    if systems:
        remark = _remark(view, systems[0])
        systems[0] = replace(systems[0], remarks=[remark] if remark else [])
    before = _checked((st.session_state.get(_KEY) or {}).get("word"), systems)
    data = ribbons_data(systems, large=large, chosen=before)
    return _checked(show_ribbons(data, key=_KEY), systems)


def _remark(view: ExplorerView, first: RibbonSystem) -> str:
    """Say what to look at: the lesson's remark if it is true of the first translation, otherwise the crossing in it."""
    lesson = view.lesson
    if lesson is not None and (not lesson.written or (first.alignment is not None and lesson.written in first.text)):
        return lesson.look
    if first.crossing is None or first.alignment is None:
        return ""
    return first.crossing.sentence(first.alignment)


def _checked(word: object, systems: Sequence[RibbonSystem]) -> Word | None:
    """Validate the word sent by the browser; None if there is no such word."""
    if not isinstance(word, Mapping):
        return None
    number, i = word.get("system"), word.get("i")
    if not isinstance(number, int) or not isinstance(i, int):
        return None
    return (number, i) if 0 <= number < len(systems) and 0 <= i < len(systems[number].target) else None


def show_length(sentence: str, decoded_sentences: Sequence[DecodedSentence]) -> bool:
    """Show the small Figure 2, with the length of the sentence marked; False if there is no curve."""
    figure = _figure(decoded_sentences)
    if figure is None:
        return False
    words = word_counter(decoded_sentences[0].run.source_language)(sentence)
    spoken = strings.FIGURE_SPOKEN.format(curves=figure.spoken, words=words)
    drawn = {curve.name for curve in figure.curves}
    without = dict.fromkeys(each.name for each in decoded_sentences if each.name not in drawn)
    about = [_standing(decoded_sentences[0], words, figure.test_set), _beyond(figure.curves, words)]
    if without:
        about.append(counted(len(without), strings.WITHOUT_CURVE, names=listed([*without]), test_set=figure.test_set))
    text = " ".join(filter(None, about))
    show_small_figure(replace(figure, words=words, text=text, spoken=spoken), key="small-figure")
    return True


def show_large_figure(decoded_sentences: Sequence[DecodedSentence]) -> bool:
    """Show the same curves over the whole width, without a sentence; False if there is no curve."""
    figure = _figure(decoded_sentences)
    if figure is not None:
        show_small_figure(figure, large=True, key="small-figure")
    return figure is not None


def _system(view: ExplorerView, decoded: DecodedSentence, number: int) -> RibbonSystem:
    shown = restrict(decoded.weights.merged(), without_end=True).alignment
    alpha = None if decoded.stands_in else shown
    kind = (strings.KIND_WITHOUT_ALPHA if alpha is None else strings.KIND).format(
        architecture=ARCHITECTURES[decoded.run.config.model.architecture], nats=nats(decoded.output.log_probability)
    )
    written_in = view.target_named(decoded.run)
    if written_in:
        kind = strings.KIND_IN.format(language=written_in, kind=kind)
    forced = strings.FORCED.format(name=decoded.follows) if decoded.follows else ""
    return RibbonSystem(
        title=decoded.name,
        kind=kind + forced,
        style=line_style(number, dark=dark_page()),
        source=shown.source,
        target=shown.target,
        text=decoded.text,
        alignment=alpha,
        crossing=None if alpha is None or _uncertain(view, decoded) else crossing(decoded.weights),
        source_title=shared.SOURCE_IN.format(language=language(decoded.run.source_language)),
        target_title=shared.TARGET_IN.format(language=language(decoded.run.target_language)),
        hint="" if number else strings.HINT,
        notes=_notes(view, decoded),
    )


def _uncertain(view: ExplorerView, decoded: DecodedSentence) -> bool:
    """Whether nothing should be said of the order of words: the checkpoint cannot read all of the sentence."""
    return bool(decoded.unknown_words or misfit(view.sentence, decoded.run))


def _notes(view: ExplorerView, decoded: DecodedSentence) -> list[str]:
    """List what the reader should know of this translation."""
    notes = []
    if decoded.unknown_words:
        notes.append(strings.UNKNOWN_WORDS.format(words=", ".join(dict.fromkeys(decoded.unknown_words))))
    written = sum(UNKNOWN in token for token in decoded.tokens)
    if written and view.unknown == "Replace" and not view.target:
        notes.append(strings.REPLACED.format(text=decoded.text) if decoded.run.has_alignment else strings.NOT_REPLACED)
    longest = decoded.run.config.training.max_length
    words = word_counter(decoded.run.source_language)(view.sentence)
    if longest is not None and words > longest:
        notes.append(strings.LONGER_THAN_TRAINED.format(words=words, most=longest))
    return notes


def _figure(decoded_sentences: Sequence[DecodedSentence]) -> SmallFigure | None:
    """The small Figure 2 on the first test set that the checkpoints share; None if there is none."""
    curves: list[SmallCurve] = []
    name = ""
    for number, decoded in enumerate(decoded_sentences):
        stored = _stress(decoded.run)
        shared = name or next((each for each, stress in stored.items() if stress.retention), "")
        points = _points(decoded.run, stored[shared]) if shared in stored and stored[shared].retention else []
        if points and decoded.name not in [curve.name for curve in curves]:
            name = shared
            style = line_style(number, dark=dark_page())
            curves.append(SmallCurve(name=decoded.name, style=style, points=points))
    if not curves:
        return None
    title = strings.FIGURE.format(test_set=name)
    return SmallFigure(
        title=title,
        test_set=name,
        x_title=strings.FIGURE_X,
        spoken=strings.FIGURE_CURVES.format(title=title, ends="; ".join(map(_ends, curves))),
        curves=curves,
        signature=_signature(decoded_sentences, name),
    )


def _beyond(curves: Sequence[SmallCurve], words: int) -> str:
    """Say where the curves begin or end if all of them lack this length; "" otherwise."""
    begin, end = min(curve.points[0][0] for curve in curves), max(curve.points[-1][0] for curve in curves)
    if words < begin:
        return strings.CURVE_BEGINS.format(words=f"{begin:.0f}")
    return strings.CURVE_ENDS.format(words=f"{end:.0f}") if words > end else ""


def _signature(decoded_sentences: Sequence[DecodedSentence], test_set: str) -> str:
    """The signature of the first checkpoint with scores on the test set; "" if there is none."""
    for decoded in decoded_sentences:
        evaluation = _evaluations(decoded.run).get(test_set)
        if evaluation is not None and evaluation.everything is not None:
            return strings.FIGURE_SIGNATURE.format(signature=evaluation.everything.signature)
    return ""


def _ends(curve: SmallCurve) -> str:
    """The first and the last point of a curve in words."""
    (from_words, first), (to_words, last) = curve.points[0], curve.points[-1]
    return strings.FIGURE_ENDS.format(
        name=curve.name,
        first=f"{first:.1f}",
        from_words=f"{from_words:.0f}",
        last=f"{last:.1f}",
        to_words=f"{to_words:.0f}",
    )


def _points(run: RunInfo, stress: StoredStress) -> list[tuple[float, float]]:
    """BLEU of the single sentences at their mean length, then of the concatenated texts."""
    points = []
    single = _evaluations(run).get(stress.test_set)
    if single is not None and single.everything is not None:
        points.append((float(single.pairs.source_words.mean()), single.everything.bleu))
    points += [(point.source_words, point.bleu) for point in stress.retention]
    return sorted(points)


def _standing(decoded: DecodedSentence, words: int, name: str) -> str:
    length = counted(words, strings.WORDS)
    evaluations = _evaluations(decoded.run)
    for test_set in (name + _CONCATENATED, name):
        if test_set in evaluations:
            among = standing(evaluations[test_set], words, decoded.output.log_probability, len(decoded.output.tokens))
            if among is not None:
                return strings.STANDING.format(
                    here=length,
                    name=decoded.name,
                    share=f"{among.below:.0%}",
                    sentences=among.sentences,
                    shortest=among.shortest,
                    longest=among.longest,
                )
    return length


def _evaluations(run: RunInfo) -> dict[str, Evaluation]:
    try:
        return evaluated(run.path).evaluations
    except InputError:
        return {}


def _stress(run: RunInfo) -> dict[str, StoredStress]:
    return _read_stress(str(run.path), run_stamp(run.path), run)


@st.cache_data(max_entries=64, show_spinner=False)
def _read_stress(path: str, stamp: str, _run: RunInfo) -> dict[str, StoredStress]:
    try:
        return read_stress(_run.path)
    except InputError:
        return {}
