"""Training jobs: the queue, the progress of each job, and the learning of its model."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from itertools import pairwise

import streamlit as st

from nmt.data.prepared import open_prepared
from nmt.data.vocabulary import UNK_ID
from nmt.errors import InputError
from nmt.evaluation.test_set import TestSet
from nmt.files import changed_at
from nmt.jobs import job as jobs
from nmt.jobs.job import Listed, list_jobs, shown
from nmt.jobs.runner import ensure_runner
from nmt.results import Event, UpdateEvent, ValidationEvent
from nmt.runs.folder import RunInfo, list_snapshots, read_events, read_run, read_settings
from nmt.texts import APP, LEARN, MODELS, TRAIN
from nmt.ui.address import choose_many, choose_text, go_to, write_address
from nmt.ui.app_shell import dark_page
from nmt.ui.checkpoints import Checkpoints
from nmt.ui.components import offer, show_figure, show_rows
from nmt.ui.compute import answer_to, duration, errors_shown, poll, refusal_kept, show_refused, start
from nmt.ui.formatting import as_sentence, escaped, without_folders
from nmt.ui.inputs import on_one_line
from nmt.ui.learn.training import LearningTask, LearningView, Watched, by_heart, is_even, play_film, show_matrix
from nmt.ui.length.additions import ADDED, Addition, session_uploads
from nmt.ui.length.tasks import EvaluateTask
from nmt.ui.models.guide import link_places
from nmt.ui.tasks import TranslateTask
from nmt.ui.train.plan import STARTED, WATCHED, ask_training, is_on, root

_EVERY = 2.0
_RECENT = 10
"""Number of the last validations or reports that the estimate of the time left takes into account."""
_MEASURES = ("{:.3g}", "{:.3g}", "{:.1f}", "{:.3g}", "{:,.0f}", "{:.2g}")
"""Number formats of the values beside the titles ``train.measures``."""
_OVER = ("stopped", "done", "failed", "lost")
_REFUSED, _ATTACHED, _BY_LENGTH = "train-refused", "train-attached", "train-by-length"


def show_train(checkpoints: Checkpoints) -> None:
    """Show the queue, the watched jobs, and the form for a new training."""
    if not is_on():
        st.info(TRAIN.off, icon=":material/lock:")
        return
    with suppress(OSError):
        ensure_runner(root())
    listed = {job.name: job for job in list_jobs(root())}
    show_refused(_REFUSED)
    chosen = []
    if listed:
        titles = {name: f"{name} ({TRAIN.by_key.states[job.state]})" for name, job in reversed(listed.items())}
        now = [job.name for job in listed.values() if job.state in ("running", "stopping")]
        if now and _ATTACHED not in st.session_state and WATCHED not in st.query_params:
            write_address(**{WATCHED: now})
        st.session_state[_ATTACHED] = True  # a new session shows running jobs, even after their end
        chosen = choose_many(st.pills, TRAIN.jobs, titles, key=WATCHED, help=TRAIN.jobs_help)
    watched = [listed[name] for name in chosen]
    followed = _followed(watched)
    _compare(watched)
    _conclude(watched, followed)
    for job in watched:
        with st.container(border=True, key=f"job-{job.name}"):
            _show_job(job, followed)
    if shown := st.session_state.pop(_BY_LENGTH, None):
        go_to("pages/length.py", shown)
    # a new form after each start, closed so that the training is seen
    new = f"new-after-{st.session_state.get(STARTED, '')}"
    with st.expander(TRAIN.new, expanded=not chosen, icon=":material/add:", key=new):
        ask_training(checkpoints)


def _compare(several: Sequence[Listed]) -> None:
    from nmt.charts.curves import learning_curves

    events = {job.name: of_job for job in several if (of_job := _events(job))}
    if len(events) > 1:
        alt = TRAIN.curves_alt.format(names=", ".join(events))
        show_figure(learning_curves(events, dark=dark_page()), key="train-curves", alt=alt)


def _conclude(several: Sequence[Listed], followed: Mapping[str, str]) -> None:
    """Compare finished trainings of one language pair. Show their translations of a sentence that the reader can
    change, and a button that shows their scores by length."""
    runs: dict[str, RunInfo] = {}
    for job in several:
        with suppress(InputError):
            runs |= {job.name: read_run(job.run)} if job.state == "done" else {}
    if len(runs) < 2 or len({run.languages for run in runs.values()}) > 1:
        return
    if sentence := _ask_sentence(TRAIN.compared_on, next(iter(runs.values())), "compared", followed):
        asked = {name: TranslateTask(run, sentence, run.config.search) for name, run in runs.items()}
        answers = {name: answer_to(task, st.empty()) for name, task in asked.items()}
        rows = [(name, answer.text) for name, answer in answers.items() if answer is not None]
        show_rows([dict(zip(TRAIN.forms.compared, row, strict=True)) for row in rows], {}, key="train-compared")
    st.caption(TRAIN.chose_the_weights)
    offer(TRAIN.by_length, "show_chart", _by_length, [*runs.values()])


@refusal_kept(_REFUSED)
def _by_length(runs: Sequence[RunInfo]) -> None:
    """Show the runs on Length. They are measured on their validation pairs if all have the same."""
    shown: dict[str, str | list[str]] = {"systems": [run.name for run in runs]}
    if (test := _validation(runs)) is not None and test.name:
        session_uploads().add(Addition(test=test))
        start(EvaluateTask(checkpoint=run, test=test, settings=run.config.search, no_unk=False) for run in runs)
        shown |= {"sets": [test.name], ADDED: [*session_uploads().additions]}
    st.session_state[_BY_LENGTH] = shown


def _validation(runs: Sequence[RunInfo]) -> TestSet | None:
    """The test set on which all runs were validated. None if they differ in it, or lack a copy of their data."""
    with suppress(InputError, OSError):
        first, *others = [open_prepared(run.path / "data") for run in runs]
        pairs = first.dev_source, first.dev_target
        if all((other.dev_source, other.dev_target) == pairs for other in others):
            name, languages = f"{runs[0].name}.dev", runs[0].languages
            return TestSet(name=name, sources=pairs[0], references=pairs[1], languages=languages)
    return None


def _events(one: Listed) -> list[Event]:
    with errors_shown():
        return read_events(one.run)
    return []


def _show_job(one: Listed, followed: Mapping[str, str]) -> None:
    """Show the job with its buttons, its curves, and the translation of a sentence at every kept step."""
    colour = {"running": "green", "queued": "blue", "failed": "red", "lost": "orange"}.get(one.state, "gray")
    with st.container(horizontal=True, vertical_alignment="center"):
        st.subheader(escaped(one.name), anchor=False, width="content")
        st.badge(TRAIN.by_key.states[one.state], color=colour)  # type: ignore[arg-type]
        _buttons(one)
    if one.reason:
        st.warning(as_sentence(one.reason), icon=":material/error:")
    stamp, filmed = _stamp(one), False
    with suppress(InputError):
        if one.state in _OVER and (run := read_run(one.run)).has_weights:
            with st.container(horizontal=True, vertical_alignment="center"):
                watched = run.has_alignment and len(list_snapshots(one.run)) > 1
                link_places(one.name, measure=False, learn=watched, sentence=followed.get(run.source_language, ""))
                offer(MODELS.measure_it, "show_chart", _by_length, [run], key=f"on-{one.name}", type="tertiary")
                card, key = {"show": "cards", "runs": one.name}, f"card-of-{one.name}"
                offer(TRAIN.card, "badge", write_address, key=key, type="tertiary", kwargs=card)
            st.caption(TRAIN.by_key.look_uses[run.config.training.weights].format(update=run.weights.update))

    def live(look: Callable[[Listed], None]) -> None:
        if one.state in _OVER:
            look(one)
        else:
            poll(lambda: look(one), lambda: _stamp(one) != stamp, _EVERY)

    live(_progress)
    with suppress(InputError):
        filmed = _sentence(one, followed)
    live(_numbers)
    if not filmed:  # the film has the curve
        live(_curve)
    st.text_input(TRAIN.note, one.job.note, key=f"note-{one.name}", max_chars=2000, on_change=_note, args=(one.name,))
    with st.popover(TRAIN.command_popover, type="tertiary"):
        st.code(without_folders(shown(one.job.command)), language=None, wrap_lines=True)


def _stamp(one: Listed) -> tuple[str, int]:
    """Stamp that changes with the job's state, and whenever the training saves weights of a step."""
    with suppress(InputError):
        return jobs.find(root(), one.name).state, len([*one.run.glob("steps/*.safetensors")])
    return "", 0


