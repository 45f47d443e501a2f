"""Comparison of systems by the statistics in their evaluations, in the column "All" or "No UNK" of Table 1. The systems
have one language pair and were evaluated on the same sentences. Tests use only sentences that all systems share."""

from __future__ import annotations

import difflib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from types import MappingProxyType

import numpy as np

from nmt.errors import InputError
from nmt.evaluation.evaluation_files import EvaluatedSystem
from nmt.evaluation.length_curves import DEFAULTS, LengthAnalysisSettings, length_analysis
from nmt.evaluation.metrics import corpus_scores
from nmt.evaluation.score_files import held_beside, left_out
from nmt.results import (
    ALL_SETS,
    UNKNOWN_LANGUAGES,
    Comparison,
    Evaluation,
    Languages,
    Likelihood,
    PairStatistics,
    SentenceStatistics,
    SetScores,
)
from nmt.results.statistics import Counts, ImportedScores
from nmt.texts import say


def on_other_sentences(systems: Mapping[str, EvaluatedSystem], part: str) -> list[str]:
    """Names of the systems whose sentences of the test set ``part`` differ from the most frequent ones. If two versions
    of the sentences are equally frequent, the first counts. Systems with unknown sentences are not named."""
    sums = {
        name: (evaluation.source_sha256, evaluation.reference_sha256)
        for name, system in systems.items()
        if (evaluation := system.evaluations.get(part)) is not None
    }
    usual = Counter(both for both in sums.values() if all(both)).most_common()
    return [name for name, both in sums.items() if all(both) and both != usual[0][0]]


def of_first_pair(systems: Sequence[EvaluatedSystem]) -> tuple[list[EvaluatedSystem], str]:
    """Select the systems with the first known language pair, and the systems of unknown languages. Also return a
    sentence that names the excluded systems, or "" if none is excluded."""
    pair = next((system.languages for system in systems if system.languages.known), UNKNOWN_LANGUAGES)
    others = [system for system in systems if not system.languages.fit(pair)]
    named = ", ".join(f"{system.name} ({system.languages})" for system in others)
    note = f"Excluded (the others are {pair}): {named}." if others else ""
    return [system for system in systems if system.languages.fit(pair)], note


def by_pair(systems: Sequence[EvaluatedSystem]) -> dict[Languages, list[EvaluatedSystem]]:
    """Group systems by language pair, in the order of first occurrence. The group of the first known pair also has the
    systems of unknown languages."""
    pairs = [system.languages for system in systems if system.languages.known]
    evaluated: dict[Languages, list[EvaluatedSystem]] = {}
    for system in systems:
        pair = system.languages if system.languages.known or not pairs else pairs[0]
        evaluated.setdefault(pair, []).append(system)
    return evaluated


def common_sentences(
    systems: Mapping[str, EvaluatedSystem], parts: Sequence[str], *, no_unk: bool
) -> dict[str, SentenceStatistics]:
    """Concatenate the statistics of all ``parts``, for each system that was evaluated on all of them.

    Args:
        systems: the systems by name. All systems evaluated on a set are assumed to use the same sentences of the set.
        no_unk: use the column "No UNK": translations without [UNK], and only pairs without a word unknown to any of the
            systems. The output of an external system is used unchanged.

    The result is empty if there is no part, no system with all parts, no pair left, or no run and ``no_unk`` is set.
    """
    measured = {
        name: [e for part in parts if (e := system.evaluations.get(part)) and has_column(e, no_unk)]
        for name, system in systems.items()
    }
    usable = {name: of_parts for name, of_parts in measured.items() if len(of_parts) == len(parts)}
    columns: dict[str, list[SentenceStatistics]] = {name: [] for name in usable}
    for of_part in zip(*usable.values(), strict=True):
        rows = _common(of_part) if no_unk else None
        if no_unk and rows is None:
            return {}
        for name, evaluation in zip(usable, of_part, strict=True):
            columns[name].append(_column(evaluation, rows))
    joined = {name: SentenceStatistics.join(of_parts) for name, of_parts in columns.items() if of_parts}
    return {name: statistics for name, statistics in joined.items() if len(statistics)}


