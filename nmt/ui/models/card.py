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
from nmt.ui.models import strings
from nmt.ui.models.about import description, show_curve
from nmt.ui.models.facts import Facts, facts
from nmt.ui.models.guide import explained, link_learn, link_measure, link_translate
from nmt.ui.models.scores import show_scores


def show_card(name: str, run: RunInfo) -> None:
    """Show the card. Raises InputError if a file of the run is broken."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.subheader(escaped(name), anchor=False, width="content")
        st.badge(ARCHITECTURES[run.config.model.architecture], color="blue" if run.has_alignment else "gray")
        st.caption(
            strings.DIRECTION.format(source=language(run.source_language), target=language(run.target_language)),
            width="content",
        )
    facts_of_run = facts(run)
    with st.container(gap="xsmall"):
        for line in (explained(run), *description(run)):
            st.text(line)
    _show_training(facts_of_run)
    with st.container(horizontal=True):
        link_translate(name)
        link_measure(name)
        _link_to_learning(name, run, facts_of_run)
    show_curve(run, name)
    if facts_of_run.provenance is not None:
        _show_origin(facts_of_run.provenance, name)
    show_scores(run, key=name)
    st.markdown(strings.WEIGHTS_FILE)
    st.code(f"{facts_of_run.sha256}  {run.weights.path.name}", language=None, wrap_lines=True)
    card = run.card()
    if card:
        with st.popover(strings.WHOLE_CARD, type="tertiary"):
            st.code(card, language="markdown", wrap_lines=True)


def _link_to_learning(name: str, run: RunInfo, run_facts: Facts) -> None:
    if run.has_alignment and len(run_facts.steps) > 1:
        link_learn(name)


def _show_training(run_facts: Facts) -> None:
    """Show the columns of Table 2 of the paper."""
    row = run_facts.trained
    shown = {
        strings.UPDATES: f"{row.updates:,}",
        strings.EPOCHS: f"{row.epochs:.2f}",
        strings.HOURS: NOTHING if row.hours is None else f"{row.hours:.2f}",
        strings.NLL_TRAIN: NOTHING if row.train_nll is None else f"{row.train_nll:.1f}",
        strings.NLL_DEV: NOTHING if row.dev_nll is None else f"{row.dev_nll:.1f}",
    }
    st.markdown(strings.TRAINING)
    with st.container(horizontal=True):
        for label, value in shown.items():
            st.metric(label, value, width="content")
    if row.ended:
        st.caption(escaped(strings.ENDED.format(reason=row.ended)))
    if run_facts.steps:
        updates = ", ".join(f"{step:,}" for step in run_facts.steps)
        st.caption(escaped(strings.STEPS_KEPT.format(count=len(run_facts.steps), updates=updates)))


def _show_origin(provenance: Provenance, key: str) -> None:
    if provenance.sessions:
        last = provenance.sessions[-1]
        machine = last.machine
        st.text(
            strings.MACHINE.format(
                processor=machine.processor,
                cores=machine.cores,
                processes=last.processes,
                threads=last.threads,
                device=machine.accelerator or last.device,
                system=machine.system,
                python=machine.python,
                torch=machine.torch,
            )
        )
    commands = [provenance.preparation, *(session.command for session in provenance.sessions)]
    st.markdown(strings.COMMANDS)
    st.code("\n".join(command for command in commands if command), language=None, wrap_lines=True)
    commits = dict.fromkeys(session.commit or strings.UNKNOWN_COMMIT for session in provenance.sessions)
    st.caption(strings.COMMIT.format(commits=escaped(", ".join(commits))))
    columns = strings.DATA_COLUMNS
    rows = [
        {
            columns["use"]: strings.DATA_USES[use],
            columns["files"]: files(corpus),
            columns["pairs"]: corpus.kept,
            columns["times"]: corpus.repeat,
            columns["licence"]: licence(corpus),
        }
        for use, used in (("train", provenance.train), ("dev", provenance.dev))
        for corpus in used
    ]
    st.markdown(strings.DATA)
    number = st.column_config.NumberColumn
    st.dataframe(
        pd.DataFrame(rows),
        hide_index=True,
        key=f"data-{key}",
        placeholder=NOTHING,
        column_config={columns["pairs"]: number(format="localized")},
    )
