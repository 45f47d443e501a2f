"""The weights as a table, for those who would rather read numbers."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from nmt.results import Alignment
from nmt.ui import strings as shared
from nmt.ui.formatting import escaped
from nmt.ui.look.explore import strings
from nmt.ui.look.explore.panels import DrawnPanel


def show_tables(drawn: Sequence[DrawnPanel]) -> None:
    """Show the weights as drawn: a row for each target word, a column for each source word."""
    for each in drawn:
        st.markdown(strings.TABLE_TITLE.format(title=escaped(each.panel.title), values=escaped(each.panel.values)))
        st.dataframe(weights_table(each.panel.alignment).style.format(precision=3))


def weights_table(alignment: Alignment) -> pd.DataFrame:
    """Return alpha [T_y, T_x], one row per target word, one column per source word; numbered, since words repeat."""
    return pd.DataFrame(
        alignment.weights,
        index=pd.Index([f"{i} {word}" for i, word in enumerate(alignment.target, 1)], name=shared.TARGET),
        columns=pd.Index([f"{j} {word}" for j, word in enumerate(alignment.source, 1)], name=shared.SOURCE),
    )
