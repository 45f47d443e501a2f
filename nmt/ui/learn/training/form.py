"""What the page Learning is asked to show. All of it lives in the address."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import streamlit as st

from nmt.errors import InputError
from nmt.runs.folder import RunInfo
from nmt.runs.snapshots import list_snapshots
from nmt.ui.checkpoints import Checkpoints
from nmt.ui.examples import EXAMPLES
from nmt.ui.formatting import as_sentence
from nmt.ui.inputs import MOST_CHARACTERS, any_checkpoint, ask_beam, ask_sentence, ready

LearningTarget = Literal["What each step writes", "What the last step writes", "Typed target"]

_OF: tuple[LearningTarget, ...] = ("What each step writes", "What the last step writes", "Typed target")
_EXAMPLES = {sentence: sentence for sentence in EXAMPLES}


@dataclass(frozen=True, kw_only=True)
class LearningView:
    """Everything that the page shows depends on this, and on the step chosen.

    Attributes:
        sentence: on one line, never blank.
        name, run: a run that kept steps.
        updates: these, in order.
        stamp: when the latest of them was written, nanoseconds.
        beam: hypotheses kept at each step of a search.
        own: whether alpha is shown over what each step writes; else over one target for all.
        target: that target; "" = what the last step writes.
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


def ask_learning(found: Checkpoints) -> LearningView | None:
    """Show the form; None where there is nothing to show (yet), after saying why."""
    if not any_checkpoint(found):
        return None
    kept = _with_steps(found)
    if not kept:
        st.info(
            "No checkpoint here saved intermediate weights. `python -m nmt train scrubber_128 --data PREPARED --run "
            "NAME` trains one that does; `--keep` chooses the updates.",
            icon=":material/school:",
        )
        return None
    typed, _ = ask_sentence(found, _EXAMPLES)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        name = st.selectbox("Training", list(kept), key="run", bind="query-params", width=240)
        of = st.segmented_control(
            "Alpha over",
            _OF,
            default=_OF[0],
            required=True,
            key="of",
            bind="query-params",
            width="content",
            help="Over what each step writes itself, or over one target that all steps are made to write: then only "
            "alpha changes, and steps can be compared.",
        )
        beam = ask_beam()
    target = ""
    if of == "Typed target":
        given = st.text_input("Target", key="t", bind="query-params", max_chars=MOST_CHARACTERS)
        target = " ".join((given or "").split())
    sentence = ready(typed, _EXAMPLES)
    if sentence is None:
        return None
    if of == "Typed target" and not target:
        st.info("Type the target sentence that all steps are to align.", icon=":material/edit:")
        return None
    chosen = kept[name]
    return LearningView(
        sentence=sentence,
        name=name,
        run=chosen.run,
        updates=chosen.updates,
        stamp=chosen.stamp,
        beam=beam,
        own=of == _OF[0],
        target=target,
    )


def _with_steps(found: Checkpoints) -> dict[str, _Kept]:
    """The runs with alpha that kept steps; a broken step is named."""
    kept = {}
    for name, run in found.usable.items():
        try:
            steps = list_snapshots(run.path) if run.has_alignment else []
        except InputError as error:
            st.warning(as_sentence(str(error)), icon=":material/warning:")
            continue
        if len(steps) > 1:
            stamp = max(step.path.stat().st_mtime_ns for step in steps)
            kept[name] = _Kept(run, tuple(step.update for step in steps), stamp)
    return kept
