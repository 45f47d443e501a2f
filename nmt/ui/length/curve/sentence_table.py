"""The sentences of a range of lengths as a table, which can be sorted by possible causes of a difference."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from nmt.evaluation.sentence_scores import sentence_scores
from nmt.results import SentenceStatistics, WrittenSentence
from nmt.results.comparison import LOWER_IS_BETTER
from nmt.results.statistics import Counts

NUMBER, WORDS, TEXT, DIFFERENCE, RATIO = "no", "words", "sentence", "difference", "length-ratio"
UNKNOWN, COVERAGE, ENTROPY, ATTENTION = "unknown-words", "least-coverage", "entropy", "attention-apart"
"""Columns, as the address has them; their names for readers are in the table of strings."""
SORTS = (DIFFERENCE, RATIO, UNKNOWN, COVERAGE, ENTROPY, ATTENTION, NUMBER, WORDS)
"""Columns by which sentences can be sorted."""


@dataclass(frozen=True, eq=False, kw_only=True)
class SentenceTableData:
    """Data of the sentences of a range.

    Attributes:
        numbers: of each sentence in the test sets, from 1.
        lengths: in words.
        sources: the sentences; None if they are not available.
        first, second: statistics of two systems over these sentences; ``second`` is None if there is only one.
        first_name, second_name: the systems.
        translations: of the first system, by source, as far as they are known.
        divergence: by number; empty or None if it is not computed.
    """

    numbers: Sequence[int]
    lengths: Counts
    sources: Sequence[str | None]
    first_name: str
    first: SentenceStatistics
    second_name: str = ""
    second: SentenceStatistics | None = None
    translations: Mapping[str, WrittenSentence] | None = None
    divergence: Mapping[int, float] | None = None


def table(data: SentenceTableData, metric: str) -> pd.DataFrame:
    """Make a table of one row per sentence; columns without any value are left out."""
    scores = sentence_scores(data.first, metric)
    columns: dict[str, object] = {NUMBER: list(data.numbers), WORDS: data.lengths}
    columns[f"{metric} {data.first_name}"] = scores
    if data.second is not None:
        others = sentence_scores(data.second, metric)
        better = others - scores if metric in LOWER_IS_BETTER else scores - others
        columns |= {f"{metric} {data.second_name}": others, DIFFERENCE: better}
    reference = data.first.pairs.reference_length
    columns[RATIO] = np.where(reference > 0, data.first.hypotheses.length / np.maximum(reference, 1), np.nan)
    unknown = data.first.pairs.source_unknown
    if unknown is not None:
        columns[UNKNOWN] = unknown
    summaries = [
        None if source is None or (written := (data.translations or {}).get(source)) is None else written.alignment
        for source in data.sources
    ]
    if any(summary is not None for summary in summaries):
        columns[COVERAGE] = [None if s is None else s.least_coverage for s in summaries]
        columns[ENTROPY] = [None if s is None else s.entropy for s in summaries]
    if data.divergence:
        columns[ATTENTION] = [data.divergence.get(number) for number in data.numbers]
    if any(source is not None for source in data.sources):
        columns[TEXT] = list(data.sources)
    return pd.DataFrame(columns)


def ordered(frame: pd.DataFrame, by: str, largest_first: bool) -> pd.DataFrame:
    """Sort the rows by a column; missing values come last, and equal ones keep their order."""
    return frame.sort_values(by, ascending=not largest_first, kind="stable", na_position="last")


def beginning_with(frame: pd.DataFrame, by: str) -> pd.DataFrame:
    """The same rows, with the columns in this order: number of the sentence, the column ``by``, the sentence, scores,
    others."""
    scores = [name for name in frame.columns if name.startswith(("BLEU ", "chrF ", "TER "))]
    first = dict.fromkeys([NUMBER, by, TEXT, DIFFERENCE, *scores, *frame.columns])
    return frame[[name for name in first if name in frame.columns]]
