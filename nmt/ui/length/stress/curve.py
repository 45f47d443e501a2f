"""The curves of the stress test, which grow while it runs."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from nmt.charts.stress_curve import STRESS_MEASURES, stress_curve
from nmt.data.line_words import word_counter
from nmt.errors import InputError
from nmt.tables.files import tables_text
from nmt.tables.stress import stress_table
from nmt.tasks.jobs import Job
from nmt.ui.checkpoints import ROOT
from nmt.ui.compute import start, subscribe
from nmt.ui.formatting import escaped
from nmt.ui.length.stress.form import StressView, say_why
from nmt.ui.length.stress.task import Curves, StressTask, board
from nmt.ui.progress import NamedJob, show_progress, watch_jobs
from nmt.ui.resources import compute_service
from nmt.ui.theme import dark_page

_SHOWN = {
    "BLEU": "bleu",
    "BLEU against one by one": "kept",
    "Log p": "log_probability",
    "Length": "length_ratio",
    "Least coverage": "least_coverage",
    "Mean coverage": "mean_coverage",
}


def show_curves(view: StressView) -> None:
    """What the test set says: a button first, then curves that grow, and their table."""
    question = _question(view)
    if question is None:
        return
    words = sum(map(word_counter(view.languages[0]), question.test.sources))
    st.caption(
        f"{len(question.test)} sentences of {escaped(view.test_set)} with {words / len(question.test):.1f} words on "
        f"average, concatenated in their order, 1 to {question.most} at a time: the same groups for every checkpoint."
    )
    subscribe("stress", [question])  # a test that nobody looks at any more is ended; what was translated is kept
    job = compute_service().job(question)  # first: what ends now is found by the next line
    answer = compute_service().find(question)
    if answer is None and (job is None or job.state.over):
        _offer(question, job)
    if answer is None and job is None:
        return
    chosen = st.pills("Show", list(_SHOWN), default="BLEU", required=True, key="measure", bind="query-params")
    measure = _SHOWN[chosen]
    if answer is None and job is not None and not job.state.over:
        watch_jobs([NamedJob("", job)], "stress", lambda: _draw_so_far(view, question, measure))
        return
    curves = board().curves(question.key) if answer is None else answer.result
    _draw(view, question, curves, measure)
    _show_table(view, curves)


def _question(view: StressView) -> StressTask | None:
    """None after saying why there is none."""
    from nmt.evaluation.concatenation import MOST_CONCATENATED, short_sentences
    from nmt.evaluation.test_set_files import from_folder

    if not view.test_set:
        st.info("There is no test set of these languages in testsets/.", icon=":material/folder_open:")
        return None
    try:
        whole = from_folder(ROOT / "testsets" / view.test_set, *view.languages)
        test = short_sentences(whole, view.words, view.sentences)
    except InputError as error:
        say_why(error)
        return None
    return StressTask(
        names=tuple(view.runs),
        runs=tuple(view.runs.values()),
        test=test,
        beam=view.beam,
        most=min(MOST_CONCATENATED, len(test)),
    )


def _offer(question: StressTask, job: Job[Curves] | None) -> None:
    if job is not None:
        show_progress(job.state)
    st.button(
        "Start" if job is None else "Go on",
        type="primary",
        icon=":material/play_arrow:",
        on_click=start,
        args=([question],),
        key="stress-start",
        help="A minute or two on two processors; what was translated before is read from disk.",
    )


def _draw_so_far(view: StressView, question: StressTask, measure: str) -> None:
    curves = board().curves(question.key)
    st.caption(f"{sum(map(len, curves.values()))} of {question.total} points")
    _draw(view, question, curves, measure)


def _draw(view: StressView, question: StressTask, curves: Curves, measure: str) -> None:
    figure = stress_curve(curves, measure, question.most, view.numbers, dark=dark_page())
    st.plotly_chart(figure, key="stress-curve", config={"displayModeBar": False})
    st.caption(STRESS_MEASURES[measure].explained)


def _show_table(view: StressView, curves: Curves) -> None:
    if not any(curves.values()):
        return
    table = stress_table(curves, view.test_set)
    with st.expander("As a table"):
        frame = pd.DataFrame(table.rows, columns=list(table.head))
        st.dataframe(frame, hide_index=True, key="stress-table")
        st.caption(
            "Concatenated: sentences per text. Words: of a concatenated source. One by one: BLEU of the same "
            "sentences translated singly. Log p: of the reference, nats per word. Length: over the reference's. "
            "Least, mean: coverage by alpha."
        )
        st.download_button(
            "Download as CSV",
            lambda: tables_text([table], "csv"),
            file_name=f"stress-{view.test_set}.csv",
            mime="text/csv",
            icon=":material/download:",
            on_click="ignore",
            key="stress-csv",
        )
