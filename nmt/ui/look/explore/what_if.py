"""Experiments ("What if"): another source, a beginning, words forced or forbidden, in all chosen checkpoints; weights
moved in one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from nmt.charts.alignment_view import Panel, Pin, view_data
from nmt.results import Alignment, TranslationDifference, WordChange
from nmt.results.pieces import writer
from nmt.ui.address import drop_number_outside
from nmt.ui.components import alignment_view
from nmt.ui.compute import answer_to
from nmt.ui.formatting import counted, escaped, nats
from nmt.ui.inputs import MOST_CHARACTERS
from nmt.ui.look.explore import strings
from nmt.ui.look.explore.decode import DecodedSentence, decoded, forced
from nmt.ui.look.explore.experiments import (
    CHOSEN,
    EDITOR,
    MOVED,
    PREFIX,
    Changes,
    ChosenToken,
    MovedWeights,
    forget_experiment,
)
from nmt.ui.look.explore.form import PIECES, TRANSPOSED, ExplorerView
from nmt.ui.look.explore.panels import DrawnPanel, draw, draw_change
from nmt.ui.tasks import ReadTask, WhatIfTask, chosen_settings


def show_what_if(view: ExplorerView, drawn: Sequence[DrawnPanel], pin: Pin | None, rail: DeltaGenerator) -> None:
    """Ask what to change, and show what each checkpoint makes of it beside what it made before.

    Args:
        rail: where all of this is asked, and the changed translations are shown; the matrices are shown below.
    """
    sentences_before = [each.explored for each in drawn if each.explored is not None]
    if not sentences_before:
        st.info(strings.NOTHING_TO_DECODE)
        return
    translations = rail.container()  # above the form, so that a drag is answered in sight
    with rail:
        if view.target:
            changes = Changes(source=_ask_source(view))
            st.caption(strings.ONLY_SOURCE)
        else:
            changes = _ask(view, drawn, pin)
        if changes == Changes():
            st.caption(strings.NOTHING_CHANGED)
            return
    for before in sentences_before:
        changed = changes.of(before)
        if changed != Changes():
            _show_change(view, before, changed, translations)


def _show_change(view: ExplorerView, before: DecodedSentence, changes: Changes, words: DeltaGenerator) -> None:
    """Show what a checkpoint makes of the changes: in words, alpha, and how alpha differs from before. With another
    source also how alpha changes where the translation stays the same."""
    sentence = changes.source or view.sentence
    shown = replace(view, sentence=sentence)
    panels: list[Panel] = []
    if not view.target:
        now = _decode(view, before, changes)
        if now is None:
            return
        with words:
            _show_difference(before, now)
        panels = [draw(shown, now).panel, draw_change(shown, before, now, strings.AFTER_MINUS_BEFORE).panel]
    if changes.source:
        same = _given(before, sentence)
        if same is not None:
            panels.append(draw_change(shown, before, same, strings.NEW_SOURCE).panel)
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
    """Force the earlier target as the translation of another sentence."""
    read = answer_to(ReadTask(before.run, sentence), st.empty())
    return None if read is None else forced(before.name, before.run, read.result, before.target, before.text)


def _ask_source(view: ExplorerView) -> str:
    typed = st.text_input(
        strings.OTHER_SOURCE,
        key="wsource",
        bind="query-params",
        placeholder=view.sentence,
        max_chars=MOST_CHARACTERS,
        help=strings.OTHER_SOURCE_HELP,
    )
    return " ".join((typed or "").split())


def _ask(view: ExplorerView, drawn: Sequence[DrawnPanel], pin: Pin | None) -> Changes:
    chosen = _chosen(drawn)
    source = _ask_source(view)
    prefix = st.text_input(strings.PREFIX, key=PREFIX, bind="query-params", max_chars=MOST_CHARACTERS)
    forbidden = st.text_input(
        strings.FORBIDDEN, key="wforbid", bind="query-params", help=strings.BY_SPACES, max_chars=400
    )
    with st.container(horizontal=True, vertical_alignment="bottom"):
        drop_number_outside("wat", strings.POSITION, 1, 200)
        position = st.number_input(strings.POSITION, 1, 200, 1, key="wat", bind="query-params", width=110)
        word = st.text_input(strings.IS, key="wword", bind="query-params", max_chars=100)
    moved = _ask_weights(view, drawn, pin)
    return Changes(
        source=source,
        prefix=(prefix or "").strip(),
        forbidden=tuple((forbidden or "").split()),
        forced=((position - 1, word.strip()),) if word and word.strip() else (),
        weights=() if moved is None else ((moved.row, moved.weights),),
        weights_of="" if moved is None else moved.name,
        chosen=chosen,
    )


def _chosen(drawn: Sequence[DrawnPanel]) -> ChosenToken | None:
    """The token that was chosen for one of the checkpoints, which is said, with a button that takes it back."""
    chosen = ChosenToken.read(st.query_params.get(CHOSEN, ""))
    of = [each.explored for each in drawn if each.explored is not None]
    explored = next((each for each in of if chosen is not None and each.name == chosen.name), None)
    if chosen is None or explored is None or chosen.row >= len(explored.tokens):
        return None
    written = writer(explored.tokens)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(
            strings.CHOSEN.format(
                name=escaped(chosen.name),
                word=escaped(written(chosen.token)),
                own=escaped(written(explored.tokens[chosen.row])),
            )
        )
        st.button(strings.TAKE_BACK, key="take-back", icon=":material/undo:", on_click=forget_experiment)
    return chosen


def _ask_weights(view: ExplorerView, drawn: Sequence[DrawnPanel], pin: Pin | None) -> MovedWeights | None:
    """The row of the pinned cell, to be moved by hand; what was moved stands in the address."""
    before = MovedWeights.read(st.query_params.get(MOVED, ""))
    cell = None if pin is None else pin.cell
    each = drawn[pin.panel] if pin is not None else None
    if cell is None or each is None or each.explored is None or each.explored.stands_in:
        st.caption(strings.PIN_TO_MOVE)
        return before
    weights = each.explored.weights if PIECES in view.options else each.explored.weights.merged()
    assert each.restriction is not None
    row = each.restriction.target[cell[0]]
    rounded = tuple(round(float(a), 3) for a in weights.weights[row])
    name = each.explored.name
    earlier = before if before is not None and before.row == row and before.name in ("", name) else None
    moved = rounded if earlier is None or len(earlier.weights) != len(rounded) else earlier.weights
    table = pd.DataFrame([moved], columns=_numbered(weights))
    st.caption(strings.ROW.format(number=row + 1, word=escaped(weights.target[row])))
    edited = st.data_editor(table, hide_index=True, key=f"{EDITOR}{name}-{row}-{hash(view.sentence)}")
    values = tuple(max(0.0, float(a)) if np.isfinite(a) else 0.0 for a in edited.iloc[0])
    if values == rounded and earlier is None:
        return before  # nothing was changed in this row
    if values == rounded:
        st.query_params.pop(MOVED, None)
        return None
    if values == moved:
        return earlier
    changed = MovedWeights(row, values, name)
    st.query_params[MOVED] = changed.text
    return changed


def _numbered(alignment: Alignment) -> list[str]:
    """Names of the columns, each unique, since words repeat."""
    return [f"{j} {word}" for j, word in enumerate(alignment.source, 1)]


def _decode(view: ExplorerView, before: DecodedSentence, changes: Changes) -> DecodedSentence | None:
    """Translate with the changes. If only weights are moved, the tokens before their word stay as they were."""
    weights = tuple((_step(view, before, row), values) for row, values in changes.weights)
    prefix: str | tuple[str, ...] = changes.prefix
    if changes.chosen is not None:
        prefix = (*before.tokens[: changes.chosen.row], changes.chosen.token)
    elif weights and changes == Changes(weights=changes.weights, weights_of=changes.weights_of):
        prefix = before.tokens[: min(step for step, _ in weights)]
    task = WhatIfTask(
        checkpoint=before.run,
        sentence=changes.source or view.sentence,
        settings=chosen_settings(before.run, view.beam, view.unknown),
        prefix=prefix,
        forbidden=changes.forbidden,
        forced=changes.forced,
        weights=weights,
    )
    answer = answer_to(task, st.empty())
    return None if answer is None else decoded(before.name, before.run, answer.result)


def _step(view: ExplorerView, before: DecodedSentence, row: int) -> int:
    """The target token of a row of the panel: the first token of a word. A number beyond the rows is returned
    unchanged."""
    if PIECES in view.options:
        return row
    words = before.weights.merged().target_words
    return before.weights.target_words.index(words[row]) if row < len(words) else row


def _show_difference(before: DecodedSentence, now: DecodedSentence) -> None:
    """Show the deleted and inserted words, and the log-probabilities before and after."""
    change = TranslationDifference.between(before.output, now.output)
    st.markdown(strings.CHANGED.format(name=escaped(now.name), words=_words(change.target)))
    kept = sum(word.kind == "kept" for word in change.target) - 1
    text = counted(kept, strings.KEPT)
    if change.alpha is not None and not np.isnan(change.alpha).all():
        text = strings.MOVED.format(text=text, total=f"{np.nansum(np.abs(change.alpha)) / 2:.2f}")
    st.caption(
        strings.COST.format(
            now=nats(now.output.log_probability),
            before=nats(before.output.log_probability),
            kept=text,
        )
    )


def _words(words: Sequence[WordChange]) -> str:
    """Markdown of the words: inserted ones on a green background and bold, deleted ones struck out."""
    styled = {"kept": "{}", "inserted": ":green-background[**{}**]", "deleted": "~~{}~~"}
    return " ".join(styled[word.kind].format(escaped(word.word)) for word in words if word.word != "</s>")