def _buttons(one: Listed) -> None:
    change, title, icon = jobs.stop, TRAIN.stop, "pause"
    if one.state in ("stopped", "failed", "lost"):
        change, title, icon = jobs.resume, TRAIN.resume, "play_arrow"
    if one.state not in ("done", "stopping"):
        offer(title, icon, _do, change, one.name, key=f"change-{one.name}", help=TRAIN.stop_help)
    if one.state in _OVER or one.state == "queued":
        with st.popover(APP.delete, icon=":material/delete:", key=f"remove-{one.name}"):
            st.markdown(TRAIN.confirm.format(name=escaped(one.name)))
            st.button(APP.delete, key=f"delete-{one.name}", on_click=_remove, args=(one.name,))


@refusal_kept(_REFUSED)
def _do(change: Callable[..., None], *values: object) -> None:
    change(root(), *values)
    ensure_runner(root())


@refusal_kept(_REFUSED)
def _remove(name: str) -> None:
    """Delete a job, and take it out of the address. The sentences leave with the last job that translates them."""
    jobs.remove(root(), name)
    left = [other for other in st.query_params.get_all(WATCHED) if other != name]
    sentences = [] if left else [key for key in st.query_params if key.startswith("s-")]
    write_address(**{WATCHED: left} | dict.fromkeys(sentences, ""))


