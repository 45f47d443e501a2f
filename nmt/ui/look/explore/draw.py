"""From what is shown to what is drawn: ribbons, matrices and links, and the small curve over length."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any

import numpy as np
import streamlit as st

from nmt.alignments.measures import AlphaDifference, Marks, crossing, difference, difference_of_pairs, marks
from nmt.alignments.policy import heaviest
from nmt.charts.alignment_view import Mark, Panel
from nmt.charts.ribbons import RibbonSystem, SmallCurve, SmallFigure
from nmt.charts.style import line_style
from nmt.data.line_words import word_counter
from nmt.errors import InputError
from nmt.evaluation.concatenation import kept_words
from nmt.evaluation.measurement_files import curve_points
from nmt.evaluation.metrics import standing
from nmt.results import CONCATENATED, Alignment, Evaluation
from nmt.runs.folder import RunInfo
from nmt.texts import APP, CHARTS, LOOK, said
from nmt.ui.app_shell import dark_page
from nmt.ui.checkpoints import evaluated, stored_stress, trained_concatenated, unequal_updates
from nmt.ui.components import alignment_panel, difference_panel, show_small_figure
from nmt.ui.formatting import counted, explained, language, listed
from nmt.ui.inputs import misfit
from nmt.ui.look.explore.form import BARS, DIFFERENCE, ExplorerView, Prune
from nmt.ui.look.explore.shown import DecodedSentence, Shown, word_log_probabilities

_LEAST_WORDS, _SURE, _COMMON = 6, -0.5, 0.4
"""RNNencdec lost its way where RNNsearch writes at least so many different words, with a mean log-probability above
this, in nats, and RNNencdec has less than this share of them. Of the 198 such translations of jointly-300, 197 have a
lower chrF than RNNsearch's."""


@dataclass(frozen=True, eq=False, kw_only=True)
class DrawnPanel:
    """A panel of the matrices.

    Attributes:
        name: of the checkpoint or the file, or that of the difference of two; by it the address names the panel.
        panel: as it is drawn.
        shown: what it draws; None for a difference.
        difference: the difference that it draws; None for all other panels, and if two alignments have none.
    """

    name: str
    panel: Panel
    shown: Shown | None = None
    difference: AlphaDifference | None = None


def ribbon_systems(view: ExplorerView, shown: Sequence[Shown], before: Sequence[Shown]) -> list[RibbonSystem]:
    """The lines of the first picture, one for each checkpoint, with what to look at in the first one; the first
    with alpha says how to look at ribbons.

    Args:
        before: the same before the reader changed anything.
    """
    pairs = zip(shown, before, strict=True)
    systems = [_system(view, now, old, lost=lost_its_way(now, shown)) for now, old in pairs if now.decoded]
    first = next((number for number, each in enumerate(systems) if each.alignment is not None), None)
    if first is not None:
        hint = LOOK.hint_drag if systems[first].movable else LOOK.hint
        systems[first] = replace(systems[first], hint=hint)
    if shown[0] is before[0]:
        remark = _remark(view, systems[0])
        systems[0] = replace(systems[0], remarks=[remark] if remark else [])
    said = {*systems[0].notes}.intersection(*(each.notes for each in systems))
    others = [replace(one, notes=[note for note in one.notes if note not in said]) for one in systems[1:]]
    return [systems[0], *others]


def _system(view: ExplorerView, shown: Shown, before: Shown, *, lost: bool) -> RibbonSystem:
    decoded, alpha = shown.decoded, shown.words if shown.has_alpha else None
    assert decoded is not None
    # Of a sentence that the checkpoint cannot read all of, nothing is said on the order of words; ours it can.
    uncertain = bool(decoded.source.unknown or (view.lesson is None and misfit(view.sentence, decoded.run)))
    kind = shown.kind if alpha is not None else LOOK.kind_without_alpha.format(kind=shown.kind)
    return RibbonSystem(
        title=shown.title,
        kind=" · ".join(filter(None, [kind, shown.condition])),
        style=line_style(shown.number, dark=dark_page()),
        source=shown.words.source,
        target=shown.words.target,
        text=decoded.text,
        alignment=alpha,
        log_probability=word_log_probabilities(decoded, shown.words, ()),
        crossing=None if shown.weights is None or alpha is None or uncertain else crossing(shown.weights),
        source_title=APP.source_in.format(language=language(decoded.run.source_language)),
        target_title=APP.target_in.format(language=language(decoded.run.target_language)),
        remarks=[LOOK.lost] if lost and not decoded.alone else [],
        notes=shown.notes,
        movable=shown.movable(view),
        former=() if shown is before else before.words.target,
        changed=" ".join(shown.changes),
        **(_kept(decoded) if decoded.alone and shown is before else {}),
    )


