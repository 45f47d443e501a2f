"""One card per checkpoint, side by side: what it made of the sentence, and how."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from nmt.data.line_words import word_counter
from nmt.results import UNKNOWN, Hypothesis, Translation
from nmt.runs.folder import RunInfo
from nmt.tasks.jobs import JobState
from nmt.tasks.service import Answer
from nmt.ui.checkpoint_heading import NARROWEST, show_head
from nmt.ui.compute import compute
from nmt.ui.formatting import nats, words_written
from nmt.ui.inputs import name_strange_writing
from nmt.ui.links import link_to
from nmt.ui.look.explore.form import OPTIONS_AT_FIRST, PIECES
from nmt.ui.look.sentence.attention import show_attention
from nmt.ui.look.sentence.form import View
from nmt.ui.models.about import show_about
from nmt.ui.progress import show_progress
from nmt.ui.resources import compute_service
from nmt.ui.search_choice import chosen_settings
from nmt.ui.tasks import TranslateTask

_STYLE = """<style>
[class*="st-key-translation-"] [data-testid="stText"] { font-size: 1.3rem; line-height: 1.45; }
</style>"""


@dataclass(frozen=True, kw_only=True)
class _Card:
    """A card on the page: the checkpoint, what is asked of it, and the places for progress and result."""

    name: str
    run: RunInfo
    task: TranslateTask
    progress: DeltaGenerator
    result: DeltaGenerator


def show_cards(view: View) -> None:
    """Show all cards with what is known already, then translate what is missing, one after another."""
    st.html(_STYLE)
    grid = st.grid(min(3, len(view.runs)), min_column_width=NARROWEST, gap="medium")
    cards = []
    for name, run in view.runs.items():
        with grid.cell(), st.container(border=True, key=f"card-{name}"):
            cards.append(_open_card(view, name, run))
    waiting = []
    for card in cards:
        answer = compute_service().find(card.task)
        if answer is None:
            waiting.append(card)
            show_progress(JobState(), card.progress)
        else:
            _show_answer(view, card, answer)
    for card in waiting:
        answer = compute(card.task, card.progress)
        if answer is not None:
            _show_answer(view, card, answer)


def _open_card(view: View, name: str, run: RunInfo) -> _Card:
    show_head(name, run)
    task = TranslateTask(run, view.sentence, chosen_settings(run, view.beam, view.unknown, view.n_best))
    return _Card(name=name, run=run, task=task, progress=st.empty(), result=st.container())


def _show_answer(view: View, card: _Card, answer: Answer[Translation]) -> None:
    with card.result:
        best = answer.result.best
        with st.container(key=f"translation-{card.name}"):
            st.text(best.text or "(nothing: the model ended the sentence at once)")
        _show_numbers(card.run, best, answer)
        _show_notes(card.run, view, answer)
        if len(answer.result.hypotheses) > 1:
            _show_n_best(card.run, answer)
        show_attention(card.run, best, view.pieces, key=card.name)
        asked = _explored(view, card.name)
        link_to("pages/look.py", "Explore this alignment", asked, icon=":material/grid_on:")
        show_about(card.run, key=card.name)


def _explored(view: View, name: str) -> dict[str, str | list[str]]:
    """What the page Explore has to be asked for to show the same translation."""
    asked: dict[str, str | list[str]] = {"s": view.sentence, "models": name, "beam": str(view.beam)}
    asked["unk"] = view.unknown
    if view.pieces:
        asked["with"] = [*OPTIONS_AT_FIRST, PIECES]
    return asked


def _show_numbers(run: RunInfo, best: Hypothesis, answer: Answer[Translation]) -> None:
    words = words_written(best.tokens, run.target_vocabulary.kind)
    with st.container(horizontal=True):
        st.metric(
            "Log-probability",
            nats(best.log_probability),
            width="content",
            help="Natural logarithm of the probability of this translation under the model, end mark included.",
        )
        st.metric(
            "Per word",
            nats(best.log_probability / max(1, words)),
            width="content",
            help=f"The same, divided by the {words} words written, end mark included.",
        )
        st.metric(
            "Time",
            "from disk" if answer.seconds is None else f"{answer.seconds:.2f} s",
            width="content",
            help="Seconds of search on this machine, when this translation was first asked for; or read from disk, "
            "where it was saved before the app was started, or as part of a text or test set.",
        )


def _show_notes(run: RunInfo, view: View, answer: Answer[Translation]) -> None:
    unknown = answer.result.unknown_words
    if unknown:
        st.text(f"Unknown to this model, read as [UNK]: {', '.join(dict.fromkeys(unknown))}")
    written = sum(UNKNOWN in token for token in answer.result.best.tokens)
    if written and view.unknown == "Replace":
        st.caption(_replaced(run, written))
    name_strange_writing(view.sentence, run)
    longest = run.config.training.max_length
    words = word_counter(run.source_language)(view.sentence)
    if longest is not None and words > longest:
        st.caption(f"The sentence has {words} words; this model was trained on sentences of up to {longest}.")


def _replaced(run: RunInfo, written: int) -> str:
    if not run.has_alignment:
        return "RNNencdec has no alignment, so [UNK] cannot be replaced."
    words = "one [UNK]" if written == 1 else f"{written} times [UNK]"
    return (
        f"The model wrote {words}. The text shows the dictionary's entry for the most attended source word instead, or "
        "that word itself; the matrix below shows what the model wrote."
    )


def _show_n_best(run: RunInfo, answer: Answer[Translation]) -> None:
    """A line of numbers and the whole text for each: they often differ in one word near the end."""
    hypotheses = answer.result.hypotheses
    with st.expander(f"The {len(hypotheses)} best translations", expanded=True):
        for rank, hypothesis in enumerate(hypotheses, 1):
            words = words_written(hypothesis.tokens, run.target_vocabulary.kind)
            with st.container(gap=None):
                st.caption(
                    f"{rank} · log-probability {nats(hypothesis.log_probability)}, "
                    f"{nats(hypothesis.log_probability / max(1, words))} a word"
                )
                st.text(hypothesis.text or "(nothing)")
