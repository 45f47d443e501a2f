"""The weights as a table, for those who would rather read numbers."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from nmt.ui.formatting import escaped
from nmt.ui.look.explore.panels import DrawnPanel
from nmt.ui.look.sentence.attention import weights_table


def show_tables(drawn: Sequence[DrawnPanel]) -> None:
    """As drawn: a row for each target word, a column for each source word."""
    for each in drawn:
        st.markdown(f"**{escaped(each.panel.title)}**: {escaped(each.panel.values)}")
        st.dataframe(weights_table(each.panel.alignment).style.format(precision=3))
