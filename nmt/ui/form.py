"""The form of the page "Translate". Its state lives in the address, so that a link reproduces the view."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from nmt.run_folder import RunInfo
from nmt.ui.checkpoints import Checkpoints
from nmt.ui.examples import EXAMPLES
from nmt.ui.requests import Unknown
from nmt.ui.text import as_sentence, escaped, language

MOST_WORDS, MOST_CHARACTERS = 200, 4000
SENTENCE = "s"
_UNKNOWN: tuple[Unknown, ...] = ("Keep", "Forbid", "Replace")


@dataclass(frozen=True)
class View:
    """Everything that the page shows depends on this.

    Attributes:
        sentence: on one line, never blank, at most ``MOST_WORDS`` words.
        runs: name and checkpoint of each card, in the order chosen; at least one.
        beam: hypotheses kept at each step.
        n_best: hypotheses listed, at most ``beam``.
        unknown: "Keep", "Forbid" or "Replace": what happens to [UNK].
        pieces: whether the matrix shows pieces of words where the model uses them.
    """

    sentence: str
    runs: dict[str, RunInfo]
    beam: int
    n_best: int
    unknown: Unknown
    pieces: bool


def show_form(found: Checkpoints) -> View | None:
    """Show the form; None where there is nothing to translate (yet), after saying why."""
    if not found.usable:
        st.info(
            "There is no checkpoint yet. Put a run folder into checkpoints/, or train one with "
            "`python -m nmt train`; it appears here as soon as its first weights are saved.",
            icon=":material/folder_open:",
        )
        _name_broken(found)
        return None
    typed = _sentence(found)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        runs = _checkpoints(found)
        beam = st.slider(
            "Beam",
            1,
            20,
            12,
            key="beam",
            bind="query-params",
            width=180,
            help="How many unfinished translations the search keeps at each word. 1 is greedy search.",
        )
        n_best = st.slider(
            "Translations listed",
            1,
            10,
            1,
            key="nbest",
            bind="query-params",
            width=180,
            help="How many of the best translations each card lists; never more than the beam holds.",
        )
        unknown = st.segmented_control(
            "[UNK]",
            _UNKNOWN,
            default=_UNKNOWN[0],
            required=True,
            key="unk",
            bind="query-params",
            width="content",
            help="[UNK] stands for any word outside the vocabulary. Keep it as the model writes it; forbid the model "
            "to write it; or replace it in the text by the translation of the source word that alpha points to, from "
            "the checkpoint's dictionary, or else by that word itself.",
        )
        pieces = any(_has_pieces(run) for run in runs.values()) and st.toggle(
            "Pieces of words",
            key="pieces",
            bind="query-params",
            help="Show the matrix over the pieces that the model reads and writes. Otherwise they are merged "
            "into words: summed over the pieces of a source word, averaged over those of a target word.",
        )
    _name_broken(found)
    text = _ready(typed)
    if text is None:
        return None
    if not runs:
        st.info("Choose at least one checkpoint.", icon=":material/checklist:")
        return None
    # A hand-made address or client may hold anything.
    beam = min(20, max(1, beam))
    return View(text, runs, beam, min(10, beam, max(1, n_best)), unknown, pieces)


def _name_broken(found: Checkpoints) -> None:
    for run in found.broken:
        st.caption(":material/warning: " + as_sentence(f"{run.name} cannot be used: {run.problem}"))


def _sentence(found: Checkpoints) -> str:
    languages = {run.source_language for run in found.usable.values()}
    label = f"Sentence in {language(languages.pop())}" if len(languages) == 1 else "Sentence"
    typed = st.text_area(label, key=SENTENCE, bind="query-params", height=90, placeholder="Type one sentence …")
    with st.container(horizontal=True):
        st.button("Translate", type="primary", shortcut="Ctrl+Enter")
        st.menu_button("Examples", EXAMPLES, key="examples", on_click=_take_example)
    return typed or ""


def _take_example() -> None:
    st.session_state[SENTENCE] = st.session_state["examples"]


def _take_sentence(sentence: str) -> None:
    st.session_state[SENTENCE] = sentence


def _checkpoints(found: Checkpoints) -> dict[str, RunInfo]:
    chosen = st.pills(
        "Checkpoints to compare",
        list(found.usable),
        selection_mode="multi",
        default=found.first_choice(),
        key="models",
        bind="query-params",
        wrap=True,
    )
    return {name: found.usable[name] for name in chosen if name in found.usable}


def _has_pieces(run: RunInfo) -> bool:
    return run.has_alignment and {run.source_vocabulary.kind, run.target_vocabulary.kind} != {"words"}


def _ready(typed: str) -> str | None:
    """The sentence on one line; None after saying what is missing or too much."""
    sentence = " ".join(typed.split())
    if not sentence:
        _invite()
        return None
    words = len(sentence.split())
    if words > MOST_WORDS or len(sentence) > MOST_CHARACTERS:
        st.warning(
            f"This text has {words:,} words and {len(sentence):,} characters; the page translates one sentence "
            f"of up to {MOST_WORDS} words and {MOST_CHARACTERS:,} characters. For longer texts there is "
            "`python -m nmt translate`, one sentence a line.",
            icon=":material/short_text:",
        )
        return None
    if "\n" in typed.strip():
        st.caption("Line breaks are read as spaces: all of it is translated as one sentence.")
    return sentence


def _invite() -> None:
    with st.container(border=True, gap="xsmall"):
        st.markdown("Type a sentence above and press **Ctrl+Enter**, or start from one of these:")
        for k, sentence in enumerate(EXAMPLES[:4]):
            st.button(
                escaped(sentence),
                key=f"example-{k}",
                type="tertiary",
                icon=":material/arrow_forward:",
                on_click=_take_sentence,
                args=(sentence,),
                wrap=True,
            )
