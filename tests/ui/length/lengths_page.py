"""The view "Score against length" as tests open it, and what it shows."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from streamlit.testing.v1 import AppTest

from nmt.evaluation.evaluation_files import write_evaluation
from nmt.results import Evaluation
from nmt.ui.resources import compute_service
from tests.ui.opened import opened as page
from tests.ui.opened import settled

APP = Path(__file__).parents[3] / "app.py"
SOURCES = [
    "the girl reads .",
    "a cat is on the mat",
    "she has never seen the sea",
    "the cat",
    "a girl sleeps on a mat .",
]
FIRST_REFERENCES = ["la fille lit .", "une chat est sur la mer", "elle a jamais vu la mer", "le chat"]
"""Of the first four sources."""


def opened(**parameters: str | list[str]) -> AppTest:
    """The page by its address; no exception has come up."""
    return page("length", **parameters)


def keep(run: Path, evaluations: Sequence[Evaluation]) -> None:
    for evaluation in evaluations:
        write_evaluation(run, evaluation)


def chart(at: AppTest) -> dict[str, Any]:
    """The figure."""
    (found,) = at.get("plotly_chart")
    figure: dict[str, Any] = json.loads(found.proto.spec)
    return figure


def lines(at: AppTest) -> dict[str, dict[str, Any]]:
    """The traces of the systems, by name."""
    return {trace["name"]: trace for trace in chart(at)["data"] if trace.get("name") and trace["type"] == "scatter"}


def said(at: AppTest) -> str:
    """All words of the page, as typed."""
    kinds = ("info", "warning", "error", "caption", "markdown", "text", "success")
    return "\n".join(str(each.value) for kind in kinds for each in at.get(kind)).replace("\\", "")


def finish(at: AppTest) -> AppTest:
    """The page when its jobs have ended well."""
    assert not at.exception
    settled(at)
    assert not any(job.state.problem for job in compute_service().jobs.all())
    return at
