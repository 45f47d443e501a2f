"""Tables on a page."""

from __future__ import annotations

from streamlit.testing.v1 import AppTest


def test_columns_of_a_table_have_different_names() -> None:
    def page() -> None:
        from nmt.tables.table import Table
        from nmt.ui.components import show_table

        show_table(Table(title="a*b", head=["", "x", "x", "", "x"], rows=[["1", "-2", "3", "4", "5"]]), key="table")
        show_table(Table(title="b", head=["x"], rows=[["1"]]), key="other", title=False)

    at = AppTest.from_function(page).run()
    assert not at.exception, at.exception
    assert [title.value for title in at.markdown] == ["**a\\*b**"]
    assert list(at.dataframe[0].value.columns) == [" ", "x", "x ", "  ", "x  "]
    assert at.dataframe[0].value.to_numpy().tolist() == [["1", "−2", "3", "4", "5"]]
