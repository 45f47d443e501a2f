"""Printed form of an evaluation."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from nmt.cli.options import print_json
from nmt.results import Evaluation, SentenceStatistics

if TYPE_CHECKING:
    from nmt.tables.table import Table


def print_evaluation(evaluation: Evaluation, as_json: bool) -> None:
    """Print the scores with their signatures, as text or as one line of JSON."""
    if as_json:
        print_json(evaluation.to_dict(statistics=False))
        return
    if evaluation.test_set:
        print(evaluation.test_set)
    if evaluation.everything is not None:
        _print_scores(evaluation, no_unk=False)
    if evaluation.no_unk is not None:
        known_words, total = evaluation.no_unk.sentences, evaluation.sentences_given
        print(f"{known_words} of {total} sentences have no unknown word in source and reference")
        _print_scores(evaluation, no_unk=True)
    sys.stdout.flush()


def _print_scores(evaluation: Evaluation, *, no_unk: bool) -> None:
    condition, statistics = evaluation.no_unk if no_unk else evaluation.everything, evaluation.statistics(no_unk=no_unk)
    assert condition is not None
    assert statistics is not None
    from nmt.evaluation.metrics import NEEDS_MECAB

    for score in (*condition.each, *condition.more):
        print(f"{score.metric:<5}{score.value:7.2f}  {score.signature}")
    if evaluation.languages.target == "ja" and not condition.more:
        print(NEEDS_MECAB, file=sys.stderr)
    if condition.by_length:
        print(_by_length(evaluation.system, statistics, no_unk).text())


def _by_length(system: str, statistics: SentenceStatistics, no_unk: bool) -> Table:
    """Tabulate BLEU per bucket of source length, with intervals."""
    from nmt.evaluation.bootstrap import Resamples
    from nmt.evaluation.buckets import by_width
    from nmt.evaluation.length_curves import length_curves
    from nmt.tables.comparison import lengths_table

    resamples = Resamples.draw(len(statistics))
    return lengths_table(length_curves({system: statistics}, by_width(), resamples=resamples, no_unk=no_unk))
