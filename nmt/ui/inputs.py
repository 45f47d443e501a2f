"""Questions that several pages ask a reader: a sentence, checkpoints, a beam. The answers live in the address, so that
a link reproduces the view, and pages that ask for the same thing share them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import islice

import streamlit as st

from nmt.data.line_words import count_words
from nmt.runs.folder import RunInfo
from nmt.ui import strings
from nmt.ui.address import choose_one, drop_number_outside
from nmt.ui.checkpoints import Checkpoints
from nmt.ui.formatting import as_sentence, escaped
from nmt.ui.glossary import explained
from nmt.ui.tasks import Unknown

MOST_WORDS, MOST_CHARACTERS = 200, 4000
SENTENCE = "s"
_INVITED = 4
"""Examples that an empty page offers."""
_UNKNOWN: tuple[Unknown, ...] = ("Keep", "Forbid", "Replace")


def any_checkpoint(checkpoints: Checkpoints) -> bool:
    """Return whether there is a checkpoint to use; if not, show how to get one."""
    if checkpoints.usable:
        return True
    st.info(strings.NO_CHECKPOINT, icon=":material/folder_open:")
    name_broken(checkpoints)
    return False


def some_chosen(runs: dict[str, RunInfo]) -> bool:
    """Return whether any checkpoint was chosen; if not, ask for one."""
    if not runs:
        st.info(strings.CHOOSE_CHECKPOINT, icon=":material/checklist:")
    return bool(runs)


def ask_beam() -> int:
    """Ask for the beam; the result is from 1 to 20 whatever the address or the client contains."""
    drop_number_outside("beam", strings.BEAM, 1, 20)
    beam = st.slider(
        strings.BEAM,
        1,
        20,
        12,
        key="beam",
        bind="query-params",
        width=180,
        help=explained("beam"),
    )
    return min(20, max(1, beam))


def ask_unknown() -> Unknown:
    """Ask for the treatment of [UNK]."""
    chosen = choose_one(
        st.segmented_control,
        strings.UNKNOWN,
        strings.UNKNOWN_CHOICES,
        key="unk",
        width="content",
        help=strings.UNKNOWN_HELP,
    )
    return next(name for name in _UNKNOWN if name.lower() == chosen)


def name_broken(checkpoints: Checkpoints) -> None:
    """Say which checkpoints cannot be used, and why."""
    for run in checkpoints.broken:
        st.caption(":material/warning: " + as_sentence(strings.BROKEN.format(name=run.name, problem=run.problem)))


def _take_sentence(sentence: str) -> None:
    st.session_state[SENTENCE] = sentence


def on_one_line(text: str) -> str:
    """A sentence as it was typed, with single spaces.

    >>> on_one_line(" a\\n b ")
    'a b'
    """
    return " ".join(text.split())


def ready(typed: str, examples: Mapping[str, str], take: Callable[[str], None] | None = None) -> str | None:
    """The sentence on one line; None after saying what is missing or too much, with some examples to start from.

    Args:
        take: called with the title of an example that is clicked; None = its sentence is taken.
    """
    sentence = on_one_line(typed)
    if not sentence:
        _invite(examples, take)
        return None
    words = count_words(sentence)
    if words > MOST_WORDS or len(sentence) > MOST_CHARACTERS:
        st.warning(
            strings.TOO_LONG.format(
                words=f"{words:,}",
                characters=f"{len(sentence):,}",
                most_words=MOST_WORDS,
                most_characters=f"{MOST_CHARACTERS:,}",
            ),
            icon=":material/short_text:",
        )
        return None
    if "\n" in typed.strip():
        st.caption(strings.ONE_SENTENCE)
    return sentence


def _invite(examples: Mapping[str, str], take: Callable[[str], None] | None) -> None:
    with st.container(border=True, gap="xsmall"):
        st.markdown(strings.INVITATION)
        for k, (name, sentence) in enumerate(islice(examples.items(), _INVITED)):
            st.button(
                escaped(name),
                key=f"example-{k}",
                type="tertiary",
                icon=":material/arrow_forward:",
                on_click=take or _take_sentence,
                args=(name if take else sentence,),
                wrap=True,
            )
