"""Answers for pages. An answer is looked up, or computed while the page waits or in the background, with progress."""

import uuid
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeVar

import streamlit as st
from streamlit.delta_generator import DeltaGenerator
from streamlit.runtime.scriptrunner_utils.exceptions import RerunException
from streamlit.runtime.scriptrunner_utils.script_requests import ScriptRequestType
from streamlit.runtime.scriptrunner_utils.script_run_context import get_script_run_ctx

from nmt.answers.request import Progress, ProgressReporter, Task
from nmt.answers.service import Computation, ComputationState
from nmt.errors import InputError, MissingWeightsError
from nmt.texts import APP
from nmt.ui.formatting import as_sentence, escaped
from nmt.ui.resources import compute_service

Result = TypeVar("Result")

_SESSION = "compute-session"
_EVERY = 1.0
"""Seconds between two checks of the jobs under way."""


def show_error(error: InputError, place: DeltaGenerator) -> None:
    """Show an error in place of a result, or a hint if the weights of the run are missing."""
    say, icon = (place.info, "download") if isinstance(error, MissingWeightsError) else (place.error, "error")
    say(as_sentence(str(error)), icon=f":material/{icon}:")


@contextmanager
def errors_shown(kind: Literal["warning", "error"] = "warning") -> Iterator[None]:
    """If the block raises InputError, show its sentence. A function that this decorates then returns None."""
    try:
        yield
    except InputError as error:
        getattr(st, kind)(as_sentence(str(error)), icon=f":material/{kind}:")


@contextmanager
def refusal_kept(key: str) -> Iterator[None]:
    """Decorate the callback of a button. ``key`` keeps the message of an InputError or OSError for ``show_refused``."""
    try:
        yield
    except (InputError, OSError) as error:
        st.session_state[key] = str(error)


def show_refused(key: str) -> None:
    """Show once why the action of a button was refused. The session's state has the reason under ``key``."""
    if refused := st.session_state.pop(key, ""):
        st.error(as_sentence(refused), icon=":material/error:")


def answer_to(
    task: Task[Result],
    place: DeltaGenerator,
    refuse: Callable[[InputError, DeltaGenerator], None] = show_error,
) -> Result | None:
    """Look the answer up, or compute it now. If there is none, show the reason in ``place`` and return None.

    At every line of progress, a newer click or a closed page ends the work.

    Args:
        place: an empty element for progress. At the end it is empty again or shows an error.
    """
    answer = compute_service().find(task)
    if answer is None:
        try:
            answer = compute_service().compute(task, PageProgress(place))
        except InputError as error:
            refuse(error, place)
            return None
        place.empty()
    return answer


def start(tasks: Iterable[Task[Any]]) -> None:
    """Start background jobs, as a button's callback."""
    for task in tasks:
        compute_service().start(task)


def subscribe(kind: str, tasks: Iterable[Task[Any]]) -> None:
    """Register the tasks of a kind that this session watches. They replace the tasks of this kind that it watched
    before. Tasks that no session watches any more are cancelled, but their results on disk stay."""
    session = st.session_state.setdefault(_SESSION, uuid.uuid4().hex)
    compute_service().jobs.watch(session, kind, [task.key for task in tasks])


@dataclass(frozen=True, eq=False)
class NamedTask:
    """A background task and its name on the page."""

    name: str
    task: Any

    @property
    def job(self) -> Computation | None:
        """The job of the task, or None if it was never started."""
        return compute_service().job(self.task)

    @property
    def idle(self) -> bool:
        """Whether the task can be started because it is not under way."""
        return self.job is None or self.job.state.over


class PageProgress(ProgressReporter):
    """Progress of work that the page waits for. A report ends the work if the reader has requested something else.

    Without this class, Streamlit would end the work for a request of the whole page, but not for one of a fragment.
    """

    def __init__(self, place: DeltaGenerator) -> None:
        self._place, self._state = place, ComputationState()

    @contextmanager
    def stage(self, name: str, total: int) -> Iterator[Callable[[Progress], None]]:
        def show(progress: Progress) -> None:
            self._state = ComputationState(status="running", stage=name, progress=progress)
            self.checkpoint()

        show(Progress(0, total))
        yield show

    def checkpoint(self) -> None:
        show_progress(self._state, self._place)
        give_way()

    def wait(self) -> None:
        show_progress(ComputationState(), self._place)
        give_way()


def give_way() -> None:
    """If the reader has requested another run of the script, end this run and begin the other one. The other run does
    the ended work again if it is still wanted. A timer's request waits for the end of this run."""
    context = get_script_run_ctx()
    requests = None if context is None else context.script_requests
    if context is None or requests is None or getattr(requests, "_state", None) is not ScriptRequestType.RERUN:
        return
    waiting = requests._rerun_data  # there is no public way to look at it
    if waiting.is_auto_rerun and waiting.fragment_id_queue:
        return
    request = requests.on_scriptrunner_ready().rerun_data
    own = context.fragment_ids_this_run if request.fragment_id_queue else None
    fragments = list(dict.fromkeys([*own, *request.fragment_id_queue])) if own else []  # [] = the whole page
    raise RerunException(replace(request, fragment_id_queue=fragments, is_fragment_scoped_rerun=False))


