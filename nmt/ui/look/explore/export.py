"""Export of an alignment as a figure, as a self-contained HTML page, or as a file for other programs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Literal, TypeVar

import streamlit as st

from nmt.alignments.formats.registry import FORMATS, file_name
from nmt.alignments.policy import Direction, Policy, Rule
from nmt.charts import strings as chart_strings
from nmt.charts.alignment_view import standalone_html, view_data
from nmt.errors import InputError
from nmt.ui.address import drop_number_outside
from nmt.ui.formatting import as_sentence, escaped
from nmt.ui.look.explore import strings
from nmt.ui.look.explore.citation import Citation, cite
from nmt.ui.look.explore.form import END, PIECES, PUNCTUATION, TRANSPOSED, ExplorerView
from nmt.ui.look.explore.panels import DrawnPanel
from nmt.ui.tasks import chosen_settings

if TYPE_CHECKING:
    from nmt.charts.print_figure import PrintFigure

Choice = TypeVar("Choice", bound=str | int)

_FIGURES = {"PDF": "application/pdf", "SVG": "image/svg+xml", "PNG": "image/png"}
_HTML = "HTML"
_RULES: tuple[Rule, ...] = ("argmax", "threshold", "mass")
_DIRECTIONS: tuple[Direction, ...] = ("source-target", "target-source")
_BASES: tuple[Literal[0, 1], ...] = (0, 1)


def show_export(view: ExplorerView, drawn: Sequence[DrawnPanel]) -> None:
    """Choose a panel and a format, and save; what is chosen is written into the file, or into its name."""
    panels = {each.panel.title: each for each in drawn if each.weights is not None or each.difference is not None}
    titles = {name: chosen.title for name, chosen in FORMATS.items()}
    with st.container(horizontal=True, vertical_alignment="bottom"):
        title = st.selectbox(strings.PANEL, list(panels), key="take-panel", bind="query-params", width=240)
        chosen = panels[title]
        kinds = [*_FIGURES, _HTML, *(titles.values() if chosen.weights is not None else ())]
        kind = st.selectbox(strings.FORMAT, kinds, key="take-format", bind="query-params", width=240)
    if kind in _FIGURES:
        _show_figure(view, chosen, kind)
    elif kind == _HTML:
        _show_page(view, drawn)
    else:
        _show_file(view, chosen, next(name for name, known in titles.items() if known == kind))


def _show_figure(view: ExplorerView, chosen: DrawnPanel, kind: str) -> None:
    """Offer the figure as drawn above: the same words, scale and gold links."""
    try:
        with st.spinner(strings.DRAWING):
            figure = figure_of(view, chosen)
    except InputError as error:
        st.warning(as_sentence(str(error)), icon=":material/warning:")
        return
    if figure.missing_glyphs:
        words = ", ".join(figure.missing_glyphs)
        st.warning(escaped(strings.MISSING_GLYPHS.format(words=words)), icon=":material/warning:")
    ending, citation = kind.lower(), _citation(view, chosen)
    about = "" if citation is None else citation.about
    st.download_button(
        strings.SAVE_AS.format(format=kind),
        lambda: figure.to_bytes(ending, about),
        file_name=f"alignment.{ending}",
        mime=_FIGURES[kind],
        icon=":material/download:",
        on_click="ignore",
    )
    if citation is not None:
        st.caption(strings.METADATA if citation.redrawable else strings.METADATA_ALONE)
        if citation.redrawable:
            st.caption(strings.DRAW_AGAIN)
            st.code(citation.command, language=None, wrap_lines=True)
        st.caption(strings.LATEX)
        st.code(citation.latex(f"alignment.{ending}"), language="latex", wrap_lines=True)


def _citation(view: ExplorerView, chosen: DrawnPanel) -> Citation | None:
    """Collect what is needed to cite the figure; None for a difference, and for weights from a file."""
    explored = chosen.explored
    if explored is None:
        return None
    search = chosen_settings(explored.run, view.beam, view.unknown)
    return cite(
        explored.run,
        sentence=view.sentence,
        target=view.target,
        translation=explored.text,
        search=search,
        values=chosen.panel.values,
        redrawable=not explored.stands_in,
    )


def figure_of(view: ExplorerView, chosen: DrawnPanel) -> PrintFigure:
    """Draw a panel for print, with the words, scale and gold links that it has on the page."""
    from nmt.charts.figure3 import figure3, figure3_difference

    panel = chosen.panel
    transpose = TRANSPOSED in view.options
    title = ", ".join(part for part in (panel.title, panel.condition) if part)
    caption = strings.FIGURE_CAPTION.format(title=title, values=panel.values)
    if chosen.difference is not None:
        return figure3_difference(
            chosen.difference,
            source_title=panel.source_title,
            target_title=panel.target_title,
            value_title="Δ" if panel.not_attention else "Δαᵢⱼ",
            transpose=transpose,
            source_marks=panel.source_marks,
            target_marks=panel.target_marks,
            not_attention=panel.not_attention,
            caption=caption,
        )
    alignment = panel.alignment

    def numbered(cells: Sequence[tuple[int, int]]) -> set[tuple[int, int]]:
        return {(alignment.source_words[j], alignment.target_words[i]) for i, j in cells}

    return figure3(
        alignment,
        source_title=panel.source_title,
        target_title=panel.target_title,
        scale=view.scale,
        value_title="" if panel.letter == "α" or panel.not_attention else panel.letter,
        transpose=transpose,
        sure=numbered(panel.sure),
        possible=numbered(panel.possible),
        source_marks=panel.source_marks,
        target_marks=panel.target_marks,
        leave_one_out=bool(panel.not_attention),
        caption=caption,
    )


def _show_page(view: ExplorerView, drawn: Sequence[DrawnPanel]) -> None:
    about = [
        (
            each.explored.name,
            strings.PAGE_WEIGHTS.format(
                update=each.explored.run.weights.update, sha256=each.explored.run.weights.sha256()
            ),
        )
        for each in drawn
        if each.explored is not None
    ]

    def page() -> str:
        data = view_data(
            [each.panel for each in drawn],
            show=view.shown,
            scale=view.scale,
            transpose=TRANSPOSED in view.options,
            layout=view.layout,
        )
        return standalone_html(view.sentence, data, about)

    st.caption(strings.PAGE)
    st.download_button(
        strings.SAVE_AS.format(format=_HTML),
        page,
        file_name="alignment.html",
        mime="text/html",
        icon=":material/download:",
        on_click="ignore",
    )


def _show_file(view: ExplorerView, chosen: DrawnPanel, name: str) -> None:
    known = FORMATS[name]
    policy = Policy(
        subwords="pieces" if PIECES in view.options else "words",
        end_mark="kept" if END in view.options else "removed",
        punctuation="kept" if PUNCTUATION in view.options else "removed",
    )
    if known.holds != "weights":
        with st.container(horizontal=True, vertical_alignment="bottom"):
            rule = _one_of(strings.LINKS_BY, _RULES, "take-rule")
            drop_number_outside("take-share", strings.AT_LEAST, 0.05, 1)
            share = st.slider(strings.AT_LEAST, 0.05, 1.0, 0.3, 0.05, key="take-share", bind="query-params", width=220)
            base = _one_of(strings.COUNT_FROM, _BASES, "take-base")
            direction = _one_of(strings.ORDER, _DIRECTIONS, "take-direction")
        policy = replace(policy, rule=rule, threshold=share, mass=share, base=base, direction=direction)
    assert chosen.weights is not None
    weights = chosen.weights
    run = f"{chosen.panel.title}, {chart_strings.EFFECT}" if chosen.panel.not_attention else chosen.panel.title
    st.caption(escaped(f"{policy.of_weights if known.holds == 'weights' else policy.of_links}."))
    try:
        text = known.write([weights], policy, run)
    except InputError as error:
        st.warning(as_sentence(str(error)), icon=":material/warning:")
        return
    st.download_button(
        strings.SAVE_AS.format(format=known.title),
        text.encode(),
        file_name=file_name(name, policy, run),
        mime=known.mime,
        icon=":material/download:",
        on_click="ignore",
    )


def _one_of(label: str, choices: Sequence[Choice], key: str) -> Choice:
    return st.segmented_control(
        label, choices, default=choices[0], required=True, key=key, bind="query-params", width="content"
    )
