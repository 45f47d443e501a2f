"""What a checkpoint scored: the test sets, sentence lengths and gold links that it was measured on."""

from __future__ import annotations

from collections.abc import Iterable

import pandas as pd
import streamlit as st

from nmt.errors import InputError
from nmt.results import Evaluation, Scores
from nmt.run_folder import RunInfo
from nmt.ui.text import as_sentence

_BLEU = st.column_config.NumberColumn("BLEU", format="%.1f", help="0 to 100, higher is better.")
_PER_CENT = st.column_config.NumberColumn(format="%.1f")


def show_scores(run: RunInfo, *, key: str) -> None:
    """Tables of what is kept in the run folder; a plain sentence where there is nothing."""
    from nmt.evaluation.stored import read_evaluated
    from nmt.evaluation.stored_errors import read_errors

    try:
        evaluations = list(read_evaluated(run.path).evaluations.values())
        errors = read_errors(run.path)
    except InputError as error:
        st.warning(as_sentence(str(error)))
        return
    if not evaluations and not errors:
        st.caption(
            "Not evaluated yet: `python -m nmt evaluate` measures a checkpoint on a test set and keeps the scores."
        )
        return
    if evaluations:
        _show_test_sets(evaluations, key)
        _show_lengths(evaluations, key)
    if errors:
        rows = [
            {
                "Gold links": gold,
                "Links from": found.map or "",
                "Rule": found.rule,
                "AER": 100 * found.error.aer,
                "Precision": 100 * found.error.precision,
                "Recall": 100 * found.error.recall,
                "Pairs": found.error.sentences,
            }
            for gold, measured in errors.items()
            for found in sorted(measured, key=lambda found: found.error.aer)
        ]
        st.markdown("**Alignment against gold links**, in per cent; a low error rate (AER) is good")
        columns = dict.fromkeys(("AER", "Precision", "Recall"), _PER_CENT)
        st.dataframe(pd.DataFrame(rows), hide_index=True, key=f"aer-{key}", column_config=columns)


def _show_test_sets(evaluations: Iterable[Evaluation], key: str) -> None:
    rows = []
    signatures = []
    for evaluation in evaluations:
        both = [None if c is None else c.scores for c in (evaluation.everything, evaluation.no_unk)]
        everything, no_unk = both
        rows.append(
            {
                "Test set": evaluation.test_set or "",
                "Sentences": evaluation.sentences_given,
                "BLEU": None if everything is None else everything.bleu.value,
                "BLEU, no UNK": None if no_unk is None else no_unk.bleu.value,
                "of sentences": None if no_unk is None else no_unk.sentences,
                "chrF": None if everything is None else everything.chrf.value,
                "TER": None if everything is None else everything.ter.value,
            }
        )
        signatures += [scores.bleu.signature for scores in both if scores is not None]
    st.markdown("**Translation of the test sets** (Table 1 of the paper)")
    st.dataframe(
        pd.DataFrame(rows),
        hide_index=True,
        key=f"scores-{key}",
        column_config={
            "BLEU": _BLEU,
            "BLEU, no UNK": st.column_config.NumberColumn(
                format="%.1f",
                help="[UNK] forbidden; only sentences without an unknown word on either side.",
            ),
            "chrF": st.column_config.NumberColumn(format="%.1f", help="0 to 100, higher is better."),
            "TER": st.column_config.NumberColumn(format="%.1f", help="Edits per 100 words; lower is better."),
        },
    )
    with st.popover("Signatures", type="tertiary"):
        st.code("\n".join(signatures), language=None, wrap_lines=True)


def _show_lengths(evaluations: Iterable[Evaluation], key: str) -> None:
    rows = [
        {"Test set": evaluation.test_set or "", **_by_length(evaluation.everything.scores)}
        for evaluation in evaluations
        if evaluation.everything is not None and evaluation.everything.scores.by_length
    ]
    if rows:
        st.markdown("**BLEU by words of the source** (Figure 2 of the paper)")
        frame = pd.DataFrame(rows)
        columns = dict.fromkeys(frame.columns[1:], _PER_CENT)
        st.dataframe(frame, hide_index=True, key=f"lengths-{key}", column_config=columns)


def _by_length(scores: Scores) -> dict[str, float | None]:
    return {bucket.span: bucket.bleu for bucket in scores.by_length}
