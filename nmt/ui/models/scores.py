"""Scores of a checkpoint: the test sets, sentence lengths and gold links that it was measured on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd
import streamlit as st

from nmt.errors import InputError
from nmt.evaluation.evaluation_files import EvaluatedSystem
from nmt.evaluation.measurement_files import MeasuredErrorRate, read_error_rates
from nmt.reproduce.test_sets import NOT_POOLED
from nmt.results import ALL_SETS, Entry, Evaluation, LengthBucket
from nmt.runs.folder import RunInfo
from nmt.tables.table import NOTHING
from nmt.ui.evaluated import evaluated
from nmt.ui.formatting import as_sentence
from nmt.ui.models import strings
from nmt.ui.models.entries import entries, error_rates, signatures


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
        {strings.TEST_SET: e.test_set or "", **{b.span: b.bleu for b in _buckets(e)}}
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
