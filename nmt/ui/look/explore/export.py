"""Export of an alignment as a figure that can be cited, a page of its own, a table, or a file."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from textwrap import shorten
from typing import Literal

import pandas as pd
import streamlit as st

from nmt.alignments.formats import FORMATS, file_name
from nmt.alignments.policy import Policy, Rule
from nmt.charts.alignment_view import standalone_html, view_data
from nmt.charts.citation import Citation
from nmt.charts.figure3 import figure3
from nmt.charts.print_figure import PrintFigure
from nmt.charts.ribbons import ribbons_figure
from nmt.charts.style import line_style
from nmt.results import Alignment
from nmt.runs.folder import RunInfo
from nmt.texts import APP, LOOK
from nmt.ui.address import drop_number_outside
from nmt.ui.components import offer_file
from nmt.ui.compute import errors_shown
from nmt.ui.formatting import escaped
from nmt.ui.look.explore.draw import DrawnPanel
from nmt.ui.look.explore.files import DIRECTIONS, NOT_ALPHA, one_of
from nmt.ui.look.explore.form import END, PIECES, PUNCTUATION, TRANSPOSED, ExplorerView
from nmt.ui.resources import read_translator
from nmt.ui.tasks import TranslateTask, chosen_settings


def weights_table(alignment: Alignment) -> pd.DataFrame:
    """Return alpha [T_y, T_x], one row per target word, one column per source word; numbered, since words repeat."""
    return pd.DataFrame(
        alignment.weights,
        index=pd.Index([f"{i} {word}" for i, word in enumerate(alignment.target, 1)], name=APP.target),
        columns=pd.Index([f"{j} {word}" for j, word in enumerate(alignment.source, 1)], name=APP.source),
    )


_FIGURES = ("PDF", "SVG", "PNG")
_HTML, _TABLE = "HTML", "Table"
_RIBBONS_FILE = ("ribbons",)
_LONGEST_NAME = 60
_RULES: tuple[Rule, ...] = ("argmax", "threshold", "mass")
_BASES: tuple[Literal[0, 1], ...] = (0, 1)


def show_export(view: ExplorerView, drawn: Sequence[DrawnPanel], *, changed: bool) -> None:
    """Choose a panel and a format, and save; what is chosen is written into the file, or into its name.

    Args:
        changed: whether the reader changed anything, which no command draws again.
    """
    panels = {each.panel.title: each for each in drawn if each.shown is not None or each.difference is not None}
    ribbons = {
        LOOK.ribbons.format(title=title): each
        for title, each in panels.items()
        if each.shown is not None and each.shown.has_alpha
    }
    everything = [LOOK.everything] if len(panels) + len(ribbons) > 1 else []
    titles = {name: chosen.title for name, chosen in FORMATS.items()}
    with st.container(horizontal=True, vertical_alignment="bottom"):
        title = st.selectbox(
            LOOK.panel, [*panels, *ribbons, *everything], key="take-panel", bind="query-params", width=240
        )
        chosen = panels.get(title)
        kinds = [*_FIGURES]
        if chosen is not None or title in everything:
            kinds += [_HTML, _TABLE, *(titles.values() if chosen is not None and chosen.shown is not None else ())]
        kind = st.selectbox(LOOK.format, kinds, key="take-format", bind="query-params", width=240)
    some = {name: each for name, each in (ribbons | panels).items() if title in (name, *everything)}
    if kind in _FIGURES:
        _show_figure(view, some, kind, {*ribbons}, changed=changed)
    elif kind == _HTML:
        _show_page(view, drawn)
    elif kind == _TABLE:
        for name in (name for name in panels if name in some):
            st.caption(escaped(name))
            st.dataframe(weights_table(panels[name].panel.alignment).style.format(precision=3))
    elif chosen is not None:
        _show_file(view, chosen, next(name for name, known in titles.items() if known == kind))


def file_stem(sentence: str, *titles: str) -> str:
    """Begin the name of a file with the sentence, in letters that every system takes, and what is drawn of it.

    >>> file_stem("Où est l'hôpital le plus proche ?", "rnnsearch-50"), file_stem("猫が寝ている。", "a/b")
    ('Où-est-l-hôpital-le-plus-proche.rnnsearch-50', '猫が寝ている.a-b')
    """
    parts = [
        re.sub(r"\W+", "-", text).strip("-") for text in (shorten(sentence, _LONGEST_NAME, placeholder=""), *titles)
    ]
    return ".".join(part[:_LONGEST_NAME] for part in parts if part) or "alignment"


@errors_shown()
def _show_figure(
    view: ExplorerView, in_file: Mapping[str, DrawnPanel], kind: str, ribbons: Collection[str], *, changed: bool
) -> None:
    """Offer figures as drawn above: the same words, scale and gold links; several on a page each, or with their tables
    in an archive. ``ribbons``: names of those that are ribbons."""
    with st.spinner(APP.drawing):
        figures = [ribbons_of(each) if n in ribbons else figure_of(view, each) for n, each in in_file.items()]
    missing = dict.fromkeys(word for figure in figures for word in figure.missing_glyphs)
    if missing:
        st.warning(escaped(APP.missing_glyphs.format(words=", ".join(missing))), icon=":material/warning:")
    ending = kind.lower()
    citations = [_citation(view, each, changed=changed or name in ribbons) for name, each in in_file.items()]
    names = [(each.panel.title, *_RIBBONS_FILE[: name in ribbons]) for name, each in in_file.items()]
    about = "\n".join(dict.fromkeys(citation.about for citation in citations if citation is not None))
    archive = len(figures) > 1 and kind != "PDF"

    def data() -> bytes:
        if not archive:
            return figures[0].to_bytes(ending, about) if len(figures) == 1 else figures[0].pages(figures, about)
        files = {
            f"{file_stem('', *name)}.{ending}": figure.to_bytes(ending, "" if citation is None else citation.about)
            for name, figure, citation in zip(names, figures, citations, strict=True)
        }
        tables = {each.panel.title: weights_table(each.panel.alignment).to_csv() for each in in_file.values()}
        return _zipped(files | {f"{file_stem('', name)}.csv": table.encode() for name, table in tables.items()})

    file = f"{file_stem(view.sentence, *dict.fromkeys(sum(names, ())))}.{'zip' if archive else ending}"
    offer_file(LOOK.save_as.format(format=f"{kind}, ZIP" if archive else kind), data, file)
    citation = citations[0]
    if citation is not None:
        st.caption(LOOK.metadata if citation.redrawable else LOOK.metadata_alone)
        if citation.redrawable:
            st.caption(LOOK.draw_again)
            st.code(citation.command, language=None, wrap_lines=True)
        st.caption(LOOK.latex)
        st.code(citation.latex(file), language="latex", wrap_lines=True)
    shown = next(iter(in_file.values())).shown
    if kind == "PDF" and shown is not None and shown.has_alpha and shown.decoded is not None:
        _offer_paper_figure(shown.decoded.run)


def _offer_paper_figure(run: RunInfo) -> None:
    """Offer the four panels of the paper's Figure 3 by this run, which are translated when they are asked for."""

    def four_panels() -> bytes:
        from nmt.figures import figure3_pdf, figure3_sentences

        model = read_translator(run.path)
        return figure3_pdf({run.name: model.translate(figure3_sentences([model]))})

    st.caption(LOOK.paper_figure_means.format(name=escaped(run.name)))
    offer_file(LOOK.paper_figure, four_panels, f"figure3.{run.name}.pdf")


