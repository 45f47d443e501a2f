"""The files of the film, as text: no build step, no separate server."""

from __future__ import annotations

from pathlib import Path

from nmt.charts.alignment_view import ViewFiles
from nmt.charts.es_modules import one_script

_FOLDER = Path(__file__).parent


def film_view_files() -> ViewFiles:
    """Read frame, style and script of the film, as Streamlit's components need them."""
    return ViewFiles(
        (_FOLDER / "view.html").read_text("utf-8"),
        (_FOLDER / "view.css").read_text("utf-8"),
        one_script(_FOLDER / "js" / "streamlit_component.js"),
    )
