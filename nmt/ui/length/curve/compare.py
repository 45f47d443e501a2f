"""Curves, tests and tables of what was chosen, each computed once for the same counts and settings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import streamlit as st

from nmt.errors import InputError
from nmt.evaluation.bootstrap import Resamples
from nmt.evaluation.buckets import lengths_of
from nmt.evaluation.comparison import compare
from nmt.evaluation.length_curves import length_curves
from nmt.evaluation.significance import paired_tests
from nmt.results import Comparison, LengthCurves, PairedTest
from nmt.results.comparison import LEVEL, LOWER_IS_BETTER, ScoreDifference
from nmt.runs.training_summary import training_summary
from nmt.tables.comparison import difference_tables, tables
from nmt.tables.runs import training_table
from nmt.tables.table import NOTHING, Table
from nmt.ui.evaluated import unequal_updates
from nmt.ui.formatting import as_sentence, escaped, signed, true_minus
from nmt.ui.inputs import ask_checkpoint
from nmt.ui.length import strings
from nmt.ui.length.curve.choose import BAND, FIRST, SECOND
from nmt.ui.length.curve.select import Selection
from nmt.ui.tables import show_rows


class SystemPair(NamedTuple):
    """Names of two systems; the second is "" if there is only one."""

    first: str
    second: str


def find_curves(selection: Selection) -> LengthCurves | None:
    """The curves; None after saying why there are none."""
    try:
        return _curves(selection.key, BAND in selection.view.options, selection)
    except InputError as error:
        st.error(as_sentence(str(error)), icon=":material/error:")
        return None


def ask_pair(selection: Selection) -> SystemPair:
    """Ask for two of the systems that are shown: until the reader chooses, the newest upload against the best of the
    others, or else one of each architecture with the same longest training sentences, as far as possible."""
    names = list(selection.statistics)
    if len(names) < 2:
        return SystemPair(names[0], "")
    uploaded = [name for name in names if selection.systems[name].uploaded]
    with st.container(horizontal=True, vertical_alignment="bottom", key="length-pair"):
        at_first = uploaded[-1] if uploaded else names[0]
        first = ask_checkpoint(strings.COMPARE, names, key=FIRST, default=at_first, width=200)
        others = [name for name in names if name != first]
        rival = _best(selection, others) if uploaded else _unlike(selection, first, others)
        return SystemPair(first, ask_checkpoint(strings.COMPARE_WITH, others, key=SECOND, default=rival, width=200))


def _best(selection: Selection, names: list[str]) -> str:
    """The system with the best score over all lengths."""
    curves = find_curves(selection)
    scores = {} if curves is None else {curve.system: curve.overall.value for curve in curves.curves}
    sign = -1 if selection.view.analysis.metric in LOWER_IS_BETTER else 1
    return max(names, key=lambda name: -float("inf") if (value := scores.get(name)) is None else sign * value)


def _unlike(selection: Selection, first: str, others: list[str]) -> str:
    """The one of the others that has attention if ``first`` has none, or the other way round, and was trained on
    sentences as long."""

    def unlikeness(name: str) -> list[bool]:
        one, other = selection.systems[first], selection.systems[name]
        return [one.attends != other.attends, one.evaluated.trained_to == other.evaluated.trained_to]

    return max(others, key=unlikeness)


def unequal_training(selection: Selection, names: Sequence[str]) -> str:
    """Say in Markdown after how many updates each checkpoint was saved; "" unless they differ."""
    return unequal_updates({name: run for name in names if (run := selection.systems[name].run) is not None})


def show_significance(selection: Selection, curves: LengthCurves, pair: SystemPair) -> None:
    """Say whether the two differ: in a sentence, and in a table with a verdict for each range."""
    if not pair.second:
        st.info(strings.CHOOSE_TWO, icon=":material/compare_arrows:")
        return
    try:
        tests = _test(selection.key, pair.first, pair.second, curves.rolling, selection)
    except InputError as error:
        st.error(as_sentence(str(error)), icon=":material/error:")
        return
    icon = ":material/check_circle:" if tests.overall.significant else ":material/help:"
    result = escaped(true_minus(tests.in_words(tests.overall)))
    sentence = strings.OVERALL_TEST.format(
        icon=icon, first=escaped(pair.first), second=escaped(pair.second), result=result
    )
    st.markdown(f"{sentence} {unequal_training(selection, pair)}".strip())
    if curves.rolling:
        st.caption(strings.ROLLING_NOT_TESTED)
        return
    text = st.column_config.TextColumn
    columns = {
        strings.SENTENCES: st.column_config.NumberColumn(format="localized"),
        strings.P: text(help=strings.P_HELP),
        strings.CORRECTED_P: text(help=strings.CORRECTED_P_HELP),
        strings.VERDICT: text(width="large"),
    }
    show_rows([_row(tests, each) for each in tests.by_length], columns, key="difference-table")
    said = strings.DIFFERENCE_EXPLAINED.format(
        metric=tests.metric, first=escaped(pair.first), second=escaped(pair.second), level=LEVEL
    )
    lower = tests.metric in LOWER_IS_BETTER
    st.caption(f"{said} {strings.LOWER_IS_BETTER.format(metric=tests.metric)}" if lower else said)


def _row(tests: PairedTest, each: ScoreDifference) -> dict[str, str | int]:
    interval = each.difference_interval
    return {
        strings.WORDS: each.span.text,
        strings.SENTENCES: each.sentences,
        strings.DIFFERENCE: NOTHING if each.difference is None else signed(each.difference),
        strings.INTERVAL: NOTHING
        if interval is None
        else strings.INTERVAL_TO.format(low=signed(interval.low), high=signed(interval.high)),
        strings.P: _probability(each.p),
        strings.CORRECTED_P: _probability(each.corrected_p),
        strings.VERDICT: _verdict(tests, each),
    }


def _probability(p: float | None) -> str:
    return NOTHING if p is None else f"{p:.4f}"


def _verdict(tests: PairedTest, each: ScoreDifference) -> str:
    if each.difference is None:
        return strings.NO_SENTENCES
    if each.p is None:
        return strings.TOO_FEW
    if not each.significant:
        return strings.MAY_BE_CHANCE
    first = (each.difference > 0) != (tests.metric in LOWER_IS_BETTER)
    return strings.IS_BETTER.format(name=tests.first if first else tests.second)


def all_tables(selection: Selection) -> list[Table]:
    """Make all tables and show the notes on them; empty, after showing the error, if there are none."""
    try:
        comparison = _comparison(selection.key, selection)
        *made, signatures = tables(comparison)
        made += difference_tables(comparison)
        trained = [training_summary(system.run.path) for system in selection.comparable if system.run is not None]
    except InputError as error:
        st.error(as_sentence(str(error)), icon=":material/error:")
        return []
    for note in comparison.notes:
        st.caption(f":material/warning: {escaped(note)}")
    return [*made, *([training_table(trained)] if trained else []), signatures]


@st.cache_data(max_entries=64, show_spinner=strings.COMPUTING_CURVES)
def _curves(key: str, bands: bool, _selection: Selection) -> LengthCurves:
    view, statistics = _selection.view, _selection.statistics
    pairs = next(iter(statistics.values())).pairs
    return length_curves(
        statistics,
        view.analysis.buckets.spans(lengths_of(pairs, view.analysis.side)),
        metric=view.analysis.metric,
        side=view.analysis.side,
        resamples=Resamples.draw(len(pairs)) if bands else None,
        test_set=view.set_name,
        no_unk=view.analysis.no_unk,
        trained_to={name: system.evaluated.trained_to for name, system in _selection.systems.items()},
    )


@st.cache_data(max_entries=64, show_spinner=strings.TESTING)
def _test(key: str, first: str, second: str, rolling: bool, _selection: Selection) -> PairedTest:
    """Test the first system against the second, over all sentences and each range."""
    analysis = _selection.view.analysis
    systems = {name: _selection.statistics[name] for name in (first, second)}
    pairs = systems[first].pairs
    (test,) = paired_tests(
        systems,
        () if rolling else analysis.buckets.spans(lengths_of(pairs, analysis.side)),
        metric=analysis.metric,
        side=analysis.side,
        method=analysis.method,
        resamples=Resamples.draw(len(pairs)),
    )
    return test


@st.cache_data(max_entries=16, show_spinner=strings.MAKING_TABLES)
def _comparison(key: str, _selection: Selection) -> Comparison:
    view = _selection.view
    evaluated = [system.evaluated for system in _selection.comparable]
    return compare(evaluated, view.sets, [view.set_name], view.analysis)
