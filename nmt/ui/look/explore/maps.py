"""Alpha beside other maps of the same word: is attention an explanation?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import streamlit as st
from numpy.typing import NDArray
from streamlit.delta_generator import DeltaGenerator

from nmt.charts.alignment_view import Panel, Pin, view_data
from nmt.charts.colour_scales import ALIGNER, PAPER, POSTERIOR, STAND_IN, ColourScale
from nmt.results import END, Alignment, Languages
from nmt.ui import strings as shared
from nmt.ui.checkpoints import find_aligner
from nmt.ui.components import alignment_view
from nmt.ui.compute import answer_to
from nmt.ui.formatting import escaped, language, listed
from nmt.ui.look.explore import strings
from nmt.ui.look.explore.decode import DecodedSentence
from nmt.ui.look.explore.panels import DrawnPanel
from nmt.ui.tasks import OtherMapsTask


def show_maps(drawn: Sequence[DrawnPanel], pin: Pin | None, rail: DeltaGenerator) -> None:
    """Compare the maps of the pinned target word, with the outcome in the rail; if there is none, say how to pin
    one."""
    chosen = _chosen(drawn, pin)
    if chosen is None:
        rail.info(strings.MAPS_PIN, icon=":material/ads_click:")
        return
    explored, row = chosen
    own_weights = explored.weights.merged()
    words = [word for word in own_weights.source if word != END]
    assert not isinstance(explored.target, str)
    task = OtherMapsTask(
        checkpoint=explored.run,
        source=explored.source,
        target=explored.target,
        source_words=tuple(words),
        target_words=tuple(word for word in own_weights.target if word != END),
        aligner=find_aligner(Languages(explored.run.source_language, explored.run.target_language)),
    )
    answer = answer_to(task, st.empty())
    if answer is None:
        return
    maps = ({} if explored.stands_in else {strings.ALPHA: own_weights}) | answer.result
    rows = rows_of(maps, row, len(words))
    with rail:
        st.markdown(sentence_on(own_weights.target[row], words, rows))
        st.caption(strings.BELOW)
    kinds = [_scale(name) for name in rows]
    panel = Panel(
        alignment=Alignment(source=tuple(words), target=tuple(rows), weights=np.array([*rows.values()], np.float32)),
        title=strings.MAPS_TITLE.format(name=explored.name, word=own_weights.target[row]),
        values=strings.MAPS_VALUES,
        letter=strings.WEIGHT_LETTER,
        spoken_letter=strings.WEIGHT_LETTER,
        source_title=shared.SOURCE_IN.format(language=language(explored.run.source_language)),
        target_title=strings.MAPS_AXIS,
        rings=tuple(elsewhere(rows)),
        ring=strings.MAPS_RING.format(map=next(iter(rows))),
        row_scales=[replace(scale, symbol=name) for name, scale in zip(rows, kinds, strict=True)],
        hatched_rows=[k for k, scale in enumerate(kinds) if scale is STAND_IN],
    )
    alignment_view(view_data([panel]), key="maps")
    st.caption(strings.MAPS_ABOUT)


def _scale(name: str) -> ColourScale:
    """The colours of a map: only alpha has those of alpha."""
    return {strings.ALPHA: PAPER, shared.POSTERIOR: POSTERIOR, shared.LEAVE_ONE_OUT: STAND_IN}.get(name, ALIGNER)


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
        strings.MAP_AT.format(map=escaped(names[k]), place=f"**{escaped(source[place])}**")
        for k, place in elsewhere(rows)
    ]
    if not others:
        return strings.MAPS_AGREE.format(word=escaped(word), place=first_words)
    return strings.MAPS_DISAGREE.format(
        word=escaped(word), map=escaped(names[0]), place=first_words, others=listed(others)
    )


def _chosen(drawn: Sequence[DrawnPanel], pin: Pin | None) -> tuple[DecodedSentence, int] | None:
    """The checkpoint and the number of its target word; None if no word of a checkpoint's own panel is pinned."""
    if pin is None or not pin.target:
        return None
    each = drawn[pin.panel]
    if each.explored is None or each.restriction is None or isinstance(each.explored.target, str):
        return None
    return each.explored, each.restriction.alignment.target_words[pin.target[0]]
