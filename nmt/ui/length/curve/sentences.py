"""From a range of lengths to its sentences, and from there to one of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd
import streamlit as st

from nmt.results import LengthCurves, Span, WrittenSentence
from nmt.results.statistics import Counts
from nmt.tables.table import NOTHING
from nmt.ui.address import choose_one, set_choice
from nmt.ui.compute import start
from nmt.ui.formatting import escaped, signed
from nmt.ui.length.curve.curve import EVERY, asked_range, named_span, show_range
from nmt.ui.length.curve.form import ORDER, SENTENCE, SETS, SORT
from nmt.ui.length.curve.one_sentence import show_sentence
from nmt.ui.length.curve.selection import Selection, of_span
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
from nmt.ui.length.curve.significance import SystemPair
from nmt.ui.length.curve.tasks import DivergenceTask
from nmt.ui.length.curve.test_sets import KnownSet
from nmt.ui.length.curve.translations import missing_translations, offer_translations, translations_of
from nmt.ui.progress import NamedJob, watch_jobs
from nmt.ui.resources import compute_service

_TABLE = "sentence-table"
_RANGE = "length-range"
_LARGEST, _SMALLEST = "largest", "smallest"
_ORDERS = {_LARGEST: "Largest first", _SMALLEST: "Smallest first"}
_TABLE_HEIGHT = 300
_MOST_SHOWN = 60


@dataclass(frozen=True, eq=False, kw_only=True)
class SentenceLocation:
    """A sentence of what is shown.

    Attributes:
        index: in the statistics.
        number: in the test sets as one, from 1.
        test_set, row: where it is from.
        source, reference: None where the sentences are not here.
    """

    index: int
    number: int
    test_set: str
    row: int
    source: str | None
    reference: str | None


def sentence_locations(selection: Selection) -> list[SentenceLocation]:
    """All sentences that are shown."""
    before, offsets = 0, {}
    first = next(iter(selection.systems.values()))
    for name in selection.view.sets:
        offsets[name] = before
        before += first.evaluated.evaluations[name].sentences_given
    tests = {name: selection.sentences_of(name) for name in selection.view.sets}
    found = []
    for index, origin in enumerate(selection.origins()):
        test = tests[origin.test_set]
        source, reference = (None, None) if test is None else (test.sources[origin.row], test.references[origin.row])
        number = offsets[origin.test_set] + origin.row + 1
        found.append(
            SentenceLocation(
                index=index,
                number=number,
                test_set=origin.test_set,
                row=origin.row,
                source=source,
                reference=reference,
            )
        )
    return found


def show_sentences(
    selection: Selection, curves: LengthCurves, sets: Mapping[str, KnownSet], pair: SystemPair | None
) -> None:
    """Show the sentences of the range that was clicked as a table, or the one of them that is chosen."""
    asked = asked_range()
    span = named_span(curves, asked)
    pair = pair or SystemPair(next(iter(selection.statistics)), "")
    _show_head(curves, asked if span is not None else EVERY)
    if span is None and asked != EVERY:
        st.caption(f":material/link_off: There is no range “{escaped(asked[:_MOST_SHOWN])}”; all sentences are shown.")
    everything = sentence_locations(selection)
    rows = _rows(selection, span)
    chosen = [everything[index] for index in rows]
    if not chosen:
        st.info("No sentence has such a length.", icon=":material/info:")
        return
    _say_what_is_not_here(selection, sets)
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
        number = _ask_number(max(by_number))
        one = by_number.get(int(number)) if number is not None else None
        ways = st.container(horizontal=True, vertical_alignment="bottom", gap="small", width="content")
        with st.popover("Order", icon=":material/sort:"):
            frame = _sorted(frame)
            offer_translations(missing_translations(selection, sources, translations), "range")
            _offer_divergence(pair, divergence)
    if one is None:
        _show_table(frame, selection.view.metric, pair)
        return
    with ways:
        _show_ways([int(value) for value in frame[NUMBER]], one.number)
    show_sentence(selection, one.index, one.test_set, one.row, one.source, one.reference)


def _show_head(curves: LengthCurves, shown: str) -> None:
    """Which range is shown, to be changed, and a way to close the panel."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        names = [EVERY, *(span.name for span in curves.spans)]
        st.session_state[_RANGE] = shown
        st.selectbox(
            f"Sentences by words of the {curves.side}",
            names,
            format_func=lambda name: "All lengths" if name == EVERY else f"{name.replace('-', '–')} words",
            key=_RANGE,
            on_change=lambda: show_range(st.session_state[_RANGE]),
        )
        st.button("Close", icon=":material/close:", on_click=show_range, args=("",), key="close-range")


def _ask_number(most: int) -> int | None:
    return st.number_input(
        "Sentence",
        1,
        most,
        None,
        key=SENTENCE,
        bind="query-params",
        width=110,
        placeholder="No.",
        help="Its number; a click at the left of a row chooses it.",
    )


def _show_ways(numbers: Sequence[int], shown: int) -> None:
    """Lead from one sentence to its neighbours in the table, and back to the table."""
    place = numbers.index(shown) if shown in numbers else None
    before = numbers[place - 1] if place else None
    after = numbers[place + 1] if place is not None and place + 1 < len(numbers) else None
    ways = {"List of sentences": ("list", None), "Previous sentence": ("arrow_back", before)}
    ways |= {"Next sentence": ("arrow_forward", after)}
    for label, (icon, number) in ways.items():
        st.button(
            "",
            icon=f":material/{icon}:",
            on_click=_take_number,
            args=(number,),
            disabled=number is None and icon != "list",
            help=label,
            key=f"to-{icon}",
        )


