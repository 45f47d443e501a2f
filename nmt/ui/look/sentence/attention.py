"""Where a model looked: the matrix of alpha, the same as a table and as a file."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from nmt.alignments.formats.registry import FORMATS, file_name
from nmt.alignments.policy import Policy
from nmt.charts.alignment_view import view_data
from nmt.results import Alignment, Hypothesis
from nmt.runs.folder import RunInfo
from nmt.ui.alignment_component import alignment_view
from nmt.ui.panels import alignment_panel


def show_attention(run: RunInfo, hypothesis: Hypothesis, pieces: bool, *, key: str) -> None:
    """Show alpha of a hypothesis, over words or over the model's pieces; or say why there is none."""
    alignment = hypothesis.alignment
    if alignment is None:
        st.info(
            "RNNencdec has no alignment weights: it reads the whole sentence into one fixed vector before it "
            "writes the first word, and never looks back at single source words. So there is no alpha to show.",
            icon=":material/grid_off:",
        )
        return
    shown = alignment if pieces else alignment.merged()
    panel = alignment_panel(shown, run.name, run, bars=False)
    alignment_view(view_data([panel], heading=False), key=f"matrix-{key}")
    st.caption(
        "Each row shows how the model spread its attention over the source when it wrote that word; a row sums "
        "to 1. </s> is the end of the sentence."
    )
    with st.expander("Weights as a table"):
        policy = Policy(subwords="pieces" if pieces else "words")
        st.dataframe(weights_table(shown).style.format(precision=3))
        st.download_button(
            "Download as CSV",
            lambda: FORMATS["csv"].write([alignment], policy, run.name),
            file_name=file_name("csv", policy, run.name),
            mime="text/csv",
            icon=":material/download:",
            on_click="ignore",
            key=f"csv-{key}",
        )


def weights_table(alignment: Alignment) -> pd.DataFrame:
    """Alpha [T_y, T_x], one row per target word, one column per source word; numbered, since words repeat."""
    return pd.DataFrame(
        alignment.weights,
        index=pd.Index([f"{i} {word}" for i, word in enumerate(alignment.target, 1)], name="target"),
        columns=pd.Index([f"{j} {word}" for j, word in enumerate(alignment.source, 1)], name="source"),
    )
