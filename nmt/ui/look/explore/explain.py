"""Explanation of a cell as data: how the target word was computed, the source word's effect, and other maps."""

from dataclasses import replace
from typing import Any

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from nmt.alignments.policy import restrict
from nmt.charts import colour_scales
from nmt.charts.colour_scales import ALIGNER, INK, STAND_IN
from nmt.instrument.map_view import MapView
from nmt.records import to_data
from nmt.results import END, Alignment, CellExplanation
from nmt.results.inspection import word_in_words, writer
from nmt.results.links import LEAVE_ONE_OUT, POSTERIOR
from nmt.texts import APP, LOOK
from nmt.ui.checkpoints import find_aligner
from nmt.ui.compute import answer_to
from nmt.ui.instrument import Chosen
from nmt.ui.look.explore.shown import Shown, with_effect
from nmt.ui.look.explore.view import ExplorerView
from nmt.ui.tasks import ExplainTask, OtherMapsTask

_BINS = 12
"""Number of bars in the histogram of a gate's values."""


def explanation(view: ExplorerView, shown: Shown | None, chosen: Chosen) -> dict[str, Any] | None:
    """Data for nmt/instrument/js/explanation.js: the explanation of the pinned cell, or a notice why there is none.
    None if nothing is pinned, or after showing an error.

    Args:
        shown: the translation in which the cell is pinned, or None for a difference.
    """
    pin, pieces = chosen.pin, chosen.view.pieces
    if pin is None:
        return None
    pinned: dict[str, Any] = {"pin": to_data(pin)}
    if shown is None or shown.decoded is None:
        return pinned | {"notice": "no_checkpoint"}
    if shown.stands_in and shown.weights is None:
        shown = with_effect(shown)
    cell = None if shown is None else pin.cell(shown.units(pieces=pieces))
    if cell is None or shown is None or shown.decoded is None:
        return pinned | {"notice": "pin"}
    if shown.decoded.manner:
        return pinned | {"notice": "not_alone"}
    decoded, units = shown.decoded, shown.units(pieces=pieces)
    of_tokens = pieces and not shown.stands_in
    i, j = cell
    rows = [i] if of_tokens else [k for k, word in enumerate(decoded.token_words) if word == units.target_words[i]]
    column = j if of_tokens else decoded.source.words.index(units.source_words[j])
    cells = []
    for row in rows:
        task = ExplainTask(checkpoint=decoded.run, source=decoded.source, target=decoded.target, row=row, column=column)
        answer = answer_to(task, st.empty())
        if answer is None:
            return None
        cells.append(answer)
    share = None if cells[0].alpha is None else _read_out(units, cell, chosen.view)
    return (
        pinned
        | _of_cell(cells[0])
        | {
            "said": cells[0].in_words if of_tokens else word_in_words(cells, share),
            "weights": [float(k == j) for k in range(len(units.source))] if shown.movable(view) else None,
            "place": {"row": i, "source": units.source[j]},
            "changes": not view.target.typed,
            "maps": _maps(shown, units.target_words[i]) if chosen.maps else None,
        }
    )


def _read_out(alignment: Alignment, cell: tuple[int, int], view: MapView) -> float:
    """The weight of a cell as the matrix shows it: divided by the sum of the shown weights of its row."""
    shown = restrict(alignment, without_end=not view.end, without_punctuation=not view.punctuation)
    i, j = cell
    if i not in shown.target or j not in shown.source:
        return float(alignment.weights[i, j])
    return float(shown.alignment.weights[shown.target.index(i), shown.source.index(j)])


def _of_cell(cell: CellExplanation) -> dict[str, Any]:
    written = writer(cell.target)
    attends = cell.alpha is not None and cell.energies is not None
    return {
        "i": cell.i,
        "j": cell.j,
        "token": cell.target[cell.i],
        "source": cell.source,
        "alpha": [float(entry) for entry in cell.alpha] if attends and cell.alpha is not None else None,
        "energies": [float(entry) for entry in cell.energies] if attends and cell.energies is not None else None,
        "norms": {"state": cell.state_norm, "context": cell.context_norm, "annotation": cell.annotation_norm},
        "taken": " ".join(cell.source[k] for k in cell.left_out),
        "next": [
            {
                "token": entry.token,
                "text": written(entry.token),
                "probability": entry.probability,
                "without": entry.probability_without,
            }
            for entry in cell.next_tokens
        ],
        "gates": [
            {
                "name": gate.name,
                "mean": gate.mean,
                "units": np.histogram(gate.values, bins=_BINS, range=(0, 1))[0].tolist(),
            }
            for gate in cell.gates
        ],
    }


def _maps(shown: Shown, word: int) -> dict[str, Any] | None:
    """Weights of a target word in alpha and other maps. {} for a target without tokens. None after showing an error.

    Args:
        word: number of the target word, as in ``Alignment.target_words``.
    """
    decoded = shown.decoded
    assert decoded is not None
    assert shown.weights is not None
    if isinstance(decoded.target, str):
        return {}
    own_weights = shown.weights.merged()
    row = own_weights.target_words.index(word)
    words = [text for text in own_weights.source if text != END]
    task = OtherMapsTask(
        checkpoint=decoded.run,
        source=decoded.source,
        target=decoded.target,
        source_words=tuple(words),
        target_words=tuple(text for text in own_weights.target if text != END),
        aligner=find_aligner(decoded.run.languages),
    )
    other_maps = answer_to(task, st.empty())
    if other_maps is None:
        return None
    scales = {"alpha": INK, POSTERIOR: colour_scales.POSTERIOR, LEAVE_ONE_OUT: STAND_IN}
    titles = {"alpha": LOOK.alpha, POSTERIOR: APP.posterior, LEAVE_ONE_OUT: APP.leave_one_out}
    rows = rows_of(({} if shown.stands_in else {"alpha": own_weights}) | other_maps, row, len(words))
    names = {kind: titles.get(kind) or APP.aligner.format(name=kind) for kind in rows}
    return {
        "word": own_weights.target[row],
        "words": words,
        "rows": [values.tolist() for values in rows.values()],
        "names": [*names.values()],
        "scales": [replace(scales.get(kind, ALIGNER), symbol=name).to_dict() for kind, name in names.items()],
        "hatched": [k for k, kind in enumerate(rows) if kind == LEAVE_ONE_OUT],
        "lacking": len(other_maps) < 1 + (not shown.stands_in) + (task.aligner is not None),
    }


def rows_of(maps: dict[str, Alignment], row: int, columns: int) -> dict[str, NDArray[np.float64]]:
    """Take the row of a target word from each map that has it, without the end mark and divided by its sum.

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
