"""A sentence of the reader's own, longer and longer: one slider."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import streamlit as st

from nmt.alignments.summary import summary
from nmt.charts.alignment_view import Panel, view_data
from nmt.data.line_words import UNSPACED, word_counter
from nmt.results import Hypothesis
from nmt.runs.folder import RunInfo
from nmt.ui.alignment_component import alignment_view
from nmt.ui.checkpoint_heading import NARROWEST, show_head
from nmt.ui.compute import answer_to
from nmt.ui.formatting import language, nats, words_written
from nmt.ui.inputs import MOST_CHARACTERS, MOST_WORDS
from nmt.ui.length.stress.form import StressView
from nmt.ui.links import link_to
from nmt.ui.panels import alignment_panel
from nmt.ui.tasks import TranslateTask

_OWN = "own"
_MOST = 8
_EXAMPLE = (
    "She has never seen the sea.\n"
    "Two men are sitting on a bench.\n"
    "He lost the key of his house.\n"
    "The children play in the garden.\n"
    "We will wait for you at the station.\n"
    "It rained all night.\n"
    "My brother works in a bank.\n"
    "They drink coffee every morning."
)


@dataclass(frozen=True, eq=False)
class _Own:
    """What a checkpoint made of the sentence."""

    name: str
    run: RunInfo
    best: Hypothesis


def show_own(view: StressView) -> None:
    """Ask for sentences and how many of them are joined; show what every checkpoint makes of that."""
    st.subheader("Your own sentence", anchor=False)
    typed = st.text_area(
        f"Sentences in {language(view.languages[0])}",
        key=_OWN,
        bind="query-params",
        height=120,
        max_chars=MOST_CHARACTERS,
        placeholder="One sentence, which is then repeated; or up to 8, one a line, which are concatenated …",
    )
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        st.button("Example", key="own-example", on_click=_take_example)
        k = st.slider("Sentences concatenated", 1, _MOST, 1, key="k", bind="query-params", width=420)
    lines = [" ".join(line.split()) for line in (typed or "").splitlines() if line.strip()]
    if not lines:
        st.info("Type a sentence, or up to eight, and move the slider.", icon=":material/edit:")
        return
    if 1 < len(lines) < k:
        st.caption(f"There are {len(lines)} sentences; all of them are concatenated.")
    text = joined_text(lines, min(_MOST, max(1, k)), view.languages[0])
    words = word_counter(view.languages[0])(text)
    if words > MOST_WORDS or len(text) > MOST_CHARACTERS:
        st.warning(
            f"This has {words:,} words and {len(text):,} characters; the page translates up to {MOST_WORDS} words and "
            f"{MOST_CHARACTERS:,} characters.",
            icon=":material/short_text:",
        )
        return
    st.text(text)
    st.caption(f"{words} words")
    _show(view, text)


def joined_text(lines: Sequence[str], k: int, language: str = "") -> str:
    """One line ``k`` times, or the first ``k`` of several; without a space between them where the language has none.

    >>> joined_text(["A."], 3), joined_text(["A.", "B."], 1), joined_text(["A.", "B."], 8)
    ('A. A. A.', 'A.', 'A. B.')
    """
    space = "" if language in UNSPACED else " "
    return space.join([*lines] * k if len(lines) == 1 else lines[:k])


def _take_example() -> None:
    st.session_state[_OWN] = _EXAMPLE


def _show(view: StressView, text: str) -> None:
    grid = st.grid(min(3, len(view.runs)), min_column_width=NARROWEST, gap="medium")
    places = {}
    for name, run in view.runs.items():
        with grid.cell(), st.container(border=True, key=f"own-{name}"):
            show_head(name, run)
            places[name] = (st.empty(), st.container())
    found = []
    for name, run in view.runs.items():
        wait, place = places[name]
        answer = answer_to(TranslateTask(run, text, run.config.search.changed(beam=view.beam, n_best=1)), wait)
        if answer is not None:
            found.append(_Own(name, run, answer.result.best))
            with place:
                _show_numbers(found[-1])
    panels = [panel for own in found if (panel := _panel(own)) is not None]
    if panels:
        alignment_view(view_data(panels), key="own-view")
        asked: dict[str, str | list[str]] = {"s": text, "models": list(view.runs), "beam": str(view.beam)}
        link_to("pages/look.py", "Explore these alignments", asked, icon=":material/grid_on:")


def _show_numbers(own: _Own) -> None:
    best = own.best
    st.text(best.text or "(nothing: the model ended the sentence at once)")
    words = words_written(best.tokens, own.run.target_vocabulary.kind)
    covered = None if best.alignment is None else summary(best.alignment)
    with st.container(horizontal=True):
        st.metric(
            "Log-probability per word",
            nats(best.log_probability / max(1, words)),
            width="content",
            help=f"Of this translation, divided by the {words} words written, end mark included.",
        )
        if covered is not None:
            st.metric(
                "Least coverage",
                f"{covered.least_coverage:.2f}",
                width="content",
                help="How many target words' worth of attention the least looked at source word got: near 0 it is "
                "probably not translated.",
            )
            st.metric("Mean coverage", f"{covered.mean_coverage:.2f}", width="content", help="Of all source words.")
    if best.alignment is None:
        st.caption("RNNencdec has no alpha, and so no coverage: all it has of the sentence is one vector.")


def _panel(own: _Own) -> Panel | None:
    if own.best.alignment is None:
        return None
    return replace(alignment_panel(own.best.alignment.merged(), own.name, own.run), text=own.best.text)