def _zipped(files: Mapping[str, bytes]) -> bytes:
    """An archive of files by name, the same bytes for the same files."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, data in files.items():
            archive.writestr(zipfile.ZipInfo(name), data)
    return buffer.getvalue()


def ribbons_of(chosen: DrawnPanel) -> PrintFigure:
    """Draw the ribbons of a panel for print."""
    shown = chosen.shown
    assert shown is not None
    caption = LOOK.figure_caption.format(title=shown.title, values=chosen.panel.values)
    return ribbons_figure(shown.words, line_style(shown.number).colour, caption)


def _citation(view: ExplorerView, chosen: DrawnPanel, *, changed: bool) -> Citation | None:
    """Collect what is needed to cite the figure; None for a difference, for weights from a file, and
    for a committee and hard attention."""
    shown = chosen.shown
    if shown is None or shown.decoded is None or shown.decoded.manner:
        return None
    run = shown.decoded.run
    task = TranslateTask(run, view.sentence, chosen_settings(run, view.settings.beam, view.settings.unknown))
    return Citation(
        checkpoint=run.name,
        weights_sha256=task.fingerprint.weights,
        update=run.weights.update,
        sentence=view.sentence,
        target=view.target.typed,
        translation=shown.decoded.text,
        search=task.settings,
        own=run.config.search,
        precision=task.precision,
        values=chosen.panel.values,
        redrawable=not shown.stands_in and not changed,
    )


def figure_of(view: ExplorerView, chosen: DrawnPanel) -> PrintFigure:
    """Draw a panel for print, with the words, scale and gold links that it has on the page."""
    panel = chosen.panel
    transpose = TRANSPOSED in view.settings.options
    title = ", ".join(part for part in (panel.title, panel.condition) if part)
    caption = LOOK.figure_caption.format(title=title, values=panel.values)
    alignment = panel.alignment

    def numbered(cells: Sequence[tuple[int, int]]) -> set[tuple[int, int]]:
        return {(alignment.source_words[j], alignment.target_words[i]) for i, j in cells}

    delta = "Δ" if panel.not_attention else "Δαᵢⱼ"
    usual = "" if panel.letter == "α" or panel.not_attention else panel.letter
    return figure3(
        alignment if chosen.difference is None else chosen.difference,
        source_title=panel.source_title,
        target_title=panel.target_title,
        scale=view.settings.scale,
        value_title=usual if chosen.difference is None else delta,
        transpose=transpose,
        sure=numbered(panel.sure),
        possible=numbered(panel.possible),
        source_marks=panel.source_marks,
        target_marks=panel.target_marks,
        leave_one_out=bool(panel.not_attention),
        caption=caption,
    )


def _show_page(view: ExplorerView, drawn: Sequence[DrawnPanel]) -> None:
    runs = [each.shown.decoded.run for each in drawn if each.shown is not None and each.shown.decoded is not None]
    about = [
        (run.name, LOOK.page_weights.format(update=run.weights.update, sha256=run.weights.sha256())) for run in runs
    ]

    def page() -> str:
        data = view_data(
            [each.panel for each in drawn],
            show=view.settings.shown,
            scale=view.settings.scale,
            transpose=TRANSPOSED in view.settings.options,
            layout=view.settings.layout,
        )
        return standalone_html(view.sentence, data, about)

    st.caption(LOOK.page)
    offer_file(LOOK.save_as.format(format=_HTML), page, f"{file_stem(view.sentence)}.html")


@errors_shown()
def _show_file(view: ExplorerView, chosen: DrawnPanel, name: str) -> None:
    known = FORMATS[name]
    policy = Policy(
        subwords="pieces" if PIECES in view.settings.options else "words",
        end_mark="kept" if END in view.settings.options else "removed",
        punctuation="kept" if PUNCTUATION in view.settings.options else "removed",
    )
    if known.holds != "weights":
        with st.container(horizontal=True, vertical_alignment="bottom"):
            rule = one_of(LOOK.links_by, _RULES, "take-rule", bind="query-params")
            drop_number_outside("take-share", LOOK.at_least, 0.05, 1)
            share = st.slider(LOOK.at_least, 0.05, 1.0, 0.3, 0.05, key="take-share", bind="query-params", width=220)
            base = one_of(LOOK.count_from, _BASES, "take-base", bind="query-params")
            direction = one_of(LOOK.order, DIRECTIONS, "take-direction", bind="query-params")
        policy = replace(policy, rule=rule, threshold=share, mass=share, base=base, direction=direction)
    assert chosen.shown is not None
    assert chosen.shown.weights is not None
    run = f"{chosen.panel.title}, {NOT_ALPHA}" if chosen.panel.not_attention else chosen.panel.title
    st.caption(escaped(f"{policy.of_weights if known.holds == 'weights' else policy.of_links}."))
    text = known.write([chosen.shown.weights], policy, run)
    file = file_name(name, policy, file_stem(view.sentence, run))
    offer_file(LOOK.save_as.format(format=known.title), text.encode(), file)
