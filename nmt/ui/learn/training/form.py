"""Settings of the view of a training. All of them live in the address."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from nmt.data.line_words import count_words
from nmt.errors import InputError
from nmt.runs.folder import RunInfo, list_snapshots
from nmt.ui.address import choose_one
from nmt.ui.checkpoints import Checkpoints
from nmt.ui.examples import EXAMPLES
from nmt.ui.formatting import as_sentence
from nmt.ui.glossary import explained
from nmt.ui.inputs import MOST_CHARACTERS, any_checkpoint, ask_beam
from nmt.ui.learn import former_values, strings
from nmt.ui.learn.sentence_line import ask_sentence_line

FIRST_SENTENCE = EXAMPLES[1]
_MOST_WORDS = 60


@dataclass(frozen=True, kw_only=True)
class LearningView:
    """Everything that the page shows depends on this, and on the step chosen.

    Attributes:
        sentence: on one line, never blank.
        name, run: a run that kept steps.
        updates: the updates after which it kept weights, in order.
        stamp: when the latest of them was written, nanoseconds.
        beam: hypotheses kept at each step of a search.
        own: whether alpha is shown over each step's own translation; otherwise over a target common to all steps.
        target: that common target; "" = the translation of the last step.
    """

    sentence: str
    name: str
    run: RunInfo
    updates: tuple[int, ...]
    stamp: int
    beam: int
    own: bool
    target: str


@dataclass(frozen=True)
class _Kept:
    run: RunInfo
    updates: tuple[int, ...]
    stamp: int


def ask_learning(checkpoints: Checkpoints) -> LearningView | None:
    """Show the form in one line; None where there is nothing to show, after saying why."""
    if not any_checkpoint(checkpoints):
        return None
    kept = _with_steps(checkpoints)
    if not kept:
        st.info(strings.NO_STEPS, icon=":material/school:")
        return None
    sentence, settings = ask_sentence_line(FIRST_SENTENCE)
    with settings:
        name = choose_one(
            st.selectbox,
            strings.TRAINING,
            {name: name for name in kept},
            key="run",
            what=strings.A_TRAINING,
            help=explained("checkpoint"),
        )
        follow = choose_one(
            st.selectbox,
            strings.FOLLOW,
            strings.FOLLOW_CHOICES,
            key="of",
            former=former_values.FOLLOW,
            help=strings.FOLLOW_HELP,
        )
        target = ""
        if follow == "mine":
            typed = st.text_input(
                strings.TARGET,
                key="t",
                bind="query-params",
                max_chars=MOST_CHARACTERS,
                placeholder=strings.TARGET_PLACEHOLDER,
            )
            target = " ".join((typed or "").split())
        beam = ask_beam()
    words = max(count_words(sentence), count_words(target))
    if words > _MOST_WORDS:
        st.warning(
            strings.TOO_LONG_FOR_FILM.format(words=words, most=_MOST_WORDS),
            icon=":material/short_text:",
        )
        return None
    chosen = kept[name]
    return LearningView(
        sentence=sentence,
        name=name,
        run=chosen.run,
        updates=chosen.updates,
        stamp=chosen.stamp,
        beam=beam,
        own=follow == "own",
        target=target,
    )


def _with_steps(checkpoints: Checkpoints) -> dict[str, _Kept]:
    """The runs with alpha that kept steps; the reader is told of broken ones."""
    kept = {}
    for name, run in checkpoints.usable.items():
        try:
            steps = list_snapshots(run.path) if run.has_alignment else []
        except InputError as error:
            st.warning(as_sentence(str(error)), icon=":material/warning:")
            continue
        if len(steps) > 1:
            stamp = max(step.path.stat().st_mtime_ns for step in steps)
            kept[name] = _Kept(run, tuple(step.update for step in steps), stamp)
    return kept
