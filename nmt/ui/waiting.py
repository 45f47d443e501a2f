"""From a question to its answer, with something to look at meanwhile."""

from __future__ import annotations

from typing import TypeVar

from streamlit.delta_generator import DeltaGenerator

from nmt.errors import InputError
from nmt.ui.compute import Answer, compute_service
from nmt.ui.formatting import as_sentence
from nmt.ui.requests import Request

Result = TypeVar("Result")


def compute_with_progress(
    request: Request[Result], place: DeltaGenerator, unit: str = "words"
) -> Answer[Result] | None:
    """The answer, from memory or computed now; None after saying in ``place`` why there is none.

    Every line of progress is a point at which a newer click, or closing the page, ends the work.

    Args:
        place: an empty element, empty again in the end, but for an error.
        unit: what is counted in the progress.
    """
    answer = compute_service().remembered(request)
    if answer is not None:
        return answer

    def wait() -> None:
        place.caption("Another translation is running; this one comes next …")

    def step(done: int, limit: int) -> None:
        text = "Working …" if limit == 1 else f"Translating: {done} of at most {limit} {unit}"
        place.progress(min(1.0, done / max(1, limit)), text)

    place.progress(0.0, "Loading the model …")
    try:
        answer = compute_service().answer(request, wait, step)
    except InputError as error:
        place.error(as_sentence(str(error)), icon=":material/error:")
        return None
    place.empty()
    return answer
