"""The curve on the page, and the range of lengths that is chosen in it."""

from __future__ import annotations

from typing import Any

import streamlit as st

from nmt.errors import InputError
from nmt.results import LengthCurves, Span
from nmt.ui.app_shell import dark_page
from nmt.ui.formatting import as_sentence, escaped
from nmt.ui.length.curve import former_values, strings
from nmt.ui.length.curve.cached_statistics import curves_of
from nmt.ui.length.curve.form import BAND, BUCKET, COUNTS, SECTION, SENTENCE, TRAINED, LengthsView
from nmt.ui.length.curve.selection import Selection

EVERY = "all"
"""The name of all lengths in the address."""
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
    """Show the figure; a click on a point chooses its range, which is marked."""
    from nmt.charts.length_chart import length_chart  # Plotly takes a while to import

    view = selection.view
    figure = length_chart(
        curves,
        numbers={name: system.number for name, system in selection.systems.items()},
        longest=view.longest,
        bands=BAND in view.options,
        counts=COUNTS in view.options,
        training_marks=TRAINED in view.options,
        chosen=named_span(curves, asked_range()),
        dark=dark_page(),
    )
    names = [span.name for span in curves.spans]
    st.plotly_chart(
        figure,
        key=_CHART,
        on_select=lambda: _take_click(names),
        selection_mode="points",
        config={"displayModeBar": False},
        alt=strings.CURVE_ALT.format(
            metric=curves.metric, side=strings.SIDES[curves.side], names=", ".join(selection.statistics)
        ),
    )


def explained(view: LengthsView, curves: LengthCurves) -> str:
    """Explain in Markdown the points, bands and lines, with the scores over all lengths."""
    parts = [strings.CLICK_A_POINT.format(metric=curves.metric)]
    if BAND in view.options:
        parts.append(strings.BANDS)
    if curves.expected is not None:
        parts.append(strings.EXPECTED)
    scores = ", ".join(
        strings.SCORE_OF.format(name=escaped(curve.system), score=curve.overall.value)
        for curve in curves.curves
        if curve.overall.value is not None
    )
    parts.append(strings.OVERALL.format(sentences=curves.curves[0].overall.sentences, scores=scores))
    return " ".join(parts)


def asked_range() -> str:
    """Return the name of the range whose sentences are to be shown, as the address has it; "" for none."""
    return st.query_params.get(BUCKET, "")


def read_former_address() -> None:
    """Convert the parameters by which former addresses asked for sentences: a section of the page, or one sentence
    alone."""
    section = st.query_params.get(SECTION)
    wanted = section == former_values.SENTENCES_SECTION or SENTENCE in st.query_params
    if asked_range() == former_values.EVERY_LENGTH or (wanted and not asked_range()):
        st.query_params[BUCKET] = EVERY
    if section == former_values.SENTENCES_SECTION:
        del st.query_params[SECTION]


def show_range(name: str) -> None:
    """Show the sentences of a range, as a callback; "" = none."""
    st.session_state[SENTENCE] = None
    if name:
        st.query_params[BUCKET] = name
    else:
        st.query_params.pop(BUCKET, None)


def named_span(curves: LengthCurves, name: str | None) -> Span | None:
    """Find a range by its name."""
    return next((span for span in curves.spans if span.name == name), None)


def _take_click(names: list[str]) -> None:
    state: Any = st.session_state.get(_CHART)
    points = state["selection"]["points"] if state else []
    number = next((point["customdata"][0] for point in points if point.get("customdata")), None)
    if isinstance(number, int | float) and 0 <= number < len(names):
        show_range(names[int(number)])
