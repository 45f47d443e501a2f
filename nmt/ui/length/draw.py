"""Curves, tests and tables of the selection, and the figure with its text and its export. For equal counts and
settings, curves, tests and tables are computed once."""

import shlex
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

import streamlit as st

from nmt.charts.figure2 import figure2
from nmt.evaluation.bootstrap import Resamples
from nmt.evaluation.buckets import lengths_of
from nmt.evaluation.comparison import compare
from nmt.evaluation.length_curves import length_curves
from nmt.evaluation.significance import paired_tests
from nmt.files import ROOT
from nmt.results import Comparison, LengthCurve, LengthCurves, PairedTest, Span
from nmt.results.comparison import LEVEL, ScoreDifference
from nmt.runs.folder import EVALUATION, result_files
from nmt.tables.comparison import difference_tables, tables
from nmt.tables.runs import training_table
from nmt.tables.table import NOTHING, Table
from nmt.texts import APP, CHARTS, LENGTH
from nmt.ui.app_shell import dark_page
from nmt.ui.checkpoints import report, unequal_updates
from nmt.ui.components import offer_file, offer_tables, show_rows
from nmt.ui.compute import errors_shown
from nmt.ui.formatting import as_sentence, escaped, signed, true_minus
from nmt.ui.inputs import ask_checkpoint
from nmt.ui.length import choose
from nmt.ui.length.select import Selection


class SystemPair(NamedTuple):
    """Names of two systems. The second is "" if there is only one."""

    first: str
    second: str


@errors_shown("error")
def find_curves(selection: Selection) -> LengthCurves | None:
    """The curves. None after saying why there are none."""
    with st.spinner(LENGTH.computing_curves):
        return _curves(selection.key, choose.BAND in selection.view.options, selection)


def ask_systems(selection: Selection) -> SystemPair:
    """Ask for two of the shown systems. The default with uploads is the newest upload and, as second, the best other
    upload, else the best other system. Without uploads, the default is the first system and, as second, the one of
    ``_unlike``. With one system, the second name is ""."""
    names = list(selection.statistics)
    if len(names) < 2:
        return SystemPair(names[0], "")
    uploaded = [name for name in names if selection.systems[name].uploaded]
    with st.container(horizontal=True, vertical_alignment="bottom", key="length-pair"):
        at_first = uploaded[-1] if uploaded else names[0]
        first = ask_checkpoint(LENGTH.compare, names, key="one", default=at_first, width=200)
        others = [name for name in names if name != first]
        rivals = [name for name in others if name in uploaded] or others
        rival = _best(selection, rivals) if uploaded else _unlike(selection, first, others)
        return SystemPair(first, ask_checkpoint(LENGTH.compare_with, others, key="other", default=rival, width=200))


def _best(selection: Selection, names: list[str]) -> str:
    """The system with the best score over all lengths."""
    curves = find_curves(selection)
    values = {curve.system: curve.overall.value for curve in curves.curves} if curves else {}
    best = min if curves and curves.lower_is_better else max
    return best(names, key=lambda name: values.get(name) or 0.0)  # all systems have a score, or none has one


def _unlike(selection: Selection, first: str, others: list[str]) -> str:
    """The system most unlike ``first``. It differs in attention if possible. Among such systems, one trained on
    sentences up to the same length is preferred."""

    def unlikeness(name: str) -> list[bool]:
        ours, other = selection.systems[first], selection.systems[name]
        return [ours.attends != other.attends, ours.evaluated.trained_to == other.evaluated.trained_to]

    return max(others, key=unlikeness)


def unequal_training(selection: Selection, names: Sequence[str]) -> str:
    """Say in Markdown after how many updates each checkpoint was saved. "" if all numbers are equal."""
    return unequal_updates({name: run for name in names if (run := selection.systems[name].run) is not None})


@errors_shown("error")
def show_significance(selection: Selection, curves: LengthCurves, pair: SystemPair) -> None:
    """Say whether the two systems differ: in a sentence, and in a table with a verdict for each range."""
    if not pair.second:
        st.info(LENGTH.choose_two, icon=":material/compare_arrows:")
        return
    with st.spinner(LENGTH.testing):
        tests = _test(selection.key, pair.first, pair.second, curves.rolling, selection)
    icon = ":material/check_circle:" if tests.overall.significant else ":material/help:"
    result = escaped(true_minus(tests.in_words(tests.overall)))
    sentence = LENGTH.overall_test.format(
        icon=icon,
        first=escaped(pair.first),
        second=escaped(pair.second),
        unit=CHARTS.by_key.units[tests.unit],
        result=result,
    )
    training = "" if {*pair} <= {*_in_groups(curves)} else unequal_training(selection, pair)  # else it is said above
    st.markdown(f"{sentence} {training}".strip())
    if curves.rolling:
        st.caption(LENGTH.rolling_not_tested)
        return
    text = st.column_config.TextColumn
    columns = {
        LENGTH.by_key.units[tests.unit]: st.column_config.NumberColumn(format="localized"),
        LENGTH.p: text(help=LENGTH.p_help),
        LENGTH.corrected_p: text(help=LENGTH.corrected_p_help),
        LENGTH.verdict: text(width="large"),
    }
    show_rows([_row(tests, range_test) for range_test in tests.by_length], columns, key="difference-table")
    said = LENGTH.difference_explained.format(
        metric=tests.metric, first=escaped(pair.first), second=escaped(pair.second), level=LEVEL
    )
    lower = LENGTH.lower_is_better.format(metric=tests.metric) if tests.lower_is_better else ""
    st.caption(f"{said} {lower}".strip())


