"""The page Learning from top to bottom."""

from __future__ import annotations

import math
import time
from typing import TYPE_CHECKING

import pandas as pd
import streamlit as st

from nmt.ui.alignment_component import alignment_view
from nmt.ui.checkpoints import Checkpoints
from nmt.ui.compute import answer_to
from nmt.ui.formatting import nats
from nmt.ui.learn.training.form import LearningView, ask_learning
from nmt.ui.learn.training.panel import panel_data
from nmt.ui.learn.training.task import LearningTask

if TYPE_CHECKING:
    from nmt.inspection.learning import Learning

_STEP, _PLAYING, _NEXT, _CHANGED = "step", "learning-playing", "learning-next", "learning-changed"
_PAUSE = 1.0
"""Seconds that a step stands while it plays."""
_STYLE = """<style>
.st-key-learning-text [data-testid="stText"] { font-size: 1.3rem; line-height: 1.45; min-height: 3.6rem; }
</style>"""


def show_training(checkpoints: Checkpoints) -> None:
    """Ask, compute all steps, and let the reader move between them."""
    view = ask_learning(checkpoints)
    if view is None:
        return
    answer = answer_to(LearningTask(view), st.empty())
    if answer is None:
        return
    if answer.result.unknown_words:
        st.text(f"Unknown to this model, read as [UNK]: {', '.join(dict.fromkeys(answer.result.unknown_words))}")
    st.html(_STYLE)
    playing = bool(st.session_state.get(_PLAYING))
    st.fragment(_show_step, run_every=_PAUSE if playing else None)(view, answer.result)
    if answer.seconds is not None:
        st.caption(f"All {len(view.updates)} steps took {answer.seconds:.2f} s on this machine, when first asked for.")


def _show_step(view: LearningView, learning: Learning) -> None:
    """The slider, and what the chosen step says. Moving it runs this again and nothing above."""
    updates = list(view.updates)
    if st.session_state.get(_STEP, updates[0]) not in updates:  # those of another training
        del st.session_state[_STEP]
    if st.session_state.get(_PLAYING) and time.monotonic() >= st.session_state.get(_NEXT, 0.0):
        _move(updates, 1)
        st.session_state[_NEXT] = time.monotonic() + _PAUSE / 2
        if st.session_state[_STEP] == updates[-1]:
            st.session_state[_PLAYING] = False
            st.rerun()
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        update = st.select_slider(
            "Updates made",
            updates,
            updates[-1],  # what was learned; the steps before it are nothing or little
            key=_STEP,
            bind="query-params",
            width="stretch",
        )
        st.button("Earlier", shortcut="A", on_click=_move, args=(updates, -1), disabled=update == updates[0])
        st.button("Later", shortcut="D", on_click=_move, args=(updates, 1), disabled=update == updates[-1])
        st.button(
            "Stop" if st.session_state.get(_PLAYING) else "Play",
            key="learning-play",
            shortcut="P",
            icon=":material/stop:" if st.session_state.get(_PLAYING) else ":material/play_arrow:",
            on_click=_play,
            args=(updates,),
        )
    if st.session_state.pop(_CHANGED, False):
        st.rerun()
    number = updates.index(update)
    step = learning.steps[number]
    with st.container(key="learning-text"):
        st.text(step.own.text or "(nothing: the model ended the sentence at once)")
    alignment_view(panel_data(view, learning, number), key="learning-matrix")
    _show_curves(view, learning, number)
    with st.expander("All steps as a table"):
        st.dataframe(_table(learning), hide_index=True, key="learning-table")


def _move(updates: list[int], by: int) -> None:
    now = st.session_state.get(_STEP)
    number = updates.index(now) if now in updates else len(updates) - 1
    st.session_state[_STEP] = updates[min(len(updates) - 1, max(0, number + by))]


def _play(updates: list[int]) -> None:
    """Begin, from the first step if the last one is shown, or stop."""
    st.session_state[_PLAYING] = not st.session_state.get(_PLAYING)
    st.session_state[_CHANGED] = True
    if st.session_state[_PLAYING]:
        st.session_state[_NEXT] = time.monotonic() + _PAUSE / 2
        if st.session_state.get(_STEP, updates[-1]) == updates[-1]:
            st.session_state[_STEP] = updates[0]


def _show_curves(view: LearningView, learning: Learning, number: int) -> None:
    """How sharp alpha is and how probable the target, the same target for all steps."""
    from nmt.charts.step_chart import step_chart  # Plotly takes a while to import

    st.markdown(f"**Every step on the same target**, {'as typed' if view.target else 'what the last step writes'}:")
    st.text(learning.target)
    left, right = st.columns(2)
    entropies = [step.entropy for step in learning.steps]
    per_token = [step.given.log_probability / len(step.given.tokens) for step in learning.steps]
    with left:
        figure = step_chart(view.updates, entropies, number, "mean entropy of alpha (bits)")
        st.plotly_chart(figure, key="learning-entropy", config={"displayModeBar": False})
    with right:
        figure = step_chart(view.updates, per_token, number, "log-probability a token (nats)")
        st.plotly_chart(figure, key="learning-log-p", config={"displayModeBar": False})
    st.caption(
        "Entropy: 0 bits if every target word looks at one source word alone, "
        f"{_most_bits(learning):.1f} if all source words get the same."
    )


def _most_bits(learning: Learning) -> float:
    return math.log2(len(learning.alignment(0, own=False).merged().source))


def _table(learning: Learning) -> pd.DataFrame:
    return pd.DataFrame(
        [
            {
                "Updates": step.update,
                "Translation": step.own.text,
                "Its log-probability": nats(step.own.log_probability),
                "Log-probability of the same target": nats(step.given.log_probability),
                "Mean entropy of alpha": f"{step.entropy:.2f} bits",
            }
            for step in learning.steps
        ]
    )
