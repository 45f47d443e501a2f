"""The settings of two checkpoints against each other."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

import pandas as pd
import streamlit as st

from nmt.runs.training_summary import SettingPair, compare_settings
from nmt.ui.address import choose_one
from nmt.ui.checkpoints import Checkpoints
from nmt.ui.models import strings

_CHECKSUM, _DIGITS = re.compile(r"[0-9a-f]{64}"), 12


def show_difference(checkpoints: Checkpoints) -> None:
    """Ask for two checkpoints, and show the settings in which they differ, and all others on demand."""
    names = list(checkpoints.usable)
    options = {name: name for name in names}
    with st.container(horizontal=True, vertical_alignment="bottom"):
        first = choose_one(st.selectbox, strings.FIRST, options, key="first", what=strings.A_CHECKPOINT, width=260)
        second = choose_one(
            st.selectbox,
            strings.SECOND,
            options,
            key="second",
            default=names[min(1, len(names) - 1)],
            what=strings.A_CHECKPOINT,
            width=260,
        )
        everything = st.toggle(strings.ALL_SETTINGS, key="all", bind="query-params")
    pairs = compare_settings(checkpoints.usable[first].settings, checkpoints.usable[second].settings)
    different = [pair for pair in pairs if pair.differs]
    if not different:
        st.info(strings.SAME_SETTINGS, icon=":material/equal:")
    shown = pairs if everything else different
    if shown:
        st.dataframe(
            _frame(shown, first, second, marked=everything), hide_index=True, key="settings-board", height="content"
        )
    st.caption(strings.SETTINGS_CAPTION.format(different=len(different), all=len(pairs)))


def _frame(pairs: Sequence[SettingPair], first: str, second: str, *, marked: bool) -> pd.DataFrame:
    columns: dict[str, list[str]] = {strings.SETTING: [pair.name for pair in pairs]}
    columns[first] = [_text(pair.first) for pair in pairs]
    columns[second if second != first else f"{second} "] = [_text(pair.second) for pair in pairs]
    if marked:  # where all settings are shown; else each of them differs
        columns[strings.DIFFERS] = ["≠" if pair.differs else "" for pair in pairs]
    return pd.DataFrame(columns)


def _text(value: Any) -> str:
    """Spell a setting as --set takes it."""
    if isinstance(value, tuple):
        return ",".join(map(str, value))
    text = value if isinstance(value, str) else json.dumps(value)
    return f"{text[:_DIGITS]}…" if _CHECKSUM.fullmatch(text) else text