def _kept(decoded: DecodedSentence) -> dict[str, Any]:
    """What is kept of the translations of several sentences one by one."""
    found = kept_words(decoded.alone, decoded.text, decoded.run.target_language)
    template = LOOK.kept_all if found.kept == found.words else LOOK.kept_some
    text = template.format(count=len(decoded.alone), kept=found.kept, words=found.words)
    space = " " if found.spaced else ""
    fates = (fate for sentence in found.sentences for fate in sentence)
    groups = [(space.join(fate.word for fate in some), lost) for lost, some in groupby(fates, lambda fate: fate.lost)]
    return {"kept": text, "alone": groups if found.kept < found.words else ()}


def _remark(view: ExplorerView, first: RibbonSystem) -> str:
    """Say what to look at: the lesson's remark if it is true of the first translation, otherwise the crossing in it."""
    lesson = view.lesson
    if lesson is not None and (not lesson.written or (first.alignment is not None and lesson.written in first.text)):
        return lesson.shown_look
    if first.crossing is None or first.alignment is None:
        return ""
    return first.crossing.sentence(first.alignment)


def lost_its_way(one: Shown, others: Sequence[Shown]) -> bool:
    """Whether a model without attention lost its way in the sentence: most of its words are others than those that one
    with attention writes in the same language and is sure of."""
    if one.decoded is None or one.decoded.run.has_alignment:
        return False
    words, written = {*one.decoded.text.lower().split()}, one.decoded.run.target_language
    for other in others:
        if not other.has_alpha or other.decoded is None or other.decoded.run.target_language != written:
            continue
        theirs = {*other.decoded.text.lower().split()}
        sure = other.decoded.output.log_probability / len(other.decoded.tokens) > _SURE
        if sure and len(theirs) >= _LEAST_WORDS and len(words & theirs) < _COMMON * len(theirs):
            return True
    return False


def draw_all(view: ExplorerView, shown: Sequence[Shown]) -> list[DrawnPanel]:
    """Draw a panel for each of them that has weights, and if chosen one for the difference of the first two with
    alpha."""
    drawn = [draw(view, each) for each in shown if each.weights is not None]
    alpha = [each for each in drawn if each.shown is not None and not each.shown.stands_in]
    if DIFFERENCE in view.settings.options and len(alpha) > 1:
        drawn.append(_difference(alpha[0], alpha[1], view))
    return drawn


def draw(view: ExplorerView, shown: Shown) -> DrawnPanel:
    """Draw alpha, the leave-one-out attribution in its place, or the weights or links of a file."""
    decoded, imported, kept = shown.decoded, shown.imported, shown.restriction
    probabilities = [] if decoded is None else word_log_probabilities(decoded, kept.alignment, kept.target)
    panel = alignment_panel(
        kept.alignment,
        shown.title,
        None if decoded is None else decoded.run,
        bars=BARS in view.settings.options,
        log_probability=probabilities,
    )
    about = [LOOK.stand_in_note] if shown.stands_in and decoded is not None else []
    about += [LOOK.written_with.format(history=imported.history)] if imported and imported.history else []
    panel = replace(
        panel,
        kind=shown.kind,
        text=shown.text if decoded is None else "",
        condition=shown.condition,
        own_text=shown.own_text,
        note=" ".join([*about, *filter(None, [kept.notice])]),
        hint=LOOK.matrix_hint,
        movable=shown.movable(view),
    )
    if imported is not None:
        of_weights = imported.kind == "weights"
        panel = replace(
            panel,
            values=LOOK.values_of_file if of_weights else LOOK.values_of_links,
            letter="α" if of_weights else APP.link,
            spoken_letter=LOOK.weight_letter if of_weights else APP.link,
        )
    if shown.stands_in:
        panel = replace(
            panel,
            values=CHARTS.effect,
            not_attention=CHARTS.not_attention,
            letter=LOOK.effect_letter,
            spoken_letter=LOOK.effect_letter,
        )
    panel = _with_marks(view, panel, marked=imported is None or imported.kind == "weights")
    return DrawnPanel(name=shown.title, panel=panel, shown=shown)


