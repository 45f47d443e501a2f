"""The files of the view, as text: no build step, no separate server."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from nmt.charts.es_modules import one_script

_FOLDER = Path(__file__).parent


@dataclass(frozen=True)
class ViewFiles:
    """The files of a view. html: the frame; css: its style; js: one module script."""

    html: str
    css: str
    js: str


def view_files(place: Literal["streamlit_component", "standalone_page"]) -> ViewFiles:
    """Read the files for one of the places where the view is shown, which is the name of its module in ``js/``."""
    return ViewFiles(
        (_FOLDER / "view.html").read_text("utf-8"),
        (_FOLDER / "view.css").read_text("utf-8"),
        one_script(_FOLDER / "js" / f"{place}.js"),
    )
