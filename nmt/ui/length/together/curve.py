"""The stress test as background work, whose points are shown as they are computed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path

import pandas as pd
import streamlit as st

from nmt.answers.jobs import Job
from nmt.answers.keys import task_key
from nmt.answers.request import ProgressReporter, Task
from nmt.charts.curves import STRESS_MEASURES, stress_curve
from nmt.data.line_words import word_counter
from nmt.errors import InputError
from nmt.evaluation.measurement_files import StoredStress, read_stress
from nmt.evaluation.test_set import TestSet
from nmt.results import StressPoint
from nmt.runs.folder import RunInfo
from nmt.tables.stress import stress_table
from nmt.tables.table import Table, tables_text
from nmt.ui.address import choose_one, link_to
from nmt.ui.app_shell import dark_page
from nmt.ui.checkpoints import ROOT, run_stamp
from nmt.ui.compute import NamedJob, show_progress, start, subscribe, watch_jobs
from nmt.ui.evaluated import unequal_updates
from nmt.ui.formatting import escaped, listed, true_minus
from nmt.ui.length.together import strings
from nmt.ui.length.together.form import TogetherView, say_why
from nmt.ui.resources import compute_service, fingerprint, load_translator, translation_cache
from nmt.ui.tasks import resolved

Curves = dict[str, tuple[StressPoint, ...]]
"""The points computed so far, by checkpoint."""


@st.cache_resource(max_entries=32, show_spinner=False)
def curves_so_far(key: str) -> Curves:
    """Return the points that the stress test of this key has computed so far; the task adds to them."""
    return {}


@dataclass(frozen=True, kw_only=True)
class StressTask(Task[Curves]):
    """Checkpoints on the same concatenated sentences.

    Attributes:
        names, runs: the checkpoints.
        test: the sentences before they are concatenated.
        beam: beam of the search.
        most: largest number of sentences that are concatenated.
    """

    names: tuple[str, ...]
    runs: tuple[RunInfo, ...]
    test: TestSet
    beam: int
    most: int

    @cached_property
    def key(self) -> str:
        runs = [asdict(fingerprint(run)) for run in self.runs]
        test = [self.test.source_sha256, self.test.reference_sha256]
        return task_key("stress", self.names, runs, test, self.beam, self.most)

    @property
    def total(self) -> int:
        """Points of all curves."""
        return self.most * len(self.runs)

    def run(self, progress: ProgressReporter) -> Curves:
        """Take all checkpoints for each number of sentences, before the next number."""
        curves = curves_so_far(self.key)
        curves.update(dict.fromkeys(self.names, ()))
        tests = {}
        for name, run in zip(self.names, self.runs, strict=True):
            model = load_translator(run, progress)

            from nmt.evaluation.stress import StressTest

            settings = run.config.search.changed(beam=self.beam, n_best=1)
            tests[name] = StressTest(
                model=model, settings=settings, reporter=progress, cache=translation_cache()
            ).points(self.test, self.most)
        for _ in range(self.most):
            for name, points in tests.items():
                curves[name] = (*curves[name], next(points))
        return dict(curves)


_FILES = {"CSV": ("csv", "text/csv"), "LaTeX": ("tex", "application/x-tex"), "Markdown": ("md", "text/markdown")}


def show_curves(view: TogetherView) -> None:
    """Show what is lost over a test set."""
    test = _test_set(view)
    if test is None:
        return
    stored = {name: points for name, run in view.runs.items() if (points := stored_points(view, run, test)) is not None}
    missing = {name: run for name, run in view.runs.items() if name not in stored}
    task = _task(view, test, missing) if missing else None
    subscribe("stress", [] if task is None else [task])  # a test that nobody looks at any more is ended
    job = None if task is None else compute_service().job(task)  # first: what ends now is found by the next line
    answer = None if task is None else compute_service().find(task)
    computed = {} if answer is None else answer.result
    link_to("pages/look.py", strings.SEE_IT, {"models": list(view.runs)}, icon=":material/visibility:")
    st.subheader(strings.TITLE.format(sentences=len(test), test_set=view.test_set), anchor=False)
    measure = choose_one(
        st.segmented_control,
        strings.MEASURE,
        strings.MEASURES,
        key="measure",
        label_visibility="collapsed",
        width="content",
        wrap=True,
    )
    if task is not None and answer is None and job is not None and not job.state.over:
        watch_jobs(
            [NamedJob("", job)],
            "stress",
            lambda: _draw(view, _in_order(view, stored | curves_so_far(task.key)), measure),
        )
        return
    curves = _in_order(view, stored | computed)
    if curves:
        _draw(view, curves, measure)
        _explain(view, test, curves, measure)
    if task is not None and answer is None:
        _offer(task, job)


def stored_points(view: TogetherView, run: RunInfo, test: TestSet) -> tuple[StressPoint, ...] | None:
    """Find the curve stored with a run, if it was measured with these sentences, weights and settings."""
    try:
        by_test_set = _read(str(run.path), run_stamp(run.path)).get(view.test_set)
    except InputError as error:
        say_why(error)
        return None
    if by_test_set is None or not by_test_set.points:
        return None
    search = resolved(run, run.config.search.changed(beam=view.beam, n_best=1))
    same = (
        (by_test_set.source_sha256, by_test_set.reference_sha256) == (test.source_sha256, test.reference_sha256)
        and by_test_set.search == search
        and by_test_set.weights_sha256 == fingerprint(run).weights
    )
    return by_test_set.points if same else None


@st.cache_data(max_entries=32, show_spinner=False)
def _read(folder: str, stamp: str) -> dict[str, StoredStress]:
    """Read the folder again whenever ``stamp`` changes."""
    return read_stress(Path(folder))


def _test_set(view: TogetherView) -> TestSet | None:
    """The test set; None after saying why there is none."""
    if not view.test_set:
        st.info(strings.NO_TEST_SET, icon=":material/folder_open:")
        return None
    try:
        return _short(view, view.most)
    except InputError as error:
        say_why(error)
        return None


def _short(view: TogetherView, most: int | None) -> TestSet:
    from nmt.evaluation.concatenation import short_sentences
    from nmt.evaluation.test_set import from_folder

    whole = from_folder(ROOT / "testsets" / view.test_set, view.languages.source, view.languages.target)
    return short_sentences(whole, view.words, most)


def _task(view: TogetherView, test: TestSet, missing: dict[str, RunInfo]) -> StressTask:
    from nmt.evaluation.concatenation import MOST_CONCATENATED

    return StressTask(
        names=tuple(missing),
        runs=tuple(missing.values()),
        test=test,
        beam=view.beam,
        most=min(MOST_CONCATENATED, len(test)),
    )


def _in_order(view: TogetherView, curves: Curves) -> Curves:
    return {name: curves[name] for name in view.runs if curves.get(name)}


def _offer(task: StressTask, job: Job[Curves] | None) -> None:
    if job is not None:
        show_progress(job.state)
    with st.container(horizontal=True, vertical_alignment="center"):
        names = listed(task.names)
        st.button(
            escaped(strings.COMPUTE.format(names=names)) if job is None else strings.GO_ON,
            icon=":material/play_arrow:",
            on_click=start,
            args=([task],),
            key="stress-start",
            help=strings.COMPUTE_HELP,
            wrap=True,
        )
        st.caption(strings.NOT_STORED, width="content")


def _draw(view: TogetherView, curves: Curves, measure: str) -> None:
    most = max((len(points) for points in curves.values()), default=1)
    figure = stress_curve(curves, measure, most, view.numbers, dark=dark_page())
    st.plotly_chart(
        figure,
        key="stress-curve",
        config={"displayModeBar": False},
        alt=strings.CURVE_ALT.format(measure=strings.MEASURES[measure], names=", ".join(curves)),
    )


def _explain(view: TogetherView, test: TestSet, curves: Curves, measure: str) -> None:
    words = sum(map(word_counter(view.languages.source), test.sources)) / len(test)
    table = stress_table(curves, view.test_set)
    with st.container(horizontal=True, vertical_alignment="top"):
        with st.container():
            seen = [what_to_see(curves), _trained_on(view.runs), unequal_updates(view.runs)]
            st.markdown(" ".join(filter(None, seen)))
            st.caption(
                strings.CURVE_CAPTION.format(
                    measure=STRESS_MEASURES[measure].explained, words=view.words, average=words
                )
            )
        _show_export(table, view.test_set)
    with st.expander(strings.AS_TABLE):
        rows = [[true_minus(cell) for cell in row] for row in table.rows]
        st.dataframe(pd.DataFrame(rows, columns=list(table.head)), hide_index=True, key="stress-table")
        st.caption(strings.TABLE_CAPTION)


def _trained_on(runs: Mapping[str, RunInfo]) -> str:
    """Say in Markdown which checkpoints were trained on concatenated sentences, too; "" if none was."""
    names = [escaped(name) for name, run in runs.items() if run.config.training.concatenate]
    return strings.TRAINED_ON_CONCATENATED.format(names=listed(names)) if names else ""


def what_to_see(curves: Curves) -> str:
    """Say in Markdown how BLEU changes from single sentences to the most that are put together, or "" for one point."""
    sentences = []
    for name, points in curves.items():
        if len(points) > 1:
            sentences.append(strings.CHANGE.format(name=escaped(name), first=points[0].bleu, last=points[-1].bleu))
    if not sentences:
        return ""
    most = max(len(points) for points in curves.values())
    return strings.FROM_SINGLE.format(most=most, changes=", ".join(sentences))


def _show_export(table: Table, test_set: str) -> None:
    with st.popover(strings.EXPORT, icon=":material/download:"):
        st.markdown(strings.TABLE)
        with st.container(horizontal=True):
            for label, (ending, mime) in _FILES.items():
                st.download_button(
                    label,
                    tables_text([table], ending),
                    file_name=f"concatenated-{test_set}.{ending}",
                    mime=mime,
                    icon=":material/download:",
                    on_click="ignore",
                    key=f"stress-{ending}",
                )
