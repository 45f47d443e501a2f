"""Tables on a page."""

from typing import Any

import numpy as np
import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from nmt.results import Alignment
from nmt.results.record import record_of_map
from nmt.ui.components import offer_file
from nmt.ui.instrument import Chosen, MapView
from tests.ui.drawn import draw


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


@pytest.mark.parametrize(
    ("name", "kind"), [("a.csv", "text/csv"), ("a.svg", "image/svg+xml"), ("a.pharaoh", "text/plain")]
)
def test_a_file_is_of_the_kind_of_its_ending(name: str, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    given: dict[str, Any] = {}
    monkeypatch.setattr(st, "download_button", lambda label, content, **settings: given.update(settings))
    offer_file("Save", "text", name)
    assert (given["file_name"], given["mime"]) == (name, kind)


@pytest.mark.parametrize(("words", "most"), [(1, 1.0), (2, 1.0), (4, 2.0)])
def test_entropy_is_drawn_up_to_that_of_equal_weights(words: int, most: float) -> None:
    """In bits; up to one bit, where a row of a single word can have none at all."""
    weights = np.full((1, words), 1 / words, np.float32)
    record = record_of_map(Alignment(source=("a",) * words, target=("x",), weights=weights), "x")
    (panel,) = draw({"record": record.to_dict(), "state": Chosen(view=MapView(bars=True)).to_dict()})["panels"]
    assert panel["bars"]["target"]["most"] == most
    assert panel["bars"]["target"]["values"] == pytest.approx([np.log2(words)])
