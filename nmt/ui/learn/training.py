"""The view "How it learned": one sentence over the saved steps of a training run. From top to bottom: the film, the
matrix of the chosen step, a table of all steps. The address holds all settings."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from nmt.answers.keys import task_key
from nmt.answers.request import LOADING, Progress, ProgressReporter, Task
from nmt.charts.film_view import FILM_SCALE, FilmStep, film_data
from nmt.config import SearchSettings
from nmt.results import UpdateEvent, ValidationEvent
from nmt.results.record import record_of_map
from nmt.runs.folder import RunInfo, list_snapshots, read_events
from nmt.texts import APP, LEARN, TRAIN, current, nats, view_texts
from nmt.ui.address import choose_one, link_to, not_there, write_address
from nmt.ui.checkpoints import Checkpoints
from nmt.ui.components import component, show_rows
from nmt.ui.compute import answer_to, errors_shown
from nmt.ui.formatting import escaped, explained
from nmt.ui.inputs import MOST_CHARACTERS, ask_beam, named, show_notices
from nmt.ui.instrument import show_instrument
from nmt.ui.learn.form import ask_sentence, examples_of, sentence_line, short_enough
from nmt.ui.resources import load_snapshot, vocabulary_key

if TYPE_CHECKING:
    from nmt.inspection.learning import Learning

STEP = "step"
"""The parameter of the address: the update of the step that is shown."""
FIRST_SENTENCE = APP.forms.examples[1]
_EVEN = 0.9
"""Share of the largest entropy above which alpha counts as even."""
_LOW, _RISE = 0.5, 0.1
"""Nats per word: the training loss below which pairs are known by heart, and what a loss on other pairs rises by."""


@dataclass(frozen=True, kw_only=True)
class Watched:
    """A run that kept its weights after several updates. These updates are its steps.

    Attributes:
        updates: the updates after which the run kept weights, in order.
        stamp: time at which the latest weights were written, in nanoseconds.
    """

    name: str
    run: RunInfo
    updates: tuple[int, ...]
    stamp: int


@dataclass(frozen=True, kw_only=True)
class LearningView:
    """All choices that decide what the page shows, except the step.

    Attributes:
        sentence: the sentence on one line, never blank.
        settings: the run's own search settings, with the reader's beam.
        own: whether alpha is shown over each step's own translation. Otherwise over a target common to all steps.
        target: the common target, or "" for the translation of the last step.
    """

    sentence: str
    training: Watched
    settings: SearchSettings
    own: bool
    target: str


def ask_learning(trainings: Mapping[str, Watched], row: DeltaGenerator) -> LearningView | None:
    """Show the form in one line. If there is nothing to show, say why and return None."""
    if not trainings:
        st.info(LEARN.no_steps, icon=":material/school:")
        return None
    place, settings = sentence_line(row)
    with settings:
        name = choose_one(
            st.selectbox,
            LEARN.training,
            {name: name for name in trainings},
            key="run",
            what=LEARN.a_training,
            help=explained("checkpoint"),
        )
        choices, about = LEARN.by_key.follow_choices, LEARN.follow_help
        follow = choose_one(st.selectbox, LEARN.follow, choices, key="of", help=about)
        target = ""
        if follow == "mine":
            typed = st.text_input(
                LEARN.target,
                key="t",
                bind="query-params",
                max_chars=MOST_CHARACTERS,
                placeholder=LEARN.target_placeholder,
            )
            target = " ".join((typed or "").split())
        beam = ask_beam()
    source = trainings[name].run.source_language
    first = TRAIN.by_key.sentences.get(source, FIRST_SENTENCE)
    examples = [FIRST_SENTENCE, *APP.forms.examples] if source == "en" else [first, *examples_of(source)]
    sentence = ask_sentence(place, examples, source)
    if current() not in {training.run.source_language for training in trainings.values()}:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.caption(LEARN.no_steps_of_reader.format(pair=named(trainings[name].run.languages)), width="stretch")
            link_to("pages/models.py", LEARN.train_one, {"show": "train"}, icon=":material/model_training:")
    if not short_enough(LEARN.too_long_for_film, sentence, target):
        return None
    training, own = trainings[name], follow == "own"
    search = training.run.config.search.changed(beam=beam)
    return LearningView(sentence=sentence, training=training, settings=search, own=own, target=target)


def with_steps(checkpoints: Checkpoints) -> dict[str, Watched]:
    """Runs with alpha that kept at least two steps, by name. An error is shown for each broken run."""
    trainings = {}
    for name, run in checkpoints.usable.items():
        with errors_shown():
            steps = list_snapshots(run.path) if run.has_alignment else []
            if len(steps) > 1:
                stamp = max(step.path.stat().st_mtime_ns for step in steps)
                updates = tuple(step.update for step in steps)
                trainings[name] = Watched(name=name, run=run, updates=updates, stamp=stamp)
    return trainings


@dataclass(frozen=True)
class LearningTask(Task["Learning"]):
    """The task that calls ``watch_learning`` for the sentence and the steps of a view."""

    view: LearningView

    @property
    def key(self) -> str:
        view = self.view
        run = view.training.run
        weights = [str(run.path.resolve()), vocabulary_key(run), view.training.updates, view.training.stamp]
        return task_key("learning", weights, view.settings, view.sentence, view.target)

    def run(self, progress: ProgressReporter) -> Learning:
        view = self.view
        with progress.stage(LOADING, len(view.training.updates)) as show:
            models = []
            for done, update in enumerate(view.training.updates):
                show(Progress(done, len(view.training.updates), unit="snapshots"))
                models.append(load_snapshot(view.training.run.path, update, view.training.stamp))

        from nmt.inspection.learning import watch_learning

        steps = list(zip(view.training.updates, models, strict=True))
        with progress.stage("translate", len(steps)) as show:
            return watch_learning(
                steps,
                view.sentence,
                view.target,
                view.settings,
                lambda done, limit: show(Progress(done, limit, unit="snapshots")),
            )


def show_matrix(view: LearningView, learning: Learning, number: int, film: str, key: str) -> None:
    """Show alpha of a step over whole words, with bars, in the colours of the film. It changes with the film's step.

    Args:
        number: number of the step that is shown at first.
        film: name under which the film announces its steps.
    """
    records, about = [], {}
    for k, step in enumerate(learning.steps):
        name = LEARN.panel.format(name=view.training.name, updates=step.update)
        records.append(record_of_map(learning.alignment(k, view.own).merged(), name, view.training.run.languages))
        log_probability = step.own.log_probability if view.own else step.given.log_probability
        about[name] = {"kind": LEARN.log_p.format(nats=nats(log_probability))}
    more = {
        "parts": "matrices",
        "heading": True,
        "about": about,
        "film": film,
        "steps": [record.to_dict() for record in records],
        "scales": {"ink": FILM_SCALE.to_dict()},
    }
    show_instrument(records[number], key=key, more=more)


def show_training(trainings: Mapping[str, Watched], row: DeltaGenerator) -> None:
    """Ask for the settings, compute all steps, and let the reader move between them."""
    if (view := ask_learning(trainings, row)) is None:
        return
    choices = {training.run.languages: ("run", name) for name, training in trainings.items()}
    if show_notices(view.sentence, {view.training.name: view.training.run}, hold=view.sentence, choices=choices):
        return
    if (learning := answer_to(LearningTask(view), st.empty())) is None:
        return
    st.fragment(_show_film)(view, learning)
    if learning.unknown_words:
        st.text(APP.unknown_words.format(words=", ".join(dict.fromkeys(learning.unknown_words))))
    with st.expander(LEARN.all_steps):
        st.caption(LEARN.same_target)
        st.text(learning.target)
        _show_table(learning)


def _show_film(view: LearningView, learning: Learning) -> None:
    """Show the film and the matrix of its step. The choice of a step runs only this fragment again."""
    requested = st.query_params.get(STEP, "")
    linked = next((k for k, update in enumerate(view.training.updates) if str(update) == requested), None)
    if requested and linked is None:
        not_there(LEARN.a_snapshot, requested)
        write_address(**{STEP: ""})
    place = f"film-{view.training.name}"
    shown = play_film(view, learning, linked, place)
    updates = [event for event in read_events(view.training.run.path) if isinstance(event, UpdateEvent)]
    of_even = by_heart(updates, (), even=True) or TRAIN.at_first_even
    said = of_even if is_even(learning) else sharpening(learning)
    st.caption(LEARN.untold + said, help=explained("loss", "entropy", "attention"))
    number = shown if isinstance(shown, int) and 0 <= shown < len(view.training.updates) else linked or 0
    if shown is not None:
        write_address(**{STEP: str(view.training.updates[number])})
    show_matrix(view, learning, number, place, "learning-matrix")
    about = LEARN.by_key.about_recipes.get(view.training.run.config.recipe)
    template = LEARN.which_training_and_what if about else LEARN.which_training
    st.caption(template.format(name=escaped(view.training.name), about=about))


def play_film(view: LearningView, learning: Learning, start: int | None, place: str) -> object:
    """Show the film of all steps. It opens at step number ``start`` if this is not None. Returns what the browser sent:
    the number of the step where the film rests, or None before that."""
    alignments = [learning.alignment(number, view.own).merged() for number in range(len(view.training.updates))]
    steps = [
        FilmStep(update=step.update, text=step.own.text, weights=alignment.weights, entropy=step.entropy)
        for step, alignment in zip(learning.steps, alignments, strict=True)
    ]
    events = read_events(view.training.run.path)
    data = film_data(steps, events, source=learning.source, start=start, name=place)
    data |= {"texts": view_texts("film_view"), "used": view.training.run.weights.update}
    return component("film_view")(key=place, data=data, default={"step": None}, on_step_change=lambda: None).step


def is_even(learning: Learning) -> bool:
    """Whether alpha is still even at the last step."""
    return learning.steps[-1].entropy > _EVEN * math.log2(len(learning.source))


def by_heart(updates: Sequence[UpdateEvent], validations: Sequence[ValidationEvent], *, even: bool) -> str:
    """Say from the figures of a run that it has learned its own pairs by heart. "" if its training loss is not low, or
    if neither its loss on other pairs rises nor its alpha is ``even``."""
    if not updates or (loss := updates[-1].nll_per_word) > _LOW:
        return ""
    held_out = [event.nll_per_word for event in validations]
    if held_out and held_out[-1] > min(held_out) + _RISE:
        return TRAIN.by_heart.format(loss=loss, least=min(held_out), last=held_out[-1])
    return TRAIN.by_heart_even.format(loss=loss) if even else ""


def sharpening(learning: Learning) -> str:
    """Say what to see in the film: between which steps alpha sharpens most, and why its entropy rises before."""
    steps = learning.steps
    most = math.log2(len(learning.source))
    before, after = max(pairwise(steps), key=lambda pair: pair[0].entropy - pair[1].entropy)
    if before.entropy <= after.entropy:
        return LEARN.not_sharper.format(bits=steps[-1].entropy, most=most)
    said = LEARN.sharper.format(
        before=before.update, after=after.update, from_bits=before.entropy, to_bits=after.entropy, most=most
    )
    widest, first = max(steps, key=lambda step: step.entropy), learning.alignment(0, own=False).merged()
    peaks = {*first.weights.argmax(axis=1).tolist()}
    if widest is steps[0] or len(peaks) > 1:
        return said
    return said + LEARN.rises_first.format(bits=widest.entropy, updates=widest.update, word=first.source[peaks.pop()])


def _show_table(learning: Learning) -> None:
    rows = [
        {
            APP.updates: step.update,
            LEARN.translation: step.own.text,
            LEARN.its_log_probability: nats(step.own.log_probability),
            LEARN.same_log_probability: nats(step.given.log_probability),
            LEARN.mean_entropy: LEARN.bits.format(bits=step.entropy),
        }
        for step in learning.steps
    ]
    show_rows(rows, {}, key="learning-table")
