"""Three views of Learn. "How it works" is the live drawing of Figure 1, with the internals of every step of a
translation. "What alpha is not" compares alpha of a word with the effects of leaving source words out. "How it
searches" shows the tree of a beam search, which can be restarted from any hypothesis, and random translations."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from nmt.answers.keys import STEPS, steps_key
from nmt.answers.request import Progress, ProgressReporter
from nmt.charts.beam_view import beam_view_data
from nmt.charts.step_view import StepDrawing, step_view_data
from nmt.config import SearchSettings
from nmt.instrument.map_view import MapView
from nmt.results import END, Alignment, BeamTree, Encoded, Translation, TranslationWithSteps
from nmt.results.inspection import LeftOut, readable_alignment, writer
from nmt.results.record import record_of_map
from nmt.runs.folder import RunInfo
from nmt.texts import INSTRUMENT, LEARN, listed, nats, view_texts
from nmt.ui.address import ask_number, ask_switch, choose_one, choose_view, write_address
from nmt.ui.checkpoints import ARCHITECTURES, Checkpoints
from nmt.ui.components import component, show_figure, show_rows
from nmt.ui.compute import answer_to
from nmt.ui.formatting import escaped, explained
from nmt.ui.instrument import Chosen, show_instrument
from nmt.ui.learn.form import FIRST_SENTENCE, HowView, in_pieces
from nmt.ui.learn.wording import STAGES, drawing, in_words
from nmt.ui.resources import shipped_answers
from nmt.ui.tasks import ModelTask

if TYPE_CHECKING:
    from nmt.inference.translator import Translator

_BEAM = 12
"""Beam of the scene, and the form's default. The steps of the opening sentence are stored with this beam."""


@dataclass(frozen=True, kw_only=True)
class StepsTask(ModelTask[TranslationWithSteps]):
    """All steps of a checkpoint's own translation of a sentence. The sentence must not be blank."""

    sentence: str
    beam: int

    @cached_property
    def key(self) -> str:
        return steps_key(self.fingerprint, self._settings, self.sentence)

    def stored(self) -> TranslationWithSteps | None:
        return shipped_answers().find_record(STEPS, self.key, TranslationWithSteps)

    def ask(self, model: Translator, progress: ProgressReporter) -> TranslationWithSteps:
        from nmt.inspection.steps import translate_with_steps

        with progress.stage("translate", 0) as show:
            return translate_with_steps(
                model,
                self.sentence,
                self._settings,
                lambda done, limit: show(Progress(done, limit, unit="words-at-most")),
            )

    @property
    def _settings(self) -> SearchSettings:
        return self.checkpoint.config.search.changed(beam=self.beam, n_best=1, replace_unk=False)


def show_steps_scene(checkpoints: Checkpoints, number: int) -> None:
    """Show in the presentation the drawing of the opening sentence, at stage ``number`` of a word, from 1."""
    runs = {name: checkpoints.usable[name] for name in checkpoints.first_choice()}
    _draw_steps(HowView(sentence=FIRST_SENTENCE, runs=runs, beam=_BEAM), number, large=True)


def show_steps(view: HowView) -> None:
    """Show the live drawing of every step of each checkpoint, with or without attention."""
    if unknown := _draw_steps(view):
        st.text(LEARN.unknown_to_models.format(words=", ".join(dict.fromkeys(unknown))))
    said = LEARN.after_figure_1.format(names=listed([escaped(name) for name in view.runs]))
    more = explained("encoder", "annotation", "decoder", "state", "attention", "context")
    if any(map(in_pieces, view.runs.values())):
        said += LEARN.pieces if view.pieces else LEARN.in_words
        more = more if view.pieces else f"{LEARN.in_words_help}\n\n{more}"
    st.caption(said, help=more)
    if any(run.has_alignment for run in view.runs.values()):
        st.expander(LEARN.in_a_transformer).markdown(LEARN.query_key_value)


