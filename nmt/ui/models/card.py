"""The card of a run: its model, data, training, scores and files."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from nmt.runs.folder import RunInfo
from nmt.runs.provenance import Provenance
from nmt.tables.data import files, licence
from nmt.tables.table import NOTHING
from nmt.ui.checkpoints import ARCHITECTURES
from nmt.ui.formatting import escaped, language
from nmt.ui.links import link_to
from nmt.ui.models.about import description, show_curve
from nmt.ui.models.facts import Facts, facts
from nmt.ui.models.guide import explained, link_measure, link_translate
from nmt.ui.models.scores import show_scores


def show_card(name: str, run: RunInfo) -> None:
    """InputError if a file of the run is broken."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.subheader(escaped(name), anchor=False, width="content")
        st.badge(ARCHITECTURES[run.config.model.architecture], color="blue" if run.has_alignment else "gray")
        st.caption(f"{language(run.source_language)} → {language(run.target_language)}", width="content")
    found = facts(run)
    st.text(explained(run))
    for line in description(run):
        st.text(line)
    _show_training(found)
    with st.container(horizontal=True):
        link_translate(name)
        link_measure(name)
        _link_to_learning(name, run, found)
    show_curve(run, name)
    if found.provenance is not None:
        _show_origin(found.provenance, name)
    show_scores(run, key=name)
    st.markdown("**Weights file**")
    st.code(f"{found.sha256}  {run.weights.path.name}", language=None, wrap_lines=True)
    card = run.card()
    if card:
        with st.popover("The whole card, as Markdown", type="tertiary"):
            st.code(card, language="markdown", wrap_lines=True)


def _link_to_learning(name: str, run: RunInfo, found: Facts) -> None:
    if run.has_alignment and len(found.steps) > 1:
        link_to("pages/learn.py", "Watch it learn", {"run": name, "view": "training"}, icon=":material/school:")


def _show_training(found: Facts) -> None:
    """Table 2 of the paper."""
    row = found.trained
    shown = {
        "Updates": f"{row.updates:,}",
        "Epochs": f"{row.epochs:.2f}",
        "Hours": NOTHING if row.hours is None else f"{row.hours:.2f}",
        "NLL train": NOTHING if row.train_nll is None else f"{row.train_nll:.1f}",
        "NLL dev": NOTHING if row.dev_nll is None else f"{row.dev_nll:.1f}",
    }
    st.markdown("**Training** (Table 2 of the paper; NLL in nats a sentence, that of train with dropout)")
    with st.container(horizontal=True):
        for label, value in shown.items():
            st.metric(label, value, width="content")
    if row.ended:
        st.caption(escaped(f"Ended because {row.ended}."))
    if found.steps:
        st.caption(escaped(f"The weights of {len(found.steps)} updates were kept: {', '.join(map(str, found.steps))}."))


def _show_origin(provenance: Provenance, key: str) -> None:
    if provenance.sessions:
        last = provenance.sessions[-1]
        machine = last.machine
        st.text(
            f"Trained on {machine.processor}, {last.processes} x {last.threads} threads of {machine.cores} cores, "
            f"{machine.accelerator or last.device}, {machine.system}, Python {machine.python}, torch {machine.torch}."
        )
    commands = [provenance.preparation, *(session.command for session in provenance.sessions)]
    st.markdown("**Commands**")
    st.code("\n".join(command for command in commands if command), language=None, wrap_lines=True)
    commits = dict.fromkeys(session.commit or "unknown" for session in provenance.sessions)
    st.caption(f"Code of commit {escaped(', '.join(commits))}.")
    rows = [
        {
            "": use,
            "Files": files(corpus),
            "Pairs used": corpus.kept,
            "Times an epoch": corpus.repeat,
            "Licence": licence(corpus),
        }
        for use, used in (("train", provenance.train), ("dev", provenance.dev))
        for corpus in used
    ]
    st.markdown("**Data**")
    number = st.column_config.NumberColumn
    st.dataframe(
        pd.DataFrame(rows),
        hide_index=True,
        key=f"data-{key}",
        placeholder=NOTHING,
        column_config={"Pairs used": number(format="localized")},
    )
