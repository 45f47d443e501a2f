"""What if: another source, a beginning, words forced or forbidden, weights moved, in all chosen checkpoints at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from nmt.charts.alignment_view import Panel, Pin, view_data
from nmt.results import Alignment, TranslationDifference, WordChange
from nmt.ui.alignment_component import alignment_view
from nmt.ui.compute import answer_to
from nmt.ui.formatting import escaped, nats
from nmt.ui.inputs import MOST_CHARACTERS
from nmt.ui.look.explore.decode import DecodedSentence, decoded, forced
from nmt.ui.look.explore.form import PIECES, TRANSPOSED, ExplorerView
from nmt.ui.look.explore.panels import DrawnPanel, draw, draw_change
from nmt.ui.search_choice import chosen_settings
from nmt.ui.tasks import ReadTask, WhatIfTask

MOVED, PREFIX = "moved", "wprefix"
"""Parameters of the address: the weights that were moved, and how the translation begins."""


@dataclass(frozen=True, kw_only=True)
class Changes:
    """What is laid down.

    Attributes:
        source: the sentence that is read instead; "" = the same.
        prefix: how the translation begins.
        forbidden: words that it may not have.
        forced: (position from 0, word).
        weights: (row of alpha, weights over the source words or tokens shown).
    """

    source: str = ""
    prefix: str = ""
    forbidden: tuple[str, ...] = ()
    forced: tuple[tuple[int, str], ...] = ()
    weights: tuple[tuple[int, tuple[float, ...]], ...] = ()


def show_what_if(view: ExplorerView, drawn: Sequence[DrawnPanel], pin: Pin | None, words: DeltaGenerator) -> None:
    """Ask what to change, and show what each checkpoint makes of it beside what it made before.

    Args:
        words: where the changed translations are shown.
    """
    found = [each.explored for each in drawn if each.explored is not None]
    if not found:
        st.info("Choose a checkpoint and type a sentence above: alignments loaded from a file cannot be decoded again.")
        return
    if view.target:
        changes = Changes(source=_ask_source(view, st))
        st.caption("The target is typed, so only the source can change. “Best translation” lets the models go on.")
    else:
        changes = _ask(view, drawn, pin)
    if changes == Changes():
        st.caption("Nothing is changed yet. Fill in any of the fields, and every chosen checkpoint decodes anew.")
        return
    for before in found:
        _show_change(view, before, changes, words)


def _show_change(view: ExplorerView, before: DecodedSentence, changes: Changes, words: DeltaGenerator) -> None:
    """What a checkpoint makes of it: in words, alpha, and how alpha differs from before. With another source also how
    alpha changes where the translation stays the same."""
    sentence = changes.source or view.sentence
    shown = replace(view, sentence=sentence)
    panels: list[Panel] = []
    if not view.target:
        now = _decode(view, before, changes)
        if now is None:
            return
        with words:
            _show_difference(before, now)
        panels = [draw(shown, now).panel, draw_change(shown, before, now, "after − before").panel]
    if changes.source:
        same = _given(before, sentence)
        if same is not None:
            panels.append(draw_change(shown, before, same, "new source − before, same target").panel)
    if panels:
        data = view_data(
            panels,
            show=view.shown,
            scale=view.scale,
            transpose=TRANSPOSED in view.options,
            layout=view.layout,
        )
        alignment_view(data, key=f"what-if-{before.name}")


def _given(before: DecodedSentence, sentence: str) -> DecodedSentence | None:
    """Make the target of before the translation of another sentence."""
    read = answer_to(ReadTask(before.run, sentence), st.empty())
    return None if read is None else forced(before.name, before.run, read.result, before.target, before.text)


def _ask_source(view: ExplorerView, place: Any) -> str:
    typed = place.text_input(
        "Another source",
        key="wsource",
        bind="query-params",
        placeholder=view.sentence,
        max_chars=MOST_CHARACTERS,
        help="With the translation that was written before, you also see how alpha changes from one source to the "
        "other.",
    )
    return " ".join((typed or "").split())


def _ask(view: ExplorerView, drawn: Sequence[DrawnPanel], pin: Pin | None) -> Changes:
    left, right = st.columns(2)
    source = _ask_source(view, left)
    prefix = right.text_input("The translation begins with", key=PREFIX, bind="query-params", max_chars=MOST_CHARACTERS)
    forbidden = left.text_input(
        "Words it may not have", key="wforbid", bind="query-params", help="Separated by spaces.", max_chars=400
    )
    with right.container(horizontal=True, vertical_alignment="bottom"):
        position = st.number_input("Its word number", 1, 200, 1, key="wat", bind="query-params", width=140)
        word = st.text_input("is", key="wword", bind="query-params", max_chars=100)
    return Changes(
        source=source,
        prefix=(prefix or "").strip(),
        forbidden=tuple((forbidden or "").split()),
        forced=((position - 1, word.strip()),) if word and word.strip() else (),
        weights=_ask_weights(view, drawn, pin),
    )


def _ask_weights(
    view: ExplorerView, drawn: Sequence[DrawnPanel], pin: Pin | None
) -> tuple[tuple[int, tuple[float, ...]], ...]:
    """The row of the pinned cell, to be moved by hand; what was moved stands in the address."""
    cell = None if pin is None else pin.cell
    each = drawn[pin.panel] if pin is not None else None
    if cell is None or each is None or each.explored is None or each.explored.stands_in:
        st.caption("Pin a cell of an RNNsearch checkpoint to move the weights of its target word by hand.")
        return _moved(st.query_params.get(MOVED, ""))
    weights = each.explored.weights if PIECES in view.options else each.explored.weights.merged()
    assert each.restriction is not None
    row = each.restriction.target[cell[0]]
    own = tuple(round(float(a), 3) for a in weights.weights[row])
    moved = dict(_moved(st.query_params.get(MOVED, ""))).get(row, own)
    table = pd.DataFrame([moved if len(moved) == len(own) else own], columns=_numbered(weights))
    st.caption(
        f"Weights of target word {row + 1}, “{escaped(weights.target[row])}”: change any; they are made to sum to 1."
    )
    edited = st.data_editor(table, hide_index=True, key=f"weights-{each.explored.name}-{row}-{hash(view.sentence)}")
    values = tuple(max(0.0, float(a)) if np.isfinite(a) else 0.0 for a in edited.iloc[0])
    if values == own:
        st.query_params.pop(MOVED, None)
        return ()
    st.query_params[MOVED] = f"{row}:" + ",".join(f"{value:g}" for value in values)
    return ((row, values),)


def _numbered(alignment: Alignment) -> list[str]:
    """Columns with names of their own, since words repeat."""
    return [f"{j} {word}" for j, word in enumerate(alignment.source, 1)]


def _moved(text: str) -> tuple[tuple[int, tuple[float, ...]], ...]:
    """What the address says was moved; nothing for anything else.

    >>> _moved("2:0,0.5,0.5"), _moved("x"), _moved("1:-1,2"), _moved("1:nan")
    (((2, (0.0, 0.5, 0.5)),), (), (), ())
    """
    row, colon, values = text.partition(":")
    if not colon or not (row.isascii() and row.isdecimal()) or len(row) > 4:
        return ()
    try:
        weights = tuple(float(value) for value in values.split(",")[:2000])
    except ValueError:
        return ()
    if not all(0 <= weight < np.inf for weight in weights):
        return ()
    return ((int(row), weights),)


def _decode(view: ExplorerView, before: DecodedSentence, changes: Changes) -> DecodedSentence | None:
    task = WhatIfTask(
        checkpoint=before.run,
        sentence=changes.source or view.sentence,
        settings=chosen_settings(before.run, view.beam, view.unknown),
        prefix=changes.prefix,
        forbidden=changes.forbidden,
        forced=changes.forced,
        weights=changes.weights,
    )
    answer = answer_to(task, st.empty())
    return None if answer is None else decoded(before.name, before.run, answer.result)


def _show_difference(before: DecodedSentence, now: DecodedSentence) -> None:
    """Words that went and came, and what that costs."""
    change = TranslationDifference.between(before.output, now.output)
    st.markdown(f"**{escaped(now.name)}** · {_words(change.target)}")
    cost = now.output.log_probability - before.output.log_probability
    kept = sum(word.kind == "kept" for word in change.target) - 1
    moved = ""
    if change.alpha is not None and not np.isnan(change.alpha).all():
        moved = f"; weights of kept words moved by {np.nansum(np.abs(change.alpha)) / 2:.2f} in all"
    was = nats(before.output.log_probability)
    st.caption(
        f"log p {nats(now.output.log_probability)}, {nats(cost)} against before ({was}); {kept} words kept{moved}"
    )


def _words(words: Sequence[WordChange]) -> str:
    """Markdown: what came is underlaid and bold, what went is struck out."""
    styled = {"kept": "{}", "inserted": ":green-background[**{}**]", "deleted": "~~{}~~"}
    return " ".join(styled[word.kind].format(escaped(word.word)) for word in words if word.word != "</s>")
