"""Elements of a page: the interactive views of nmt/charts, each registered with Streamlit once per server; panels of
the alignment view, all made here; tables, and files that a page offers."""

import math
import mimetypes
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from nmt.alignments.measures import AlphaDifference, Measures, measures
from nmt.charts.alignment_view import Bars, Panel
from nmt.charts.ribbons import SmallFigure
from nmt.charts.view_files import view_files
from nmt.results import Alignment
from nmt.runs.folder import RunInfo
from nmt.tables.table import NOTHING, Table, tables_text
from nmt.texts import APP, view_texts
from nmt.ui.formatting import escaped, language, nats, true_minus


@st.cache_resource(show_spinner=False)
def component(name: str) -> Callable[..., Any]:
    """Register the view in the folder ``nmt/charts/NAME``, which is called with its texts among its data; its files are
    passed as text, so that no build is needed."""
    files = view_files(name)
    return st.components.v2.component(name, html=files.html, css=files.css, js=files.js)


def alignment_view(
    data: Mapping[str, Any],
    *,
    key: str,
    on_pin: Callable[[object], None] = lambda pin: None,
    on_move: Callable[[object], None] = lambda move: None,
) -> None:
    """Show the data of ``nmt.charts.alignment_view.view_data``. Paper: Figure 3.

    What the reader does runs the script, or the fragment around this call, again. The view keeps no pin of its own: it
    shows that of the data.

    Args:
        on_pin: called before that run with what the reader pinned, as sent by the browser, or None; ``Pin.checked``
            validates it.
        on_move: called before that run with the cell that the reader dragged; ``Move.checked`` validates it.
    """
    component("alignment_view")(
        key=key,
        data={**data, "texts": view_texts("alignment_view")},
        on_pin_change=lambda: on_pin((_sent(key, "pin") or {}).get("pin")),
        on_move_change=lambda: on_move(_sent(key, "move")),
    )


def _sent(key: str, event: str) -> Any:
    return (st.session_state.get(key) or {}).get(event)


def show_ribbons(
    data: Mapping[str, Any],
    *,
    key: str,
    on_word: Callable[[object], None] = lambda word: None,
    on_move: Callable[[object], None] = lambda move: None,
    on_undo: Callable[[object], None] = lambda system: None,
    on_number: Callable[[object], None] = lambda number: None,
) -> None:
    """Show the data of ``nmt.charts.ribbons.ribbons_data``. Paper: Figure 3.

    What the reader does runs the script, or the fragment around this call, again.

    Args:
        on_word: called before that run with the target word that the reader chose, as sent by the browser, or None.
        on_move: called before that run with the ribbon whose end the reader dragged to another source word;
            ``Move.checked`` validates it over the systems.
        on_undo: called with the number, as sent, of the system whose last change is to be taken back; None = of any.
        on_number: called with the number of sentences that the reader wants to be translated as one, as sent.
    """
    component("ribbons")(
        key=key,
        data={**data, "texts": view_texts("ribbons")},
        on_word_change=lambda: on_word((_sent(key, "word") or {}).get("word")),
        on_move_change=lambda: on_move(_sent(key, "move")),
        on_undo_change=lambda: on_undo((_sent(key, "undo") or {}).get("system")),
        on_number_change=lambda: on_number(_sent(key, "number")),
    )


def show_small_figure(figure: SmallFigure, *, large: bool = False) -> None:
    """Show the small Figure 2, over the whole width if ``large``. Paper: Figure 2."""
    component("small_figure")(key="small-figure", data=figure.to_dict() | {"large": large})


def show_figure(figure: Any, *, key: str, alt: str | None = None) -> None:
    """Show a figure of Plotly, without its buttons. ``alt``: what it shows, for those who cannot see it."""
    st.plotly_chart(figure, key=key, config={"displayModeBar": False}, alt=alt)


def alignment_panel(
    alignment: Alignment,
    title: str,
    run: RunInfo | None = None,
    *,
    bars: bool = True,
    log_probability: Sequence[float] = (),
) -> Panel:
    """Make the panel of an alignment, over the words or subwords that it is over.

    Args:
        run: the checkpoint, whose languages are the titles of the axes; None = unknown languages.
        bars: whether coverage and entropy stand beside the matrix; the read-out has them in any case.
        log_probability: of each target word, nats; empty = unknown.
    """
    measured = measures(alignment)
    entropies = [APP.entropy.format(bits=f"{bits:.2f}") for bits in measured.entropy]
    if log_probability:
        values = [APP.word_log_probability.format(value=nats(value)) for value in log_probability]
        entropies = [f"{one}, {other}" for one, other in zip(values, entropies, strict=True)]
    return Panel(
        alignment=alignment,
        title=title,
        source_title=APP.source if run is None else APP.source_in.format(language=language(run.source_language)),
        target_title=APP.target if run is None else APP.target_in.format(language=language(run.target_language)),
        coverage=_coverage_bars(measured) if bars else None,
        entropy=_entropy_bars(measured, len(alignment.source)) if bars else None,
        log_probability=log_probability,
        said_of_source=[APP.coverage.format(value=f"{value:.2f}") for value in measured.coverage],
        said_of_target=entropies,
    )