def common_rows(systems: Mapping[str, EvaluatedSystem], part: str, *, no_unk: bool) -> Counts:
    """Ascending indices of the sentences that ``common_sentences`` takes from the test set ``part`` for these systems.
    Every system must be in the result of ``common_sentences``."""
    of_part = [evaluation for system in systems.values() if (evaluation := system.evaluations.get(part)) is not None]
    common = _common(of_part) if no_unk else None
    return np.arange(of_part[0].sentences_given) if common is None else common


def has_column(evaluation: Evaluation, no_unk: bool) -> bool:
    """Return whether the column "No UNK" (if ``no_unk``) or "All" was measured. "All" also counts as "No UNK" for an
    external system, and for a run if every sentence has an unknown word."""
    rows = evaluation.pairs.without_unknown()
    if not no_unk or rows is None:
        return evaluation.statistics() is not None
    return evaluation.statistics(no_unk=True) is not None or (not len(rows) and evaluation.statistics() is not None)


def _common(evaluations: Sequence[Evaluation]) -> Counts | None:
    """Indices of the pairs without a word unknown to any run, or None if there is no run."""
    rows_of_runs = [rows for e in evaluations if (rows := e.pairs.without_unknown()) is not None]
    return reduce(np.intersect1d, rows_of_runs) if rows_of_runs else None


def _column(evaluation: Evaluation, rows: Counts | None) -> SentenceStatistics:
    """Statistics of the column "All" if ``rows`` is None. Else of these sentences of the column "No UNK"."""
    if rows is None:
        everything = evaluation.statistics()
        assert everything is not None
        return everything
    without_unknown = evaluation.pairs.without_unknown()
    column = evaluation.statistics(no_unk=without_unknown is not None)
    if column is None:  # no pair of the run is without unknown words, so it was not measured
        assert not len(rows)
        column = evaluation.statistics()
        assert column is not None
        return column.take([])
    return column.take(rows if without_unknown is None else np.isin(without_unknown, rows))


def compare(
    systems: Sequence[EvaluatedSystem],
    test_sets: Sequence[str] = (),
    closer: Sequence[str] = (),
    settings: LengthAnalysisSettings = DEFAULTS,
    apart: Sequence[str] = (),
    scores: Mapping[str, ImportedScores] = MappingProxyType({}),
    documents: Sequence[str] = (),
) -> Comparison:
    """Compute the scores of all systems on all test sets, and intervals and tests on the sets in ``closer``.

    The column "No UNK" of an external system counts the pairs that have no word unknown to the first run. Missing
    evaluations are omitted and listed in ``notes``.

    Args:
        test_sets: names of test sets, in the order wanted. Empty = all available test sets.
        closer: the sets, or "all test sets", that get intervals by length and pairwise tests. Empty = "all test sets",
            or each set if no system has every set.
        apart: sets that are not part of "all test sets".
        scores: scores of another program, by system, for all sentences of the one set in ``closer``. They replace the
            metric of the settings.
        documents: the document of each of these sentences, to compare documents. Empty = compare sentences.

    Raises:
        InputError: two systems have different languages (``of_first_pair``) or different sentences of a set. Or no
            system was evaluated on a requested set, no sentence has scores, or there is nothing to compare.

    Paper: Table 1, Figure 2
    """
    if note := of_first_pair(systems)[1]:
        raise InputError(f"a table can only hold one language pair. {note}")
    named = by_name(systems)
    parts = tuple(dict.fromkeys(test_sets or sorted({name for system in systems for name in system.evaluations})))
    for part in dict.fromkeys((*parts, *(name for name in closer if name != ALL_SETS))):
        _check_sentences(named, part)
    pooled = tuple(part for part in parts if part not in apart)
    sets = (*pooled, *([ALL_SETS] if len(pooled) > 1 else []), *(part for part in parts if part in apart))
    columns = dict(zip(named, _columns([*named.values()], parts, apart), strict=True))
    available = [name for name in sets if any(name in columns_of_set for columns_of_set in columns.values())]
    wanted = tuple(closer) or tuple([ALL_SETS] if ALL_SETS in available else available)
    if not wanted:
        raise InputError(say("errors.nothing_to_compare"))
    missing = {key: [part for part in parts if part not in system.evaluations] for key, system in named.items()}
    lacks = [say("errors.was_not_evaluated", system=key, test_sets=", ".join(s)) for key, s in missing.items() if s]
    looks, notes = [], [*lacks, *different_no_unk(named, parts)]
    for name in wanted:
        columns_of_set = common_sentences(named, pooled if name == ALL_SETS else [name], no_unk=settings.no_unk)
        if not columns_of_set:
            column = ' in the column "No UNK"' if settings.no_unk else ""
            others = [part for part in parts if common_sentences(named, [part], no_unk=settings.no_unk)]
            there_are = f"there are some on {', '.join(others)}" if others else "evaluate a system on it first"
            raise InputError(f"no evaluation with statistics was found on {name!r}{column}: {there_are}")
        control = None
        if scores:
            rows = common_rows({key: named[key] for key in columns_of_set}, name, no_unk=settings.no_unk)
            columns_of_rows = {key: imported.take(rows) for key, imported in scores.items()}
            row_documents = [documents[row] for row in rows] if documents else []
            held = held_beside(columns_of_set, columns_of_rows, row_documents)
            if held is None:
                raise InputError(say("errors.scores_of_none", test_set=name))
            if note := left_out(held, len(rows), row_documents):
                notes.append(note)
            if documents:
                held = held.by_document([row_documents[row] for row in held.rows])
            columns_of_set, control, settings = held.systems, held.control, replace(settings, metric=held.metric)
        trained_to = {key: system.trained_to for key, system in named.items()}
        look = length_analysis(name, columns_of_set, settings, trained_to, control)
        looks.append(look.of_documents() if documents else look)
    return Comparison(
        systems=tuple(named),
        test_sets=sets,
        scores={name: _all_scores(system, columns[name]) for name, system in named.items()},
        closer=tuple(looks),
        notes=tuple(notes),
        resamples=settings.resamples,
        seed=settings.seed,
        trials=settings.trials,
    )


