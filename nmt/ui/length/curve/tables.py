"""Table 1, Table 2 and the others for what is chosen: to be read, and as files."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from nmt.errors import InputError
from nmt.results import TestMethod
from nmt.tables.comparison import difference_tables, tables
from nmt.tables.files import tables_text
from nmt.tables.table import Table
from nmt.tables.training import training_table
from nmt.ui.formatting import as_sentence, escaped, true_minus
from nmt.ui.length.curve.cached_statistics import comparison_of
from nmt.ui.length.curve.selection import Selection
from nmt.ui.models.facts import facts

_KINDS = {
    "CSV": ("csv", "text/csv"),
    "LaTeX": ("tex", "application/x-tex"),
    "JSON": ("json", "application/json"),
    "Markdown": ("md", "text/markdown"),
}


def show_tables(selection: Selection, method: TestMethod) -> None:
    """Show all tables."""
    all_tables = _all_tables(selection, method)
    for k, table in enumerate(all_tables):
        _show(table, k)


def offer_tables(selection: Selection, method: TestMethod) -> None:
    """Offer all tables as one file in each format."""
    all_tables = _all_tables(selection, method)
    with st.container(horizontal=True):
        for label, (ending, mime) in _KINDS.items() if all_tables else ():
            st.download_button(
                label,
                tables_text(all_tables, ending).encode(),
                file_name=f"{selection.view.set_name}.{ending}",
                mime=mime,
                icon=":material/download:",
                on_click="ignore",
                key=f"tables-{ending}",
            )


def _all_tables(selection: Selection, method: TestMethod) -> list[Table]:
    """Make all tables and show the notes on them; empty, after showing the error, if there are none."""
    try:
        comparison = comparison_of(selection.view, [system.evaluated for system in selection.comparable], method)
        *all_tables, signatures = tables(comparison)
        all_tables += difference_tables(comparison)
        trained = [facts(system.run).trained for system in selection.comparable if system.run is not None]
    except InputError as error:
        st.error(as_sentence(str(error)), icon=":material/error:")
        return []
    for note in comparison.notes:
        st.caption(f":material/warning: {escaped(note)}")
    all_tables += [training_table(trained)] if trained else []
    return [*all_tables, signatures]


def _show(table: Table, number: int) -> None:
    st.markdown(f"**{escaped(table.title)}**")
    head: list[str] = []
    for name in table.head:  # a table on a page has no two columns of one name
        while not name or name in head:
            name += " "
        head.append(name)
    st.dataframe(
        pd.DataFrame([[true_minus(cell) for cell in row] for row in table.rows], columns=head),
        hide_index=True,
        key=f"table-{number}",
    )
