"""The card of a run: its model, data, training, scores and files."""

import json
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

import pandas as pd
import streamlit as st

from nmt.errors import InputError
from nmt.evaluation.buckets import by_width
from nmt.evaluation.evaluation_files import EvaluatedSystem
from nmt.evaluation.length_curves import length_curves
from nmt.results import ALL_SETS, Entry, Evaluation
from nmt.runs.folder import RunInfo
from nmt.runs.provenance import Provenance, SettingPair, compare_settings
from nmt.tables.runs import RunReport, files, licence
from nmt.tables.table import NOTHING
from nmt.texts import APP, MODELS
from nmt.ui.app_shell import dark_page
from nmt.ui.checkpoints import Checkpoints, evaluated, report, show_head
from nmt.ui.components import show_figure, show_rows
from nmt.ui.compute import errors_shown
from nmt.ui.formatting import escaped
from nmt.ui.inputs import ask_checkpoint, ask_checkpoints, some_chosen
from nmt.ui.models.facts import description
from nmt.ui.models.guide import explained, link_places
from nmt.ui.models.scoreboard import entries, show_error_rates, signatures


def show_cards(checkpoints: Checkpoints) -> None:
    """Ask for checkpoints, and show their cards. Of several checkpoints, also show the trainings in one figure, and the
    settings in which two of them differ."""
    first = checkpoints.first_choice()[:1]
    chosen = ask_checkpoints(checkpoints.usable, key="runs", default=first, help=MODELS.checkpoints_help)
    runs = {name: checkpoints.usable[name] for name in chosen}
    if not some_chosen(runs):
        return
    if len(runs) > 1:
        _show_trainings(runs)
        with st.expander(MODELS.settings_compared, icon=":material/compare_arrows:"):
            _show_difference(runs)
    grid = st.grid(min(2, len(runs)), min_column_width=380, gap="medium")
    for name, run in runs.items():
        with grid.cell(), st.container(border=True, key=f"card-{name}"), errors_shown():
            _show_card(name, run)


def _show_trainings(runs: Mapping[str, RunInfo]) -> None:
    """Show the learning curves on the development set in one figure, if at least two runs have one."""
    with suppress(InputError):  # the card shows the error
        events = {name: report(run).events for name, run in runs.items() if report(run).events}
        if len(events) > 1:
            from nmt.charts.curves import learning_curves

            alt = MODELS.curves_alt.format(names=", ".join(events))
            show_figure(learning_curves(events, dark=dark_page()), key="curves", alt=alt)
            st.caption(MODELS.curves_caption)


def _show_card(name: str, run: RunInfo) -> None:
    """Show the card. Raises InputError if a file of the run is broken."""
    show_head(name, run)
    said = report(run)
    attended = run.has_alignment and len(said.steps) > 1
    with st.container(gap="xsmall"):
        for line in (explained(run), *description(run)):
            st.text(line)
    _show_training(said)
    with st.container(horizontal=True):
        link_places(name, learn=attended)
    if said.events:
        from nmt.charts.curves import learning_curve

        show_figure(learning_curve(said.events), key=f"curve-{name}")
    if said.provenance is not None:
        _show_origin(said.provenance, name)
    show_scores(run, key=name)
    st.markdown(MODELS.weights_file)
    st.code(f"{said.sha256}  {run.weights.path.name}", language=None, wrap_lines=True)
    if card := run.card():
        with st.popover(MODELS.whole_card, type="tertiary"):
            st.code(card, language="markdown", wrap_lines=True)


def _show_training(said: RunReport) -> None:
    """Show the training in the columns of the paper's Table 2."""
    row = said.trained
    shown = {
        APP.updates: f"{row.updates:,}",
        MODELS.epochs: f"{row.epochs:.2f}",
        MODELS.hours: NOTHING if row.hours is None else f"{row.hours:.2f}",
        MODELS.nll_train: NOTHING if row.train_nll is None else f"{row.train_nll:.1f}",
        MODELS.nll_dev: NOTHING if row.dev_nll is None else f"{row.dev_nll:.1f}",
    }
    st.markdown(MODELS.training + (MODELS.of_last_part if row.updates_before else ""))
    with st.container(horizontal=True):
        for label, value in shown.items():
            st.metric(label, value, width="content")
    if row.ended:
        number, form = re.search(r"[\d.e+-]*\d", row.ended), re.sub(r"[\d.e+-]*\d", "{number}", row.ended)
        amount = number[0] if number else ""
        amount = f"{int(amount):,}" if amount.isdecimal() else amount
        reason = MODELS.by_key.endings.get(form, form).format(number=amount)
        st.caption(escaped(MODELS.ended.format(reason=reason)))
    if said.steps:
        updates = ", ".join(f"{step:,}" for step in said.steps)
        st.caption(escaped(MODELS.steps_kept.format(count=len(said.steps), updates=updates)))


def _show_origin(provenance: Provenance, key: str) -> None:
    for last in provenance.sessions[-1:]:
        device = last.machine.accelerator or last.device
        st.text(MODELS.machine.format(machine=last.machine, session=last, device=device))
    commands = [provenance.preparation, *(session.command for session in provenance.sessions)]
    st.markdown(MODELS.commands)
    st.code("\n".join(command for command in commands if command), language=None, wrap_lines=True)
    commits = dict.fromkeys(session.commit or APP.not_known for session in provenance.sessions)
    st.caption(MODELS.commit.format(commits=escaped(", ".join(commits))))
    columns = MODELS.by_key.data_columns
    rows = [
        {
            columns["use"]: use,
            columns["files"]: files(corpus),
            columns["pairs"]: corpus.kept,
            columns["times"]: corpus.repeat,
            columns["licence"]: licence(corpus),
        }
        for use, corpus in provenance.corpora
    ]
    st.markdown(MODELS.data)
    show_rows(rows, {columns["pairs"]: st.column_config.NumberColumn(format="localized")}, key=f"data-{key}")


