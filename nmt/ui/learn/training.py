"""The view "How it learned": one sentence over the saved steps of a training run. From top to bottom the film, the
matrix of the step chosen, all steps as a table. All settings live in the address."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import streamlit as st

from nmt.answers.keys import task_key
from nmt.answers.request import LOADING, Progress, ProgressReporter, Task
from nmt.charts.alignment_view import Panel, view_data
from nmt.charts.film_view import FILM_SCALE, FilmStep, film_data
from nmt.runs.folder import RunInfo, list_snapshots, read_events
from nmt.ui import strings as shared
from nmt.ui.address import choose_one, not_there
from nmt.ui.checkpoints import Checkpoints
from nmt.ui.components import alignment_panel, alignment_view, component, show_rows
from nmt.ui.compute import answer_to, errors_shown
from nmt.ui.formatting import escaped, explained, nats
from nmt.ui.inputs import MOST_CHARACTERS, any_checkpoint, ask_beam, show_notices
from nmt.ui.learn import strings
from nmt.ui.learn.form import ask_sentence_line, short_enough
from nmt.ui.resources import load_snapshot

if TYPE_CHECKING:
    from nmt.inspection.learning import Learning

STEP = "step"
"""The parameter of the address: the update of the step that is shown."""
FIRST_SENTENCE = shared.EXAMPLES[1]


@dataclass(frozen=True, kw_only=True)
class Watched:
    """A run that kept steps.

    Attributes:
        updates: the updates after which it kept weights, in order.
        stamp: when the latest of them was written, nanoseconds.
    """

    name: str
    run: RunInfo
    updates: tuple[int, ...]
    stamp: int


@dataclass(frozen=True, kw_only=True)
class LearningView:
    """Everything that the page shows depends on this, and on the step chosen.

    Attributes:
        sentence: on one line, never blank.
        beam: hypotheses kept at each step of a search.
        own: whether alpha is shown over each step's own translation; otherwise over a target common to all steps.
        target: that common target; "" = the translation of the last step.
    """

    sentence: str
    training: Watched
    beam: int
    own: bool
    target: str


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
        choices, about = strings.FOLLOW_CHOICES, strings.FOLLOW_HELP
        follow = choose_one(st.selectbox, strings.FOLLOW, choices, key="of", help=about)
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
    if not short_enough(strings.TOO_LONG_FOR_FILM, sentence, target):
        return None
    return LearningView(sentence=sentence, training=kept[name], beam=beam, own=follow == "own", target=target)


def _with_steps(checkpoints: Checkpoints) -> dict[str, Watched]:
    """The runs with alpha that kept steps; the reader is told of broken ones."""
    kept = {}
    for name, run in checkpoints.usable.items():
        with errors_shown():
            steps = list_snapshots(run.path) if run.has_alignment else []
            if len(steps) > 1:
                stamp = max(step.path.stat().st_mtime_ns for step in steps)
                updates = tuple(step.update for step in steps)
                kept[name] = Watched(name=name, run=run, updates=updates, stamp=stamp)
    return kept


@dataclass(frozen=True)
class LearningTask(Task["Learning"]):
    """Task that runs ``watch_learning`` on the view's sentence over the view's updates."""

    view: LearningView

    @property
    def key(self) -> str:
        view = self.view
        weights = [str(view.training.run.path.resolve()), view.training.updates, view.training.stamp]
        return task_key("learning", weights, view.sentence, view.target, view.beam)

    def run(self, progress: ProgressReporter) -> Learning:
        view = self.view
        with progress.stage(LOADING, len(view.training.updates)) as show:
            models = []
            for done, update in enumerate(view.training.updates):
                show(Progress(done, len(view.training.updates), unit=strings.STEPS_UNIT))
                models.append(load_snapshot(view.training.run.path, update, view.training.stamp))

        from nmt.inspection.learning import watch_learning

        steps = list(zip(view.training.updates, models, strict=True))
        with progress.stage(shared.TRANSLATE_STAGE, len(steps)) as show:
            return watch_learning(
                steps,
                view.sentence,
                view.target,
                view.beam,
                lambda done, limit: show(Progress(done, limit, unit=strings.STEPS_UNIT)),
            )


def panel_data(view: LearningView, learning: Learning, number: int, film: str) -> dict[str, Any]:
    """Draw alpha of a step over whole words, with its bars, in the colours of the film, whose other steps the matrix
    shows when the film does.

    Args:
        number: of the step that is shown at first.
        film: name under which the film announces its steps.
    """
    panels = [_panel(view, learning, k) for k in range(len(learning.steps))]
    return view_data([panels[number]]) | {
        "scale": FILM_SCALE.to_dict(),
        "film": film,
        "steps": [[panel.to_dict()] for panel in panels],
    }


def _panel(view: LearningView, learning: Learning, number: int) -> Panel:
    step = learning.steps[number]
    alignment = learning.alignment(number, view.own).merged()
    log_probability = step.own.log_probability if view.own else step.given.log_probability
    panel = alignment_panel(
        alignment, strings.PANEL.format(name=view.training.name, updates=step.update), view.training.run
    )
    return replace(panel, kind=strings.LOG_P.format(nats=nats(log_probability)))


def show_training(checkpoints: Checkpoints) -> None:
    """Ask, compute all steps, and let the reader move between them."""
    view = ask_learning(checkpoints)
    if view is None:
        return
    show_notices(view.sentence, {view.training.name: view.training.run})
    learning = answer_to(LearningTask(view), st.empty())
    if learning is None:
        return
    st.fragment(_show_film)(view, learning)
    if learning.unknown_words:
        st.text(shared.UNKNOWN_WORDS.format(words=", ".join(dict.fromkeys(learning.unknown_words))))
    with st.expander(strings.ALL_STEPS):
        st.caption(strings.SAME_TARGET)
        st.text(learning.target)
        _show_table(learning)


def _show_film(view: LearningView, learning: Learning) -> None:
    """The film and the matrix of its step. A step that is chosen runs this again and nothing above."""
    requested = st.query_params.get(STEP, "")
    linked = next((k for k, update in enumerate(view.training.updates) if str(update) == requested), None)
    if requested and linked is None:
        not_there(strings.A_SNAPSHOT, requested)
        del st.query_params[STEP]
    place = f"film-{view.training.name}"
    shown = play_film(view, learning, linked, place)
    st.caption(sharpening(learning), help=explained("loss", "entropy", "attention"))
    number = shown if isinstance(shown, int) and 0 <= shown < len(view.training.updates) else linked or 0
    if shown is not None:
        st.query_params[STEP] = str(view.training.updates[number])
    alignment_view(panel_data(view, learning, number, place), key="learning-matrix")
    about = strings.ABOUT_RECIPES.get(view.training.run.config.recipe)
    template = strings.WHICH_TRAINING_AND_WHAT if about else strings.WHICH_TRAINING
    st.caption(template.format(name=escaped(view.training.name), about=about))


def play_film(view: LearningView, learning: Learning, start: int | None, place: str) -> object:
    """Show the film of all steps, at first the step of number ``start``; returns the number of the step on which the
    reader or the film came to rest, as sent by the browser, or None."""
    alignments = [learning.alignment(number, view.own).merged() for number in range(len(view.training.updates))]
    steps = [
        FilmStep(update=step.update, text=step.own.text, weights=alignment.weights, entropy=step.entropy)
        for step, alignment in zip(learning.steps, alignments, strict=True)
    ]
    events = read_events(view.training.run.path)
    data = film_data(steps, events, source=learning.source, start=start, name=place)
    return component("film_view")(key=place, data=data, default={"step": None}, on_step_change=lambda: None).step


def sharpening(learning: Learning) -> str:
    """Say what to see in the film: between which steps alpha sharpens most."""
    steps = learning.steps
    most = math.log2(len(learning.source))
    drops = [before.entropy - after.entropy for before, after in pairwise(steps)]
    k = max(range(len(drops)), key=drops.__getitem__)
    if drops[k] <= 0:
        return strings.NOT_SHARPER.format(bits=steps[-1].entropy, most=most)
    before, after = steps[k], steps[k + 1]
    return strings.SHARPER.format(
        before=before.update, after=after.update, from_bits=before.entropy, to_bits=after.entropy, most=most
    )


def _show_table(learning: Learning) -> None:
    rows = [
        {
            shared.UPDATES: step.update,
            strings.TRANSLATION: step.own.text,
            strings.ITS_LOG_PROBABILITY: nats(step.own.log_probability),
            strings.SAME_LOG_PROBABILITY: nats(step.given.log_probability),
            strings.MEAN_ENTROPY: strings.BITS.format(bits=step.entropy),
        }
        for step in learning.steps
    ]
    show_rows(rows, {}, key="learning-table")