def _note(name: str) -> None:
    _do(jobs.write_note, name, st.session_state[f"note-{name}"])


def _reported(one: Listed) -> tuple[list[UpdateEvent], list[ValidationEvent]]:
    events = _events(one)
    updates = [event for event in events if isinstance(event, UpdateEvent)]
    return updates, [event for event in events if isinstance(event, ValidationEvent)]


def _progress(one: Listed) -> None:
    """Show how many updates of the training are made."""
    updates, validations = _reported(one)
    if not updates:
        st.caption(TRAIN.forms.not_begun[one.state == "queued"])
        return
    with suppress(InputError):
        most = read_settings(one.run).config.training.max_updates or updates[-1].update
        steps: Sequence[UpdateEvent | ValidationEvent] = validations if len(validations) > 2 else updates
        left = _time_left(most, steps) if one.state == "running" else ""
        said = TRAIN.update.format(update=updates[-1].update, most=most) + left
        st.progress(min(1.0, updates[-1].update / most), said)


def _numbers(one: Listed) -> None:
    """Show the latest value of each measure."""
    updates, validations = _reported(one)
    bleu = [event.bleu for event in validations if event.bleu is not None]
    fields = "nll_per_word", "gradient_norm", "words_per_second", "learning_rate"
    loss, *others = ([getattr(event, field) for event in updates] for field in fields)
    series = loss, [event.nll_per_word for event in validations], bleu, *others
    with st.container(horizontal=True):
        titles = zip(TRAIN.forms.measures, TRAIN.forms.about_measures, _MEASURES, series, strict=True)
        for title, about, form, values in titles:
            if values:
                st.metric(title, form.format(values[-1]), help=about, width=150)


