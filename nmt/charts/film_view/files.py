"""The files of the film, as text: no build step, no separate server."""

from __future__ import annotations

from pathlib import Path

from nmt.charts.alignment_view import ViewFiles
from nmt.charts.view_files import view_files


def film_view_files() -> ViewFiles:
    """Read frame, style and script of the film."""
    return view_files(Path(__file__).parent)
