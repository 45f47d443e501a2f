"""Elements of a page: the interactive views of nmt/charts, tables, and files to save.

The server registers each view once. A browser loads script and style once, from an address with their checksums.
"""

import mimetypes
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pandas as pd
import streamlit as st
from streamlit.components.v2.get_bidi_component_manager import get_bidi_component_manager
from streamlit.components.v2.manifest_scanner import ComponentConfig, ComponentManifest

from nmt.charts.small_figure import SmallFigure
from nmt.charts.view_files import ViewFiles, view_files
from nmt.tables.table import NOTHING, Table, tables_text
from nmt.ui.formatting import escaped, true_minus

_PACKAGE, _SCRIPT, _STYLE = "jointly", "view.js", "view.css"


def registered(name: str, files: ViewFiles) -> Callable[..., Any]:
    """Register a view as a component of Streamlit. Browsers load its script and style as files, not in each message.

    Args:
        name: a name that no other view has.
    """
    place = f"{name}-{sha256((files.js + files.css).encode()).hexdigest()[:12]}"
    manager = get_bidi_component_manager()
    if manager.get_component_asset_root(f"{_PACKAGE}.{place}") is None:  # not yet registered here
        root = Path(_folder().name)
        (root / place).mkdir(exist_ok=True)
        (root / place / _SCRIPT).write_text(files.js, "utf-8")
        (root / place / _STYLE).write_text(files.css, "utf-8")
        config = ComponentConfig(name=place, asset_dir=place)
        manager.register_from_manifest(ComponentManifest(name=_PACKAGE, version="0", components=[config]), root)
    return st.components.v2.component(f"{_PACKAGE}.{place}", html=files.html, css=_STYLE, js=_SCRIPT)


@st.cache_resource(show_spinner=False)
def _folder() -> TemporaryDirectory[str]:
    """The folder of the registered scripts and styles. It is deleted when the server ends."""
    return TemporaryDirectory(prefix="jointly-views-")


def component(name: str) -> Callable[..., Any]:
    """The function that shows the view of the folder ``nmt/charts/NAME``. Its data must have the texts of the view."""
    return registered(name, _files(name))


@cache
def _files(name: str) -> ViewFiles:
    return view_files(name)


def show_small_figure(figure: SmallFigure, *, large: bool = False) -> None:
    """Show the small Figure 2, over the whole width if ``large``. Paper: Figure 2."""
    component("small_figure")(key="small-figure", data=figure.to_dict() | {"large": large})


def show_figure(figure: Any, *, key: str, alt: str | None = None) -> None:
    """Show a figure of Plotly, without its buttons. ``alt``: a description for readers who cannot see the figure."""
    st.plotly_chart(figure, key=key, config={"displayModeBar": False}, alt=alt)


_KINDS = {"CSV": "csv", "LaTeX": "tex", "JSON": "json", "Markdown": "md"}


def show_rows(rows: Iterable[dict[str, Any]], columns: Mapping[str, Any], *, key: str, **settings: Any) -> None:
    """Show records as a table, without columns that are empty in every row.

    Args:
        columns: Streamlit's settings of columns, by name. Other columns have none. ``settings``: of ``st.dataframe``.
    """
    frame = pd.DataFrame(rows).replace("", None).dropna(axis="columns", how="all")
    st.dataframe(frame, hide_index=True, placeholder=NOTHING, key=key, column_config=dict(columns), **settings)


def show_table(table: Table, *, key: str, title: bool = True) -> None:
    """Show a table as a command writes it."""
    if title:
        st.markdown(f"**{escaped(table.title)}**")
    head: list[str] = []
    for name in table.head:  # column names of a data frame must differ
        while not name or name in head:
            name += " "
        head.append(name)
    frame = pd.DataFrame([[true_minus(cell) for cell in row] for row in table.rows], columns=head)
    st.dataframe(frame, hide_index=True, key=key)


def offer(label: str, icon: str, take: Callable[..., None], *values: object, **settings: Any) -> None:
    """Show a button that calls ``take`` with ``values``. ``icon``: name of its icon. ``settings``: of ``st.button``."""
    st.button(label, icon=f":material/{icon}:", on_click=take, args=values, **settings)


def offer_tables(tables: Sequence[Table], name: str, *, key: str) -> None:
    """Offer a file with all tables in each format."""
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
    """Show a button that saves a file. The ending of ``name`` says of what kind the file is."""
    kind, icon = mimetypes.guess_type(name)[0] or "text/plain", ":material/download:"
    st.download_button(label, content, file_name=name, mime=kind, icon=icon, on_click="ignore", key=key, help=help)
