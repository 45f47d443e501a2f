"""The figure of the selection: its curves, their explanation in words, and the export with tables and command. Curves
and tables are computed once for equal counts and settings."""

import shlex
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import streamlit as st

from nmt.charts.figure2 import figure2
from nmt.evaluation.bootstrap import Resamples
from nmt.evaluation.buckets import lengths_of
from nmt.evaluation.comparison import compare
from nmt.evaluation.length_curves import length_curves
from nmt.files import ROOT
from nmt.released import NOT_POOLED
from nmt.results import Comparison, LengthCurves, Span
from nmt.tables.comparison import difference_tables, tables
from nmt.tables.runs import training_table
from nmt.tables.table import Table
from nmt.texts import APP, CHARTS, LENGTH
from nmt.ui.app_shell import dark_page
from nmt.ui.checkpoints import report, unequal_updates
from nmt.ui.components import offer_file, offer_tables
from nmt.ui.compute import errors_shown
from nmt.ui.formatting import as_sentence, escaped
from nmt.ui.length import choose
from nmt.ui.length.select import Selection

_CHART = "length-chart"


@errors_shown("error")
def find_curves(selection: Selection) -> LengthCurves | None:
    """The curves. If there are none, say why and return None."""
    with st.spinner(LENGTH.computing_curves):
        return _curves(selection.key, choose.BAND in selection.view.options, selection)


@st.cache_data(max_entries=64, show_spinner=False)
def _curves(key: str, bands: bool, _selection: Selection) -> LengthCurves:
    view, statistics = _selection.view, _selection.counted
    pairs = next(iter(statistics.values())).pairs
    curves = length_curves(
        statistics,
        view.analysis.buckets.spans(lengths_of(pairs, view.analysis.side)),
        metric=view.analysis.metric,
        side=view.analysis.side,
        resamples=Resamples.draw(len(pairs)) if bands else None,
        test_set=view.set_name,
        no_unk=view.analysis.no_unk,
        trained_to={name: system.evaluated.trained_to for name, system in _selection.systems.items()},
        control=_selection.control,
    )
    return replace(curves, unit=view.unit)


def show_curve(selection: Selection, curves: LengthCurves) -> None:
    """Show the figure, a text on what it shows, and the export. A click on a point chooses its range."""
    from nmt.charts.curves import length_chart  # Plotly takes a while to import

    view = selection.view
    figure = length_chart(
        curves,
        numbers=selection.numbers,
        longest=view.longest,
        bands=choose.BAND in view.options,
        counts=choose.COUNTS in view.options,
        training_marks=choose.TRAINED in view.options,
        chosen=choose.named_span(curves, choose.asked_range()),
        dark=dark_page(),
    )
    names = [span.name for span in curves.spans]
    st.markdown(LENGTH.curve_title.format(metric=curves.metric))
    st.plotly_chart(
        figure,
        key=_CHART,
        on_select=lambda: _take_click(names),
        selection_mode="points",
        config={"displayModeBar": False},
        alt=LENGTH.curve_alt.format(
            metric=curves.metric, side=CHARTS.by_key.sides[curves.side], names=", ".join(selection.statistics)
        ),
    )
    with st.container(horizontal=True):
        with st.container(key="length-seen"):
            seen = [what_to_see(curves), unequal_training(selection, curves.in_groups)]
            st.markdown(" ".join(filter(None, seen)) or overall(curves), help=explained(view, curves))
            if selection.control is not None:
                st.caption(LENGTH.control.format(metric=curves.metric))
            st.caption(LENGTH.click_a_point if len(curves.spans) > 1 else LENGTH.one_range)
        _show_export(selection, curves)


def _take_click(names: Sequence[str]) -> None:
    state: Any = st.session_state.get(_CHART)
    points = state["selection"]["points"] if state else []
    number = next((point["customdata"][0] for point in points if point.get("customdata")), None)
    if isinstance(number, int | float) and 0 <= number < len(names):
        choose.show_range(names[int(number)])


