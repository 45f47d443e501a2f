"""The view of the explorer on the page, and what is pinned in it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

from nmt.charts.alignment_view import Panel, Pin, view_data
from nmt.ui.address import not_there
from nmt.ui.alignment_component import alignment_view
from nmt.ui.checkpoints import ARCHITECTURES
from nmt.ui.look import strings as look_strings
from nmt.ui.look.explore import strings
from nmt.ui.look.explore.form import PIECES, TRANSPOSED, ExplorerView
from nmt.ui.look.explore.panels import DrawnPanel
from nmt.ui.look.explore.what_if import open_export, take_move

_KEY = "explorer-view"
_CHOSEN = "explorer-chosen-word"
_PARAMETER = "pin"
RAIL = "rail"
"""Key of the container of the section beside the matrices."""


def pin_word(drawn: Sequence[DrawnPanel], panel: int, word: int) -> None:
    """Pin the row of a target word of a panel, if it is shown there; without effect until another word is chosen.

    Args:
        word: number of the word among all words of the target.
    """
    if st.session_state.get(_CHOSEN) == (panel, word) or panel >= len(drawn):
        return
    st.session_state[_CHOSEN] = (panel, word)
    kept = drawn[panel].restriction
    rows = () if kept is None else kept.alignment.target_words
    if word in rows:
        st.session_state[_KEY] = {"pin": Pin(panel, target=(list(rows).index(word),)).to_dict()}


def forget_word() -> None:
    """Forget the word that was chosen in the picture."""
    st.session_state.pop(_CHOSEN, None)


def is_pinned() -> bool:
    """Return whether a cell or word is pinned, by the click that began this run or by the address."""
    state = st.session_state.get(_KEY)
    return _PARAMETER in st.query_params if state is None else state.get("pin") is not None


def _below_the_picture(view: ExplorerView, drawn: DrawnPanel) -> Panel:
    """The panel without what the picture above says of the same translation: sentence, log p, how to point."""
    panel = replace(drawn.panel, text="", movable=_movable(view, drawn))
    if drawn.explored is None:
        return panel
    run = drawn.explored.run
    kind, written_in = ARCHITECTURES[run.config.model.architecture], view.target_named(run)
    if written_in:
        kind = look_strings.KIND_IN.format(language=written_in, kind=kind)
    return replace(panel, kind=kind, hint=strings.MATRIX_HINT)


def _movable(view: ExplorerView, drawn: DrawnPanel) -> bool:
    """Return whether the weights of a panel can be moved: alpha of a checkpoint that writes its own translation."""
    return drawn.explored is not None and not drawn.panel.not_attention and not view.target


def show_view(view: ExplorerView, drawn: Sequence[DrawnPanel]) -> Pin | None:
    """Show all panels; return the pin, which the address keeps."""
    panels = [_below_the_picture(view, each) for each in drawn]
    if _KEY not in st.session_state:
        requested = st.query_params.get(_PARAMETER, "")
        linked = Pin.from_address(requested, panels)
        if requested and linked is None:
            not_there(strings.CELL_OR_WORD, requested)
        st.session_state[_KEY] = {"pin": None if linked is None else linked.to_dict()}
    pin = Pin.checked((st.session_state.get(_KEY) or {}).get("pin"), panels)
    data = view_data(
        panels,
        show=view.shown,
        scale=view.scale,
        transpose=TRANSPOSED in view.options,
        layout=view.layout,
        pin=pin,
    )
    movable = [replace(each, panel=panel) for each, panel in zip(drawn, panels, strict=True)]
    of_tokens = PIECES in view.options
    shown = alignment_view(
        data,
        key=_KEY,
        on_move=lambda move: take_move(move, movable, of_tokens=of_tokens),
        on_export=open_export,
        exports=RAIL,
    )
    pin = Pin.checked(shown, panels)
    if pin is None:
        st.query_params.pop(_PARAMETER, None)
    else:
        st.query_params[_PARAMETER] = pin.address
    return pin
