"""The curve on the page, and the range of lengths that is chosen in it."""

from __future__ import annotations

from typing import Any

import streamlit as st

from nmt.errors import InputError
from nmt.results import LengthCurves, Span
from nmt.ui.formatting import as_sentence, escaped
from nmt.ui.length.curve.cached_statistics import curves_of
from nmt.ui.length.curve.form import BAND, BUCKET, COUNTS, SECTION, SENTENCES, TRAINED
from nmt.ui.length.curve.selection import Selection
from nmt.ui.theme import dark_page

EVERY = "All lengths"
_CHART = "length-chart"


def find_curves(selection: Selection) -> LengthCurves | None:
    """The curves; None after saying why there are none."""
    trained = {name: system.evaluated.trained_to for name, system in selection.systems.items()}
    try:
        return curves_of(selection.view, selection.statistics, trained, BAND in selection.view.options)
    except InputError as error:
        st.error(as_sentence(str(error)), icon=":material/error:")
        return None


def show_curve(selection: Selection, curves: LengthCurves) -> None:
    """The figure; a click on a point chooses its range, which is marked."""
    from nmt.charts.length_chart import length_chart  # Plotly takes a while to import

    view = selection.view
    figure = length_chart(
        curves,
        numbers={name: system.number for name, system in selection.systems.items()},
        longest=view.longest,
        bands=BAND in view.options,
        counts=COUNTS in view.options,
        training_marks=TRAINED in view.options,
        chosen=named_span(curves, st.session_state.get(BUCKET, st.query_params.get(BUCKET))),
        dark=dark_page(),
    )
    names = [span.name for span in curves.spans]
    st.plotly_chart(
        figure,
        key=_CHART,
        on_select=lambda: _take_click(names),
        selection_mode="points",
        config={"displayModeBar": False},
        alt=f"{curves.metric} over words of the {curves.side}, a line for each of {', '.join(selection.statistics)}; "
        "the same numbers are under Tables",
    )
    sentences = next(iter(curves.curves)).overall.sentences
    band = " Bands are 95 % intervals by 1,000 bootstrap resamples." if BAND in view.options else ""
    marks = ""
    if TRAINED in view.options and any(curve.trained_to for curve in curves.curves):
        marks = " Trained to: tokenised words of the longer side, of which a sentence has about a tenth more."
    expected = ""
    if curves.expected is not None:
        expected = (
            " Dotted grey: the best score at about 15 words, changing only as the share of the references' n-grams "
            "that occur in the training texts changes with length."
        )
    st.caption(
        f"{curves.metric} of all sentences of a range together, at their mean length; {sentences:,} sentences in all."
        f"{band}{marks}{expected} Click a point to see its sentences."
    )
    with st.popover("Signature", type="tertiary"):
        st.code(curves.signature, language=None, wrap_lines=True)


def ask_span(curves: LengthCurves) -> Span | None:
    """The range that was clicked, or is chosen here; None for all sentences."""
    chosen = st.selectbox(
        f"Words of the {curves.side}",
        [EVERY, *(span.name for span in curves.spans)],
        key=BUCKET,
        bind="query-params",
        width=200,
        help="A click on a point of the figure chooses here.",
    )
    return named_span(curves, chosen)


def named_span(curves: LengthCurves, name: str | None) -> Span | None:
    return next((span for span in curves.spans if span.name == name), None)


def overall_in_words(curves: LengthCurves) -> str:
    """The scores of all sentences, in Markdown."""
    return " · ".join(
        f"{escaped(curve.system)} **{curve.overall.value:.1f}**"
        for curve in curves.curves
        if curve.overall.value is not None
    )


def _take_click(names: list[str]) -> None:
    state: Any = st.session_state.get(_CHART)
    points = state["selection"]["points"] if state else []
    number = next((point["customdata"][0] for point in points if point.get("customdata")), None)
    if isinstance(number, int | float) and 0 <= number < len(names):
        if BUCKET not in st.session_state:  # a field that is not there yet would not write it
            st.query_params[BUCKET] = names[int(number)]
        st.session_state[BUCKET] = names[int(number)]
        st.session_state[SECTION] = SENTENCES
