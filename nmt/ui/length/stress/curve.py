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
from nmt.ui.formatting import escaped
from nmt.ui.job_progress import EVERY, progress_text, show_progress
from nmt.ui.job_subscriptions import subscribe
from nmt.ui.length.stress.form import StressView, say_why
from nmt.ui.length.stress.task import Curves, StressTask, board
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
    job = question.find()
    if job is None or job.state.over:
        _offer(question, job)
    if job is None:
        return
    chosen = st.pills("Show", list(_SHOWN), default="BLEU", required=True, key="measure", bind="query-params")
    measure = _SHOWN[chosen]
    if job.state.over:
        curves = job.result or board().curves(question)
        _draw(view, question, curves, measure)
        _show_table(view, curves)
    else:
        st.fragment(_watch, run_every=EVERY)(view, question, job, measure)


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
    stamps = tuple(run.weights.path.stat().st_mtime_ns for run in view.runs.values())
    most = min(MOST_CONCATENATED, len(test))
    return StressTask(tuple(view.runs), tuple(view.runs.values()), stamps, test, view.beam, most)


def _offer(question: StressTask, job: Job[Curves] | None) -> None:
    if job is not None:
        show_progress(job.state)
        if job.result is not None:
            return
    st.button(
        "Start" if job is None else "Go on",
        type="primary",
        icon=":material/play_arrow:",
        on_click=_start,
        args=(question,),
        key="stress-start",
        help="A minute or two on two processors; what was translated before is read from disk.",
    )


def _start(question: StressTask) -> None:
    question.start()


def _watch(view: StressView, question: StressTask, job: Job[Curves], measure: str) -> None:
    """Again and again by itself; when the job is over, the whole page is shown anew."""
    if job.state.over:
        st.rerun()
    done = sum(map(len, board().curves(question).values()))
    with st.container(horizontal=True, vertical_alignment="center"):
        st.progress(done / question.total, f"{done} of {question.total} points · {progress_text(job.state)}")
        st.button("Stop", key="stress-stop", icon=":material/stop_circle:", on_click=job.cancel)
    _draw(view, question, board().curves(question), measure)


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
