"""Explanation of a cell as data: how the target word was computed, the source word's effect, and other maps."""

from typing import Any

import streamlit as st

from nmt.instrument.explanation import maps_of_word, of_cell, shown_weight
from nmt.records import to_data
from nmt.results import END
from nmt.results.inspection import word_in_words
from nmt.results.record import ALPHA
from nmt.ui.checkpoints import find_aligner
from nmt.ui.compute import answer_to
from nmt.ui.instrument import Chosen
from nmt.ui.look.explore.shown import with_effect
from nmt.ui.look.explore.view import ExplorerView, Shown
from nmt.ui.tasks import ExplainTask, OtherMapsTask


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
    share = None if cells[0].alpha is None else shown_weight(units, cell, chosen.view)
    return (
        pinned
        | of_cell(cells[0])
        | {
            "said": cells[0].in_words if of_tokens else word_in_words(cells, share),
            "weights": [float(k == j) for k in range(len(units.source))] if shown.movable(view) else None,
            "place": {"row": i, "source": units.source[j]},
            "changes": not view.target.typed,
            "maps": _maps(shown, units.target_words[i]) if chosen.maps else None,
        }
    )


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
    maps = ({} if shown.stands_in else {ALPHA: own_weights}) | other_maps
    return maps_of_word(maps, row, own_weights, 2 * (not shown.stands_in) + 1 + (task.aligner is not None))
