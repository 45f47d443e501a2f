"""Explanation of a cell: the computation of the target word, and the effect of the source word."""

from __future__ import annotations

import html
from collections.abc import Sequence

import numpy as np
import pandas as pd
import streamlit as st

from nmt.charts.alignment_view import Pin
from nmt.results import CellExplanation
from nmt.ui.compute import answer_to
from nmt.ui.formatting import true_minus
from nmt.ui.look.explore import strings
from nmt.ui.look.explore.act import offer_attention, offer_words
from nmt.ui.look.explore.form import PIECES, ExplorerView
from nmt.ui.look.explore.panels import DrawnPanel
from nmt.ui.tasks import ExplainTask

_BINS = 12


def show_explanation(view: ExplorerView, drawn: Sequence[DrawnPanel], pin: Pin | None) -> None:
    """Explain the pinned cell; if there is none, say how to pin one."""
    cell = None if pin is None else cell_of(pin, drawn)
    if pin is None or cell is None:
        st.info(strings.PIN_A_CELL, icon=":material/ads_click:")
        return
    each = drawn[pin.panel]
    if each.explored is None or each.restriction is None:
        st.info(strings.NO_CHECKPOINT_OF_PANEL, icon=":material/info:")
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
    explanation = answer.result
    st.html(f'<p role="status">{html.escape(explanation.in_words)}</p>')
    if not view.target:
        offer_words(explanation, explored)
        if not explored.stands_in:
            words = explored.weights if of_tokens else explored.weights.merged()
            offer_attention(kept.target[i], kept.source[j], words.source, explanation, explored.name)
    with st.expander(strings.NUMBERS):
        st.code(explanation.in_words, language=None, wrap_lines=True)
        _show(explanation)


def cell_of(pin: Pin, drawn: Sequence[DrawnPanel]) -> tuple[int, int] | None:
    """The pinned cell; of a single target word the cell with its largest weight."""
    if pin.cell is not None or len(pin.target) != 1 or pin.source:
        return pin.cell
    weights = drawn[pin.panel].panel.alignment.weights[pin.target[0]]
    return pin.target[0], int(np.argmax(weights))


def _show(cell: CellExplanation) -> None:
    with st.container(horizontal=True):
        if cell.alpha is not None and cell.energies is not None:
            st.metric("αᵢⱼ", f"{cell.alpha[cell.j]:.3f}", width="content", help=strings.WEIGHT)
            st.metric("eᵢⱼ", _number(cell.energies[cell.j]), width="content", help=strings.ENERGY)
        st.metric("‖sᵢ₋₁‖", _number(cell.state_norm), width="content", help=strings.STATE)
        st.metric("‖cᵢ‖", _number(cell.context_norm), width="content", help=strings.CONTEXT)
        if cell.annotation_norm is not None:
            st.metric("‖hⱼ‖", _number(cell.annotation_norm), width="content", help=strings.ANNOTATION)
    _show_row(cell)
    _show_next(cell)
    _show_gates(cell)


def _number(value: float) -> str:
    return true_minus(f"{value:.2f}")


def _show_row(cell: CellExplanation) -> None:
    if cell.alpha is None or cell.energies is None:
        st.caption(strings.NO_ENERGIES)
        return
    source = [f"{k} {token}" for k, token in enumerate(cell.source, 1)]
    frame = pd.DataFrame({strings.SOURCE_COLUMN: source, "e": cell.energies, "alpha": cell.alpha})
    st.dataframe(
        frame,
        hide_index=True,
        column_config={
            "e": st.column_config.NumberColumn("eᵢⱼ", format="%.2f", help=strings.BEFORE_SOFTMAX),
            "alpha": st.column_config.ProgressColumn("αᵢⱼ", format="%.3f", min_value=0.0, max_value=1.0),
        },
    )


def _show_next(cell: CellExplanation) -> None:
    """The most probable next words, with and without the source word."""
    taken = " ".join(cell.source[k] for k in cell.left_out)
    columns = {
        strings.NEXT_COLUMN: [token.token for token in cell.next_tokens],
        strings.P_COLUMN: [token.probability for token in cell.next_tokens],
    }
    if taken:
        columns["without"] = [token.probability_without or 0.0 for token in cell.next_tokens]
    bar = st.column_config.ProgressColumn
    st.dataframe(
        pd.DataFrame(columns),
        hide_index=True,
        column_config={
            strings.P_COLUMN: bar(strings.P_COLUMN, format="%.3f", min_value=0.0, max_value=1.0),
            "without": bar(strings.WITHOUT_COLUMN.format(words=taken), format="%.3f", min_value=0.0, max_value=1.0),
        },
    )
    st.caption(strings.NEXT_WORDS)


def _show_gates(cell: CellExplanation) -> None:
    rows = [
        {
            strings.GATE_COLUMN: gate.name,
            strings.MEAN_COLUMN: gate.mean,
            strings.UNITS_COLUMN: np.histogram(gate.values, bins=_BINS, range=(0, 1))[0].tolist(),
        }
        for gate in cell.gates
    ]
    st.dataframe(
        pd.DataFrame(rows),
        hide_index=True,
        column_config={
            strings.MEAN_COLUMN: st.column_config.NumberColumn(format="%.3f"),
            strings.UNITS_COLUMN: st.column_config.BarChartColumn(y_min=0),
        },
    )
    st.caption(strings.GATES)