def scores_by_set(
    systems: Sequence[EvaluatedSystem], parts: Sequence[str], apart: Sequence[str] = ()
) -> list[dict[str, SetScores]]:
    """Scores of each system by test set, equal to those of ``compare``. A set without an evaluation is left out. If the
    system has all ``parts`` that are not ``apart``, and these are several, ALL_SETS is included."""
    columns = _columns(systems, parts, apart)
    return [_all_scores(system, columns_of_set) for system, columns_of_set in zip(systems, columns, strict=True)]


def statistics_by_set(
    systems: Sequence[EvaluatedSystem], parts: Sequence[str], apart: Sequence[str] = (), *, no_unk: bool
) -> list[dict[str, SentenceStatistics]]:
    """The statistics from which ``scores_by_set`` computes the scores of one column. Sets without them are left out."""
    by_system = []
    for columns in _columns(systems, parts, apart):
        chosen = {name: column.no_unk if no_unk else column.everything for name, column in columns.items()}
        by_system.append({name: counts for name, counts in chosen.items() if counts is not None and len(counts)})
    return by_system


def different_no_unk(systems: Mapping[str, EvaluatedSystem], parts: Sequence[str]) -> list[str]:
    """Write a note on each of ``parts`` whose column "No UNK" counts different sentences for different systems.
    ``systems``: the systems by the names that the notes use."""
    notes: list[str] = []
    columns = dict(zip(systems, _columns([*systems.values()], parts, apart=parts), strict=True))
    for part in parts:
        counted = {
            name: rows
            for name, columns_of_system in columns.items()
            if part in columns_of_system
            and columns_of_system[part].no_unk is not None
            and (rows := systems[name].evaluations[part].pairs.without_unknown()) is not None
        }
        if len({rows.tobytes() for rows in counted.values()}) > 1:
            listed = ", ".join(f"{len(rows):,} for {name}" for name, rows in counted.items())
            notes.append(say("errors.other_no_unk", test_set=part, counts=listed))
    return notes


def _all_scores(system: EvaluatedSystem, columns: Mapping[str, _Columns]) -> dict[str, SetScores]:
    scores = {}
    for test_set, column in columns.items():
        everything, no_unk, evaluation = column.everything, column.no_unk, system.evaluations.get(test_set)
        conditions = (None, None) if evaluation is None else (evaluation.everything, evaluation.no_unk)
        signatures = ["" if condition is None else condition.signature for condition in conditions]
        scores[test_set] = SetScores(
            everything=None if everything is None else corpus_scores(everything),
            no_unk=None if no_unk is None or not len(no_unk) else corpus_scores(no_unk),
            likelihood=None if everything is None else _likelihood(everything.pairs),
            signature=signatures[0],
            no_unk_signature=signatures[1],
        )
    return scores


