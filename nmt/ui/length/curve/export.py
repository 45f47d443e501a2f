"""Export of the curve: a figure for print in the look of Figure 2, and tables."""

from __future__ import annotations

from functools import partial

import streamlit as st

from nmt.errors import InputError
from nmt.results import LengthCurves, TestMethod
from nmt.ui.formatting import as_sentence, escaped
from nmt.ui.length.curve.form import BAND, COUNTS, TRAINED
from nmt.ui.length.curve.selection import Selection
from nmt.ui.length.curve.tables import offer_tables

_FIGURES = {"PDF": "application/pdf", "SVG": "image/svg+xml", "PNG": "image/png"}


def show_export(selection: Selection, curves: LengthCurves, method: TestMethod) -> None:
    """A button on the picture; what it offers is made when it is opened."""
    place = st.popover("Export", icon=":material/download:", key="export", on_change="rerun")
    if place.open:
        with place:
            _show_figure(selection, curves)
            st.markdown("**Tables** 1 and 2 of the paper, scores by length, tests and signatures")
            offer_tables(selection, method)
            st.markdown("**Signature** of the scores")
            st.code(curves.signature, language=None, wrap_lines=True)


def _show_figure(selection: Selection, curves: LengthCurves) -> None:
    """Draw the figure for print, show it, and offer it in each format."""
    from nmt.charts.figure2 import figure2  # matplotlib takes a while to import

    options = selection.view.options
    try:
        with st.spinner("Drawing …"):
            figure = figure2(
                curves,
                longest=selection.view.longest,
                bands=BAND in options,
                counts=COUNTS in options,
                training_marks=TRAINED in options,
                numbers={name: system.number for name, system in selection.systems.items()},
            )
            picture = figure.to_bytes("png")
    except InputError as error:
        st.warning(as_sentence(str(error)), icon=":material/warning:")
        return
    if figure.missing_glyphs:
        words = ", ".join(figure.missing_glyphs)
        st.warning(escaped(f"No font here can draw all of: {words}."), icon=":material/warning:")
    st.markdown("**Figure** as in the paper's Figure 2")
    with st.container(horizontal=True):
        for kind, mime in _FIGURES.items():
            ending = kind.lower()
            st.download_button(
                kind,
                partial(figure.to_bytes, ending),
                file_name=f"length-{selection.view.set_name}.{ending}",
                mime=mime,
                icon=":material/download:",
                on_click="ignore",
                key=f"figure-{ending}",
            )
    st.image(picture, caption="The figure for print", width=420)
