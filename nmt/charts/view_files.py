"""The files of a view of the place Learn, as text: no build step, no separate server."""

from __future__ import annotations

from pathlib import Path

from nmt.charts.alignment_view import ViewFiles
from nmt.charts.es_modules import one_script

_BASE = Path(__file__).parent / "view_base.css"


def view_files(folder: Path) -> ViewFiles:
    """Read frame, style and script of a view, as Streamlit's components need them; its style follows the style that all
    views share."""
    return ViewFiles(
        (folder / "view.html").read_text("utf-8"),
        _BASE.read_text("utf-8") + (folder / "view.css").read_text("utf-8"),
        one_script(folder / "js" / "streamlit_component.js"),
    )
