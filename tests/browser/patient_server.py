"""``streamlit`` with searches that last, on a fast machine as on a slow one, and leave the processor to the browser.

A search with a beam of ``LASTING_BEAM`` waits before each step. Its tests then see it under way, and stop it.

It also knows the language "xx", which no button offers: English with accents, and a third longer. With UPDATED in the
environment the instrument has another script, as after an update.
"""

import os
import re
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any
from unittest.mock import patch

from nmt import texts
from nmt.charts.view_files import ViewFiles
from nmt.inference import text_search
from nmt.instrument import app_files
from nmt.search.beam import BeamSettings, Candidate, ContinuousSearch, beam_search
from nmt.texts import languages, texts_in

LASTING_BEAM = 20
SECONDS_A_STEP = 0.05
UPDATED = "UPDATED"


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


_Step = Callable[[ContinuousSearch[Any]], dict[int, list[Candidate] | Exception]]


def _lasting(step: _Step) -> _Step:
    def wait(search: ContinuousSearch[Any]) -> dict[int, list[Candidate] | Exception]:
        if search._settings.beam == LASTING_BEAM:
            time.sleep(SECONDS_A_STEP)
        return step(search)

    return wait


_AS_IT_IS = re.compile(r"(\$\w+|%?\{[^{}]*\}|%\{\{.*?\}\}|<[^<>]*>|:material/\w+:|`[^`]*`|\\\w+|\]\([^)]*\))")
"""Fields, tags, icons and code in a text."""


def lengthened(value: Any) -> Any:
    """A text, or all texts of a table, with accents and a third longer."""
    if isinstance(value, dict):
        return {key: lengthened(each) for key, each in value.items()}
    if isinstance(value, tuple):
        return tuple(map(lengthened, value))
    if not isinstance(value, str) or not re.search("[a-z]{2}", _AS_IT_IS.sub("", value)):
        return value
    parts = _AS_IT_IS.split(value)
    parts[::2] = [part.translate(str.maketrans("aeioucn", "áéíóúçñ")) for part in parts[::2]]
    return "".join(parts) + " é" * (len(value) // 6 + 1)


class Lengthened(dict[str, Any]):
    """All texts of "xx": the English ones, also those of files of data, lengthened."""

    def __init__(self) -> None:
        super().__init__({name: lengthened(value) for name, value in texts_in("en").items()})

    def get(self, name: str, default: Any = None) -> Any:  # type: ignore[override]
        return self[name] if name in self else lengthened(default)


_TEXTS_IN, _APP_FILES = texts.texts_in, app_files
_LONG = Lengthened()


def texts_in_long(code: str) -> dict[str, Any]:
    """As ``texts_in``, with "xx"."""
    return _LONG if code == "xx" else _TEXTS_IN(code)


class _Known(dict[str, str]):
    """The languages, with one that is not listed."""

    def __contains__(self, code: object) -> bool:
        return code == "xx" or super().__contains__(code)


def _updated() -> ViewFiles:
    files = _APP_FILES()
    return replace(files, js=f"{files.js}globalThis.updated = true;\n") if os.environ.get(UPDATED) else files


if __name__ == "__main__":
    from streamlit.web.cli import main

    from nmt.ui import app_shell, instrument

    with (
        patch.object(texts, "texts_in", texts_in_long),
        patch.object(instrument, "app_files", _updated),
        patch.object(app_shell, "languages", lambda: _Known(languages())),
        patch.object(text_search, "beam_search", _lasting_beam_search),
        patch.object(ContinuousSearch, "step", _lasting(ContinuousSearch.step)),
    ):
        main(prog_name="streamlit")
