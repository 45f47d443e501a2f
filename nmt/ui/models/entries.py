"""Scores of systems as rows, for the board of all systems and the card of one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd

from nmt.evaluation.comparison import scores_by_set
from nmt.evaluation.evaluation_files import EvaluatedSystem
from nmt.evaluation.measurement_files import MeasuredErrorRate
from nmt.reproduce.test_sets import NOT_POOLED
from nmt.results import ALL_SETS, Entry, Evaluation
from nmt.ui.models import strings


def entries(
    systems: Mapping[str, EvaluatedSystem], sets: Sequence[str], no_unk: bool
) -> dict[str, dict[str, Entry | None]]:
    """Find, by system, the scores by test set and of all test sets, as ``compare`` has them."""
    entries_by_set: dict[str, dict[str, Entry | None]] = {}
    for name, scores in zip(systems, scores_by_set([*systems.values()], sets, NOT_POOLED), strict=True):
        columns_of_run = {s: (each.no_unk if no_unk else each.everything) for s, each in scores.items()}
        saved = {s: columns_of_run.get(s) for s in sets}
        pooled = {s: entry for s, entry in saved.items() if s not in NOT_POOLED}
        apart = {s: entry for s, entry in saved.items() if s in NOT_POOLED}
        entries_by_set[name] = {**pooled, ALL_SETS: columns_of_run.get(ALL_SETS), **apart}
    return entries_by_set


def error_rates(errors: Mapping[str, Mapping[str, Sequence[MeasuredErrorRate]]]) -> pd.DataFrame:
    """Tabulate alignment error rates in per cent, by system and gold set, the best first for each gold set."""
    rows = [
        {
            strings.CHECKPOINT: name,
            strings.GOLD_LINKS: gold,
            strings.LINKS_FROM: one.map or "",
            strings.RULE: one.rule.removeprefix(f"{one.map} "),
            strings.AER: 100 * one.aer,
            strings.PRECISION: 100 * one.precision,
            strings.RECALL: 100 * one.recall,
            strings.PAIRS: one.sentences,
        }
        for name, rates in errors.items()
        for gold, measured in rates.items()
        for one in measured
    ]
    return pd.DataFrame(rows).sort_values([strings.GOLD_LINKS, strings.AER], kind="stable") if rows else pd.DataFrame()


def signatures(evaluations: Sequence[Evaluation]) -> list[str]:
    """List the signatures of the BLEU scores, of both columns."""
    return [
        condition.signature
        for evaluation in evaluations
        for condition in (evaluation.everything, evaluation.no_unk)
        if condition is not None
    ]