def _draw_steps(view: HowView, stage: int = len(STAGES), *, large: bool = False) -> list[str]:
    """Draw every step. The drawing opens at stage ``stage``, from 1, of the word whose weights are spread most evenly.
    Returns the source words that one of the models does not know, or [] after an error."""
    place = st.empty()
    drawings: list[StepDrawing] = []
    unknown: list[str] = []
    for name, run in view.runs.items():
        if run.config.model.state_order == "equation":
            st.info(LEARN.predicts_from_new_state.format(name=escaped(name)))
            continue
        translated = answer_to(StepsTask(checkpoint=run, sentence=view.sentence, beam=view.beam), place)
        if translated is None:
            return []
        kind = ARCHITECTURES[run.config.model.architecture]
        steps = translated.steps
        if not view.pieces:
            steps = in_words(steps, translated.source, translated.target)
        drawings.append(drawing(name, kind, steps, stage))
        unknown += translated.source.unknown
    if drawings:
        data = step_view_data(drawings, large=large) | {"texts": view_texts("step_view")}
        component("step_view")(key="steps", data=data)  # Paper: Figure 1
    return unknown


WORD = "word"
"""The parameter of the address with the number of a word of the translation."""


@dataclass(frozen=True, kw_only=True)
class LeftOutTask(ModelTask[LeftOut]):
    """Probabilities of the words of a translation, with the whole source and without each of its words."""

    source: Encoded
    target: Encoded

    def ask(self, model: Translator, progress: ProgressReporter) -> LeftOut:
        from nmt.inspection.maps import left_out

        return left_out(model, self.source, self.target)


def peaks(values: NDArray[np.floating]) -> list[int]:
    """By target word, the number of the source word with the largest value, the first one among equals. ``values``:
    [words_y, words_x], of which the last row and all columns after ``words_x - 1`` are of the end of the sentence."""
    columns: list[int] = values[:-1].argmax(axis=1).tolist()
    return columns


def disagreement(alpha: Alignment, answer: LeftOut) -> list[int]:
    """Numbers of the target words for which alpha and leaving out point to different source words."""
    both = zip(peaks(alpha.weights[:, :-1]), peaks(answer.falls), strict=True)
    return [i for i, (a, b) in enumerate(both) if a != b]


def telling(alpha: Alignment, answer: LeftOut) -> int:
    """Number of the target word to begin with: that whose probability falls most without a source word. Words for which
    alpha points elsewhere come first, punctuation last."""
    differing, falls = disagreement(alpha, answer), answer.falls[:-1].max(axis=1)

    def order(i: int) -> tuple[bool, bool, float]:
        return any(map(str.isalnum, alpha.target[i])), i in differing, falls[i]

    return max(range(len(falls)), key=order)


def show_explanation(view: HowView) -> None:
    """Let the reader choose a word of the translation, and compare alpha with the effects of source words."""
    attending = next(((name, run) for name, run in view.runs.items() if run.has_alignment), None)
    if attending is None:
        st.info(LEARN.no_attention, icon=":material/grid_off:")
        return
    name, run = attending
    place = st.empty()
    translated = answer_to(StepsTask(checkpoint=run, sentence=view.sentence, beam=view.beam), place)
    if translated is None:
        return
    rows = np.array([step.alpha for step in translated.steps.steps if step.alpha is not None])
    alpha = translated.source.aligned(translated.target, rows).merged()
    if len(alpha.target) < 2 or len(alpha.source) < 2:
        st.info(LEARN.nothing_written, icon=":material/short_text:")
        return
    answer = answer_to(LeftOutTask(checkpoint=run, source=translated.source, target=translated.target), place)
    if answer is None:
        return
    differing = disagreement(alpha, answer)
    options = {
        str(i): LEARN.differs.format(word=escaped(word)) if i in differing else escaped(word)
        for i, word in enumerate(alpha.target[:-1])
    }
    first = str(telling(alpha, answer))
    title = LEARN.word_of_translation
    chosen = choose_one(st.pills, title, options, key=WORD, default=first, label_visibility="collapsed", wrap=False)
    _show_word(alpha, answer, int(chosen))
    st.markdown(
        f"**{INSTRUMENT.by_key.explained['alpha']}** {LEARN.what_alpha_is_not}",
        help=explained("attention", "annotation", "leave-one-out"),
    )
    st.caption(LEARN.disagreement.format(name=escaped(name), differing=len(differing), words=len(options)))