@dataclass(frozen=True)
class _Columns:
    """The columns "All" and "No UNK" of a system on a test set. A column that was not measured is None."""

    everything: SentenceStatistics | None
    no_unk: SentenceStatistics | None


def by_name(systems: Sequence[EvaluatedSystem]) -> dict[str, EvaluatedSystem]:
    """Systems by name, or by path if two have the same name."""
    times = Counter(system.name for system in systems)
    return {system.name if times[system.name] == 1 else str(system.path): system for system in systems}


def not_evaluated_on(test_set: str, systems: Iterable[EvaluatedSystem]) -> InputError:
    """Return the error that no system was evaluated on a test set. The error names the most similar test set. If none
    is similar, it names all test sets."""
    names = sorted({name for system in systems for name in system.evaluations})
    if near := difflib.get_close_matches(test_set, names, 1):
        return InputError(say("errors.not_evaluated_on_but", test_set=test_set, near=near[0]))
    if not names:
        return InputError(say("errors.nothing_to_compare"))
    return InputError(say("errors.not_evaluated_on", test_set=test_set, others=", ".join(names)))


def _check_sentences(systems: Mapping[str, EvaluatedSystem], test_set: str) -> None:
    sums = {name: e.source_sha256 for name, system in systems.items() if (e := system.evaluations.get(test_set))}
    if not sums:
        raise not_evaluated_on(test_set, systems.values())
    if others := on_other_sentences(systems, test_set):
        second = others[0]
        first = next(name for name, source in sums.items() if name not in others and source)
        differs = sums[first] != sums[second]
        raise InputError(
            f"{first} and {second} were evaluated on different {'source' if differs else 'reference'} sentences of "
            f"{test_set!r}, so they cannot be compared"
        )


def _columns(
    systems: Sequence[EvaluatedSystem], parts: Sequence[str], apart: Sequence[str]
) -> list[dict[str, _Columns]]:
    """Look up the columns of each system, by test set. "All test sets" is included if several sets are not ``apart``
    and the system was measured on all of these sets."""
    first_rows: dict[str, Counts] = {}  # by set: the pairs without a word unknown to the first run evaluated on it
    for system in systems:
        for part in parts:
            evaluation = system.evaluations.get(part)
            rows = evaluation.pairs.without_unknown() if evaluation else None
            if rows is not None:
                first_rows.setdefault(part, rows)
    pooled = [part for part in parts if part not in apart]
    return [_columns_of(system, parts, first_rows, pooled) for system in systems]


def _columns_of(
    system: EvaluatedSystem, parts: Sequence[str], rows: Mapping[str, Counts], pooled: Sequence[str]
) -> dict[str, _Columns]:
    by_set: dict[str, _Columns] = {}
    for part in parts:
        evaluation = system.evaluations.get(part)
        if evaluation is None:
            continue
        everything, no_unk = evaluation.statistics(), evaluation.statistics(no_unk=True)
        only_output = evaluation.pairs.source_unknown is None
        if everything is not None and no_unk is None and part in rows and (only_output or not len(rows[part])):
            no_unk = everything.take(rows[part])
        by_set[part] = _Columns(everything, no_unk)
    if len(pooled) > 1 and all(part in by_set for part in pooled):
        by_set[ALL_SETS] = _Columns(
            _joined([by_set[part].everything for part in pooled]), _joined([by_set[part].no_unk for part in pooled])
        )
    return by_set


def _joined(parts: Sequence[SentenceStatistics | None]) -> SentenceStatistics | None:
    measured = [part for part in parts if part is not None]
    return SentenceStatistics.join(measured) if len(measured) == len(parts) else None


def _likelihood(pairs: PairStatistics) -> Likelihood | None:
    if pairs.reference_log_probability is None or pairs.reference_tokens is None:
        return None
    total = -float(pairs.reference_log_probability.sum())
    return Likelihood(total / len(pairs), total / float(pairs.reference_tokens.sum()))
