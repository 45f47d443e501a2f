"""The weights as a table, for those who would rather read numbers."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from nmt.ui.attention import weights_table
from nmt.ui.explorer.panels import Drawn
from nmt.ui.text import escaped


def show_tables(drawn: Sequence[Drawn]) -> None:
    """As drawn: a row for each target word, a column for each source word."""
    for each in drawn:
        st.markdown(f"**{escaped(each.panel.title)}**: {escaped(each.panel.values)}")
        st.dataframe(weights_table(each.panel.alignment).style.format(precision=3))
