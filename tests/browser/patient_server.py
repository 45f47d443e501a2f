"""``streamlit`` with searches that last, on a fast machine as on a slow one, and leave the processor to the browser.

A search with a beam of ``LASTING_BEAM`` waits before each step. Its tests then see it under way, and stop it.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any
from unittest.mock import patch

from nmt.inference import text_search
from nmt.search.beam import BeamSettings, ContinuousSearch, StepOutcome, beam_search

LASTING_BEAM = 20
SECONDS_A_STEP = 0.05


def _lasting_beam_search(
    model: Any,
    source: Any,
    mask: Any,
    settings: BeamSettings,
    on_step: Callable[[int, int], None] | None = None,
) -> Any:
    def wait(step: int, limit: int) -> None:
        if settings.beam == LASTING_BEAM:
            time.sleep(SECONDS_A_STEP)
        if on_step is not None:
            on_step(step, limit)

    return beam_search(model, source, mask, settings, wait)


def _lasting(step: Callable[[ContinuousSearch[Any]], StepOutcome]) -> Callable[[ContinuousSearch[Any]], StepOutcome]:
    def wait(search: ContinuousSearch[Any]) -> StepOutcome:
        if search._settings.beam == LASTING_BEAM:
            time.sleep(SECONDS_A_STEP)
        return step(search)

    return wait


if __name__ == "__main__":
    from streamlit.web.cli import main

    with (
        patch.object(text_search, "beam_search", _lasting_beam_search),
        patch.object(ContinuousSearch, "step", _lasting(ContinuousSearch.step)),
    ):
        main(prog_name="streamlit")
