"""Steps of a model, shown on one sentence."""

from __future__ import annotations

import streamlit as st

from nmt.charts.step_view import StepDrawing, step_view_data
from nmt.ui.checkpoints import ARCHITECTURES, Checkpoints
from nmt.ui.components import step_view
from nmt.ui.compute import answer_to
from nmt.ui.formatting import escaped, listed
from nmt.ui.glossary import explained
from nmt.ui.learn import strings
from nmt.ui.learn.how.beam import show_beam
from nmt.ui.learn.how.explanation import show_explanation
from nmt.ui.learn.how.form import HowView, ask_how
from nmt.ui.learn.how.task import StepsTask
from nmt.ui.learn.how.wording import drawing
from nmt.ui.text_notice import show_notices


def show_how(checkpoints: Checkpoints, part: str) -> None:
    """Ask for a sentence, and explain how it is translated.

    Args:
        part: "how" for the steps, "beam" for the search, "explanation" for what alpha is not.
    """
    view = ask_how(checkpoints)
    if view is None:
        return
    show_notices(view.sentence, view.runs)
    if part == "beam":
        show_beam(view)
    elif part == "explanation":
        show_explanation(view)
    else:
        _show_steps(view)


def _show_steps(view: HowView) -> None:
    """The live drawing of every step, with and without attention."""
    place = st.empty()
    drawings: list[StepDrawing] = []
    unknown: list[str] = []
    for name, run in view.runs.items():
        answer = answer_to(StepsTask(checkpoint=run, sentence=view.sentence, beam=view.beam), place)
        if answer is None:
            return
        kind = ARCHITECTURES[run.config.model.architecture]
        drawings.append(drawing(name, kind, answer.result.steps))
        unknown += answer.result.unknown_words
    step_view(step_view_data(drawings), key="steps")
    if unknown:
        st.text(strings.UNKNOWN_TO_MODELS.format(words=", ".join(dict.fromkeys(unknown))))
    after = strings.AFTER_FIGURE_1.format(names=listed([escaped(name) for name in view.runs]))
    in_pieces = any(run.target_vocabulary.kind != "words" for run in view.runs.values())
    st.caption(
        after + strings.PIECES if in_pieces else after,
        help=explained("encoder", "annotation", "decoder", "state", "attention", "context"),
    )
