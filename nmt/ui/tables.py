"""Tables of a page, and files that a page offers."""

from __future__ import annotations

import mimetypes
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import pandas as pd
import streamlit as st

from nmt.tables.table import NOTHING, Table, tables_text
from nmt.ui.formatting import escaped, true_minus

_KINDS = {"CSV": "csv", "LaTeX": "tex", "JSON": "json", "Markdown": "md"}


def show_rows(rows: Iterable[dict[str, Any]], columns: Mapping[str, Any], *, key: str) -> None:
    """Show records as a table, without columns that are empty in every row.

    Args:
        columns: Streamlit's settings of columns, by name; others are as they come.
    """
    frame = pd.DataFrame(rows).replace("", None).dropna(axis="columns", how="all")
    st.dataframe(frame, hide_index=True, placeholder=NOTHING, key=key, column_config=dict(columns))


def show_table(table: Table, *, key: str, title: bool = True) -> None:
    """Show a table as a command writes it."""
    if title:
        st.markdown(f"**{escaped(table.title)}**")
    head: list[str] = []
    for name in table.head:  # a table on a page has no two columns of one name
        while not name or name in head:
            name += " "
        head.append(name)
    frame = pd.DataFrame([[true_minus(cell) for cell in row] for row in table.rows], columns=head)
    st.dataframe(frame, hide_index=True, key=key)


def offer_tables(tables: Sequence[Table], name: str, *, key: str) -> None:
    """Offer tables as one file in each format."""
    with st.container(horizontal=True):
        for label, ending in _KINDS.items() if tables else ():
            offer_file(label, tables_text(tables, ending).encode(), f"{name}.{ending}", key=f"{key}-{ending}")


def offer_file(
    label: str, content: str | bytes | Callable[[], str | bytes], name: str, *, key: str, help: str | None = None
) -> None:
    """Show a button that saves a file; the ending of its name says of what kind it is."""
    kind, _ = mimetypes.guess_type(name)
    st.download_button(
        label,
        content,
        file_name=name,
        mime=kind,
        icon=":material/download:",
        on_click="ignore",
        key=key,
        help=help,
    )