@errors_shown()
def show_scores(run: RunInfo, *, key: str) -> None:
    """Show tables of the results in the run folder, or say that there are none."""
    system, errors = evaluated(run.path), report(run).error_rates
    evaluations = list(system.evaluations.values())
    if not evaluations and not errors:
        st.caption(MODELS.not_evaluated)
        return
    if evaluations:
        _show_test_sets(system, key)
        _show_lengths(evaluations, key)
    if errors:
        st.markdown(MODELS.against_gold)
        show_error_rates({key: errors}, key=f"aer-{key}", without=MODELS.checkpoint)


def _show_test_sets(system: EvaluatedSystem, key: str) -> None:
    names = list(system.evaluations)
    everything, no_unk = (entries({key: system}, names, column)[key] for column in (False, True))
    sentences = {name: evaluation.sentences_given for name, evaluation in system.evaluations.items()}
    rows = [_row(name, sentences[name], everything[name], no_unk[name]) for name in names]
    if (together := everything[ALL_SETS]) is not None:
        rows.append(_row(ALL_SETS, together.sentences, together, no_unk[ALL_SETS]))
    number = st.column_config.NumberColumn
    columns = {
        MODELS.sentences: number(format="localized"),
        MODELS.bleu: number(format="%.1f", help=MODELS.higher_is_better),
        MODELS.bleu_known: number(format="%.1f", help=MODELS.bleu_known_help),
        MODELS.known_sentences: number(format="localized", help=MODELS.known_sentences_help),
        MODELS.chrf: number(format="%.1f", help=MODELS.higher_is_better),
        MODELS.ter: number(format="%.1f", help=MODELS.edits),
    }
    st.markdown(MODELS.test_sets)
    show_rows(rows, columns, key=f"scores-{key}")
    with st.popover(MODELS.signatures, type="tertiary"):
        st.code("\n".join(signatures([*system.evaluations.values()])), language=None, wrap_lines=True)


def _row(name: str, sentences: int, everything: Entry | None, no_unk: Entry | None) -> dict[str, str | float | None]:
    return {
        APP.test_set: name,
        MODELS.sentences: sentences,
        MODELS.bleu: None if everything is None else everything.bleu,
        MODELS.bleu_known: None if no_unk is None else no_unk.bleu,
        MODELS.known_sentences: None if no_unk is None else no_unk.sentences,
        MODELS.chrf: None if everything is None else everything.chrf,
        MODELS.ter: None if everything is None else everything.ter,
    }


def _show_lengths(evaluations: Sequence[Evaluation], key: str) -> None:
    rows = []
    for evaluation in evaluations:
        if (statistics := evaluation.statistics()) is not None:
            (curve,) = length_curves({"": statistics}, by_width()).curves
            rows.append({APP.test_set: evaluation.test_set or ""} | {p.span.text: p.value for p in curve.points})
    if rows:
        st.markdown(MODELS.by_length)
        columns = {name: st.column_config.NumberColumn(format="%.1f") for row in rows for name in [*row][1:]}
        show_rows(rows, columns, key=f"lengths-{key}")


_CHECKSUM, _DIGITS = re.compile(r"[0-9a-f]{64}"), 12


def _show_difference(runs: Mapping[str, RunInfo]) -> None:
    """Ask for two checkpoints, and show the settings in which they differ, and all others on demand."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        first = ask_checkpoint(MODELS.first, runs, key="first", width=260)
        second = ask_checkpoint(MODELS.second, runs, key="second", default=list(runs)[1], width=260)
        everything = st.toggle(MODELS.all_settings, key="all", bind="query-params")
    pairs = compare_settings(runs[first], runs[second])
    different = [pair for pair in pairs if pair.differs]
    if not different:
        st.info(MODELS.same_settings, icon=":material/equal:")
    if shown := pairs if everything else different:
        st.dataframe(
            _frame(shown, first, second, marked=everything), hide_index=True, key="settings-board", height="content"
        )
    st.caption(MODELS.settings_caption.format(different=len(different), all=len(pairs)))


def _frame(pairs: Sequence[SettingPair], first: str, second: str, *, marked: bool) -> pd.DataFrame:
    columns: dict[str, list[str]] = {MODELS.setting: [pair.name for pair in pairs]}
    columns[first] = [_text(pair.first) for pair in pairs]
    columns[second if second != first else f"{second} "] = [_text(pair.second) for pair in pairs]
    if marked:  # without all settings, each one shown differs
        columns[MODELS.differs] = ["≠" if pair.differs else "" for pair in pairs]
    return pd.DataFrame(columns)


def _text(value: Any) -> str:
    """Write a setting as --set reads it. Checksums are shortened."""
    if isinstance(value, tuple):
        return ",".join(map(str, value))
    text = value if isinstance(value, str) else json.dumps(value)
    return f"{text[:_DIGITS]}…" if _CHECKSUM.fullmatch(text) else text