def _take_number(number: int | None) -> None:
    st.session_state[SENTENCE] = number


def _rows(selection: Selection, span: Span | None) -> Counts:
    return of_span(selection, 0, None) if span is None else of_span(selection, span.first, span.last)


def _say_what_is_not_here(selection: Selection, sets: Mapping[str, KnownSet]) -> None:
    for name in selection.view.sets:
        if selection.sentences_of(name) is not None:
            continue
        if selection.tests[name] is None:
            st.caption(
                f":material/visibility_off: Only statistics of {escaped(name)} are here, so its sentences cannot be "
                f"shown. {sets[name].how_to_get()}"
            )
        else:
            st.caption(
                f":material/visibility_off: The sentences of {escaped(name)} that are here are not those that were "
                "measured, so they are not shown."
            )
    if not any(selection.sentences_of(name) for name in selection.view.sets):
        _offer_another(selection, sets)


def _offer_another(selection: Selection, sets: Mapping[str, KnownSet]) -> None:
    """A set that leads to sentences, if there is one that all systems shown were measured on."""
    measured = [system.evaluated.evaluations.keys() for system in selection.systems.values()]
    there = [name for name, known in sets.items() if known.sentences and all(name in names for names in measured)]
    if there:
        st.button(
            escaped(f"Show {there[0]}, whose sentences are here"),
            icon=":material/swap_horiz:",
            key="another-set",
            on_click=_take_set,
            args=(there[0],),
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
    keys = [name for name in SORTS if name in frame.columns]
    slugs = {name.lower().rstrip(".").replace(" ", "-"): name for name in keys}
    by = choose_one(
        st.selectbox, "Sorted by", slugs, key=SORT, former={name: slug for slug, name in slugs.items()},
        help="\n".join(f"- {name}: {SORTS[name]}" for name in keys),
    )  # fmt: skip
    order = choose_one(
        st.segmented_control, "Direction", _ORDERS, key=ORDER, former={name: key for key, name in _ORDERS.items()},
        width="content",
    )  # fmt: skip
    return beginning_with(ordered(frame, slugs[by], order == _LARGEST), slugs[by])


def _show_table(frame: pd.DataFrame, metric: str, pair: SystemPair) -> None:
    number, bar = st.column_config.NumberColumn, st.column_config.ProgressColumn
    scores = [f"{metric} {name}" for name in (pair.first, pair.second) if name]
    config: dict[str, Any] = {name: bar(format="%.1f", min_value=0, max_value=100) for name in scores}
    config |= {
        NUMBER: number(format="%d", width="small"),
        WORDS: number(format="%d", width="small"),
        TEXT: st.column_config.TextColumn(width="medium"),
        DIFFERENCE: number(help=SORTS[DIFFERENCE]),
        RATIO: bar(format="%.2f", min_value=0, max_value=2, help=SORTS[RATIO]),
        UNKNOWN: number(format="%d", help=SORTS[UNKNOWN]),
        COVERAGE: bar(format="%.2f", min_value=0, max_value=1, help=SORTS[COVERAGE]),
        ENTROPY: bar(format="%.2f", min_value=0, max_value=4, help=SORTS[ENTROPY]),
        ATTENTION: bar(format="%.2f", min_value=0, max_value=1, help=SORTS[ATTENTION]),
    }
    numbers = [int(value) for value in frame[NUMBER]]
    signs: dict[Any, Any] = {DIFFERENCE: signed} if DIFFERENCE in frame.columns else {}
    st.dataframe(
        frame.style.format(signs, na_rep=NOTHING) if signs else frame,  # with minus signs, and sorted by number
        hide_index=True,
        key=_TABLE,
        placeholder=NOTHING,
        height=_TABLE_HEIGHT,
        on_select=lambda: _take_row(numbers),
        selection_mode="single-row",
        column_config={name: config[name] for name in frame.columns if name in config},
    )
    st.caption(
        f"{len(frame):,} sentence{'' if len(frame) == 1 else 's'}. {metric} here is of single sentences, to find them "
        "by; the curve is never a mean of these."
    )


def _take_row(numbers: Sequence[int]) -> None:
    state: Any = st.session_state.get(_TABLE)
    rows = state["selection"]["rows"] if state else []
    if rows and 0 <= rows[0] < len(numbers):
        st.session_state[SENTENCE] = numbers[rows[0]]


def _numbers(chosen: Sequence[SentenceLocation]) -> list[int]:
    """Of the sentences whose attention can be compared."""
    return [one.number for one in chosen if one.source and one.reference and one.reference.strip()]


def _find_divergence(
    selection: Selection, pair: SystemPair, chosen: Sequence[SentenceLocation]
) -> DivergenceTask | None:
    """What has to be asked; None where there is no attention to compare, or no sentence."""
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
            "Compare their attention",
            icon=":material/compare:",
            on_click=start,
            args=([divergence],),
            help=f"{SORTS[ATTENTION]}; to sort by.",
        )
    if job is not None and job.state.status not in ("cancelled", "finished"):
        watch_jobs([NamedJob(f"{pair.first} and {pair.second}", job)], "attention")
