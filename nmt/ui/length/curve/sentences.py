"""The sentences of a chosen range of lengths, and the choice of one of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import pandas as pd
import streamlit as st

from nmt.results import LengthCurves, Span, WrittenSentence
from nmt.results.statistics import Counts
from nmt.tables.table import NOTHING
from nmt.ui.address import choose_one, set_choice
from nmt.ui.compute import NamedJob, start, watch_jobs
from nmt.ui.formatting import counted, escaped, listed, signed
from nmt.ui.length.curve import former_values, strings
from nmt.ui.length.curve.curve import EVERY, asked_range, named_span
from nmt.ui.length.curve.form import ORDER, SENTENCE, SETS, SORT
from nmt.ui.length.curve.one_sentence import show_sentence
from nmt.ui.length.curve.selection import Selection, of_span, select
from nmt.ui.length.curve.sentence_locations import SentenceLocation, sentence_locations
from nmt.ui.length.curve.sentence_table import (
    ATTENTION,
    COVERAGE,
    DIFFERENCE,
    ENTROPY,
    NUMBER,
    RATIO,
    SORTS,
    TEXT,
    UNKNOWN,
    WORDS,
    SentenceTableData,
    beginning_with,
    ordered,
    table,
)
from nmt.ui.length.curve.sentence_ways import ask_number, show_head, show_ways
from nmt.ui.length.curve.significance import SystemPair
from nmt.ui.length.curve.tasks import DivergenceTask
from nmt.ui.length.curve.test_sets import KnownSet
from nmt.ui.length.curve.translations import missing_translations, offer_translations, translations_of
from nmt.ui.resources import compute_service

_TABLE = "sentence-table"
_LARGEST = "largest"
_TABLE_HEIGHT = 282
_MOST_SHOWN = 60
_TEXT_WIDTH, _CHARACTERS_PER_LINE, _MOST_LINES = 240, 32, 6
_LINE_HEIGHT, _CELL_PADDING = 20, 8


def show_sentences(
    selection: Selection, curves: LengthCurves, sets: Mapping[str, KnownSet], pair: SystemPair | None
) -> None:
    """Show the sentences of the range that was clicked as a table, or the one of them that is chosen. Where only the
    statistics of a test set are here, sentences of another one stand in, in the same range of lengths."""
    requested = asked_range()
    span = named_span(curves, requested)
    pair = pair or SystemPair(next(iter(selection.statistics)), "")
    show_head(curves, requested if span is not None else EVERY)
    if span is None and requested != EVERY:
        notice = strings.NO_SUCH_RANGE.format(name=escaped(requested[:_MOST_SHOWN]))
        st.caption(f":material/link_off: {notice}")
    another = _another_set(selection, sets)
    if another is None:
        _say_what_is_not_here(selection, sets)
    else:
        _name_another(selection, another, sets)
        selection = another
    everything = sentence_locations(selection)
    rows = _rows(selection, span)
    chosen = [everything[index] for index in rows]
    if not chosen:
        st.info(strings.NO_SUCH_LENGTH, icon=":material/info:")
        return
    sources = {
        name: {o.row: o.source for o in chosen if o.source and o.test_set == name} for name in selection.view.sets
    }
    translations = translations_of(selection, sources)
    divergence = _find_divergence(selection, pair, chosen)
    frame = table(
        _known(selection, pair, chosen, rows, translations.get(pair.first), divergence), selection.view.metric
    )
    by_number = {one.number: one for one in everything}
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        number = ask_number(max(by_number))
        one = by_number.get(int(number)) if number is not None else None
        ways = st.container(horizontal=True, vertical_alignment="bottom", gap="small", width="content")
        with st.popover(strings.ORDER, icon=":material/sort:"):
            frame = _sorted(frame)
            offer_translations(missing_translations(selection, sources, translations), "range")
            _offer_divergence(pair, divergence)
    if one is None:
        _show_table(frame, selection.view.metric, pair)
        return
    with ways:
        show_ways([int(value) for value in frame[NUMBER]], one.number)
    show_sentence(selection, one.index, one.test_set, one.row, one.source, one.reference)


def _rows(selection: Selection, span: Span | None) -> Counts:
    return of_span(selection, 0, None) if span is None else of_span(selection, span.first, span.last)


def _say_what_is_not_here(selection: Selection, sets: Mapping[str, KnownSet]) -> None:
    for name in selection.view.sets:
        if selection.sentences_of(name) is not None:
            continue
        if selection.tests[name] is None:
            notice = strings.ONLY_STATISTICS.format(test_set=escaped(name), how_to_get=sets[name].how_to_get())
        else:
            notice = strings.NOT_THE_MEASURED.format(test_set=escaped(name))
        st.caption(f":material/visibility_off: {notice}")


def _another_set(selection: Selection, sets: Mapping[str, KnownSet]) -> Selection | None:
    """Find the same systems on a test set whose sentences are here; None if those that are shown are here, or if no
    such set was measured with all systems."""
    if any(selection.sentences_of(name) for name in selection.view.sets):
        return None
    measured = [system.evaluated.evaluations.keys() for system in selection.systems.values()]
    for name, known in sets.items():
        if not known.sentences or not all(name in names for names in measured):
            continue
        view = replace(selection.view, sets=(name,), systems=tuple(selection.systems))
        another = select(view, selection.systems, dict(sets), selection.languages)
        if another.statistics.keys() == selection.statistics.keys() and another.sentences_of(name) is not None:
            return another
    return None


def _name_another(selection: Selection, another: Selection, sets: Mapping[str, KnownSet]) -> None:
    """Say from which test set the sentences are, and lead to its curve."""
    (name,) = another.view.sets
    lacking = listed(list(selection.view.sets))
    how = " ".join(dict.fromkeys(sets[each].how_to_get() for each in selection.view.sets))
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="another"):
        st.markdown(
            strings.SENTENCES_OF_ANOTHER.format(test_set=escaped(name), others=escaped(lacking)),
            help=strings.ONLY_STATISTICS.format(test_set=escaped(lacking), how_to_get=how),
            width=300,
        )
        st.button(
            strings.ITS_CURVE,
            key="another-set",
            type="tertiary",
            help=escaped(strings.SHOW_OTHER_SET.format(test_set=name)),
            on_click=_take_set,
            args=(name,),
        )


def _take_set(name: str) -> None:
    set_choice(SETS, name)


def _known(
    selection: Selection,
    pair: SystemPair,
    chosen: Sequence[SentenceLocation],
    rows: Counts,
    translations: Mapping[str, WrittenSentence] | None,
    divergence: DivergenceTask | None,
) -> SentenceTableData:
    answer = None if divergence is None else compute_service().find(divergence)
    return SentenceTableData(
        numbers=[one.number for one in chosen],
        lengths=selection.lengths[rows],
        sources=[one.source for one in chosen],
        first_name=pair.first,
        first=selection.statistics[pair.first].take(rows),
        second_name=pair.second,
        second=selection.statistics[pair.second].take(rows) if pair.second else None,
        translations=translations,
        divergence=None if answer is None else dict(zip(_numbers(chosen), answer.result, strict=True)),
    )


def _sorted(frame: pd.DataFrame) -> pd.DataFrame:
    names = {key: strings.TABLE_COLUMNS[key] for key in SORTS if key in frame.columns}
    help_texts = [
        strings.COLUMN_EXPLAINED.format(column=name, explained=strings.COLUMNS_EXPLAINED[key])
        for key, name in names.items()
    ]
    by = choose_one(
        st.selectbox, strings.SORTED_BY, names, key=SORT, former=former_values.SORTS, help="\n".join(help_texts)
    )
    order = choose_one(
        st.segmented_control,
        strings.DIRECTION,
        strings.DIRECTIONS,
        key=ORDER,
        former=former_values.DIRECTIONS,
        width="content",
    )
    return beginning_with(ordered(frame, by, order == _LARGEST), by)


def _show_table(frame: pd.DataFrame, metric: str, pair: SystemPair) -> None:
    number, bar = st.column_config.NumberColumn, st.column_config.ProgressColumn
    scores = [f"{metric} {name}" for name in (pair.first, pair.second) if name]
    config: dict[str, Any] = {name: bar(format="%.1f", min_value=0, max_value=100) for name in scores}
    names, explained = strings.TABLE_COLUMNS, strings.COLUMNS_EXPLAINED
    config |= {
        NUMBER: number(names[NUMBER], format="%d", width="small"),
        WORDS: number(names[WORDS], format="%d", width="small"),
        TEXT: st.column_config.TextColumn(names[TEXT], width=_TEXT_WIDTH),
        DIFFERENCE: number(names[DIFFERENCE], help=explained[DIFFERENCE]),
        UNKNOWN: number(names[UNKNOWN], format="%d", help=explained[UNKNOWN]),
    }
    for key, most in {RATIO: 2, COVERAGE: 1, ENTROPY: 4, ATTENTION: 1}.items():
        config[key] = bar(names[key], format="%.2f", min_value=0, max_value=most, help=explained[key])
    numbers = [int(value) for value in frame[NUMBER]]
    signs: dict[Any, Any] = {DIFFERENCE: signed} if DIFFERENCE in frame.columns else {}
    st.dataframe(
        frame.style.format(signs, na_rep=NOTHING) if signs else frame,  # with minus signs, and sorted by number
        hide_index=True,
        key=_TABLE,
        placeholder=NOTHING,
        height=_TABLE_HEIGHT,
        row_height=_row_height(frame),
        on_select=lambda: _take_row(numbers),
        selection_mode="single-row",
        column_config={name: config[name] for name in frame.columns if name in config},
    )
    st.caption(counted(len(frame), strings.SENTENCES_SHOWN, metric=metric))


def _row_height(frame: pd.DataFrame) -> int | None:
    """Pixels of a row in which the sentences go on in further lines; None where they need one line, or are not here."""
    if TEXT not in frame.columns:
        return None
    longest = max((len(text) for text in frame[TEXT] if isinstance(text, str)), default=0)
    lines = min(_MOST_LINES, -(-longest // _CHARACTERS_PER_LINE))
    return None if lines < 2 else lines * _LINE_HEIGHT + _CELL_PADDING


def _take_row(numbers: Sequence[int]) -> None:
    state: Any = st.session_state.get(_TABLE)
    rows = state["selection"]["rows"] if state else []
    if rows and 0 <= rows[0] < len(numbers):
        st.session_state[SENTENCE] = numbers[rows[0]]


def _numbers(chosen: Sequence[SentenceLocation]) -> list[int]:
    """List the numbers of the sentences whose attention can be compared."""
    return [one.number for one in chosen if one.source and one.reference and one.reference.strip()]


def _find_divergence(
    selection: Selection, pair: SystemPair, chosen: Sequence[SentenceLocation]
) -> DivergenceTask | None:
    """Return the task that compares attention; None where there is no attention to compare, or no sentence."""
    systems = [selection.systems[name] for name in (pair.first, pair.second) if name]
    runs = [system.run for system in systems if system.run is not None and system.run.has_alignment]
    pairs = [(one.source, one.reference) for one in chosen if one.source and one.reference and one.reference.strip()]
    if len(runs) != 2 or not pairs:
        return None
    return DivergenceTask(runs[0], runs[1], tuple(pairs))


def _offer_divergence(pair: SystemPair, divergence: DivergenceTask | None) -> None:
    if divergence is None:
        return
    job = compute_service().job(divergence)
    if job is None or job.state.status in ("cancelled", "failed"):
        st.button(
            strings.COMPARE_ATTENTION,
            icon=":material/compare:",
            on_click=start,
            args=([divergence],),
            help=strings.COMPARE_ATTENTION_HELP.format(explained=strings.COLUMNS_EXPLAINED[ATTENTION]),
        )
    if job is not None and job.state.status not in ("cancelled", "finished"):
        watch_jobs([NamedJob(strings.TWO.format(first=pair.first, second=pair.second), job)], "attention")