def _show_word(alpha: Alignment, answer: LeftOut, i: int) -> None:
    from nmt.charts.curves import alpha_effect_chart

    row, lines = alpha.weights[i], []
    if row.argmax() == len(row) - 1:
        lines.append(LEARN.most_on_end.format(percent=100 * row[-1], end=END))
    for j in dict.fromkeys((peaks(alpha.weights[:, :-1])[i], peaks(answer.falls)[i])):
        before, after = answer.before[i], answer.without[i, j]
        lines.append(_without(alpha.source[j], float(row[j]), float(before), float(after)))
    falls = answer.falls[i].tolist()
    show_figure(alpha_effect_chart(list(alpha.source), row.tolist(), falls), key="alpha-effect")
    st.text(LEARN.to_write.format(word=alpha.target[i], said=" ".join(lines)))


def _without(source: str, weight: float, before: float, after: float) -> str:
    """Say how leaving a source word out changes the probability of the word that was written."""
    template = LEARN.falls if after < before else LEARN.rises
    if f"{before:.2f}" == f"{after:.2f}":
        template = LEARN.hardly_changes
    return template.format(source=source, percent=100 * weight, before=before, after=after)


FROM = "from"
"""The parameter of the address with the words that the search must begin with."""


@dataclass(frozen=True, kw_only=True)
class BeamTreeTask(ModelTask[BeamTree]):
    """The tree of a search. All its hypotheses begin with the tokens ``begin``."""

    sentence: str
    beam: int
    begin: tuple[str, ...] = ()

    def ask(self, model: Translator, progress: ProgressReporter) -> BeamTree:
        from nmt.inspection.what_if import beam_tree

        settings = self.checkpoint.config.search.changed(beam=self.beam, n_best=1, replace_unk=False)
        return beam_tree(model, self.sentence, settings, begin=self.begin)


def show_beam(view: HowView) -> None:
    """Let the reader choose a checkpoint, and show the tree of its search."""
    kinds = {name: ARCHITECTURES[run.config.model.architecture] for name, run in view.runs.items()}
    name = next(iter(view.runs))
    begin = tuple(st.query_params.get_all(FROM))
    if len(kinds) > 1:
        name = choose_view(LEARN.model, kinds, key="searched")
    run, beam = view.runs[name], view.beam
    if begin:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.text(LEARN.had_to_begin.format(words=" ".join(map(writer(begin), begin))))
            st.button(LEARN.from_the_start, icon=":material/restart_alt:", on_click=write_address, kwargs={FROM: ""})
    task = BeamTreeTask(checkpoint=run, sentence=view.sentence, beam=beam, begin=begin)
    tree = answer_to(task, st.empty())
    if tree is not None:
        other = less_probable(tree)
        said = LEARN.keeps.format(beam=beam) + happening(tree)
        said += "\n" + (LEARN.not_greedy.format(number=other) if other else LEARN.same_as_greedy)
        st.fragment(_show_tree)(run, tree, said, f"beam-{task.key[-12:]}")
        if not begin:
            _show_drawn(view, run, tree)


def happening(tree: BeamTree) -> str:
    """Say what first happens in a search: the words of the result overtake others or, if they never do, a hypothesis is
    dropped. "" without either."""
    path = [tree.nodes[k] for k in tree.path(tree.best)]
    first = {node.length: node for node in sorted(tree.nodes, key=lambda node: node.log_probability)}
    behind = [node is not first[node.length] for node in path]
    length = next((k + 1 for k in range(1, len(path)) if behind[k - 1] and not behind[k]), 0)
    if length:
        said = LEARN.overtakes.format(number=length, ahead=first[length - 1].text, behind=path[length - 2].text)
        return said + LEARN.lost * (0 < less_probable(tree) < length)
    pruned = (node for node in tree.nodes if node.fate == "pruned" and 1 < node.length <= len(path))
    dropped = next(pruned, None)
    return "" if dropped is None else LEARN.dropped.format(number=dropped.length, words=dropped.text)