def _curve(one: Listed) -> None:
    from nmt.charts.curves import learning_curve

    if events := _events(one):
        alt = TRAIN.curves_alt.format(names=one.name)
        show_figure(learning_curve(events), key=f"train-curve-{one.name}", alt=alt)


def _time_left(most: int, steps: Sequence[UpdateEvent | ValidationEvent]) -> str:
    """The time left, by the mean, fastest and slowest pace of the last validations or reports. "" if unknown."""
    paces = [
        (b.seconds - a.seconds) / (b.update - a.update)
        for a, b in pairwise(steps[-_RECENT - 1 :])
        if b.update > a.update
    ]
    if not paces:
        return ""
    left = max(0, most - steps[-1].update)
    mean, least, longest = (duration(left * p) for p in (sum(paces) / len(paces), min(paces), max(paces)))
    if least == longest:
        return TRAIN.left.format(mean=mean)
    return TRAIN.left_between.format(mean=mean, least=least, longest=longest)


def _followed(several: Sequence[Listed]) -> dict[str, str]:
    """The sentence that all trainings from a language translate, by language. The address holds it. At first it is a
    validation sentence that the first of them knows best or, without its data, the program's."""
    firsts: dict[str, str] = {}
    for job in reversed(several):
        with suppress(InputError, OSError):
            language = read_settings(job.run).source_language
            firsts[language] = TRAIN.by_key.sentences.get(language, "")
            data = open_prepared(job.run / "data")
            unknown = [int((data.dev.source[k] == UNK_ID).sum()) for k in range(len(data.dev))]
            firsts[language] = data.dev_source[unknown.index(min(unknown))][:500]
    return {language: on_one_line(choose_text(f"s-{language}", first)) for language, first in firsts.items()}


def _ask_sentence(title: str, run: RunInfo, place: str, followed: Mapping[str, str]) -> str:
    """Show a field with the sentence that the trainings translate (``_followed``). Returns its text."""
    key, parameter = f"sentence-{place}", f"s-{run.source_language}"
    st.session_state[key] = followed.get(run.source_language, "")
    return st.text_input(
        title,
        key=key,
        max_chars=500,
        on_change=lambda: write_address(**{parameter: on_one_line(st.session_state[key])}),
    )


def _sentence(one: Listed, followed: Mapping[str, str]) -> bool:
    """Show a sentence of the reader with its translation and alpha at every step that was kept. Without attention, show
    the translations alone. Returns whether there is a film."""
    steps = list_snapshots(one.run)
    if not steps:
        return False
    run = read_run(one.run)
    sentence = _ask_sentence(TRAIN.sentence, run, one.name, followed)
    updates = tuple(step.update for step in steps)
    watched = Watched(name=one.name, run=run, updates=updates, stamp=max(changed_at(step.path) for step in steps))
    view = LearningView(
        sentence=sentence, training=watched, settings=run.config.search.changed(beam=1), own=True, target=""
    )
    answer = answer_to(LearningTask(view), st.empty()) if sentence else None
    if answer is None:
        return False
    if answer.unknown_words:
        st.text(APP.unknown_words.format(words=", ".join(dict.fromkeys(answer.unknown_words))))
    last, place = len(steps) - 1, f"train-film-{one.name}"
    even = run.has_alignment and is_even(answer)
    if run.has_alignment:
        play_film(view, answer, last, place)
    else:
        st.caption(TRAIN.no_alpha)
        rows = [{APP.updates: step.update, LEARN.translation: step.own.text} for step in answer.steps]
        wide = {LEARN.translation: st.column_config.TextColumn(width="large")}
        show_rows(rows, wide, key=f"train-steps-{one.name}", height="content")
    if heart := by_heart(*_reported(one), even=even):
        st.info(heart, icon=":material/psychology:")
    elif even:
        st.caption(TRAIN.at_first_even)
    if run.has_alignment:
        show_matrix(view, answer, last, place, f"train-matrix-{one.name}")
    return run.has_alignment
