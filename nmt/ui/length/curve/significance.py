"""Whether the difference between two systems is real: over all sentences, and in each range of lengths."""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd
import streamlit as st

from nmt.errors import InputError
from nmt.results import LengthCurves, PairedTest
from nmt.results.significance import LEVEL, LOWER_IS_BETTER
from nmt.ui.formatting import as_sentence, escaped
from nmt.ui.length.curve.cached_statistics import test_of
from nmt.ui.length.curve.form import FIRST, SECOND, ask_method
from nmt.ui.length.curve.selection import Selection

_MOST_IN_WORDS = 12
"""Ranges that are told in words one by one."""


@dataclass(frozen=True)
class SystemPair:
    """Names of two systems."""

    first: str
    second: str


def ask_pair(selection: Selection) -> SystemPair | None:
    """Two of the systems that are shown; None after saying that there is but one."""
    names = list(selection.statistics)
    if len(names) < 2:
        st.info("Choose two systems to compare.", icon=":material/compare_arrows:")
        return None
    first = st.selectbox("System", names, key=FIRST, bind="query-params", width=220)
    others = [name for name in names if name != first]
    second = st.selectbox("against", others, key=SECOND, bind="query-params", width=220)
    return SystemPair(first, second)


def show_significance(selection: Selection, curves: LengthCurves) -> None:
    """Ask which two, and say what the test says."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        pair = ask_pair(selection)
        if pair is None:
            return
        method = ask_method()
    two = {name: selection.statistics[name] for name in (pair.first, pair.second)}
    try:
        found = test_of(selection.view, two, curves.rolling, method)
    except InputError as error:
        st.error(as_sentence(str(error)), icon=":material/error:")
        return
    sure = found.overall.significant
    said = escaped(f"All lengths: {found.in_words(found.overall)}.")
    (st.success if sure else st.info)(said, icon=":material/check_circle:" if sure else ":material/help:")
    if curves.rolling:
        st.caption("Rolling windows share their sentences, so their differences are not tested one by one.")
        return
    if len(found.by_length) <= _MOST_IN_WORDS:
        words = [f"- **{escaped(each.span.name)}**: {escaped(found.in_words(each))}" for each in found.by_length]
        st.markdown("\n".join(words))
    st.dataframe(
        _table(found),
        hide_index=True,
        key="difference-table",
        column_config={
            "Sentences": st.column_config.NumberColumn(format="localized"),
            "Difference": st.column_config.NumberColumn(
                format="%+.1f", help=escaped(f"{pair.first} less {pair.second}")
            ),
            "p": st.column_config.NumberColumn(format="%.4f", help="Of this range alone."),
            "p, corrected": st.column_config.NumberColumn(
                format="%.4f", help="For as many tests as there are ranges, by Holm's method."
            ),
        },
    )
    lower = " Lower TER is better." if found.metric in LOWER_IS_BETTER else ""
    st.caption(
        f"Difference: {escaped(pair.first)} less {escaped(pair.second)}, with its 95 % interval by bootstrap. p: how "
        f"often chance alone would make a difference as large; below {LEVEL:g}, after correction, it counts as real. "
        f"Ranges of fewer than ten sentences have no interval.{lower}"
    )


def _table(found: PairedTest) -> pd.DataFrame:
    return pd.DataFrame(
        [
            {
                "Words": each.span.name,
                "Sentences": each.sentences,
                "Difference": each.difference,
                "95 %": ""
                if each.difference_interval is None
                else f"{each.difference_interval.low:+.1f} to {each.difference_interval.high:+.1f}",
                "p": each.p,
                "p, corrected": each.corrected_p,
            }
            for each in found.by_length
        ]
    )
