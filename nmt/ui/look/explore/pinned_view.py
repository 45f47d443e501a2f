"""The view of the explorer on the page, and what is pinned in it."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from nmt.charts.alignment_view import Pin, view_data
from nmt.ui.alignment_component import alignment_view
from nmt.ui.look.explore.form import TRANSPOSED, ExplorerView
from nmt.ui.look.explore.panels import DrawnPanel

_KEY = "explorer-view"
_PARAMETER = "pin"


def show_view(view: ExplorerView, drawn: Sequence[DrawnPanel]) -> Pin | None:
    """Show all panels; what is pinned, which the address keeps."""
    panels = [each.panel for each in drawn]
    if _KEY not in st.session_state:
        said = _read(st.query_params.get(_PARAMETER, ""))
        st.session_state[_KEY] = {"pin": said}
    pin = Pin.checked((st.session_state.get(_KEY) or {}).get("pin"), panels)
    data = view_data(
        panels,
        show=view.shown,
        scale=view.scale,
        transpose=TRANSPOSED in view.options,
        layout=view.layout,
        pin=pin,
    )
    pin = Pin.checked(alignment_view(data, key=_KEY), panels)
    _write(pin)
    return pin


def _read(text: str) -> dict[str, object] | None:
    """Panel, target words and source words, as ``_write`` gives them; None for anything else.

    >>> _read("0.3-4.1"), _read("1..2"), _read("0.x.1")
    ({'panel': 0, 'target': [3, 4], 'source': [1]}, {'panel': 1, 'target': [], 'source': [2]}, None)
    """
    parts = text.split(".")
    numbers = [part.split("-") if part else [] for part in parts]
    if len(parts) != 3 or len(numbers[0]) != 1 or not all(n.isascii() and n.isdecimal() for p in numbers for n in p):
        return None
    (panel,), target, source = ([int(n) for n in part] for part in numbers)
    return {"panel": panel, "target": target, "source": source}


def _write(pin: Pin | None) -> None:
    if pin is None:
        st.query_params.pop(_PARAMETER, None)
        return
    sides = ("-".join(map(str, side)) for side in (pin.target, pin.source))
    st.query_params[_PARAMETER] = ".".join([str(pin.panel), *sides])
