"""Explanation of a cell as data for js/explanation.js."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nmt.alignments.policy import restrict
from nmt.charts import colour_scales
from nmt.charts.colour_scales import ALIGNER, INK, STAND_IN
from nmt.instrument.map_view import MapView
from nmt.results import END, Alignment, CellExplanation
from nmt.results.inspection import writer
from nmt.results.links import POSTERIOR
from nmt.results.record import ALPHA, LEAVE_ONE_OUT
from nmt.texts import APP, LOOK

_RANGES = 12
"""Number of ranges in which the values of a gate are counted."""


def shown_weight(alignment: Alignment, cell: tuple[int, int], view: MapView) -> float:
    """The weight of a cell as the matrix shows it: divided by the sum of the shown weights of its row."""
    shown = restrict(alignment, without_end=not view.end, without_punctuation=not view.punctuation)
    i, j = cell
    if i not in shown.target or j not in shown.source:
        return float(alignment.weights[i, j])
    return float(shown.alignment.weights[shown.target.index(i), shown.source.index(j)])


def of_cell(cell: CellExplanation) -> dict[str, Any]:
    """The numbers of a cell: energies, alpha, norms, gates, and the next tokens with and without the source word."""
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
                "units": np.histogram(gate.values, bins=_RANGES, range=(0, 1))[0].tolist(),
            }
            for gate in cell.gates
        ],
    }


def maps_of_word(maps: Mapping[str, Alignment], row: int, first: Alignment, wanted: int) -> dict[str, Any]:
    """The weights of a target word in several maps over whole words.

    Args:
        maps: the maps, by kind or by an aligner's name.
        row: number of the target word.
        first: the map that has all words of the pair.
        wanted: number of maps that a pair of usual length has.
    """
    words = [text for text in first.source if text != END]
    scales = {ALPHA: INK, POSTERIOR: colour_scales.POSTERIOR, LEAVE_ONE_OUT: STAND_IN}
    titles = {ALPHA: LOOK.alpha, POSTERIOR: APP.posterior, LEAVE_ONE_OUT: APP.leave_one_out}
    rows = rows_of(maps, row, len(words))
    titled = {kind: titles.get(kind) or APP.aligner.format(name=kind) for kind in rows}
    return {
        "word": first.target[row],
        "words": words,
        "rows": [values.tolist() for values in rows.values()],
        "names": [*titled.values()],
        "scales": [replace(scales.get(kind, ALIGNER), symbol=name).to_dict() for kind, name in titled.items()],
        "hatched": [k for k, kind in enumerate(rows) if kind == LEAVE_ONE_OUT],
        "lacking": len(maps) < wanted,
    }


def rows_of(maps: Mapping[str, Alignment], row: int, columns: int) -> dict[str, NDArray[np.float64]]:
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
