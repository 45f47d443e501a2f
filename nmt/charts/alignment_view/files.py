"""The files of the view, as text: no build step, no separate server."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

_FOLDER = Path(__file__).parent


@dataclass(frozen=True)
class ViewFiles:
    """html: the frame; css: its style; js: functions; ``mount(element, data, onPin)`` shows ``data`` in an element that
    contains the frame."""

    html: str
    css: str
    js: str


def view_files() -> ViewFiles:
    """Read the files; those of JavaScript are concatenated in the order of their numbers."""
    scripts = sorted((_FOLDER / "js").glob("*.js"))
    return ViewFiles(
        (_FOLDER / "view.html").read_text("utf-8"),
        (_FOLDER / "view.css").read_text("utf-8"),
        "\n".join(path.read_text("utf-8") for path in scripts),
    )
