"""The curve on the page, what is to be seen in it, and its export."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from functools import partial
from typing import Any

import streamlit as st

from nmt.charts.strings import SIDES
from nmt.errors import InputError
from nmt.results import LengthCurve, LengthCurves, Span
from nmt.results.comparison import LOWER_IS_BETTER
from nmt.runs.folder import EVALUATION, result_files
from nmt.ui import strings as shared
from nmt.ui.app_shell import dark_page
from nmt.ui.checkpoints import ROOT
from nmt.ui.formatting import as_sentence, escaped
from nmt.ui.length import strings
from nmt.ui.length.curve.choose import BAND, COUNTS, TRAINED, LengthsView, asked_range, named_span, show_range
from nmt.ui.length.curve.compare import all_tables, unequal_training
from nmt.ui.length.curve.select import Selection
from nmt.ui.tables import offer_file, offer_tables

_CHART = "length-chart"


def show_curve(selection: Selection, curves: LengthCurves) -> None:
    """Show the figure, in which a click on a point chooses its range, what is to be seen in it, and its export."""
    from nmt.charts.length_chart import length_chart  # Plotly takes a while to import

    view = selection.view
    figure = length_chart(
        curves,
        numbers=selection.numbers,
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
            metric=curves.metric, side=SIDES[curves.side], names=", ".join(selection.statistics)
        ),
    )
    with st.container(horizontal=True):
        with st.container():
            matched = [curve.system for group in _groups(curves) for curve in group]
            seen = [what_to_see(curves), unequal_training(selection, matched)]
            st.markdown(" ".join(filter(None, seen)) or overall(curves), help=explained(view, curves))
            st.caption(strings.CLICK_A_POINT if len(curves.spans) > 1 else strings.ONE_RANGE)
        _show_export(selection, curves)


def _take_click(names: Sequence[str]) -> None:
    state: Any = st.session_state.get(_CHART)
    points = state["selection"]["points"] if state else []
    number = next((point["customdata"][0] for point in points if point.get("customdata")), None)
    if isinstance(number, int | float) and 0 <= number < len(names):
        show_range(names[int(number)])


def explained(view: LengthsView, curves: LengthCurves) -> str:
    """Explain in Markdown the points, bands and lines, with the scores over all lengths."""
    parts = [strings.POINTS.format(metric=curves.metric)]
    if BAND in view.options:
        parts.append(strings.BANDS)
    if curves.expected is not None:
        parts.append(strings.EXPECTED)
    return "\n\n".join([*parts, overall(curves)])


def overall(curves: LengthCurves) -> str:
    """Say the scores over all lengths."""
    scores = ", ".join(
        strings.SCORE_OF.format(name=escaped(curve.system), score=curve.overall.value)
        for curve in curves.curves
        if curve.overall.value is not None
    )
    return strings.OVERALL.format(sentences=curves.curves[0].overall.sentences, scores=scores)


def what_to_see(curves: LengthCurves) -> str:
    """Say in Markdown how the scores of the systems change from the shorter to the longer sentences. Only systems that
    were trained on sentences as long are held against each other: of each such group the one that changes least and the
    one that changes most; where every system is alone, these two of all. "" if no two ranges have enough sentences.

    The ranges are the first and the last with an interval, so with ten sentences or more, or without intervals with
    any sentence; the first one is not the shortest if there is one nearer to 15 words, as in 11-20.
    """
    known = [
        k
        for k, point in enumerate(curves.curves[0].points)
        if point.value is not None and (curves.resamples is None or point.interval is not None)
    ]
    if len(known) < 2:
        return ""
    lengths = [curves.curves[0].points[k].mean_length or 0.0 for k in known]
    start = known[0] if len(known) < 4 or curves.rolling else min(known[:2], key=lambda k: abs(lengths[k] - 15))
    end = known[-1]
    lower = curves.metric in LOWER_IS_BETTER
    groups = []
    for group in _groups(curves):
        ends = {curve.system: (curve.points[start].value, curve.points[end].value) for curve in group}
        changes = [
            (last / first, name, first, last) for name, (first, last) in ends.items() if first and last is not None
        ]
        changes.sort(key=lambda change: change[0], reverse=not lower)
        groups.append([*changes[:1], *changes[1:][-1:]])
    named = [change for group in groups for change in group]
    if not named:
        return ""
    keep = not lower and all(kept <= 1 for kept, *_ in named)
    one, head = (strings.KEEPS, strings.SHARE_KEPT) if keep else (strings.CHANGES, strings.SCORES_CHANGE)
    parts = [
        ", ".join(one.format(name=escaped(n), percent=100 * kept, first=x, last=y) for kept, n, x, y in group)
        for group in groups
        if group
    ]
    return head.format(
        first=_range_text(curves.spans[start]),
        last=_range_text(curves.spans[end]),
        metric=curves.metric,
        systems="; ".join(parts),
    )


def _groups(curves: LengthCurves) -> list[list[LengthCurve]]:
    """The systems that may be held against each other: those trained on sentences as long, or, if there are no two of
    these, all."""
    by_length: dict[int | None, list[LengthCurve]] = {}
    for curve in curves.curves:
        by_length.setdefault(curve.trained_to, []).append(curve)
    return [group for group in by_length.values() if len(group) > 1] or [list(curves.curves)]


def _range_text(span: Span) -> str:
    """
    >>> _range_text(Span(11, 20)), _range_text(Span(61)), _range_text(Span(7, 7))
    ('11–20', '61 or more', '7')
    """
    return strings.OR_MORE.format(first=span.first) if span.last is None else span.text


def _show_export(selection: Selection, curves: LengthCurves) -> None:
    """A button on the picture; what it offers is made when it is opened."""
    place = st.popover(shared.EXPORT, icon=":material/download:", key="export", on_change="rerun")
    if place.open:
        with place:
            made_by = command(selection, curves)
            _show_figure(selection, curves, f"{curves.signature}\n{made_by}".strip())
            st.markdown(strings.TABLES)
            offer_tables(all_tables(selection), selection.view.set_name, key="tables")
            st.markdown(strings.SIGNATURE)
            st.code(curves.signature, language=None, wrap_lines=True)
            if made_by:
                st.markdown(strings.COMMAND)
                st.code(made_by, language="bash", wrap_lines=True)


def command(selection: Selection, curves: LengthCurves) -> str:
    """Return the command that draws the figure again; "" if it needs what is in no folder, such as an upload."""
    view, analysis = selection.view, selection.view.analysis
    folders = [system.evaluated.path for system in selection.systems.values()]
    if any({*view.sets} - {path.stem for path in result_files(folder, EVALUATION)} for folder in folders):
        return ""
    inside = [folder.relative_to(ROOT) if folder.is_relative_to(ROOT) else folder for folder in folders]
    firsts = f"from={','.join(str(span.first) for span in curves.spans)}"
    ranges = f"rolling={analysis.buckets.numbers[0]}" if curves.rolling else firsts
    parts = ["jointly", "compare", *map(str, inside)]
    parts += [part for name in view.sets for part in ("--set", name)]
    parts += ["--on", "all" if len(view.sets) > 1 else view.set_name]
    parts += ["--metric", analysis.metric, "--words-of", analysis.side, "--buckets", ranges]
    parts += ["--no-unk"] if analysis.no_unk else []
    parts += [] if BAND in view.options else ["--no-bands"]
    parts += [] if view.longest is None else ["--longest", f"{view.longest:g}"]
    return shlex.join([*parts, "--figure", f"{_file_name(view)}.pdf"])


def _file_name(view: LengthsView) -> str:
    return f"length-{view.set_name.replace(' ', '-')}"


def _show_figure(selection: Selection, curves: LengthCurves, about: str) -> None:
    """Draw the figure for print, show it, and offer it in each format. ``about`` is written into the metadata."""
    from nmt.charts.figure2 import figure2  # matplotlib takes a while to import

    options = selection.view.options
    try:
        with st.spinner(shared.DRAWING):
            figure = figure2(
                curves,
                longest=selection.view.longest,
                bands=BAND in options,
                counts=COUNTS in options,
                training_marks=TRAINED in options,
                numbers=selection.numbers,
            )
            picture = figure.to_bytes("png")
    except InputError as error:
        st.warning(as_sentence(str(error)), icon=":material/warning:")
        return
    if figure.missing_glyphs:
        words = ", ".join(figure.missing_glyphs)
        st.warning(escaped(shared.MISSING_GLYPHS.format(words=words)), icon=":material/warning:")
    st.markdown(strings.FIGURE)
    with st.container(horizontal=True):
        for ending in ("pdf", "svg", "png"):
            name = f"{_file_name(selection.view)}.{ending}"
            offer_file(ending.upper(), partial(figure.to_bytes, ending, about), name, key=f"figure-{ending}")
    st.image(picture, caption=strings.FIGURE_CAPTION, width=420)