def _with_marks(view: ExplorerView, panel: Panel, marked: bool) -> Panel:
    """Add the links that are drawn, and marks of words translated twice or not at all."""
    found = marks(panel.alignment) if marked else None
    settings = view.settings
    return replace(
        panel,
        source_marks={} if found is None else source_marks(found, bool(panel.not_attention)),
        target_marks={} if found is None else {i: Mark("↻", LOOK.repeated) for i in found.repeated},
        shown=links(panel.alignment, settings.prune, settings.least) if settings.shown != "matrix" else (),
    )


def source_marks(marked: Marks, stand_in: bool) -> dict[int, Mark]:
    """The signs of source words; a model without attention (``stand_in``) looks at none of them."""
    often, hardly = LOOK.often, LOOK.hardly
    if stand_in:
        often, hardly = LOOK.often_stand_in, LOOK.hardly_stand_in
    source_signs = {j: Mark("+", often) for j in marked.attended_often}
    return source_signs | {j: Mark("∅", hardly) for j in marked.dropped}


def links(alignment: Alignment, prune: Prune, least: float) -> list[tuple[int, int]]:
    """(target, source) of the links that are drawn.

    Args:
        prune: "weight": those of at least ``least``; "mass": for each target word the fewest that together have at
            least this share of its row, the largest first.

    >>> a = Alignment(source=("a", "b", "c", "d"), target=("x",), weights=np.array([[.2, .5, .3, 0]]))
    >>> links(a, "weight", 0.3), links(a, "weight", 0), links(a, "mass", 0.6)
    ([(0, 1), (0, 2)], [(0, 0), (0, 1), (0, 2)], [(0, 1), (0, 2)])
    """
    weights = alignment.weights
    if prune == "weight":
        return [(i, j) for i, j in np.argwhere((weights >= np.float32(least)) & (weights > 0)).tolist()]
    return [(i, j) for i, row in enumerate(weights) for j in sorted(heaviest(row, least))]


def _difference(first: DrawnPanel, second: DrawnPanel, view: ExplorerView) -> DrawnPanel:
    """Draw the second minus the first; if there is no difference, an empty panel that says why."""
    one, other = first.panel, second.panel
    title = LOOK.difference_title.format(second=other.title, first=one.title)
    try:
        delta = difference(one.alignment, other.alignment)
    except InputError as error:
        nothing = Alignment(source=(), target=(), weights=np.zeros((0, 0), dtype=np.float32))
        note = LOOK.no_difference.format(reason=said(str(error)))
        return DrawnPanel(name=DIFFERENCE, panel=Panel(alignment=nothing, title=title, note=note, is_difference=True))
    panel = difference_panel(delta, title, "", one, view.settings.least)
    return DrawnPanel(name=DIFFERENCE, panel=panel, difference=delta)


def draw_change(view: ExplorerView, before: Shown, now: Shown, title: str) -> DrawnPanel:
    """Draw how a map changed when the reader changed something; words that only one of the two has are marked."""
    first, second = draw(view, before), draw(view, now)
    delta = difference_of_pairs(first.panel.alignment, second.panel.alignment)
    signs = {"first": Mark("−", LOOK.only_before), "second": Mark("+", LOOK.only_after)}
    source, target = (
        {k: signs[side] for k, side in enumerate(sides) if side != "both"}
        for sides in (delta.source_sides, delta.target_sides)
    )
    title = LOOK.change_title.format(name=now.title, change=title)
    note = LOOK.stand_in_note if now.stands_in else ""
    panel = difference_panel(delta, title, note, first.panel, view.settings.least)
    if now.stands_in:
        panel = replace(
            panel,
            values=LOOK.difference_values.format(effect=CHARTS.effect),
            not_attention=CHARTS.not_attention_difference,
            letter="Δ",
        )
    return DrawnPanel(name=now.title, panel=replace(panel, source_marks=source, target_marks=target), difference=delta)