def difference_panel(delta: AlphaDifference, title: str, note: str, like: Panel, least: float) -> Panel:
    """Make the panel of a difference, with the axes of ``like``; links of at least ``least``, either way, are drawn."""
    mean = delta.mean_divergence
    return Panel(
        alignment=Alignment(source=delta.source, target=delta.target, weights=delta.delta),
        title=title,
        kind="" if math.isnan(mean) else APP.mean_divergence.format(bits=f"{mean:.3f}"),
        values=APP.difference_values,
        note=note,
        letter=APP.difference_letter,
        spoken_letter=APP.difference_spoken,
        source_title=like.source_title,
        target_title=like.target_title,
        shown=[(i, j) for i, j in np.argwhere(np.abs(delta.delta) >= max(least, 0.05)).tolist()],
        said_of_source=[""] * len(delta.source),
        said_of_target=[
            "" if math.isnan(value) else APP.divergence.format(bits=f"{value:.3f}") for value in delta.divergence
        ],
        is_difference=True,
    )


def _coverage_bars(measured: Measures) -> Bars:
    values = measured.coverage.tolist()
    return Bars(
        title=APP.coverage_bars,
        explained=APP.coverage_bars_help,
        values=values,
        most=max([2.0, *values]),
        line=1.0,
        texts=[APP.coverage.format(value=f"{value:.2f}") for value in values],
    )


def _entropy_bars(measured: Measures, columns: int) -> Bars:
    """Entropy of each row; the hatched part is the share of its weight on the end of the sentence and punctuation."""
    shares = np.minimum(measured.end_share + measured.punctuation_share, 1.0)
    most = math.log2(max(2, columns))
    return Bars(
        title=APP.entropy_bars,
        explained=APP.entropy_bars_help.format(most=f"{most:.1f}"),
        values=measured.entropy.tolist(),
        most=most,
        second=(measured.entropy * shares).tolist(),
        texts=[
            APP.entropy_with_share.format(bits=f"{bits:.2f}", share=f"{share:.0%}")
            for bits, share in zip(measured.entropy, shares, strict=True)
        ],
    )


_KINDS = {"CSV": "csv", "LaTeX": "tex", "JSON": "json", "Markdown": "md"}


def show_rows(rows: Iterable[dict[str, Any]], columns: Mapping[str, Any], *, key: str) -> None:
    """Show records as a table, without columns that are empty in every row.

    Args:
        columns: Streamlit's settings of columns, by name; others are as they come.
    """
    frame = pd.DataFrame(rows).replace("", None).dropna(axis="columns", how="all")
    st.dataframe(frame, hide_index=True, placeholder=NOTHING, key=key, column_config=dict(columns))


def show_table(table: Table, *, key: str, title: bool = True) -> None:
    """Show a table as a command writes it."""
    if title:
        st.markdown(f"**{escaped(table.title)}**")
    head: list[str] = []
    for name in table.head:  # a table on a page has no two columns of one name
        while not name or name in head:
            name += " "
        head.append(name)
    frame = pd.DataFrame([[true_minus(cell) for cell in row] for row in table.rows], columns=head)
    st.dataframe(frame, hide_index=True, key=key)


def offer_tables(tables: Sequence[Table], name: str, *, key: str) -> None:
    """Offer tables as one file in each format."""
    with st.container(horizontal=True):
        for label, ending in _KINDS.items() if tables else ():
            offer_file(label, tables_text(tables, ending).encode(), f"{name}.{ending}", key=f"{key}-{ending}")


def offer_file(
    label: str,
    content: str | bytes | Callable[[], str | bytes],
    name: str,
    *,
    key: str | None = None,
    help: str | None = None,
) -> None:
    """Show a button that saves a file; the ending of its name says of what kind it is."""
    kind, icon = mimetypes.guess_type(name)[0] or "text/plain", ":material/download:"
    st.download_button(label, content, file_name=name, mime=kind, icon=icon, on_click="ignore", key=key, help=help)
