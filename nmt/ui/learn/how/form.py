"""Choice of what is to be explained: a sentence, a checkpoint of each kind, a beam; all of it in the address."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from nmt.answers.sentences import SENTENCES
from nmt.data.line_words import count_words
from nmt.runs.folder import RunInfo
from nmt.ui.address import choose_one
from nmt.ui.checkpoints import ARCHITECTURES, Checkpoints
from nmt.ui.glossary import explained
from nmt.ui.inputs import any_checkpoint, ask_beam
from nmt.ui.learn import strings
from nmt.ui.learn.sentence_line import ask_sentence_line

FIRST_SENTENCE = SENTENCES[0].sentence
"""The sentence that is explained until the reader types another one; the steps of its translation are stored."""
_MOST_WORDS = 60


@dataclass(frozen=True, kw_only=True)
class HowView:
    """Everything that the page shows depends on this.

    Attributes:
        sentence: on one line, never blank.
        runs: one checkpoint of each available architecture, by name; RNNsearch first.
        beam: hypotheses that the search keeps at each step.
    """

    sentence: str
    runs: dict[str, RunInfo]
    beam: int


def ask_how(checkpoints: Checkpoints) -> HowView | None:
    """Show the form in one line; None after saying why there is nothing to show."""
    if not any_checkpoint(checkpoints):
        return None
    sentence, settings = ask_sentence_line(FIRST_SENTENCE)
    with settings:
        runs = _ask_runs(checkpoints)
        beam = ask_beam()
    words = count_words(sentence)
    if words > _MOST_WORDS:
        st.warning(
            strings.TOO_LONG_TO_DRAW.format(words=words, most=_MOST_WORDS),
            icon=":material/short_text:",
        )
        return None
    return HowView(sentence=sentence, runs=runs, beam=beam)


def _ask_runs(checkpoints: Checkpoints) -> dict[str, RunInfo]:
    """A checkpoint of each available architecture; until the reader chooses, those that the app opens with."""
    first = checkpoints.first_choice()
    chosen = {}
    for architecture in ARCHITECTURES:
        names = [name for name, run in checkpoints.usable.items() if run.config.model.architecture == architecture]
        if not names:
            continue
        name = choose_one(
            st.selectbox,
            strings.CHOOSE[architecture],
            {name: name for name in names},
            key=architecture,
            default=next(name for name in first if name in names),
            what=strings.A_CHECKPOINT,
            help=explained("checkpoint", "attention"),
        )
        chosen[name] = checkpoints.usable[name]
    return chosen
