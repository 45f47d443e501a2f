"""The interactive views of nmt/charts as elements of a page. Each is registered with Streamlit once per server."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import streamlit as st

from nmt.charts.ribbons import SmallFigure
from nmt.charts.view_files import view_files


@st.cache_resource(show_spinner=False)
def component(name: str) -> Callable[..., Any]:
    """Register the view in the folder ``nmt/charts/NAME``; its files are passed as text, so that no build is needed."""
    files = view_files(name)
    return st.components.v2.component(name, html=files.html, css=files.css, js=files.js)


def alignment_view(
    data: Mapping[str, Any],
    *,
    key: str,
    on_pin: Callable[[object], None] = lambda pin: None,
    on_move: Callable[[object], None] = lambda move: None,
) -> None:
    """Show the data of ``nmt.charts.alignment_view.view_data``. Paper: Figure 3.

    What the reader does runs the script, or the fragment around this call, again. The view keeps no pin of its own: it
    shows that of the data.

    Args:
        on_pin: called before that run with what the reader pinned, as sent by the browser, or None; ``Pin.checked``
            validates it.
        on_move: called before that run with the cell that the reader dragged; ``Move.checked`` validates it.
    """
    component("alignment_view")(
        key=key,
        data=data,
        on_pin_change=lambda: on_pin((_sent(key, "pin") or {}).get("pin")),
        on_move_change=lambda: on_move(_sent(key, "move")),
    )


def _sent(key: str, event: str) -> Any:
    return (st.session_state.get(key) or {}).get(event)


def show_ribbons(
    data: Mapping[str, Any],
    *,
    key: str,
    on_word: Callable[[object], None] = lambda word: None,
    on_move: Callable[[object], None] = lambda move: None,
    on_undo: Callable[[], None] = lambda: None,
    on_number: Callable[[object], None] = lambda number: None,
) -> None:
    """Show the data of ``nmt.charts.ribbons.ribbons_data``. Paper: Figure 3.

    What the reader does runs the script, or the fragment around this call, again.

    Args:
        on_word: called before that run with the target word that the reader chose, as sent by the browser, or None.
        on_move: called before that run with the ribbon whose end the reader dragged to another source word;
            ``Move.checked`` validates it over the systems.
        on_undo: called when the reader wants the translation back that stood before a change.
        on_number: called with the number of sentences that the reader wants to be translated as one, as sent.
    """
    component("ribbons")(
        key=key,
        data=data,
        on_word_change=lambda: on_word((_sent(key, "word") or {}).get("word")),
        on_move_change=lambda: on_move(_sent(key, "move")),
        on_undo_change=on_undo,
        on_number_change=lambda: on_number(_sent(key, "number")),
    )


def show_small_figure(figure: SmallFigure, *, key: str, large: bool = False) -> None:
    """Show the small Figure 2, over the whole width if ``large``. Paper: Figure 2."""
    component("small_figure")(key=key, data=figure.to_dict() | {"large": large})


def show_figure(figure: Any, *, key: str, alt: str | None = None) -> None:
    """Show a figure of Plotly, without its buttons. ``alt``: what it shows, for those who cannot see it."""
    st.plotly_chart(figure, key=key, config={"displayModeBar": False}, alt=alt)


def step_view(data: Mapping[str, Any], *, key: str) -> None:
    """Show the data of ``nmt.charts.step_view.step_view_data``. Moving between steps does not run the script again.

    Paper: Figure 1
    """
    component("step_view")(key=key, data=data)


def film_view(data: Mapping[str, Any], *, key: str) -> object:
    """Show the data of ``nmt.charts.film_view.film_data``.

    Returns the number of the step on which the reader or the film came to rest, as sent by the browser, or None. A new
    one runs the script, or the fragment around this call, again.
    """
    return component("film_view")(key=key, data=data, default={"step": None}, on_step_change=lambda: None).step


def beam_view(data: Mapping[str, Any], *, key: str) -> tuple[object, object]:
    """Show the data of ``nmt.charts.beam_view.beam_view_data``.

    Returns the numbers of the hypothesis that the reader chose and of the one from which the search is to go on, as
    sent by the browser, or None for each.
    """
    state = component("beam_view")(
        key=key, data=data, default={"node": None}, on_node_change=lambda: None, on_begin_change=lambda: None
    )
    return state.node, state.begin
