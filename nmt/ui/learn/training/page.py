"""The view of one sentence over a training run, from top to bottom: the film, the matrix of the step chosen, all steps
as a table."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import TYPE_CHECKING

import pandas as pd
import streamlit as st

from nmt.charts.film_view import FilmStep, film_data
from nmt.runs.folder import read_events
from nmt.ui.address import not_there
from nmt.ui.checkpoints import Checkpoints
from nmt.ui.components import alignment_view, film_view
from nmt.ui.compute import answer_to
from nmt.ui.formatting import escaped, nats
from nmt.ui.glossary import explained
from nmt.ui.learn import strings
from nmt.ui.learn.training.form import LearningView, ask_learning
from nmt.ui.learn.training.panel import panel_data
from nmt.ui.learn.training.task import LearningTask
from nmt.ui.text_notice import show_notices

if TYPE_CHECKING:
    from nmt.inspection.learning import Learning

STEP = "step"
"""The parameter of the address: the update of the step that is shown."""


def show_training(checkpoints: Checkpoints) -> None:
    """Ask, compute all steps, and let the reader move between them."""
    view = ask_learning(checkpoints)
    if view is None:
        return
    show_notices(view.sentence, {view.name: view.run})
    answer = answer_to(LearningTask(view), st.empty())
    if answer is None:
        return
    learning = answer.result
    st.fragment(_show_film)(view, learning)
    if learning.unknown_words:
        st.text(strings.UNKNOWN_TO_MODEL.format(words=", ".join(dict.fromkeys(learning.unknown_words))))
    with st.expander(strings.ALL_STEPS):
        st.caption(strings.SAME_TARGET)
        st.text(learning.target)
        st.dataframe(_table(learning), hide_index=True, key="learning-table")


def _show_film(view: LearningView, learning: Learning) -> None:
    """The film and the matrix of its step. A step that is chosen runs this again and nothing above."""
    requested = st.query_params.get(STEP, "")
    linked = next((k for k, update in enumerate(view.updates) if str(update) == requested), None)
    if requested and linked is None:
        not_there(strings.A_SNAPSHOT, requested)
        del st.query_params[STEP]
    place = f"film-{view.name}"
    film = film_view(_film(view, learning, linked, place), key=place)
    st.caption(sharpening(learning), help=explained("loss", "entropy", "attention"))
    number = film if isinstance(film, int) and 0 <= film < len(view.updates) else linked or 0
    if film is not None:
        st.query_params[STEP] = str(view.updates[number])
    alignment_view(panel_data(view, learning, number, place), key="learning-matrix")
    about = strings.ABOUT_RECIPES.get(view.run.config.recipe)
    template = strings.WHICH_TRAINING_AND_WHAT if about else strings.WHICH_TRAINING
    st.caption(template.format(name=escaped(view.name), about=about))


def _film(view: LearningView, learning: Learning, start: int | None, name: str) -> dict[str, object]:
    alignments = [learning.alignment(number, view.own).merged() for number in range(len(view.updates))]
    steps = [
        FilmStep(
            update=step.update,
            text=step.own.text,
            weights=alignment.weights,
            entropy=step.entropy,
        )
        for step, alignment in zip(learning.steps, alignments, strict=True)
    ]
    return film_data(steps, read_events(view.run.path), source=alignments[-1].source, start=start, name=name)


def sharpening(learning: Learning) -> str:
    """Say what to see in the film: between which steps alpha sharpens most."""
    steps = learning.steps
    most = math.log2(len(learning.alignment(0, own=False).merged().source))
    drops = [before.entropy - after.entropy for before, after in pairwise(steps)]
    k = max(range(len(drops)), key=drops.__getitem__)
    if drops[k] <= 0:
        return strings.NOT_SHARPER.format(bits=steps[-1].entropy, most=most)
    before, after = steps[k], steps[k + 1]
    return strings.SHARPER.format(
        before=before.update, after=after.update, from_bits=before.entropy, to_bits=after.entropy, most=most
    )


def _table(learning: Learning) -> pd.DataFrame:
    return pd.DataFrame(
        [
            {
                strings.UPDATES: step.update,
                strings.TRANSLATION: step.own.text,
                strings.ITS_LOG_PROBABILITY: nats(step.own.log_probability),
                strings.SAME_LOG_PROBABILITY: nats(step.given.log_probability),
                strings.MEAN_ENTROPY: strings.BITS.format(bits=step.entropy),
            }
            for step in learning.steps
        ]
    )