def explained(view: choose.LengthsView, curves: LengthCurves) -> str:
    """Explain in Markdown the points, bands and lines, with the scores over all lengths."""
    unit = CHARTS.by_key.units[curves.unit]
    parts = [LENGTH.points.format(metric=curves.metric, unit=unit)]
    if choose.BAND in view.options:
        parts.append(LENGTH.bands)
    if curves.expected is not None and curves.from_zero:
        parts.append(LENGTH.expected)
    if not curves.from_zero:
        parts.append(LENGTH.mean_of_sentences.format(unit=unit))
    return "\n\n".join([*parts, overall(curves)])


def overall(curves: LengthCurves) -> str:
    """Say the score of each system over all lengths."""
    scores = ", ".join(
        LENGTH.score_of.format(name=escaped(curve.system), score=curve.overall.value)
        for curve in curves.curves
        if curve.overall.value is not None
    )
    unit = CHARTS.by_key.units[curves.unit]
    return LENGTH.overall.format(sentences=curves.curves[0].overall.sentences, unit=unit, scores=scores)


def what_to_see(curves: LengthCurves) -> str:
    """Say in Markdown how the scores of the systems change from shorter to longer sentences, which are
    ``LengthCurves.ends``. Of each of ``LengthCurves.groups``, the text names the system that changes least and the one
    that changes most. "" without two ranges that count."""
    if curves.ends is None:
        return ""
    start, end = curves.ends
    lower = curves.lower_is_better
    groups = []
    for group in curves.groups:
        ends = {curve.system: (curve.points[start].value, curve.points[end].value) for curve in group}
        changes = [
            (last / first if curves.from_zero else last - first, name, first, last)
            for name, (first, last) in ends.items()
            if first and last is not None
        ]
        changes.sort(key=lambda change: change[0], reverse=not lower)
        groups.append([*changes[:1], *changes[1:][-1:]])
    named = [change for group in groups for change in group]
    if not named:
        return ""
    keep = curves.from_zero and not lower and all(ratio <= 1 for ratio, *_ in named)
    template, head = (LENGTH.keeps, LENGTH.share_kept) if keep else (LENGTH.changes, LENGTH.scores_change)
    parts = [
        ", ".join(template.format(name=escaped(n), percent=100 * ratio, first=x, last=y) for ratio, n, x, y in group)
        for group in groups
        if group
    ]
    return head.format(
        first=_range_text(curves.spans[start]),
        last=_range_text(curves.spans[end]),
        metric=curves.metric,
        systems="; ".join(parts),
    )


def _range_text(span: Span) -> str:
    """
    >>> _range_text(Span(11, 20)), _range_text(Span(61)), _range_text(Span(7, 7))
    ('11–20', '61 or more', '7')
    """
    return LENGTH.or_more.format(first=span.first) if span.last is None else span.text


def unequal_training(selection: Selection, names: Sequence[str]) -> str:
    """Say in Markdown after how many updates each checkpoint was saved. "" if all numbers are equal."""
    return unequal_updates({name: run for name in names if (run := selection.systems[name].run) is not None})


def all_tables(selection: Selection) -> list[Table]:
    """Make all tables and show the notes on them. If that fails, show the error and return []."""
    with errors_shown("error"):
        with st.spinner(LENGTH.making_tables):
            comparison = _comparison(selection.key, selection)
        *made, signatures = tables(comparison)
        made += difference_tables(comparison)
        trained = [report(system.run).trained for system in selection.comparable if system.run is not None]
        for note in comparison.notes:
            st.caption(f":material/warning: {as_sentence(note)}")
        return [*made, *([training_table(trained)] if trained else []), signatures]
    return []