def show_progress(state: ComputationState, place: DeltaGenerator | None = None, name: str = "") -> None:
    """Show a bar for work that waits or runs, a sentence for work that failed, and nothing for other work."""
    element = st if place is None else place
    title = APP.of_job.format(name=escaped(name)) if name else ""
    if state.status == "failed":
        element.error(title + as_sentence(state.problem), icon=":material/error:")
    elif not state.over:
        progress = state.progress
        share = progress.done / progress.total if progress.total else 0.0
        element.progress(min(1.0, share), title + escaped(progress_text(state)))


def watch_jobs(
    watched: Sequence[tuple[str, Computation]],
    place: str,
    draw: Callable[[], None] = lambda: None,
    on_cancel: Callable[[], None] = lambda: None,
) -> None:
    """Show a progress bar and a cancel button for each job under way, and refresh them. When one of these jobs is over,
    run the page again. For a failed job, show the reason.

    Args:
        watched: each job with its name on the page, or "" if the page names it elsewhere.
        place: name of this place on the page, since several places may show the same job.
        draw: draws more below the bars at each refresh.
        on_cancel: called when a job is cancelled here.
    """
    active = [(name, job) for name, job in watched if not job.state.over]
    for name, job in watched:
        if job.state.over:
            show_progress(job.state, name=name)

    def look() -> None:
        for k, (name, job) in enumerate(active):
            again = [other for other, _ in active[:k]].count(name)
            with st.container(horizontal=True, vertical_alignment="center"):
                show_progress(job.state, name=name)
                key = f"cancel-{place}-{name}{'+' * again}"
                st.button(APP.cancel, key=key, on_click=_cancel, args=(job, on_cancel), icon=":material/stop:")
        draw()

    if active:
        poll(look, lambda: any(job.state.over for _, job in active), _EVERY)


def watch_tasks(watched: Iterable[NamedTask], place: str) -> None:
    """Show the progress of tasks by ``watch_jobs``. Tasks that were never started or were cancelled are left out."""
    watch_jobs([(work.name, job) for work in watched if (job := work.job) and job.state.status != "cancelled"], place)


def offer_work(work: Sequence[NamedTask], label: str, *, key: str, icon: str, help: str) -> None:
    """Show a button that starts the idle tasks, unless there are none, and show the progress of all tasks."""
    idle = [named.task for named in work if named.idle]
    if idle:
        st.button(label, key=key, icon=icon, on_click=start, args=(idle,), help=help, wrap=True)
    watch_tasks(work, key)


def poll(look: Callable[[], None], until: Callable[[], bool], every: float) -> None:
    """Run ``look`` now and every ``every`` seconds. Run the whole page again once ``until`` is true."""

    def fragment() -> None:
        if until():
            st.rerun()
        look()

    st.fragment(fragment, run_every=every)()


def _cancel(job: Computation, on_cancel: Callable[[], None]) -> None:
    job.cancel()
    on_cancel()


def progress_text(state: ComputationState) -> str:
    """Describe what the work does, how far it is, how fast, and how long it will take.

    >>> progress = Progress(12, 40, words_done=120, words_left=900)
    >>> state = ComputationState(status="running", stage="translate", progress=progress)
    >>> progress_text(state)
    'translate: 12 of 40 sentences'
    >>> from dataclasses import replace
    >>> progress_text(replace(state, words_per_second=85.4, seconds_left=130.0))
    'translate: 12 of 40 sentences · 85 words per second · about 2 min 10 s left'
    >>> progress_text(ComputationState()), progress_text(ComputationState(status="running", stage="load the model"))
    ('Waiting for other work to end …', 'load the model …')
    """
    if state.status == "waiting":
        return APP.waiting
    progress, stage = state.progress, APP.by_key.stages.get(state.stage, state.stage)
    if not progress.total:
        return APP.stage.format(stage=stage or APP.starting)
    done, total = f"{progress.done:,}", f"{progress.total:,}"
    unit = APP.by_key.units.get(progress.unit, progress.unit)
    parts = [APP.progress.format(stage=stage, done=done, total=total, unit=unit)]
    if state.words_per_second is not None:
        parts.append(APP.rate.format(rate=f"{state.words_per_second:.0f}"))
    if state.seconds_left is not None:
        parts.append(APP.time_left.format(time=duration(state.seconds_left)))
    return " · ".join(parts)


def duration(seconds: float) -> str:
    """
    >>> duration(0.4), duration(59.6), duration(3599.6), duration(3725)
    ('1 s', '1 min', '1 h 0 min', '1 h 2 min')
    """
    whole = max(1, round(seconds))
    if whole < 60:
        return APP.seconds.format(seconds=whole)
    minutes, rest = divmod(whole, 60)
    if minutes < 60:
        template = APP.minutes_and_seconds if rest else APP.minutes
        return template.format(minutes=minutes, seconds=rest)
    hours, minutes = divmod(minutes, 60)
    return APP.hours_and_minutes.format(hours=hours, minutes=minutes)
