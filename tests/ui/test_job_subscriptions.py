"""Work ends when the last reader turns to something else; the same work may be shown in two places."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from streamlit.testing.v1 import AppTest

from nmt.tasks.jobs import Job
from nmt.ui.job_subscriptions import JobSubscriptions


@dataclass(frozen=True)
class Asked:
    name: str

    def find(self) -> Job[Any] | None:
        return None


A, B = Asked("a"), Asked("b")


def test_work_that_somebody_still_wants_is_not_given_up() -> None:
    interest = JobSubscriptions()
    assert interest.update("one", "texts", [A, B]) == []
    assert interest.update("two", "texts", [A]) == []
    assert interest.update("one", "texts", []) == [B]
    assert interest.update("two", "texts", [B]) == [A]
    assert interest.update("two", "texts", [B]) == []


def test_another_kind_of_work_is_another_matter() -> None:
    interest = JobSubscriptions()
    interest.update("one", "texts", [A])
    assert interest.update("one", "stress", [B]) == []
    assert interest.update("one", "stress", []) == [B]


def test_a_job_is_shown_in_two_places() -> None:
    def page() -> None:
        from nmt.tasks.jobs import Job
        from nmt.ui.length.curve.job_list import NamedJob, show_jobs

        job: Job[None] = Job("key")
        show_jobs([NamedJob("a", job)], "above")
        show_jobs([NamedJob("a", job)], "below")

    at = AppTest.from_function(page).run()
    assert not at.exception
    assert [button.label for button in at.button] == ["Cancel", "Cancel"]
