"""Jobs: the queue, what each of them does, and how it learns, as it happens."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from itertools import pairwise

import streamlit as st

from nmt.errors import InputError
from nmt.files import changed_at
from nmt.jobs import job as jobs
from nmt.jobs.job import Listed, list_jobs, shown
from nmt.jobs.runner import ensure_runner
from nmt.results import Event, UpdateEvent, ValidationEvent
from nmt.runs.folder import list_snapshots, read_events, read_run, read_settings
from nmt.ui.address import choose_many, link_to
from nmt.ui.app_shell import dark_page
from nmt.ui.checkpoints import Checkpoints
from nmt.ui.components import alignment_view, show_figure
from nmt.ui.compute import answer_to, duration, poll
from nmt.ui.formatting import as_sentence, escaped
from nmt.ui.learn.training import LearningTask, LearningView, Watched, panel_data, play_film
from nmt.ui.models.guide import link_places
from nmt.ui.train import strings
from nmt.ui.train.plan import WATCHED, ask_training, is_on, root

_EVERY = 2.0
_RECENT = 10
"""Validations, or reports, from whose spread the time left is told."""
_OVER = ("stopped", "done", "failed", "lost")
_REFUSED, _ATTACHED = "train-refused", "train-attached"


def show_train(checkpoints: Checkpoints) -> None:
    """The queue, the jobs that are watched, and a new one."""
    if not is_on():
        st.info(strings.OFF, icon=":material/lock:")
        return
    with suppress(OSError):
        ensure_runner(root())
    listed = {one.name: one for one in list_jobs(root())}
    if refused := st.session_state.pop(_REFUSED, ""):
        st.error(as_sentence(refused), icon=":material/error:")
    chosen = []
    if listed:
        titles = {name: f"{name} ({strings.STATES[one.state]})" for name, one in reversed(listed.items())}
        now = [one.name for one in listed.values() if one.state in ("running", "stopping")]
        if now and _ATTACHED not in st.session_state and WATCHED not in st.query_params:
            st.query_params[WATCHED] = now
        st.session_state[_ATTACHED] = True  # whoever comes sees what runs, and goes on seeing it when it has ended
        chosen = choose_many(st.pills, strings.JOBS, titles, key=WATCHED, help=strings.JOBS_HELP)
        if len(chosen) > 1:
            _compare([listed[name] for name in chosen])
    for name in chosen:
        with st.container(border=True, key=f"job-{name}"):
            _show_job(listed[name])
    with st.expander(strings.NEW, expanded=not chosen, icon=":material/add:"):
        ask_training(checkpoints)


def _compare(several: Sequence[Listed]) -> None:
    from nmt.charts.curves import learning_curves

    events = {one.name: found for one in several if (found := _events(one))}
    if len(events) > 1:
        alt = strings.CURVES_ALT.format(names=", ".join(events))
        show_figure(learning_curves(events, dark=dark_page()), key="train-curves", alt=alt)


def _events(one: Listed) -> list[Event]:
    try:
        return read_events(one.run)
    except InputError as error:
        st.warning(as_sentence(str(error)), icon=":material/warning:")
        return []


def _show_job(one: Listed) -> None:
    """What the job does, with its buttons, its curves, and a sentence at every step that was kept."""
    colour = {"running": "green", "queued": "blue", "failed": "red", "lost": "orange"}.get(one.state, "gray")
    with st.container(horizontal=True, vertical_alignment="center"):
        st.subheader(escaped(one.name), anchor=False, width="content")
        st.badge(strings.STATES[one.state], color=colour)  # type: ignore[arg-type]
        _buttons(one)
    if one.reason:
        st.warning(as_sentence(one.reason), icon=":material/error:")
    stamp = _stamp(one)
    look: Callable[[], None] = lambda: _look(one)  # noqa: E731
    if one.state in _OVER:
        look()
    else:
        poll(look, lambda: _stamp(one) != stamp, _EVERY)
    if one.state == "done":
        with st.container(horizontal=True):
            link_places(one.name, learn=True)
            link_to("pages/models.py", strings.CARD, {"show": "cards", "runs": [one.name]}, icon=":material/badge:")
    with suppress(InputError):
        _sentence(one)
    st.text_input(strings.NOTE, one.job.note, key=f"note-{one.name}", max_chars=2000, on_change=_note, args=(one.name,))
    with st.popover(strings.COMMAND_POPOVER, type="tertiary"):
        st.code(shown(one.job.command), language=None, wrap_lines=True)


def _stamp(one: Listed) -> tuple[str, int]:
    """Changes with the state, and whenever weights were kept."""
    steps = one.run / "steps"
    with suppress(InputError):
        return jobs.find(root(), one.name).state, len(list(steps.glob("*.safetensors"))) if steps.is_dir() else 0
    return "", 0


def _buttons(one: Listed) -> None:
    change, title, icon = (
        (jobs.resume, strings.RESUME, ":material/play_arrow:")
        if one.state in ("stopped", "failed", "lost")
        else (jobs.stop, strings.STOP, ":material/pause:")
    )
    if one.state not in ("done", "stopping"):
        st.button(
            title, key=f"change-{one.name}", on_click=_do, args=(change, one.name), icon=icon, help=strings.STOP_HELP
        )
    if one.state in _OVER or one.state == "queued":
        with st.popover(strings.REMOVE, icon=":material/delete:", key=f"remove-{one.name}"):
            st.markdown(strings.CONFIRM.format(name=escaped(one.name)))
            st.button(strings.DELETE, key=f"delete-{one.name}", on_click=_do, args=(jobs.remove, one.name))


def _do(change: Callable[..., None], *values: object) -> None:
    try:
        change(root(), *values)
        ensure_runner(root())
    except (InputError, OSError) as error:
        st.session_state[_REFUSED] = str(error)


def _note(name: str) -> None:
    _do(jobs.write_note, name, st.session_state[f"note-{name}"])


def _look(one: Listed) -> None:
    """Numbers and curves of now."""
    events = _events(one)
    updates = [event for event in events if isinstance(event, UpdateEvent)]
    validations = [event for event in events if isinstance(event, ValidationEvent)]
    if not updates:
        st.caption(strings.NOT_BEGUN[one.state == "queued"])
        return
    bleu = [event.bleu for event in validations if event.bleu is not None]
    series = (
        [event.nll_per_word for event in updates],
        [event.nll_per_word for event in validations],
        bleu,
        [event.gradient_norm for event in updates],
        [event.words_per_second for event in updates],
        [event.learning_rate for event in updates],
    )
    with st.container(horizontal=True):
        st.metric(strings.UPDATE, f"{updates[-1].update:,}", width="content")
        for (title, form), values in zip(strings.MEASURES.items(), series, strict=True):
            if values:
                st.metric(title, form.format(values[-1]), chart_data=values, chart_type="line", width=150)
    if one.state == "running" and (left := _time_left(one, events)):
        st.caption(left)
    from nmt.charts.curves import learning_curve

    show_figure(learning_curve(events), key=f"train-curve-{one.name}", alt=strings.CURVES_ALT.format(names=one.name))


def _time_left(one: Listed, events: Sequence[Event]) -> str:
    """The time left at the mean pace of the last validations, or reports, and at the fastest and slowest of them."""
    with suppress(InputError):
        most = read_settings(one.run).config.training.max_updates
        checked = [event for event in events if isinstance(event, ValidationEvent)]
        reports = [event for event in events if isinstance(event, UpdateEvent)]
        steps: Sequence[UpdateEvent | ValidationEvent] = checked if len(checked) > 2 else reports
        paces = [(b.seconds - a.seconds) / (b.update - a.update) for a, b in pairwise(steps[-_RECENT - 1 :])]
        if most is not None and paces:
            left = max(0, most - steps[-1].update)
            mean, least, longest = (duration(left * p) for p in (sum(paces) / len(paces), min(paces), max(paces)))
            return strings.LEFT.format(mean=mean, least=least, longest=longest, most=most)
    return ""


def _sentence(one: Listed) -> None:
    """A sentence of the reader's own, with its translation and alpha at every step that was kept."""
    steps = list_snapshots(one.run)
    if not steps:
        return
    run = read_run(one.run)
    if not run.has_alignment:
        st.caption(strings.NO_ALPHA)
        return
    first = strings.SENTENCES.get(run.source_language, "")
    typed = st.text_input(strings.SENTENCE, first, key=f"sentence-{one.name}", max_chars=500)
    if not typed.strip():
        return
    updates = tuple(step.update for step in steps)
    watched = Watched(name=one.name, run=run, updates=updates, stamp=max(changed_at(step.path) for step in steps))
    view = LearningView(sentence=" ".join(typed.split()), training=watched, beam=1, own=True, target="")
    answer = answer_to(LearningTask(view), st.empty())
    if answer is not None:
        last, place = len(steps) - 1, f"train-film-{one.name}"
        play_film(view, answer, last, place)
        alignment_view(panel_data(view, answer, last, place), key=f"train-matrix-{one.name}")