def less_probable(tree: BeamTree) -> int:
    """Number of the first word of the result that is not the most probable next one. A search with beam 1 writes
    another one there. 0 if it finds the same result."""
    for k in tree.path(tree.best)[len(tree.given) :]:
        node = tree.nodes[k]
        following = tree.nodes[node.parent or 0].following
        if following and following[0].token != node.token:
            return node.length
    return 0


def _show_tree(run: RunInfo, tree: BeamTree, said: str, key: str) -> None:
    """Show the tree, and alpha of the hypothesis chosen. A click on a hypothesis runs only this fragment again.

    Args:
        said: what happens in the search.
        key: key of the element. Each tree has its own, since numbers of hypotheses differ.
    """
    data, first = beam_view_data(tree) | {"texts": view_texts("beam_view")}, {"node": None}
    show = component("beam_view")
    state = show(key=key, data=data, default=first, on_node_change=lambda: None, on_begin_change=lambda: None)
    begin = _checked(state.begin, tree)
    if begin is not None:
        write_address(**{FROM: list(tree.tokens(begin))})
        st.rerun()
    st.text(said, help=explained("beam", "nats"))
    alignment = tree.alignment(_checked(state.node, tree) or tree.best)
    if alignment is not None:
        record = record_of_map(readable_alignment(alignment), LEARN.weights_of_chosen, run.languages)
        chosen = Chosen(view=MapView(pieces=True))
        show_instrument(record, key="beam-matrix", chosen=chosen, more={"parts": "matrices", "heading": True})


def _checked(number: object, tree: BeamTree) -> int | None:
    """A hypothesis number from a browser, if the tree has this hypothesis and it is not the empty one. Else None."""
    return number if type(number) is int and 0 < number < len(tree.nodes) else None


DRAWN = "drawn"
"""The parameter of the address that opens the translations drawn at random."""


@dataclass(frozen=True, kw_only=True)
class DrawTask(ModelTask[Translation]):
    """Translations drawn word by word by ``Translator.sample``, which explains the arguments."""

    sentence: str
    number: int
    temperature: float
    seed: int

    def ask(self, model: Translator, progress: ProgressReporter) -> Translation:
        settings = self.checkpoint.config.search.changed(replace_unk=False)
        return model.sample(self.sentence, self.number, settings, temperature=self.temperature, seed=self.seed)


def _show_drawn(view: HowView, run: RunInfo, tree: BeamTree) -> None:
    """Let the reader open translations drawn at random, beside the translation of the search. Cho et al. 2014, 2.1"""
    if not ask_switch(LEARN.draw, key=DRAWN, help=LEARN.draw_help):
        return
    with st.container(horizontal=True, vertical_alignment="bottom", key="drawn-row"):
        number = ask_number(st.number_input, LEARN.how_many, 1, 20, 5, key="draws", width=150)
        names = {name: name for name in ("0.5", "1", "1.5")}
        heat = choose_one(st.segmented_control, LEARN.temperature, names, key="heat", default="1")
        seed = ask_number(st.number_input, LEARN.seed, 0, 9999, 1, key="seed", width=150, help=LEARN.seed_help)
    asked = DrawTask(checkpoint=run, sentence=view.sentence, number=number, temperature=float(heat), seed=seed)
    drawn = answer_to(asked, st.empty())
    if drawn is not None:
        texts = [(hypothesis.text, nats(hypothesis.log_probability)) for hypothesis in drawn.hypotheses]
        rows = ({LEARN.translation: text, LEARN.its_log_probability: value} for text, value in texts)
        show_rows(rows, {LEARN.translation: st.column_config.TextColumn(width="large")}, key="drawn-table")
        best = tree.nodes[tree.best].log_probability
        above = sum(hypothesis.log_probability > best for hypothesis in drawn.hypotheses)
        said = LEARN.against_search.format(nats=nats(best), above=above, number=number)
        st.caption(said, help=explained("beam", "nats"))
