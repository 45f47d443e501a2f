"""What the reader wants to see explained: a sentence, a checkpoint of each kind, a beam; all of it in the address."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from nmt.data.line_words import count_words
from nmt.runs.folder import RunInfo
from nmt.ui.address import choose_one
from nmt.ui.checkpoints import ARCHITECTURES, Checkpoints
from nmt.ui.glossary import explained
from nmt.ui.inputs import any_checkpoint, ask_beam
from nmt.ui.learn.sentence_line import ask_sentence_line

PAPER_SENTENCE = "The agreement on the European Economic Area was signed in August 1992."
"""The sentence of the paper's Figure 3 (a), explained until the reader types another one."""
_MOST_WORDS = 60
_TITLES = {"rnnsearch": "With attention (RNNsearch)", "rnnencdec": "Without attention (RNNencdec)"}


@dataclass(frozen=True, kw_only=True)
class HowView:
    """Everything that the page shows depends on this.

    Attributes:
        sentence: on one line, never blank.
        runs: one of each architecture that is there, by name; RNNsearch first.
        beam: hypotheses that the search keeps at each step.
    """

    sentence: str
    runs: dict[str, RunInfo]
    beam: int


def ask_how(found: Checkpoints) -> HowView | None:
    """Show the form in one line; None after saying why there is nothing to show."""
    if not any_checkpoint(found):
        return None
    sentence, settings = ask_sentence_line(PAPER_SENTENCE)
    with settings:
        runs = _ask_runs(found)
        beam = ask_beam()
    words = count_words(sentence)
    if words > _MOST_WORDS:
        st.warning(
            f"This sentence has {words} words; a drawing of more than {_MOST_WORDS} cannot be read. The place Look "
            "translates longer ones.",
            icon=":material/short_text:",
        )
        return None
    return HowView(sentence=sentence, runs=runs, beam=beam)


def _ask_runs(found: Checkpoints) -> dict[str, RunInfo]:
    """A checkpoint of each architecture that is there."""
    chosen = {}
    for architecture in ARCHITECTURES:
        names = [name for name, run in found.usable.items() if run.config.model.architecture == architecture]
        if not names:
            continue
        name = choose_one(
            st.selectbox,
            _TITLES[architecture],
            {name: name for name in names},
            key=architecture,
            what="checkpoint",
            help=explained("checkpoint", "attention"),
        )
        chosen[name] = found.usable[name]
    return chosen
