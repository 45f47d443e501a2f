"""The interactive alignment matrix: the component and the plain data it draws."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import streamlit as st

from nmt.results import Alignment

_FILES = Path(__file__).parent


@st.cache_resource(show_spinner=False)
def _component() -> Callable[..., Any]:
    """Registered once in a server's life; the files are read as text, so that no build is needed."""
    html, css, js = ((_FILES / f"alignment_matrix.{ending}").read_text("utf-8") for ending in ("html", "css", "js"))
    return st.components.v2.component("alignment_matrix", html=html, css=css, js=js)


def matrix_data(alignment: Alignment, source_title: str, target_title: str) -> dict[str, Any]:
    """What the component draws, JSON-ready: words, alpha [T_y, T_x] rounded to 6 decimals, axis titles."""
    return {
        "source": list(alignment.source),
        "target": list(alignment.target),
        "weights": [[round(float(a), 6) for a in row] for row in alignment.weights],
        "source_title": source_title,
        "target_title": target_title,
    }


def alignment_matrix(alignment: Alignment, source_title: str, target_title: str, *, key: str) -> None:
    """Show alpha in the paper's convention: source words on top, target words down, 0 black, 1 white.

    Pointing at a cell names both words and their alpha; so do the arrow keys. Paper: Figure 3.
    """
    _component()(key=key, data=matrix_data(alignment, source_title, target_title))
