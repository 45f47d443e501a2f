"""Tests of the difference between two systems: over all sentences, and in each range of lengths."""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd
import streamlit as st

from nmt.errors import InputError
from nmt.results import LengthCurves, PairedTest, TestMethod
from nmt.results.comparison import LEVEL, LOWER_IS_BETTER, ScoreDifference
from nmt.tables.table import NOTHING
from nmt.ui.address import choose_one
from nmt.ui.formatting import as_sentence, escaped, signed, true_minus
from nmt.ui.length.curve import strings
from nmt.ui.length.curve.cached_statistics import test_of
from nmt.ui.length.curve.form import FIRST, SECOND
from nmt.ui.length.curve.selection import Selection


@dataclass(frozen=True)
class SystemPair:
    """Names of two systems."""

    first: str
    second: str


def ask_pair(selection: Selection) -> SystemPair | None:
    """Ask for two of the systems that are shown, at first one of each architecture if possible; None if there is only
    one."""
    names = list(selection.statistics)
    if len(names) < 2:
        return None
    with st.container(horizontal=True, gap="small"):
        first = choose_one(
            st.selectbox, strings.COMPARE, {name: name for name in names}, key=FIRST, what=strings.A_CHECKPOINT
        )
        others = {name: name for name in names if name != first}
        unlike = _unlike(selection, first, list(others))
        second = choose_one(
            st.selectbox, strings.COMPARE_WITH, others, key=SECOND, default=unlike, what=strings.A_CHECKPOINT
        )
    return SystemPair(first, second)


def _unlike(selection: Selection, first: str, others: list[str]) -> str:
    """The first of the others that has attention if ``first`` has none, or the other way round; else the first."""
    attends = {name: system.run is not None and system.run.has_alignment for name, system in selection.systems.items()}
    return next((name for name in others if attends[name] != attends[first]), others[0])


def show_significance(selection: Selection, curves: LengthCurves, pair: SystemPair | None, method: TestMethod) -> None:
    """Say whether the two differ: in a sentence, and in a table with a verdict for each range."""
    if pair is None:
        st.info(strings.CHOOSE_TWO, icon=":material/compare_arrows:")
        return
    two = {name: selection.statistics[name] for name in (pair.first, pair.second)}
    try:
        tests = test_of(selection.view, two, curves.rolling, method)
    except InputError as error:
        st.error(as_sentence(str(error)), icon=":material/error:")
        return
    icon = ":material/check_circle:" if tests.overall.significant else ":material/help:"
    result = escaped(true_minus(tests.in_words(tests.overall)))
    st.markdown(
        strings.OVERALL_TEST.format(icon=icon, first=escaped(pair.first), second=escaped(pair.second), result=result)
    )
    if curves.rolling:
        st.caption(strings.ROLLING_NOT_TESTED)
        return
    st.dataframe(
        _table(tests),
        hide_index=True,
        key="difference-table",
        column_config={
            strings.SENTENCES: st.column_config.NumberColumn(format="localized"),
            strings.P: st.column_config.TextColumn(help=strings.P_HELP),
            strings.CORRECTED_P: st.column_config.TextColumn(help=strings.CORRECTED_P_HELP),
            strings.VERDICT: st.column_config.TextColumn(width="large"),
        },
    )
    lines = [
        strings.DIFFERENCE_EXPLAINED.format(
            metric=tests.metric, first=escaped(pair.first), second=escaped(pair.second), level=LEVEL
        )
    ]
    if tests.metric in LOWER_IS_BETTER:
        lines.append(strings.LOWER_IS_BETTER.format(metric=tests.metric))
    st.caption(" ".join(lines))


def _table(tests: PairedTest) -> pd.DataFrame:
    return pd.DataFrame([_row(tests, each) for each in tests.by_length])


def _row(tests: PairedTest, each: ScoreDifference) -> dict[str, str | int]:
    interval = each.difference_interval
    return {
        strings.WORDS: each.span.name.replace("-", "–"),
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