def _row(tests: PairedTest, each: ScoreDifference) -> dict[str, str | int]:
    interval = each.difference_interval
    return {
        LENGTH.words: each.span.text,
        LENGTH.by_key.units[tests.unit]: each.sentences,
        LENGTH.difference: NOTHING if each.difference is None else signed(each.difference),
        LENGTH.interval: NOTHING
        if interval is None
        else LENGTH.interval_to.format(low=signed(interval.low), high=signed(interval.high)),
        LENGTH.p: _probability(each.p),
        LENGTH.corrected_p: _probability(each.corrected_p),
        LENGTH.verdict: _verdict(tests, each),
    }


def _probability(p: float | None) -> str:
    return NOTHING if p is None else f"{p:.4f}"


def _verdict(tests: PairedTest, each: ScoreDifference) -> str:
    if each.difference is None:
        return LENGTH.no_sentences.format(unit=CHARTS.by_key.units[tests.unit])
    if each.p is None:
        return LENGTH.too_few.format(unit=CHARTS.by_key.units[tests.unit])
    if not each.significant:
        return LENGTH.may_be_chance
    first = (each.difference > 0) != tests.lower_is_better
    return LENGTH.is_better.format(name=tests.first if first else tests.second)


def all_tables(selection: Selection) -> list[Table]:
    """Make all tables and show the notes on them. [] after showing an error."""
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


@st.cache_data(max_entries=64, show_spinner=False)
def _test(key: str, first: str, second: str, rolling: bool, _selection: Selection) -> PairedTest:
    """Test the first system against the second, over all sentences and each range."""
    analysis = _selection.view.analysis
    systems = {name: _selection.counted[name] for name in (first, second)}
    pairs = systems[first].pairs
    (test,) = paired_tests(
        systems,
        () if rolling else analysis.buckets.spans(lengths_of(pairs, analysis.side)),
        metric=analysis.metric,
        side=analysis.side,
        method=analysis.method,
        resamples=Resamples.draw(len(pairs)),
    )
    return replace(test, unit=_selection.view.unit)


@st.cache_data(max_entries=16, show_spinner=False)
def _comparison(key: str, _selection: Selection) -> Comparison:
    view = _selection.view
    evaluated = [system.evaluated for system in _selection.comparable]
    return compare(evaluated, view.sets, [view.set_name], view.analysis, (), _selection.imported, _selection.documents)


_CHART = "length-chart"


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
            seen = [what_to_see(curves), unequal_training(selection, _in_groups(curves))]
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
    """Say in Markdown how the scores of the systems change from shorter to longer sentences. Of each group of
    ``_groups``, the text names the system that changes least and the one that changes most. "" without two ranges that
    count.

    A range counts if it has an interval, which needs ten sentences, or without intervals any sentence. The first such
    range is compared with the last. Of four or more, the second replaces the first if it is nearer to 15 words.
    """
    scored = [
        k
        for k, point in enumerate(curves.curves[0].points)
        if point.value is not None and (curves.resamples is None or point.interval is not None)
    ]
    if len(scored) < 2:
        return ""
    lengths = [curves.curves[0].points[k].mean_length or 0.0 for k in scored]
    start = scored[0] if len(scored) < 4 or curves.rolling else min(scored[:2], key=lambda k: abs(lengths[k] - 15))
    end = scored[-1]
    lower = curves.lower_is_better
    groups = []
    for group in _groups(curves):
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


def _groups(curves: LengthCurves) -> list[list[LengthCurve]]:
    """Groups of systems to compare. The systems of a group were trained on sentences up to the same length. A system
    alone is left out. If every system is alone, all form one group."""
    by_length: dict[int | None, list[LengthCurve]] = {}
    for curve in curves.curves:
        by_length.setdefault(curve.trained_to, []).append(curve)
    return [group for group in by_length.values() if len(group) > 1] or [list(curves.curves)]


def _in_groups(curves: LengthCurves) -> list[str]:
    return [curve.system for group in _groups(curves) for curve in group]


def _range_text(span: Span) -> str:
    """
    >>> _range_text(Span(11, 20)), _range_text(Span(61)), _range_text(Span(7, 7))
    ('11–20', '61 or more', '7')
    """
    return LENGTH.or_more.format(first=span.first) if span.last is None else span.text


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
    """Return the command that draws the figure again, or "" if the figure shows data of an upload."""
    view, analysis = selection.view, selection.view.analysis
    folders = [system.evaluated.path for system in selection.systems.values()]
    if selection.imported or any(
        {*view.sets} - {path.stem for path in result_files(folder, EVALUATION)} for folder in folders
    ):
        return ""
    inside = [folder.relative_to(ROOT) if folder.is_relative_to(ROOT) else folder for folder in folders]
    firsts = f"from={','.join(str(span.first) for span in curves.spans)}"
    ranges = f"rolling={analysis.buckets.numbers[0]}" if curves.rolling else firsts
    parts = ["jointly", "compare", *map(str, inside)]
    parts += [part for name in view.sets for part in ("--set", name)]
    parts += ["--on", "all" if len(view.sets) > 1 else view.set_name]
    parts += ["--metric", analysis.metric, "--words-of", analysis.side, "--buckets", ranges]
    parts += ["--no-unk"] if analysis.no_unk else []
    parts += [] if choose.BAND in view.options else ["--no-bands"]
    parts += [] if view.longest is None else ["--longest", f"{view.longest:g}"]
    return shlex.join([*parts, "--figure", f"{_file_name(view)}.pdf"])


def _file_name(view: choose.LengthsView) -> str:
    return f"length-{view.set_name.replace(' ', '-')}"


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
