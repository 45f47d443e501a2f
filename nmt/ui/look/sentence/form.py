"""The form of the page "Translate". Its state lives in the address, so that a link reproduces the view."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from nmt.runs.folder import RunInfo
from nmt.ui.checkpoints import Checkpoints
from nmt.ui.examples import EXAMPLES
from nmt.ui.inputs import (
    any_checkpoint,
    ask_beam,
    ask_checkpoints,
    ask_sentence,
    ask_unknown,
    has_pieces,
    name_broken,
    ready,
    some_chosen,
)
from nmt.ui.look.input_mode import offer_whole_text
from nmt.ui.search_choice import Unknown

_EXAMPLES = {sentence: sentence for sentence in EXAMPLES}


@dataclass(frozen=True, kw_only=True)
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
    if not any_checkpoint(found):
        return None
    typed, row = ask_sentence(found, _EXAMPLES)
    with row:
        offer_whole_text(typed, next(iter(found.usable.values())).source_language)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        runs = ask_checkpoints(found)
        beam = ask_beam()
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
        unknown = ask_unknown()
        pieces = any(has_pieces(run) for run in runs.values()) and st.toggle(
            "Pieces of words",
            key="pieces",
            bind="query-params",
            help="Show the matrix over the pieces that the model reads and writes. Otherwise they are merged "
            "into words: summed over the pieces of a source word, averaged over those of a target word.",
        )
    name_broken(found)
    text = ready(typed, _EXAMPLES)
    if text is None or not some_chosen(runs):
        return None
    return View(
        sentence=text,
        runs=runs,
        beam=beam,
        n_best=min(10, beam, max(1, n_best)),
        unknown=unknown,
        pieces=pieces,
    )
