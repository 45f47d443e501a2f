"""Explanation of a cell: how the target word was computed, the effect of the source word, other maps of it."""

import html
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from nmt.alignments.policy import restrict
from nmt.charts import colour_scales
from nmt.charts.colour_scales import ALIGNER, PAPER, STAND_IN
from nmt.results import END, Alignment, CellExplanation
from nmt.results.inspection import word_in_words
from nmt.results.links import LEAVE_ONE_OUT, POSTERIOR
from nmt.results.record import record_of_map
from nmt.texts import APP, CHARTS, LOOK
from nmt.ui.checkpoints import find_aligner
from nmt.ui.components import show_rows
from nmt.ui.compute import answer_to
from nmt.ui.formatting import escaped, listed, true_minus
from nmt.ui.instrument import Chosen, MapView, show_instrument
from nmt.ui.look.explore.form import ExplorerView
from nmt.ui.look.explore.shown import Shown, with_effect
from nmt.ui.look.explore.what_if import offer_attention, offer_words
from nmt.ui.tasks import ExplainTask, OtherMapsTask

_BINS = 12
"""The colours of a map: only alpha has those of alpha."""
MAPS = "maps"
"""The parameter of the address that opens the other maps."""


def show_explanation(view: ExplorerView, shown: Shown | None, chosen: Chosen) -> None:
    """Explain the pinned cell; if there is none, say how to pin one.

    Args:
        shown: what it is pinned in; None for a difference.
    """
    pin, pieces = chosen.pin, chosen.view.pieces
    if pin is not None and (shown is None or shown.decoded is None):
        st.info(LOOK.no_checkpoint_of_panel, icon=":material/info:")
        return
    if shown is not None and shown.stands_in and shown.weights is None:
        shown = with_effect(shown)
    cell = None if pin is None or shown is None else pin.cell(shown.units(pieces=pieces))
    if cell is None or shown is None or shown.decoded is None:
        st.info(LOOK.pin_a_cell, icon=":material/ads_click:")
        st.caption(LOOK.alpha_explains)
        return
    if shown.decoded.manner:
        st.info(LOOK.not_explained, icon=":material/info:")
        return
    of_tokens = pieces and not shown.stands_in
    alignment = shown.units(pieces=pieces)
    i, j = cell
    words = shown.decoded.token_words
    rows = [i] if of_tokens else [k for k, word in enumerate(words) if word == alignment.target_words[i]]
    column = j if of_tokens else shown.decoded.source.words.index(alignment.source_words[j])
    cells = []
    for row in rows:
        task = ExplainTask(
            checkpoint=shown.decoded.run,
            source=shown.decoded.source,
            target=shown.decoded.target,
            row=row,
            column=column,
        )
        explanation = answer_to(task, st.empty())
        if explanation is None:
            return
        cells.append(explanation)
    explanation = cells[0]
    share = None if explanation.alpha is None else _read_out(alignment, cell, chosen.view)
    in_words = explanation.in_words if of_tokens else word_in_words(cells, share)
    st.html(f'<p role="status">{html.escape(in_words)}</p>')
    if not view.target.typed:
        offer_words(explanation, shown)
        if shown.has_alpha:
            offer_attention(shown, i, j, explanation, pieces=pieces)
    with st.expander(LOOK.numbers):
        st.code(in_words, language=None, wrap_lines=True)
        _show(explanation)
    with st.expander(LOOK.maps, key=MAPS, on_change="rerun", bind="query-params") as maps:
        if maps.open:
            _show_maps(shown, alignment.target_words[i])


def _read_out(alignment: Alignment, cell: tuple[int, int], view: MapView) -> float:
    """The weight of a cell as the matrix has it, which divides rows by what is shown of them."""
    shown = restrict(alignment, without_end=not view.end, without_punctuation=not view.punctuation)
    i, j = cell
    if i not in shown.target or j not in shown.source:
        return float(alignment.weights[i, j])
    return float(shown.alignment.weights[shown.target.index(i), shown.source.index(j)])


def _show(cell: CellExplanation) -> None:
    with st.container(horizontal=True):
        if cell.alpha is not None and cell.energies is not None:
            st.metric("αᵢⱼ", f"{cell.alpha[cell.j]:.3f}", width="content", help=LOOK.weight)
            st.metric("eᵢⱼ", _number(cell.energies[cell.j]), width="content", help=LOOK.energy)
        st.metric("‖sᵢ₋₁‖", _number(cell.state_norm), width="content", help=LOOK.state)
        st.metric("‖cᵢ‖", _number(cell.context_norm), width="content", help=LOOK.context)
        if cell.annotation_norm is not None:
            st.metric("‖hⱼ‖", _number(cell.annotation_norm), width="content", help=LOOK.annotation)
    _show_row(cell)
    _show_next(cell)
    _show_gates(cell)


def _number(value: float) -> str:
    return true_minus(f"{value:.2f}")


def _show_row(cell: CellExplanation) -> None:
    if cell.alpha is None or cell.energies is None:
        st.caption(LOOK.no_energies)
        return
    rows = [
        {LOOK.source_column: f"{k} {token}", "e": energy, "alpha": weight}
        for k, (token, energy, weight) in enumerate(zip(cell.source, cell.energies, cell.alpha, strict=True), 1)
    ]
    columns = {"e": st.column_config.NumberColumn("eᵢⱼ", format="%.2f", help=LOOK.before_softmax)}
    show_rows(rows, columns | {"alpha": _bar("αᵢⱼ")}, key="explain-source")


