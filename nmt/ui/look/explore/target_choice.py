"""Choice of the target of an alignment: the best translation, another one of the list, or one that the reader types."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import streamlit as st

from nmt.results import Translation
from nmt.runs.folder import RunInfo
from nmt.ui.address import choose_one, set_choice
from nmt.ui.compute import answer_to
from nmt.ui.formatting import escaped, nats
from nmt.ui.look.explore import strings
from nmt.ui.tasks import TranslateTask, Unknown, chosen_settings

BEST, LISTED, TYPED = "best", "list", "typed"
TargetKind = Literal["best", "list", "typed"]
KIND, TARGET = "of", "t"
"""Parameters of the address: the kind, and the typed target."""
_BEFORE = "target-before"
_MOST_CHARACTERS = 4000


@dataclass(frozen=True, kw_only=True)
class TargetChoice:
    """The target that the reader chose.

    Attributes:
    rank: which translation of the list, from 1.
    listed: length of the list; 1 where there is none to choose from.
    typed: the target that was typed, on one line; "" for the models' own translations.
    """

    rank: int = 1
    listed: int = 1
    typed: str = ""


def ask_target(
    kind: TargetKind, runs: Mapping[str, RunInfo], sentence: str, beam: int, unknown: Unknown
) -> TargetChoice | None:
    """Ask for what the kind needs; None where no target is typed yet, after saying so.

    The list is that of the first checkpoint, and a typed target begins with what that one writes.
    """
    kind_before, choice_before = st.session_state.get(_BEFORE, (BEST, TargetChoice()))
    choice = TargetChoice()
    if kind == LISTED and beam > 1:
        choice = _ask_listed(runs, sentence, beam, unknown)
    elif kind == TYPED:
        if kind_before != TYPED:
            _prefill(choice_before, next(iter(runs.values())), sentence, beam, unknown)
        typed = st.text_input(strings.TARGET, key=TARGET, bind="query-params", max_chars=_MOST_CHARACTERS)
        choice = TargetChoice(typed=" ".join((typed or "").split()))
    st.session_state[_BEFORE] = (kind, choice)
    if kind == TYPED and not choice.typed:
        st.info(strings.TARGET_WANTED, icon=":material/edit:")
        return None
    return choice


def _ask_listed(runs: Mapping[str, RunInfo], sentence: str, beam: int, unknown: Unknown) -> TargetChoice:
    name, run = next(iter(runs.items()))
    translation = _translation(run, sentence, beam, unknown, beam)
    if translation is None:
        return TargetChoice()
    options = {
        str(rank): strings.LISTED.format(
            rank=rank, nats=nats(hypothesis.log_probability), text=hypothesis.text or strings.LISTED_NOTHING
        )
        for rank, hypothesis in enumerate(translation.hypotheses, 1)
    }
    rank = choose_one(st.selectbox, strings.LIST.format(name=escaped(name)), options, key="rank")
    if len(runs) > 1:
        st.caption(strings.LIST_OF_OTHERS)
    return TargetChoice(rank=int(rank), listed=beam)


def _prefill(before: TargetChoice, run: RunInfo, sentence: str, beam: int, unknown: Unknown) -> None:
    """Begin a typed target with the translation that was shown before it was to be typed."""
    if st.session_state.get(TARGET) or st.query_params.get(TARGET):
        return
    translation = _translation(run, sentence, beam, unknown, before.listed)
    if translation is not None:
        set_typed(translation.hypotheses[min(before.rank, len(translation.hypotheses)) - 1].text)


def take_target(text: str) -> None:
    """Make every checkpoint write a target, as the callback of a button; "" = its own translation again."""
    set_choice(KIND, TYPED if text else BEST)
    if text:
        set_typed(text)


def set_typed(text: str) -> None:
    """Put a text into the field of the typed target, which need not be shown yet."""
    if TARGET not in st.session_state:  # a field that is not there yet would not write it
        st.query_params[TARGET] = text
    st.session_state[TARGET] = text


def _translation(run: RunInfo, sentence: str, beam: int, unknown: Unknown, listed: int) -> Translation | None:
    answer = answer_to(TranslateTask(run, sentence, chosen_settings(run, beam, unknown, listed)), st.empty())
    return None if answer is None else answer.result
