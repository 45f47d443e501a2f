"""The interactive view of alignments as an element of a page."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import streamlit as st

from nmt.charts.alignment_view import view_files


@st.cache_resource(show_spinner=False)
def _component() -> Callable[..., Any]:
    """Register the component, once per server; its files are passed as text, so that no build is needed."""
    files = view_files("streamlit_component")
    return st.components.v2.component("alignment_view", html=files.html, css=files.css, js=files.js)


def alignment_view(
    data: Mapping[str, Any],
    *,
    key: str,
    on_move: Callable[[object], None] = lambda move: None,
    on_export: Callable[[], None] = lambda: None,
    exports: str | None = None,
) -> object:
    """Show the data of ``nmt.charts.alignment_view.view_data``. Paper: Figure 3.

    Returns what the reader pinned, as sent by the browser, or None; ``Pin.checked`` validates it. A new pin runs the
    script, or the fragment around this call, again.

    Args:
        on_move: called before that run with the cell that the reader dragged, as sent by the browser; ``Move.checked``
            validates it.
        on_export: called when the reader wants to export the picture.
        exports: key of the container in which the picture is exported; without it, the view has no button for export.
    """
    return _component()(
        key=key,
        data={**data, "exports": exports},
        default={"pin": None},
        on_pin_change=lambda: None,
        on_move_change=lambda: on_move((st.session_state.get(key) or {}).get("move")),
        on_export_change=on_export,
    ).pin