def _show_next(cell: CellExplanation) -> None:
    """The most probable next words, with and without the source word."""
    taken = " ".join(cell.source[k] for k in cell.left_out)
    rows = [
        {LOOK.next_column: token.token, LOOK.p_column: token.probability}
        | ({"without": token.probability_without or 0.0} if taken else {})
        for token in cell.next_tokens
    ]
    bars = {LOOK.p_column: LOOK.p_column, "without": LOOK.without_column.format(words=taken)}
    show_rows(rows, {name: _bar(title) for name, title in bars.items()}, key="explain-next")
    st.caption(LOOK.next_words)


def _bar(title: str) -> Any:
    """A column of numbers from 0 to 1."""
    return st.column_config.ProgressColumn(title, format="%.3f", min_value=0.0, max_value=1.0)


def _show_gates(cell: CellExplanation) -> None:
    rows = [
        {
            LOOK.gate_column: gate.name,
            LOOK.mean_column: gate.mean,
            LOOK.units_column: np.histogram(gate.values, bins=_BINS, range=(0, 1))[0].tolist(),
        }
        for gate in cell.gates
    ]
    columns = {
        LOOK.mean_column: st.column_config.NumberColumn(format="%.3f"),
        LOOK.units_column: st.column_config.BarChartColumn(y_min=0),
    }
    show_rows(rows, columns, key="explain-gates")
    st.caption(LOOK.gates)


def _show_maps(shown: Shown, word: int) -> None:
    """Compare what alpha and the other maps say of a target word of a checkpoint.

    Args:
        word: its number, as in ``Alignment.target_words``.
    """
    decoded = shown.decoded
    assert decoded is not None
    assert shown.weights is not None
    if isinstance(decoded.target, str):
        st.caption(LOOK.maps_of_typed)
        return
    own_weights = shown.weights.merged()
    row = own_weights.target_words.index(word)
    words = [each for each in own_weights.source if each != END]
    task = OtherMapsTask(
        checkpoint=decoded.run,
        source=decoded.source,
        target=decoded.target,
        source_words=tuple(words),
        target_words=tuple(each for each in own_weights.target if each != END),
        aligner=find_aligner(decoded.run.languages),
    )
    found = answer_to(task, st.empty())
    if found is None:
        return
    known: dict[str, str] = {POSTERIOR: APP.posterior, LEAVE_ONE_OUT: APP.leave_one_out}
    others = {known.get(name) or APP.aligner.format(name=name): found[name] for name in found}
    maps = ({} if shown.stands_in else {LOOK.alpha: own_weights}) | others
    rows = rows_of(maps, row, len(words))
    st.markdown(sentence_on(own_weights.target[row], words, rows))
    scales = {LOOK.alpha: PAPER, APP.posterior: colour_scales.POSTERIOR, APP.leave_one_out: STAND_IN}
    kinds = [scales.get(name, ALIGNER) for name in rows]
    title = LOOK.maps_title.format(name=decoded.name, word=own_weights.target[row])
    rings, hatched = elsewhere(rows), [k for k, scale in enumerate(kinds) if scale is STAND_IN]
    panel = {
        "values": LOOK.maps_values,
        "letter": LOOK.weight_letter,
        "spoken_letter": LOOK.weight_letter,
        "target_title": LOOK.maps_axis,
        "rings": [list(ring) for ring in rings],
        "row_scales": [replace(scale, symbol=name).to_dict() for name, scale in zip(rows, kinds, strict=True)],
        "hatched_rows": hatched,
        "signs": {
            "words": [],
            "matrix": [
                *[CHARTS.ring.format(meaning=LOOK.maps_ring.format(map=next(iter(rows))))] * bool(rings),
                *[CHARTS.hatched_row] * bool(hatched),
            ],
            "links": [],
        },
        "marks": {"source": [None] * len(words), "target": [None] * len(rows)},
    }
    alignment = Alignment(source=tuple(words), target=tuple(rows), weights=np.array([*rows.values()], np.float32))
    show_instrument(
        record_of_map(alignment, title, decoded.run.languages),
        key="maps-view",
        chosen=Chosen(view=MapView(bars=False)),
        more={"parts": "matrices", "about": {title: {"panel": panel, "kind": ""}}},
    )
    st.caption(LOOK.maps_about)
    if len(others) < 1 + (not shown.stands_in) + (task.aligner is not None):
        st.caption(LOOK.maps_left_out)


def rows_of(maps: dict[str, Alignment], row: int, columns: int) -> dict[str, NDArray[np.float64]]:
    """Take the row of a target word from each map, without the end mark, divided by its sum; a map over other words is
    left out.

    Args:
        row: number of the target word.
        columns: number of source words, end mark not counted.
    """
    rows = {}
    for name, alignment in maps.items():
        if row >= len(alignment.target) or len(alignment.source) < columns:
            continue
        weights = np.maximum(alignment.weights[row][:columns].astype(np.float64), 0)
        total = weights.sum()
        rows[name] = weights / total if total > 0 else weights
    return rows


def elsewhere(rows: dict[str, NDArray[np.float64]]) -> list[tuple[int, int]]:
    """List (number of the map, source word) where a map's largest weight is not at the first map's word."""
    places = [int(np.argmax(row)) for row in rows.values()]
    return [(k, place) for k, place in enumerate(places) if place != places[0]]


def sentence_on(word: str, source: Sequence[str], rows: dict[str, NDArray[np.float64]]) -> str:
    """Say in Markdown whether the maps point at the same source word."""
    names, places = list(rows), [int(np.argmax(row)) for row in rows.values()]
    first_words = f"**{escaped(source[places[0]])}**"
    others = [
        LOOK.map_at.format(map=escaped(names[k]), place=f"**{escaped(source[place])}**") for k, place in elsewhere(rows)
    ]
    if not others:
        return LOOK.maps_agree.format(word=escaped(word), place=first_words)
    return LOOK.maps_disagree.format(
        word=escaped(word), map=escaped(names[0]), place=first_words, others=listed(others)
    )