def show_length(sentence: str, decoded_sentences: Sequence[DecodedSentence]) -> None:
    """Show BLEU over the length of concatenated sentences, with the length of the sentence marked, and how the models
    were trained."""
    figure = _figure(decoded_sentences)
    if figure is None:
        st.caption(LOOK.no_curve)
        return
    words = word_counter(decoded_sentences[0].run.source_language)(sentence)
    spoken = LOOK.figure_spoken.format(curves=figure.spoken, words=words)
    drawn = {curve.name for curve in figure.curves}
    without = dict.fromkeys(each.name for each in decoded_sentences if each.name not in drawn)
    about = [_standing(decoded_sentences[0], words, figure.test_set), _beyond(figure.curves, words)]
    if without:
        names = listed([*without])
        about.append(counted(len(without), LOOK.forms.without_curve, names=names, test_set=figure.test_set))
    text = " ".join(filter(None, about))
    show_small_figure(replace(figure, words=words, text=text, spoken=spoken))
    st.caption(f"{LOOK.about_curve} {_training(figure, decoded_sentences)}", help=explained("BLEU"))


def show_large_figure(decoded_sentences: Sequence[DecodedSentence]) -> None:
    """Show the same curves over the whole width, without a sentence."""
    figure = _figure(decoded_sentences)
    if figure is None:
        st.info(LOOK.no_curve, icon=":material/show_chart:")
        return
    show_small_figure(figure, large=True)
    st.caption(_training(figure, decoded_sentences))


def _training(figure: SmallFigure, decoded_sentences: Sequence[DecodedSentence]) -> str:
    """Say in Markdown what must be known of the training of the models whose curves are compared."""
    runs = {each.name: each.run for each in decoded_sentences if each.name in [curve.name for curve in figure.curves]}
    return f"{trained_concatenated(runs)} {unequal_updates(runs)}"


def _figure(decoded_sentences: Sequence[DecodedSentence]) -> SmallFigure | None:
    """The curves on the first test set that the checkpoints share; None if there is none."""
    curves: list[SmallCurve] = []
    name = ""
    for number, decoded in enumerate(each for each in decoded_sentences if not each.manner):
        try:
            stored = stored_stress(decoded.run)
        except InputError:
            continue
        chosen = name or next((each for each, stress in stored.items() if stress.retention), "")
        has_curve = chosen in stored and stored[chosen].retention
        points = curve_points(stored[chosen], _evaluations(decoded.run).get(chosen)) if has_curve else []
        if points and decoded.name not in [curve.name for curve in curves]:
            name = chosen
            style = line_style(number, dark=dark_page())
            curves.append(SmallCurve(name=decoded.name, style=style, points=points))
    if not curves:
        return None
    return SmallFigure.of(curves, name, _signature(decoded_sentences, name))


def _beyond(curves: Sequence[SmallCurve], words: int) -> str:
    """Say where the curves begin or end if all of them lack this length; "" otherwise."""
    begin, end = min(curve.points[0][0] for curve in curves), max(curve.points[-1][0] for curve in curves)
    if words < begin:
        return LOOK.curve_begins.format(words=f"{begin:.0f}")
    return LOOK.curve_ends.format(words=f"{end:.0f}") if words > end else ""


def _signature(decoded_sentences: Sequence[DecodedSentence], test_set: str) -> str:
    """The signature of the first checkpoint with scores on the test set; "" if there is none."""
    for decoded in decoded_sentences:
        evaluation = _evaluations(decoded.run).get(test_set)
        if evaluation is not None and evaluation.everything is not None:
            return LOOK.figure_signature.format(signature=evaluation.everything.signature)
    return ""


def _standing(decoded: DecodedSentence, words: int, name: str) -> str:
    length = counted(words, LOOK.forms.words)
    evaluations = _evaluations(decoded.run)
    for test_set in (name + CONCATENATED, name):
        if test_set in evaluations:
            among = standing(evaluations[test_set], words, decoded.output.log_probability, len(decoded.output.tokens))
            if among is not None:
                return LOOK.standing.format(
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
