"""Exports: files carry the signature."""

import io

import numpy as np
from pypdf import PdfReader

from nmt.results import Alignment
from tests.charts.printed import drawn

ALPHA = Alignment(source=("the", "cat"), target=("le", "chat"), weights=np.array([[0.9, 0.1], [0.02, 0.98]]))


def test_a_file_has_a_page_for_each_panel_and_says_where_they_are_from() -> None:
    figures = [drawn(ALPHA, caption="first"), drawn(ALPHA, caption="second")]
    pdf = PdfReader(io.BytesIO(figures[0].pages(figures, "from here")))
    assert [name in page.extract_text() for page, name in zip(pdf.pages, ("first", "second"), strict=True)] == [
        True
    ] * 2
    assert pdf.metadata is not None
    assert pdf.metadata["/Subject"] == "from here"
