"""Explain this cell: what the model computed when it wrote a word, and what one source word did."""

from __future__ import annotations

import html
from collections.abc import Sequence

import numpy as np
import pandas as pd
import streamlit as st

from nmt.charts.alignment_view import Pin
from nmt.results import CellExplanation
from nmt.ui.compute import answer_to
from nmt.ui.look.explore.act import offer_attention, offer_words
from nmt.ui.look.explore.form import PIECES, ExplorerView
from nmt.ui.look.explore.panels import DrawnPanel
from nmt.ui.tasks import ExplainTask

_BINS = 12


def show_explanation(view: ExplorerView, drawn: Sequence[DrawnPanel], pin: Pin | None) -> None:
    """Of the pinned cell; says how to pin one where there is none."""
    cell = None if pin is None else cell_of(pin, drawn)
    if pin is None or cell is None:
        st.info(
            "Click a word of a translation, or a cell of a matrix, to see how it came about.",
            icon=":material/ads_click:",
        )
        return
    each = drawn[pin.panel]
    if each.explored is None or each.restriction is None:
        st.info("This panel is a difference or a file: pin a cell in a checkpoint's own panel.", icon=":material/info:")
        return
    of_tokens = PIECES in view.options and not each.explored.stands_in
    kept, alignment = each.restriction, each.restriction.alignment
    i, j = cell
    row, column = (
        (kept.target[i], kept.source[j]) if of_tokens else (alignment.target_words[i], alignment.source_words[j])
    )
    explored = each.explored
    task = ExplainTask(
        checkpoint=explored.run,
        source=explored.source,
        target=explored.target,
        row=row,
        column=column,
        of_tokens=of_tokens,
    )
    answer = answer_to(task, st.empty())
    if answer is None:
        return
    found = answer.result
    st.html(f'<p role="status">{html.escape(found.in_words)}</p>')
    if not view.target:
        offer_words(found, explored)
        if not explored.stands_in:
            words = explored.weights if of_tokens else explored.weights.merged()
            offer_attention(kept.target[i], kept.source[j], words.source, found)
    with st.expander("The numbers behind it"):
        st.code(found.in_words, language=None, wrap_lines=True)
        _show(found)


def cell_of(pin: Pin, drawn: Sequence[DrawnPanel]) -> tuple[int, int] | None:
    """The pinned cell; of a single target word the cell with its largest weight."""
    if pin.cell is not None or len(pin.target) != 1 or pin.source:
        return pin.cell
    weights = drawn[pin.panel].panel.alignment.weights[pin.target[0]]
    return pin.target[0], int(np.argmax(weights))


def _show(cell: CellExplanation) -> None:
    with st.container(horizontal=True):
        if cell.alpha is not None and cell.energies is not None:
            st.metric("αᵢⱼ", f"{cell.alpha[cell.j]:.3f}", width="content", help="Weight of this source token.")
            st.metric(
                "eᵢⱼ", f"{cell.energies[cell.j]:.2f}", width="content",
                help="Energy before the softmax: how well the source position fits the next word.",
            )  # fmt: skip
        st.metric(
            "‖sᵢ₋₁‖", f"{cell.state_norm:.2f}", width="content", help="Length of the decoder's state before this word."
        )
        st.metric(
            "‖cᵢ‖",
            f"{cell.context_norm:.2f}",
            width="content",
            help="Length of the context, the weighted sum of annotations.",
        )
        if cell.annotation_norm is not None:
            st.metric(
                "‖hⱼ‖",
                f"{cell.annotation_norm:.2f}",
                width="content",
                help="Length of the annotation of this source token.",
            )
    _show_row(cell)
    _show_next(cell)
    _show_gates(cell)


def _show_row(cell: CellExplanation) -> None:
    if cell.alpha is None or cell.energies is None:
        st.caption("Without attention there are no energies.")
        return
    frame = pd.DataFrame(
        {"Source": [f"{k} {token}" for k, token in enumerate(cell.source, 1)], "e": cell.energies, "alpha": cell.alpha}
    )
    st.dataframe(
        frame,
        hide_index=True,
        column_config={
            "e": st.column_config.NumberColumn("eᵢⱼ", format="%.2f", help="Before the softmax."),
            "alpha": st.column_config.ProgressColumn("αᵢⱼ", format="%.3f", min_value=0.0, max_value=1.0),
        },
    )


def _show_next(cell: CellExplanation) -> None:
    """The most probable next words, with and without the source word."""
    taken = " ".join(cell.source[k] for k in cell.left_out)
    columns = {
        "Next": [token.token for token in cell.next_tokens],
        "p": [token.probability for token in cell.next_tokens],
    }
    if taken:
        columns["without"] = [token.probability_without or 0.0 for token in cell.next_tokens]
    bar = st.column_config.ProgressColumn
    st.dataframe(
        pd.DataFrame(columns),
        hide_index=True,
        column_config={
            "p": bar("p", format="%.3f", min_value=0.0, max_value=1.0),
            "without": bar(f"p without “{taken}”", format="%.3f", min_value=0.0, max_value=1.0),
        },
    )
    st.caption(
        "The most probable next words at this step, and the same when the source is read again without the word."
    )


def _show_gates(cell: CellExplanation) -> None:
    rows = [
        {
            "Gate": gate.name,
            "Mean": gate.mean,
            "Units by value, 0 to 1": np.histogram(gate.values, bins=_BINS, range=(0, 1))[0].tolist(),
        }
        for gate in cell.gates
    ]
    st.dataframe(
        pd.DataFrame(rows),
        hide_index=True,
        column_config={
            "Mean": st.column_config.NumberColumn(format="%.3f"),
            "Units by value, 0 to 1": st.column_config.BarChartColumn(y_min=0),
        },
    )
    st.caption("Gates of the decoder's update at this word: 0 shut, 1 open; how many units have which value.")
