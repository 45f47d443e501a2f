"""Which systems can stand in one table, curve or test: those of one language pair, those evaluated on the same
sentences, and their restriction to the sentences that all of them share, in either column of Table 1."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import reduce

import numpy as np

from nmt.evaluation.evaluation_files import EvaluatedSystem
from nmt.results import UNKNOWN_LANGUAGES, Evaluation, Languages, SentenceStatistics
from nmt.results.statistics import Counts


def on_other_sentences(systems: Mapping[str, EvaluatedSystem], part: str) -> list[str]:
    """Names of the systems that were evaluated on other sentences of the test set ``part`` than most systems were; if
    two groups are as large, than the first of these. An evaluation whose sentences are not known counts as usual."""
    sums = {
        name: (evaluation.source_sha256, evaluation.reference_sha256)
        for name, system in systems.items()
        if (evaluation := system.evaluations.get(part)) is not None
    }
    usual = Counter(both for both in sums.values() if all(both)).most_common(1)
    return [name for name, both in sums.items() if all(both) and both != usual[0][0]]


def of_first_pair(systems: Sequence[EvaluatedSystem]) -> tuple[list[EvaluatedSystem], str]:
    """Select the systems with the language pair of the first system whose languages are known, and those of unknown
    languages; with a sentence that names the excluded ones, "" if there are none."""
    pair = next((system.languages for system in systems if system.languages.known), UNKNOWN_LANGUAGES)
    others = [system for system in systems if not system.languages.fit(pair)]
    named = ", ".join(f"{system.name} ({system.languages})" for system in others)
    note = f"Excluded (the others are {pair}): {named}." if others else ""
    return [system for system in systems if system.languages.fit(pair)], note


def by_pair(systems: Sequence[EvaluatedSystem]) -> dict[Languages, list[EvaluatedSystem]]:
    """Group systems by language pair, in the order of first occurrence; those of unknown languages go with the first
    pair."""
    pairs = [system.languages for system in systems if system.languages.known]
    evaluated: dict[Languages, list[EvaluatedSystem]] = {}
    for system in systems:
        pair = system.languages if system.languages.known or not pairs else pairs[0]
        evaluated.setdefault(pair, []).append(system)
    return evaluated


def common_sentences(
    systems: Mapping[str, EvaluatedSystem], parts: Sequence[str], *, no_unk: bool = False
) -> dict[str, SentenceStatistics]:
    """Statistics of each system that was evaluated on all ``parts``, over the sentences of all parts.

    Args:
        systems: by name; all systems evaluated on a set are assumed to use the same sentences of it.
        parts: names of test sets, one or more.
        no_unk: use the column "No UNK": translations without [UNK], and only pairs without a word unknown to any of the
            systems. The output of an external system is used unchanged.

    The result is empty if no run has the column, or no pair is left.
    """
    usable = {
        name: evaluations_of_parts
        for name, system in systems.items()
        if len(evaluations_of_parts := [e for part in parts if (e := system.evaluations.get(part)) and _has(e, no_unk)])
        == len(parts)
    }
    columns: dict[str, list[SentenceStatistics]] = {name: [] for name in usable}
    for k in range(len(parts)):
        of_part = {name: evaluations_of_parts[k] for name, evaluations_of_parts in usable.items()}
        rows = _common([*of_part.values()]) if no_unk else None
        if no_unk and rows is None:
            return {}
        for name, evaluation in of_part.items():
            columns[name].append(_column(evaluation, rows))
    joined = {name: SentenceStatistics.join(evaluations_of_parts) for name, evaluations_of_parts in columns.items()}
    return {name: statistics for name, statistics in joined.items() if len(statistics)}


def common_rows(systems: Mapping[str, EvaluatedSystem], part: str, *, no_unk: bool = False) -> Counts:
    """Indices, in order, of the sentences of the test set ``part`` that ``common_sentences`` uses for these systems;
    its result must contain all of them."""
    of_part = [evaluation for system in systems.values() if (evaluation := system.evaluations.get(part)) is not None]
    common = _common(of_part) if no_unk else None
    return np.arange(of_part[0].sentences_given) if common is None else common


def _has(evaluation: Evaluation, no_unk: bool) -> bool:
    kept = evaluation.pairs.without_unknown()
    if not no_unk or kept is None:
        return evaluation.statistics() is not None
    return evaluation.statistics(no_unk=True) is not None or (not len(kept) and evaluation.statistics() is not None)


def _common(evaluations: Sequence[Evaluation]) -> Counts | None:
    """Indices of the pairs without a word unknown to any run; None if there is no run."""
    kept = [rows for e in evaluations if (rows := e.pairs.without_unknown()) is not None]
    return reduce(np.intersect1d, kept) if kept else None


def _column(evaluation: Evaluation, rows: Counts | None) -> SentenceStatistics:
    """Statistics of all sentences, or of the given rows of the column "No UNK"."""
    if rows is None:
        everything = evaluation.statistics()
        assert everything is not None
        return everything
    kept = evaluation.pairs.without_unknown()
    column = evaluation.statistics(no_unk=kept is not None)
    if column is None:  # no pair of the run is without unknown words, so it was not measured
        assert not len(rows)
        column = evaluation.statistics()
        assert column is not None
        return column.take([])
    return column.take(rows if kept is None else np.isin(kept, rows))
