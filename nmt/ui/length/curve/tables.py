"""Table 1, Table 2 and the others for what is chosen: to be read, and as files."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from nmt.errors import InputError
from nmt.tables.comparison import difference_tables, tables
from nmt.tables.files import tables_text
from nmt.tables.table import Table
from nmt.tables.training import training_table
from nmt.ui.formatting import as_sentence, escaped
from nmt.ui.length.curve.cached_statistics import comparison_of
from nmt.ui.length.curve.form import ask_method
from nmt.ui.length.curve.selection import Selection
from nmt.ui.models.facts import facts

_KINDS = {
    "CSV": ("csv", "text/csv"),
    "LaTeX": ("tex", "application/x-tex"),
    "JSON": ("json", "application/json"),
    "Markdown": ("md", "text/markdown"),
}


def show_tables(selection: Selection) -> None:
    """All of them, and a file of all of them."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        method = ask_method()
        place = st.container(horizontal=True)
    try:
        comparison = comparison_of(selection.view, [system.evaluated for system in selection.comparable], method)
        *found, signatures = tables(comparison)
        found += difference_tables(comparison)
        trained = [facts(system.run).trained for system in selection.comparable if system.run is not None]
    except InputError as error:
        st.error(as_sentence(str(error)), icon=":material/error:")
        return
    found += [training_table(trained)] if trained else []
    found.append(signatures)
    with place:
        _offer(found, selection.view.set_name)
    for note in comparison.notes:
        st.caption(f":material/warning: {escaped(note)}")
    for k, table in enumerate(found):
        _show(table, k)


def _offer(found: Sequence[Table], name: str) -> None:
    for label, (ending, mime) in _KINDS.items():
        st.download_button(
            label,
            tables_text(found, ending).encode(),
            file_name=f"{name}.{ending}",
            mime=mime,
            icon=":material/download:",
            on_click="ignore",
            key=f"tables-{ending}",
        )


def _show(table: Table, number: int) -> None:
    st.markdown(f"**{escaped(table.title)}**")
    head: list[str] = []
    for name in table.head:  # a table on a page has no two columns of one name
        while not name or name in head:
            name += " "
        head.append(name)
    st.dataframe(pd.DataFrame(table.rows, columns=head), hide_index=True, key=f"table-{number}")
