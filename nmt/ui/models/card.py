"""The card of a run: its model, data, training, scores and files."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

import pandas as pd
import streamlit as st

from nmt.errors import InputError
from nmt.evaluation.evaluation_files import EvaluatedSystem
from nmt.evaluation.measurement_files import MeasuredErrorRate, read_error_rates
from nmt.reproduce.released import NOT_POOLED
from nmt.results import ALL_SETS, Entry, Evaluation, LengthBucket
from nmt.runs.folder import RunInfo
from nmt.runs.provenance import Provenance
from nmt.runs.training_summary import SettingPair, compare_settings
from nmt.tables.runs import files, licence
from nmt.tables.table import NOTHING
from nmt.ui.address import choose_many, choose_one
from nmt.ui.app_shell import dark_page
from nmt.ui.checkpoints import ARCHITECTURES, Checkpoints
from nmt.ui.evaluated import evaluated
from nmt.ui.formatting import as_sentence, escaped, language
from nmt.ui.models import strings
from nmt.ui.models.facts import Facts, description, facts
from nmt.ui.models.guide import explained, link_learn, link_measure, link_translate
from nmt.ui.models.scoreboard import entries, error_rates, signatures


def show_cards(checkpoints: Checkpoints) -> None:
    """Ask for checkpoints, and show their cards; of several, also their trainings in one figure, and the settings in
    which two of them differ."""
    chosen = choose_many(
        st.multiselect,
        strings.CHECKPOINTS,
        {name: name for name in checkpoints.usable},
        key="runs",
        default=checkpoints.first_choice()[:1],
        what=strings.A_CHECKPOINT,
        placeholder=strings.CHECKPOINTS,
        help=strings.CHECKPOINTS_HELP,
    )
    runs = {name: checkpoints.usable[name] for name in chosen}
    if not runs:
        st.info(strings.CHOOSE_CHECKPOINT, icon=":material/checklist:")
        return
    if len(runs) > 1:
        _show_trainings(runs)
        with st.expander(strings.SETTINGS_COMPARED, icon=":material/compare_arrows:"):
            _show_difference(runs)
    grid = st.grid(min(2, len(runs)), min_column_width=380, gap="medium")
    for name, run in runs.items():
        with grid.cell(), st.container(border=True, key=f"card-{name}"):
            try:
                _show_card(name, run)
            except InputError as error:
                st.warning(as_sentence(str(error)), icon=":material/warning:")


def _show_trainings(runs: Mapping[str, RunInfo]) -> None:
    """Show the learning curves on the development set in one figure, as far as they were recorded."""
    with suppress(InputError):  # said on the card
        events = {name: facts(run).events for name, run in runs.items() if facts(run).events}
        if len(events) > 1:
            from nmt.charts.curves import learning_curves

            figure = learning_curves(events, dark=dark_page())
            alt = strings.CURVES_ALT.format(names=", ".join(events))
            st.plotly_chart(figure, key="curves", config={"displayModeBar": False}, alt=alt)
            st.caption(strings.CURVES_CAPTION)


def _show_card(name: str, run: RunInfo) -> None:
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
    if facts_of_run.events:
        from nmt.charts.curves import learning_curve

        st.plotly_chart(learning_curve(facts_of_run.events), key=f"curve-{name}", config={"displayModeBar": False})
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


def show_scores(run: RunInfo, *, key: str) -> None:
    """Show tables of the results in the run folder; a plain sentence if there are none."""
    try:
        system, errors = evaluated(run.path), read_error_rates(run.path)
    except InputError as error:
        st.warning(as_sentence(str(error)))
        return
    evaluations = list(system.evaluations.values())
    if not evaluations and not errors:
        st.caption(strings.NOT_EVALUATED)
        return
    if evaluations:
        _show_test_sets(system, key)
        _show_lengths(evaluations, key)
    if errors:
        _show_alignment(errors, key)


def _show_test_sets(system: EvaluatedSystem, key: str) -> None:
    names = list(system.evaluations)
    everything, no_unk = (entries({key: system}, names, column)[key] for column in (False, True))
    sentences = {name: evaluation.sentences_given for name, evaluation in system.evaluations.items()}
    rows = [_row(name, sentences[name], everything[name], no_unk[name]) for name in names]
    together = everything[ALL_SETS]
    if together is not None and len({*names} - {*NOT_POOLED}) > 1:
        rows.append(_row(ALL_SETS, together.sentences, together, no_unk[ALL_SETS]))
    frame = pd.DataFrame(rows).dropna(axis="columns", how="all")
    number = st.column_config.NumberColumn
    st.markdown(strings.TEST_SETS)
    st.dataframe(
        frame,
        hide_index=True,
        key=f"scores-{key}",
        placeholder=NOTHING,
        column_config={
            strings.SENTENCES: number(format="localized"),
            strings.BLEU: number(format="%.1f", help=strings.HIGHER_IS_BETTER),
            strings.BLEU_KNOWN: number(format="%.1f", help=strings.BLEU_KNOWN_HELP),
            strings.KNOWN_SENTENCES: number(format="localized", help=strings.KNOWN_SENTENCES_HELP),
            strings.CHRF: number(format="%.1f", help=strings.HIGHER_IS_BETTER),
            strings.TER: number(format="%.1f", help=strings.EDITS),
        },
    )
    with st.popover(strings.SIGNATURES, type="tertiary"):
        st.code("\n".join(signatures([*system.evaluations.values()])), language=None, wrap_lines=True)


def _row(name: str, sentences: int, everything: Entry | None, no_unk: Entry | None) -> dict[str, str | float | None]:
    return {
        strings.TEST_SET: name,
        strings.SENTENCES: sentences,
        strings.BLEU: None if everything is None else everything.bleu,
        strings.BLEU_KNOWN: None if no_unk is None else no_unk.bleu,
        strings.KNOWN_SENTENCES: None if no_unk is None else no_unk.sentences,
        strings.CHRF: None if everything is None else everything.chrf,
        strings.TER: None if everything is None else everything.ter,
    }


def _show_lengths(evaluations: Sequence[Evaluation], key: str) -> None:
    rows = [
        {strings.TEST_SET: e.test_set or "", **{b.span.replace("-", "–"): b.bleu for b in _buckets(e)}}
        for e in evaluations
        if _buckets(e)
    ]
    if rows:
        frame = pd.DataFrame(rows).dropna(axis="columns", how="all")
        st.markdown(strings.BY_LENGTH)
        columns = dict.fromkeys(frame.columns[1:], st.column_config.NumberColumn(format="%.1f"))
        st.dataframe(frame, hide_index=True, key=f"lengths-{key}", placeholder=NOTHING, column_config=columns)


def _buckets(evaluation: Evaluation) -> tuple[LengthBucket, ...]:
    from nmt.evaluation.length_curves import bleu_by_length

    statistics = evaluation.statistics()
    return () if statistics is None else bleu_by_length(statistics)


def _show_alignment(errors: Mapping[str, Sequence[MeasuredErrorRate]], key: str) -> None:
    st.markdown(strings.AGAINST_GOLD)
    columns = dict.fromkeys(
        (strings.AER, strings.PRECISION, strings.RECALL), st.column_config.NumberColumn(format="%.1f")
    )
    frame = error_rates({key: errors}).drop(columns=strings.CHECKPOINT)
    st.dataframe(frame, hide_index=True, key=f"aer-{key}", column_config=columns)


_CHECKSUM, _DIGITS = re.compile(r"[0-9a-f]{64}"), 12


def _show_difference(runs: Mapping[str, RunInfo]) -> None:
    """Ask for two checkpoints, and show the settings in which they differ, and all others on demand."""
    names = list(runs)
    options = {name: name for name in names}
    with st.container(horizontal=True, vertical_alignment="bottom"):
        first = choose_one(st.selectbox, strings.FIRST, options, key="first", what=strings.A_CHECKPOINT, width=260)
        second = choose_one(
            st.selectbox,
            strings.SECOND,
            options,
            key="second",
            default=names[1],
            what=strings.A_CHECKPOINT,
            width=260,
        )
        everything = st.toggle(strings.ALL_SETTINGS, key="all", bind="query-params")
    pairs = compare_settings(runs[first], runs[second])
    different = [pair for pair in pairs if pair.differs]
    if not different:
        st.info(strings.SAME_SETTINGS, icon=":material/equal:")
    shown = pairs if everything else different
    if shown:
        st.dataframe(
            _frame(shown, first, second, marked=everything), hide_index=True, key="settings-board", height="content"
        )
    st.caption(strings.SETTINGS_CAPTION.format(different=len(different), all=len(pairs)))


def _frame(pairs: Sequence[SettingPair], first: str, second: str, *, marked: bool) -> pd.DataFrame:
    columns: dict[str, list[str]] = {strings.SETTING: [pair.name for pair in pairs]}
    columns[first] = [_text(pair.first) for pair in pairs]
    columns[second if second != first else f"{second} "] = [_text(pair.second) for pair in pairs]
    if marked:  # where all settings are shown; else each of them differs
        columns[strings.DIFFERS] = ["≠" if pair.differs else "" for pair in pairs]
    return pd.DataFrame(columns)


def _text(value: Any) -> str:
    """Spell a setting as --set takes it."""
    if isinstance(value, tuple):
        return ",".join(map(str, value))
    text = value if isinstance(value, str) else json.dumps(value)
    return f"{text[:_DIGITS]}…" if _CHECKSUM.fullmatch(text) else text
