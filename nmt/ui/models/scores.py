"""What a checkpoint scored: the test sets, sentence lengths and gold links that it was measured on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import pandas as pd
import streamlit as st

from nmt.errors import InputError
from nmt.reproduce.released import NOT_POOLED
from nmt.results import ALL_SETS, Evaluation, LengthBucket, SentenceStatistics
from nmt.runs.folder import RunInfo
from nmt.ui.formatting import as_sentence

if TYPE_CHECKING:
    from nmt.evaluation.error_rate_files import MeasuredErrorRate


def show_scores(run: RunInfo, *, key: str) -> None:
    """Tables of what is kept in the run folder; a plain sentence where there is nothing."""
    from nmt.evaluation.error_rate_files import read_error_rates
    from nmt.evaluation.evaluation_files import read_evaluated_system

    try:
        evaluations = list(read_evaluated_system(run.path).evaluations.values())
        errors = read_error_rates(run.path)
    except InputError as error:
        st.warning(as_sentence(str(error)))
        return
    if not evaluations and not errors:
        st.caption(
            "Not evaluated yet: python -m nmt evaluate measures a checkpoint on a test set and keeps the scores."
        )
        return
    if evaluations:
        _show_test_sets(evaluations, key)
        _show_lengths(evaluations, key)
    if errors:
        _show_alignment(errors, key)


def _show_test_sets(evaluations: Sequence[Evaluation], key: str) -> None:
    rows = [_row(evaluation) for evaluation in evaluations]
    joined = _joined([each for each in evaluations if each.test_set not in NOT_POOLED])
    if joined is not None:
        rows.append(joined)
    frame = pd.DataFrame(rows).dropna(axis="columns", how="all")
    number = st.column_config.NumberColumn
    st.markdown("**Translation of the test sets** (Table 1 of the paper)")
    st.dataframe(
        frame,
        hide_index=True,
        key=f"scores-{key}",
        column_config={
            "Sentences": number(format="localized"),
            "BLEU": number(format="%.1f", help="0 to 100, higher is better."),
            "BLEU, no UNK": number(
                format="%.1f", help="[UNK] forbidden; only sentences without an unknown word on either side."
            ),
            "of sentences": number(format="localized", help="How many sentences have no unknown word on either side."),
            "chrF": number(format="%.1f", help="0 to 100, higher is better."),
            "TER": number(format="%.1f", help="Edits per 100 words; lower is better."),
        },
    )
    signatures = [
        condition.scores.bleu.signature
        for evaluation in evaluations
        for condition in (evaluation.everything, evaluation.no_unk)
        if condition is not None
    ]
    with st.popover("Signatures", type="tertiary"):
        st.code("\n".join(signatures), language=None, wrap_lines=True)


def _row(evaluation: Evaluation) -> dict[str, str | float | None]:
    everything, no_unk = (None if c is None else c.scores for c in (evaluation.everything, evaluation.no_unk))
    return {
        "Test set": evaluation.test_set or "",
        "Sentences": evaluation.sentences_given,
        "BLEU": None if everything is None else everything.bleu.value,
        "BLEU, no UNK": None if no_unk is None else no_unk.bleu.value,
        "of sentences": None if no_unk is None else no_unk.sentences,
        "chrF": None if everything is None else everything.chrf.value,
        "TER": None if everything is None else everything.ter.value,
    }


def _joined(evaluations: Sequence[Evaluation]) -> dict[str, str | float | None] | None:
    """All test sets as one; None if there is but one, or one has no statistics."""
    from nmt.evaluation.bleu import corpus_scores

    found = [evaluation.statistics() for evaluation in evaluations]
    known = [statistics for statistics in found if statistics is not None]
    if len(known) < max(2, len(found)):
        return None
    entry = corpus_scores(SentenceStatistics.join(known))
    row: dict[str, str | float | None] = {"Test set": ALL_SETS, "Sentences": entry.sentences}
    row |= {"BLEU": entry.bleu, "chrF": entry.chrf, "TER": entry.ter}
    strict = [statistics for e in evaluations if (statistics := e.statistics(no_unk=True)) is not None]
    if len(strict) == len(known):
        entry = corpus_scores(SentenceStatistics.join(strict))
        row |= {"BLEU, no UNK": entry.bleu, "of sentences": entry.sentences}
    return row


def _show_lengths(evaluations: Sequence[Evaluation], key: str) -> None:
    rows = [{"Test set": e.test_set or "", **{b.span: b.bleu for b in _buckets(e)}} for e in evaluations if _buckets(e)]
    if rows:
        frame = pd.DataFrame(rows).dropna(axis="columns", how="all")
        st.markdown("**BLEU by words of the source** (Figure 2 of the paper)")
        columns = dict.fromkeys(frame.columns[1:], st.column_config.NumberColumn(format="%.1f"))
        st.dataframe(frame, hide_index=True, key=f"lengths-{key}", column_config=columns)


def _buckets(evaluation: Evaluation) -> tuple[LengthBucket, ...]:
    """Out of the statistics, or as an old file has them."""
    from nmt.evaluation.by_length import bleu_by_length

    statistics = evaluation.statistics()
    if statistics is not None:
        return bleu_by_length(statistics)
    return () if evaluation.everything is None else evaluation.everything.scores.by_length


def _show_alignment(errors: Mapping[str, Sequence[MeasuredErrorRate]], key: str) -> None:
    rows = [
        {
            "Gold links": gold,
            "Links from": found.map or "",
            "Rule": found.rule.removeprefix(f"{found.map} "),
            "AER": 100 * found.error.aer,
            "Precision": 100 * found.error.precision,
            "Recall": 100 * found.error.recall,
            "Pairs": found.error.sentences,
        }
        for gold, measured in errors.items()
        for found in sorted(measured, key=lambda found: found.error.aer)
    ]
    st.markdown("**Alignment against gold links**, in per cent; a low error rate (AER) is good")
    columns = dict.fromkeys(("AER", "Precision", "Recall"), st.column_config.NumberColumn(format="%.1f"))
    st.dataframe(pd.DataFrame(rows), hide_index=True, key=f"aer-{key}", column_config=columns)
