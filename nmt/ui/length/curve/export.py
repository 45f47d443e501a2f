"""Export of the curve: a figure for print in the look of Figure 2, and tables."""

from __future__ import annotations

import shlex
from functools import partial

import streamlit as st

from nmt.errors import InputError
from nmt.results import LengthCurves, TestMethod
from nmt.runs.folder import EVALUATION, result_files
from nmt.ui.checkpoints import ROOT
from nmt.ui.formatting import as_sentence, escaped
from nmt.ui.length.curve import strings
from nmt.ui.length.curve.form import BAND, COUNTS, TRAINED
from nmt.ui.length.curve.selection import Selection
from nmt.ui.length.curve.tables import offer_tables

_FIGURES = {"PDF": "application/pdf", "SVG": "image/svg+xml", "PNG": "image/png"}


def show_export(selection: Selection, curves: LengthCurves, method: TestMethod) -> None:
    """A button on the picture; what it offers is made when it is opened."""
    place = st.popover(strings.EXPORT, icon=":material/download:", key="export", on_change="rerun")
    if place.open:
        with place:
            _show_figure(selection, curves)
            st.markdown(strings.TABLES)
            offer_tables(selection, method)
            st.markdown(strings.SIGNATURE)
            st.code(curves.signature, language=None, wrap_lines=True)
            made_by = command(selection, curves)
            if made_by:
                st.markdown(strings.COMMAND)
                st.code(made_by, language="bash", wrap_lines=True)


def command(selection: Selection, curves: LengthCurves) -> str:
    """Return the command that draws the figure again; "" if it needs what is in no folder, such as an upload."""
    view, options = selection.view, selection.view.options
    folders = [system.evaluated.path for system in selection.systems.values()]
    if any({*view.sets} - {path.stem for path in result_files(folder, EVALUATION)} for folder in folders):
        return ""
    inside = [folder.relative_to(ROOT) if folder.is_relative_to(ROOT) else folder for folder in folders]
    ranges = f"rolling={view.buckets.numbers[0]}" if curves.rolling else _firsts(curves)
    parts = ["jointly", "compare", *map(str, inside)]
    parts += [part for name in view.sets for part in ("--set", name)]
    parts += ["--on", "all" if len(view.sets) > 1 else view.set_name]
    parts += ["--metric", view.metric, "--words-of", view.side, "--buckets", ranges]
    parts += ["--no-unk"] if view.no_unk else []
    parts += [] if BAND in options else ["--no-bands"]
    parts += [] if view.longest is None else ["--longest", f"{view.longest:g}"]
    return shlex.join([*parts, "--figure", f"length-{view.set_name.replace(' ', '-')}.pdf"])


def _firsts(curves: LengthCurves) -> str:
    return f"from={','.join(str(span.first) for span in curves.spans)}"


def _show_figure(selection: Selection, curves: LengthCurves) -> None:
    """Draw the figure for print, show it, and offer it in each format."""
    from nmt.charts.figure2 import figure2  # matplotlib takes a while to import

    options = selection.view.options
    try:
        with st.spinner(strings.DRAWING):
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
        st.warning(escaped(strings.NO_FONT.format(words=words)), icon=":material/warning:")
    st.markdown(strings.FIGURE)
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
    st.image(picture, caption=strings.FIGURE_CAPTION, width=420)
