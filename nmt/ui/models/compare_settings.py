"""The settings of two checkpoints against each other."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import pandas as pd
import streamlit as st

from nmt.runs.compare_settings import SettingPair, compare_settings
from nmt.ui.checkpoints import Checkpoints


def show_difference(checkpoints: Checkpoints) -> None:
    """Ask for two, show in which settings they differ, and all others if the reader wants."""
    names = list(checkpoints.usable)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        first = st.selectbox("First", names, key="first", bind="query-params", width=260)
        second = st.selectbox(
            "Second", names, index=min(1, len(names) - 1), key="second", bind="query-params", width=260
        )
        everything = st.toggle("All settings", key="all", bind="query-params")
    pairs = compare_settings(checkpoints.usable[first].settings, checkpoints.usable[second].settings)
    different = [pair for pair in pairs if pair.differs]
    if not different:
        st.info("They have the same settings.", icon=":material/equal:")
    shown = pairs if everything else different
    if shown:
        st.dataframe(_frame(shown, first, second), hide_index=True, key="settings-board", height="content")
    st.caption(
        f"{len(different)} of {len(pairs)} settings differ. The names are those of --set; data is the checksum of the "
        "prepared data."
    )


def _frame(pairs: Sequence[SettingPair], first: str, second: str) -> pd.DataFrame:
    columns: dict[str, list[str]] = {"Setting": [pair.name for pair in pairs]}
    columns[first] = [_text(pair.first) for pair in pairs]
    columns[second if second != first else f"{second} "] = [_text(pair.second) for pair in pairs]
    return pd.DataFrame(columns | {"Differs": ["≠" if pair.differs else "" for pair in pairs]})


def _text(value: Any) -> str:
    """As --set takes it."""
    if isinstance(value, tuple):
        return ",".join(map(str, value))
    return value if isinstance(value, str) else json.dumps(value)
