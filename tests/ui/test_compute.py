"""Progress of background jobs on a page."""

from pathlib import Path
from types import SimpleNamespace

import pytest
from streamlit.runtime.scriptrunner_utils.exceptions import RerunException
from streamlit.runtime.scriptrunner_utils.script_requests import RerunData, ScriptRequests
from streamlit.testing.v1 import AppTest

from nmt.ui.compute import give_way
from tests.kept import compare_with_kept
from tests.ui.written_page import written

KEPT = Path(__file__).parent / "kept"


def test_a_job_is_shown_in_two_places_and_beside_one_of_its_name() -> None:
    def page() -> None:
        from nmt.answers.service import Computation
        from nmt.ui.compute import watch_jobs

        job = Computation()
        watch_jobs([("a", job)], "above")
        watch_jobs([("a", job), ("a", Computation())], "below")

    at = AppTest.from_function(page).run()
    assert not at.exception
    assert [button.key for button in at.button] == ["cancel-above-a", "cancel-below-a", "cancel-below-a+"]


def test_cancelling_ends_the_job_and_says_so_to_the_page() -> None:
    def page() -> None:
        import streamlit as st

        from nmt.answers.service import Computation
        from nmt.ui.compute import watch_jobs

        job = st.session_state.setdefault("job", Computation())
        watch_jobs([("", job)], "here", lambda: st.text("more"), lambda: st.session_state.update(told=True))
        st.text(job.state.status)

    at = AppTest.from_function(page).run()
    assert [text.value for text in at.text] == ["more", "waiting"]
    at.button(key="cancel-here-").click().run()
    assert not at.exception
    assert at.session_state["told"]
    assert not at.button
    assert [text.value for text in at.text] == ["cancelled"]


def test_weights_that_are_elsewhere_are_no_error() -> None:
    def page() -> None:
        import streamlit as st

        from nmt.errors import InputError, MissingWeightsError
        from nmt.ui.compute import show_error

        show_error(MissingWeightsError("weights are elsewhere"), st.empty())
        show_error(InputError("a name is wrong"), st.empty())

    at = AppTest.from_function(page, default_timeout=20).run()
    assert [shown.value for shown in at.info] == ["weights are elsewhere."]
    assert [shown.value for shown in at.error] == ["a name is wrong."]


def test_of_tasks_those_are_shown_that_were_started_and_not_cancelled() -> None:
    """One that failed says why, one under way can be cancelled; with nothing idle there is no button to start them."""

    def page() -> None:
        from types import SimpleNamespace
        from typing import Any

        import streamlit as st

        from nmt.answers.service import Computation
        from nmt.ui.compute import offer_work

        if "work" not in st.session_state:
            jobs: dict[str, Computation] = {
                name: Computation() for name in ("cancelled", "failed", "finished", "waiting")
            }
            jobs["cancelled"].cancel()
            jobs["failed"]._end("failed", "it broke")
            jobs["finished"]._end("finished")
            work = [SimpleNamespace(name=name, job=job, idle=job.state.over, task=name) for name, job in jobs.items()]
            work.append(SimpleNamespace(name="new", job=None, idle=True, task="new"))
            st.session_state["work"] = work
        work = st.session_state["work"]
        given: Any = work if st.session_state.get("all", True) else [one for one in work if not one.idle]
        offer_work(given, "Start", key="here", icon=":material/add:", help="")

    at = AppTest.from_function(page).run()
    assert not at.exception
    assert [button.key for button in at.button] == ["here", "cancel-here-waiting"]
    assert [error.value for error in at.error] == ["failed: it broke."]
    at.session_state["all"] = False
    at.run()
    assert [button.key for button in at.button] == ["cancel-here-waiting"]
    assert not at.error


def test_progress_is_shown_as_kept(request: pytest.FixtureRequest) -> None:
    """Work that waits, begins, is counted, is timed, went beyond its estimate, failed, and ended; and buttons."""

    def page() -> None:
        import streamlit as st

        from nmt.answers.request import Progress
        from nmt.answers.service import Computation, ComputationState
        from nmt.errors import InputError
        from nmt.ui.compute import (
            PageProgress,
            errors_shown,
            offer_work,
            refusal_kept,
            show_progress,
            show_refused,
            watch_jobs,
        )

        half = ComputationState(status="running", stage="translate", progress=Progress(5, 20))
        for state in (
            ComputationState(),
            ComputationState(status="running", stage="load *it*"),
            ComputationState(status="running"),
            half,
            ComputationState(status="running", stage="count", progress=Progress(21, 20)),
            ComputationState(
                status="running", stage="count", progress=half.progress, words_per_second=0.0, seconds_left=0.0
            ),
            ComputationState(status="failed", problem="it *broke*"),
            ComputationState(status="finished"),
            ComputationState(status="cancelled"),
        ):
            show_progress(state)
        show_progress(half, st.container(border=True), name="a*b")
        reporter = PageProgress(st.empty())
        with reporter.stage("translate", 4) as show:
            show(Progress(1, 4))
        with PageProgress(st.empty()).stage("count", 4):
            pass
        PageProgress(st.empty()).wait()
        with errors_shown():
            raise InputError("a *warning*")
        with errors_shown("error"):
            raise InputError("an error")
        with refusal_kept("refused"):
            raise OSError("a *refusal*")
        show_refused("refused")
        jobs = [Computation(), Computation()]
        watch_jobs([("one", jobs[0]), ("two", jobs[1]), ("one", jobs[0]), ("one", jobs[1])], "here")

        class Idle:
            name, task, job, idle = "idle", None, None, True

        offer_work([Idle()], "Start", key="start", icon=":material/add:", help="Starts it.")  # type: ignore[list-item]

    at = AppTest.from_function(page, default_timeout=20).run()
    assert not at.exception, at.exception
    compare_with_kept(KEPT / "compute.txt", written(at, keys=True), request)
    assert "refused" not in at.session_state


@pytest.mark.parametrize(
    ("own", "asked", "begun"),
    [
        (None, "mine", []),  # the whole page was computing, so the whole page begins anew
        (["other"], "mine", ["other", "timer", "mine"]),
        (["mine"], "mine", ["mine", "timer"]),
        (["mine"], None, []),
    ],
)
def test_work_gives_way_to_a_reader_and_not_to_a_timer(
    own: list[str] | None, asked: str | None, begun: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    requests = ScriptRequests()
    context = SimpleNamespace(script_requests=requests, fragment_ids_this_run=own)
    monkeypatch.setattr("nmt.ui.compute.get_script_run_ctx", lambda: context)
    give_way()
    requests.request_rerun(RerunData(fragment_id="timer", is_auto_rerun=True))
    give_way()  # a timer must not end what a reader waits for
    requests.request_rerun(RerunData(fragment_id=asked, query_string="s=a"))
    with pytest.raises(RerunException) as ended:
        give_way()
    assert ended.value.rerun_data.fragment_id_queue == begun
    assert ended.value.rerun_data.query_string == "s=a"
    give_way()  # what was asked for has begun
