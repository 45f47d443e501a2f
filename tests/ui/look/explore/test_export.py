"""Exports: the command draws the same figure, LaTeX sets the sentence as typed, files carry the signature."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pytest
from pypdf import PdfReader

from nmt.results import Alignment
from nmt.ui.look.explore.export import weights_table
from tests.charts.printed import drawn

ROOT = Path(__file__).parents[4]


SOURCE, TARGET = ("the", 'a "q", b', "the", "</s>"), ("<b>", "$x$", "</s>")


@pytest.fixture
def alignment() -> Alignment:
    weights = np.random.default_rng(1).random((3, 4))
    return Alignment(source=SOURCE, target=TARGET, weights=weights / weights.sum(axis=1, keepdims=True))


def test_repeated_words_keep_their_columns(alignment: Alignment) -> None:
    table = weights_table(alignment)
    assert list(table.columns) == ["1 the", '2 a "q", b', "3 the", "4 </s>"]
    assert list(table.index) == ["1 <b>", "2 $x$", "3 </s>"]
    assert table["3 the"].to_numpy() == pytest.approx(alignment.weights[:, 2])


ALPHA = Alignment(source=("the", "cat"), target=("le", "chat"), weights=np.array([[0.9, 0.1], [0.02, 0.98]]))


def test_a_file_has_a_page_for_each_panel_and_says_where_they_are_from() -> None:
    figures = [drawn(ALPHA, caption="first"), drawn(ALPHA, caption="second")]
    pdf = PdfReader(io.BytesIO(figures[0].pages(figures, "from here")))
    assert [name in page.extract_text() for page, name in zip(pdf.pages, ("first", "second"), strict=True)] == [
        True
    ] * 2
    assert pdf.metadata is not None
    assert pdf.metadata["/Subject"] == "from here"