@st.cache_data(max_entries=16, show_spinner=False)
def _comparison(key: str, _selection: Selection) -> Comparison:
    view = _selection.view
    evaluated = [system.evaluated for system in _selection.comparable]
    return compare(evaluated, view.sets, [view.set_name], view.analysis, (), _selection.imported, _selection.documents)


def _show_export(selection: Selection, curves: LengthCurves) -> None:
    """Show the button of the export. The files are made when the reader opens the export."""
    place = st.popover(APP.export, icon=":material/download:", key="export", on_change="rerun")
    if place.open:
        with place:
            made_by = command(selection, curves)
            runs = [system.run for system in selection.systems.values() if system.run is not None]
            weights = [f"run:{run.name}|weights:{run.weights.sha256()}" for run in runs]
            _show_figure(selection, curves, "\n".join(filter(None, [curves.signature, *weights, made_by])))
            st.markdown(LENGTH.tables)
            offer_tables(all_tables(selection), selection.view.set_name, key="tables")
            st.markdown(LENGTH.signature)
            st.code(curves.signature, language=None, wrap_lines=True)
            if made_by:
                st.markdown(LENGTH.command)
                st.code(made_by, language="bash", wrap_lines=True)


def command(selection: Selection, curves: LengthCurves) -> str:
    """Return the command that draws the figure again. "" if the figure shows counts that no folder has, or a sum over
    test sets that `compare` does not make."""
    view, analysis = selection.view, selection.view.analysis
    folders = [system.evaluated.path for system in selection.comparable]  # their order decides the colours
    apart = len(view.sets) > 1 and not {*view.sets}.isdisjoint(NOT_POOLED)  # `compare` pools no such set
    if selection.imported or selection.mismatched or apart or not all(map(selection.is_stored, selection.comparable)):
        return ""
    inside = [folder.relative_to(ROOT) if folder.is_relative_to(ROOT) else folder for folder in folders]
    firsts = f"from={','.join(str(span.first) for span in curves.spans)}"
    ranges = f"rolling={analysis.buckets.numbers[0]}" if curves.rolling else firsts
    parts = ["jointly", "compare", *map(str, inside)]
    parts += [part for name in view.sets for part in ("--set", name)]
    parts += ["--on", "all" if len(view.sets) > 1 else view.set_name]
    parts += ["--metric", analysis.metric, "--words-of", analysis.side, "--buckets", ranges]
    parts += ["--no-unk"] if analysis.no_unk else []
    options = {choose.BAND: "--no-bands", choose.COUNTS: "--no-counts", choose.TRAINED: "--no-training-marks"}
    parts += [option for name, option in options.items() if name not in view.options]
    parts += [] if view.longest is None else ["--longest", f"{view.longest:g}"]
    return shlex.join([*parts, "--figure", f"{_file_name(view)}.pdf"])


@errors_shown()
def _show_figure(selection: Selection, curves: LengthCurves, about: str) -> None:
    """Draw the figure for print, show it, and offer it in each format. ``about`` is written into the metadata."""
    options = selection.view.options
    with st.spinner(APP.drawing):
        figure = figure2(
            curves,
            longest=selection.view.longest,
            bands=choose.BAND in options,
            counts=choose.COUNTS in options,
            training_marks=choose.TRAINED in options,
            numbers=selection.numbers,
        )
        picture = figure.to_bytes("png")
    if figure.missing_glyphs:
        words = ", ".join(figure.missing_glyphs)
        st.warning(escaped(APP.missing_glyphs.format(words=words)), icon=":material/warning:")
    st.markdown(LENGTH.figure)
    with st.container(horizontal=True):
        for ending in ("pdf", "svg", "png"):
            name = f"{_file_name(selection.view)}.{ending}"
            offer_file(ending.upper(), partial(figure.to_bytes, ending, about), name, key=f"figure-{ending}")
    st.image(picture, caption=LENGTH.figure_caption, width=420)


def _file_name(view: choose.LengthsView) -> str:
    return f"length-{view.set_name.replace(' ', '-')}"
