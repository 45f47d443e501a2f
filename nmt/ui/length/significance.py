"""Choose two of the shown systems, test whether they differ, and say the result in words."""

from dataclasses import replace
from typing import NamedTuple

import streamlit as st

from nmt.evaluation.bootstrap import Resamples
from nmt.evaluation.buckets import lengths_of
from nmt.evaluation.significance import paired_tests
from nmt.results import LengthCurves, PairedTest
from nmt.results.comparison import LEVEL, ScoreDifference
from nmt.tables.table import NOTHING
from nmt.texts import CHARTS, LENGTH
from nmt.ui.components import show_rows
from nmt.ui.compute import errors_shown
from nmt.ui.formatting import escaped, signed, true_minus
from nmt.ui.inputs import ask_checkpoint
from nmt.ui.length.curve import find_curves, unequal_training
from nmt.ui.length.select import Selection


class SystemPair(NamedTuple):
    """Names of two systems. The second is "" if there is only one."""

    first: str
    second: str


def ask_systems(selection: Selection) -> SystemPair:
    """Ask for two of the shown systems. The default with uploads is the newest upload and, as second, the best other
    upload, else the best other system. Without uploads, the default is the first system and, as second, the one of
    ``_unlike``. With one system, the second name is ""."""
    names = list(selection.statistics)
    if len(names) < 2:
        return SystemPair(names[0], "")
    uploaded = [name for name in names if selection.systems[name].uploaded]
    with st.container(horizontal=True, vertical_alignment="bottom", key="length-pair"):
        at_first = uploaded[-1] if uploaded else names[0]
        first = ask_checkpoint(LENGTH.compare, names, key="one", default=at_first, width=200)
        others = [name for name in names if name != first]
        rivals = [name for name in others if name in uploaded] or others
        rival = _best(selection, rivals) if uploaded else _unlike(selection, first, others)
        return SystemPair(first, ask_checkpoint(LENGTH.compare_with, others, key="other", default=rival, width=200))


def _best(selection: Selection, names: list[str]) -> str:
    """The system with the best score over all lengths."""
    curves = find_curves(selection)
    values = {curve.system: curve.overall.value for curve in curves.curves} if curves else {}
    best = min if curves and curves.lower_is_better else max
    return best(names, key=lambda name: values.get(name) or 0.0)  # all systems have a score, or none has one


def _unlike(selection: Selection, first: str, others: list[str]) -> str:
    """The system most unlike ``first``. It differs in attention if possible. Among such systems, one trained on
    sentences up to the same length is preferred."""

    def unlikeness(name: str) -> list[bool]:
        ours, other = selection.systems[first], selection.systems[name]
        return [ours.attends != other.attends, ours.evaluated.trained_to == other.evaluated.trained_to]

    return max(others, key=unlikeness)


@errors_shown("error")
def show_significance(selection: Selection, curves: LengthCurves, pair: SystemPair) -> None:
    """Say whether the two systems differ: in a sentence, and in a table with a verdict for each range."""
    if not pair.second:
        st.info(LENGTH.choose_two, icon=":material/compare_arrows:")
        return
    with st.spinner(LENGTH.testing):
        tests = _test(selection.key, pair.first, pair.second, curves.rolling, selection)
    icon = ":material/check_circle:" if tests.overall.significant else ":material/help:"
    result = escaped(true_minus(tests.in_words(tests.overall)))
    sentence = LENGTH.overall_test.format(
        icon=icon,
        first=escaped(pair.first),
        second=escaped(pair.second),
        unit=CHARTS.by_key.units[tests.unit],
        result=result,
    )
    training = "" if {*pair} <= {*curves.in_groups} else unequal_training(selection, pair)  # else it is said above
    st.markdown(f"{sentence} {training}".strip())
    if curves.rolling:
        st.caption(LENGTH.rolling_not_tested)
        return
    text = st.column_config.TextColumn
    columns = {
        LENGTH.by_key.units[tests.unit]: st.column_config.NumberColumn(format="localized"),
        LENGTH.p: text(help=LENGTH.p_help),
        LENGTH.corrected_p: text(help=LENGTH.corrected_p_help),
        LENGTH.verdict: text(width="large"),
    }
    show_rows([_row(tests, range_test) for range_test in tests.by_length], columns, key="difference-table")
    said = LENGTH.difference_explained.format(
        metric=tests.metric, first=escaped(pair.first), second=escaped(pair.second), level=LEVEL
    )
    lower = LENGTH.lower_is_better.format(metric=tests.metric) if tests.lower_is_better else ""
    st.caption(f"{said} {lower}".strip())


def _row(tests: PairedTest, each: ScoreDifference) -> dict[str, str | int]:
    interval = each.difference_interval
    return {
        LENGTH.words: each.span.text,
        LENGTH.by_key.units[tests.unit]: each.sentences,
        LENGTH.difference: NOTHING if each.difference is None else signed(each.difference),
        LENGTH.interval: NOTHING
        if interval is None
        else LENGTH.interval_to.format(low=signed(interval.low), high=signed(interval.high)),
        LENGTH.p: _probability(each.p),
        LENGTH.corrected_p: _probability(each.corrected_p),
        LENGTH.verdict: _verdict(tests, each),
    }


def _probability(p: float | None) -> str:
    return NOTHING if p is None else f"{p:.4f}"


def _verdict(tests: PairedTest, each: ScoreDifference) -> str:
    if each.difference is None:
        return LENGTH.no_sentences.format(unit=CHARTS.by_key.units[tests.unit])
    if each.p is None:
        return LENGTH.too_few.format(unit=CHARTS.by_key.units[tests.unit])
    if not each.significant:
        return LENGTH.may_be_chance
    first = (each.difference > 0) != tests.lower_is_better
    return LENGTH.is_better.format(name=tests.first if first else tests.second)


@st.cache_data(max_entries=64, show_spinner=False)
def _test(key: str, first: str, second: str, rolling: bool, _selection: Selection) -> PairedTest:
    """Test the first system against the second, over all sentences and each range."""
    analysis = _selection.view.analysis
    systems = {name: _selection.counted[name] for name in (first, second)}
    pairs = systems[first].pairs
    (test,) = paired_tests(
        systems,
        () if rolling else analysis.buckets.spans(lengths_of(pairs, analysis.side)),
        metric=analysis.metric,
        side=analysis.side,
        method=analysis.method,
        resamples=Resamples.draw(len(pairs)),
    )
    return replace(test, unit=_selection.view.unit)
