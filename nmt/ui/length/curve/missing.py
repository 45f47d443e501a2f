"""Offer to measure what was chosen and is not measured yet, with the reason."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import streamlit as st

from nmt.answers.jobs import Job
from nmt.evaluation.test_set import TestSet
from nmt.results import Evaluation
from nmt.ui.compute import NamedJob, start, watch_jobs
from nmt.ui.formatting import counted, escaped, listed
from nmt.ui.length.curve import strings
from nmt.ui.length.curve.known import KnownSet, System
from nmt.ui.length.curve.select import Selection, evaluation_task
from nmt.ui.length.curve.tasks import EvaluateTask
from nmt.ui.length.curve.uploads import session_uploads
from nmt.ui.resources import compute_service


@dataclass(frozen=True, eq=False)
class _Gap:
    """A system that lacks a test set."""

    system: System
    test_set: str
    task: EvaluateTask | None
    """The task that would measure it; None if this server cannot."""

    @property
    def job(self) -> Job[Evaluation] | None:
        return None if self.task is None else compute_service().job(self.task)


def show_missing(selection: Selection, sets: Mapping[str, KnownSet]) -> None:
    """Name what is missing, offer to measure it, and show the progress."""
    gaps = [gap for system in selection.missing.values() for gap in _gaps(selection, system)]
    uncounted = session_uploads().uncounted()
    watched = [
        NamedJob(strings.ON_TEST_SET.format(name=gap.system.name, test_set=gap.test_set), job)
        for gap in gaps
        if (job := gap.job) is not None and job.state.status != "cancelled"
    ]
    watched += [
        NamedJob(strings.ON_TEST_SET.format(name=output.system, test_set=output.test.name), job)
        for output in session_uploads().outputs
        if (job := compute_service().job(output)) is not None and job.state.status not in ("finished", "cancelled")
    ]
    if not gaps and not watched and not uncounted:
        if not selection.statistics:
            st.info(_why_nothing(selection), icon=":material/info:")
        return
    with st.container(border=True, gap="small"):
        _say(gaps, sets, selection.view.analysis.no_unk)
        _offer([gap for gap in gaps if gap.job is None or gap.job.state.status in ("cancelled", "failed")], selection)
        for k, output in enumerate(uncounted):
            st.button(
                escaped(strings.SCORE_AGAIN.format(name=output.system, test_set=output.test.name)),
                icon=":material/replay:",
                on_click=start,
                args=([output],),
                key=f"count-{k}",
            )
        watch_jobs(watched, "missing")


def _why_nothing(selection: Selection) -> str:
    if selection.view.analysis.no_unk and all(system.run is None for system in selection.chosen.values()):
        return strings.NEEDS_CHECKPOINT
    return strings.ALL_HAVE_UNKNOWN


def _gaps(selection: Selection, system: System) -> list[_Gap]:
    gaps = []
    for name in selection.view.sets:
        evaluation = system.evaluated.evaluations.get(name)
        if evaluation is not None and _has(evaluation, system, selection.view.analysis.no_unk):
            continue
        test, run = selection.tests[name], system.run
        task = (
            evaluation_task(system, test, selection.view.analysis.no_unk)
            if run is not None and test is not None
            else None
        )
        gaps.append(_Gap(system, name, task))
    return gaps


def _has(evaluation: Evaluation, system: System, no_unk: bool) -> bool:
    """Return whether the column was measured, even if no sentence belongs to it; the output of an external system
    belongs to both columns."""
    if evaluation.statistics(no_unk=no_unk) is not None:
        return True
    if not no_unk or evaluation.statistics() is None:
        return False
    kept = evaluation.pairs.without_unknown()
    return system.run is None or (kept is not None and not len(kept))


def _say(gaps: Sequence[_Gap], sets: Mapping[str, KnownSet], no_unk: bool) -> None:
    template = strings.NOT_MEASURED_KNOWN if no_unk else strings.NOT_MEASURED
    for name in dict.fromkeys(gap.test_set for gap in gaps):
        lacking = [gap for gap in gaps if gap.test_set == name]
        names = ", ".join(gap.system.name for gap in lacking)
        message = template.format(test_set=escaped(name), names=escaped(names))
        st.markdown(f":material/straighten: {message}")
        if any(gap.task is None and gap.system.run is not None for gap in lacking):
            how = sets[name].how_to_get()
            st.caption(strings.SENTENCES_NOT_HERE.format(test_set=escaped(name), how_to_get=how))
        if any(gap.system.run is None for gap in lacking):
            st.caption(strings.EXTERNAL_SYSTEM)


def _offer(gaps: Sequence[_Gap], selection: Selection) -> None:
    fillable = [gap for gap in gaps if gap.task is not None]
    if not fillable:
        return
    names = listed(list(dict.fromkeys(gap.system.name for gap in fillable)))
    tests = list(dict.fromkeys(gap.test_set for gap in fillable))
    st.button(
        escaped(strings.MEASURE.format(names=names, test_sets=listed(tests))),
        icon=":material/play_arrow:",
        type="primary",
        on_click=start,
        args=([gap.task for gap in fillable],),
        key="measure",
        help=strings.MEASURE_HELP,
        wrap=True,
    )
    sentences = sum(_sentences(selection.tests[gap.test_set]) for gap in fillable)
    st.caption(counted(sentences, strings.TO_MEASURE))


def _sentences(test: TestSet | None) -> int:
    return 0 if test is None else len(test)
