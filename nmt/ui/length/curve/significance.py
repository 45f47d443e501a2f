"""Whether the difference between two systems is real: over all sentences, and in each range of lengths."""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd
import streamlit as st

from nmt.errors import InputError
from nmt.results import LengthCurves, PairedTest, TestMethod
from nmt.results.significance import LEVEL, LOWER_IS_BETTER, ScoreDifference
from nmt.tables.table import NOTHING
from nmt.ui.address import choose_one
from nmt.ui.formatting import as_sentence, escaped, signed, true_minus
from nmt.ui.length.curve.cached_statistics import test_of
from nmt.ui.length.curve.form import FIRST, SECOND
from nmt.ui.length.curve.selection import Selection


@dataclass(frozen=True)
class SystemPair:
    """Names of two systems."""

    first: str
    second: str


def ask_pair(selection: Selection) -> SystemPair | None:
    """Two of the systems that are shown, the first of each architecture until the reader chooses; None where there is
    but one."""
    names = list(selection.statistics)
    if len(names) < 2:
        return None
    with st.container(horizontal=True, gap="small"):
        first = choose_one(st.selectbox, "Compare", {name: name for name in names}, key=FIRST, what="checkpoint")
        others = {name: name for name in names if name != first}
        unlike = _unlike(selection, first, list(others))
        second = choose_one(st.selectbox, "with", others, key=SECOND, default=unlike, what="checkpoint")
    return SystemPair(first, second)


def _unlike(selection: Selection, first: str, others: list[str]) -> str:
    """The first of the others that has attention if ``first`` has none, or the other way round; else the first."""
    attends = {name: system.run is not None and system.run.has_alignment for name, system in selection.systems.items()}
    return next((name for name in others if attends[name] != attends[first]), others[0])


def show_significance(selection: Selection, curves: LengthCurves, pair: SystemPair | None, method: TestMethod) -> None:
    """Say whether the two differ: in a sentence, and in a table with a verdict for each range."""
    if pair is None:
        st.info("Choose two checkpoints to compare.", icon=":material/compare_arrows:")
        return
    two = {name: selection.statistics[name] for name in (pair.first, pair.second)}
    try:
        found = test_of(selection.view, two, curves.rolling, method)
    except InputError as error:
        st.error(as_sentence(str(error)), icon=":material/error:")
        return
    icon = ":material/check_circle:" if found.overall.significant else ":material/help:"
    names = f"**{escaped(pair.first)}** and **{escaped(pair.second)}**"
    st.markdown(f"{icon} {names}, sentences of all lengths: {escaped(true_minus(found.in_words(found.overall)))}.")
    if curves.rolling:
        st.caption("Rolling windows share their sentences, so their differences are not tested one by one.")
        return
    st.dataframe(
        _table(found),
        hide_index=True,
        key="difference-table",
        column_config={
            "Sentences": st.column_config.NumberColumn(format="localized"),
            "p": st.column_config.TextColumn(help="Of this range alone."),
            "p, corrected": st.column_config.TextColumn(
                help="For as many tests as there are ranges, by Holm's method."
            ),
            "Verdict": st.column_config.TextColumn(width="large"),
        },
    )
    lower = " Lower TER is better." if found.metric in LOWER_IS_BETTER else ""
    st.caption(
        f"Difference: {found.metric} of {escaped(pair.first)} less that of {escaped(pair.second)}, with its 95 % "
        f"interval by bootstrap. p: how often chance alone would make a difference as large; below {LEVEL:g}, after "
        f"correction, it counts as real. Ranges of fewer than ten sentences are not tested.{lower}"
    )


def _table(found: PairedTest) -> pd.DataFrame:
    return pd.DataFrame([_row(found, each) for each in found.by_length])


def _row(found: PairedTest, each: ScoreDifference) -> dict[str, str | int]:
    interval = each.difference_interval
    return {
        "Words": each.span.name.replace("-", "–"),
        "Sentences": each.sentences,
        "Difference": NOTHING if each.difference is None else signed(each.difference),
        "95 %": NOTHING if interval is None else f"{signed(interval.low)} to {signed(interval.high)}",
        "p": _probability(each.p),
        "p, corrected": _probability(each.corrected_p),
        "Verdict": _verdict(found, each),
    }


def _probability(p: float | None) -> str:
    return NOTHING if p is None else f"{p:.4f}"


def _verdict(found: PairedTest, each: ScoreDifference) -> str:
    if each.difference is None:
        return "no sentences"
    if each.p is None:
        return "too few sentences to test"
    if not each.significant:
        return "may be chance"
    first = (each.difference > 0) != (found.metric in LOWER_IS_BETTER)
    return f"{found.first if first else found.second} is better"
