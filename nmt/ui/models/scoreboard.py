"""Scores of all checkpoints and external systems side by side."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import pandas as pd
import streamlit as st

from nmt.errors import InputError
from nmt.evaluation.comparable import by_pair
from nmt.evaluation.comparison import different_no_unk
from nmt.evaluation.evaluation_files import EvaluatedSystem
from nmt.evaluation.measurement_files import MeasuredErrorRate, read_error_rates
from nmt.reproduce.test_sets import KNOWN_TEST_SETS
from nmt.results import Entry, Languages
from nmt.tables.table import NOTHING
from nmt.ui.address import choose_one
from nmt.ui.checkpoints import Checkpoints
from nmt.ui.evaluated import evaluated_folders
from nmt.ui.formatting import as_sentence, escaped
from nmt.ui.models import former_values, strings
from nmt.ui.models.entries import entries, error_rates, signatures

_ALL, _KNOWN = "all", "known"


@dataclass(frozen=True)
class _Board:
    """Results of reading the scores: what was evaluated, by name, the alignment errors, by name, and what could not be
    read."""

    evaluated: dict[str, EvaluatedSystem]
    errors: dict[str, dict[str, list[MeasuredErrorRate]]]
    problems: tuple[str, ...]


def show_scoreboard(checkpoints: Checkpoints, pair: Languages) -> None:
    """Show the tables of one pair of languages; a plain sentence where there is nothing to show, and one for each file
    of scores that is broken."""
    board = _read(checkpoints)
    for problem in board.problems:
        st.warning(as_sentence(problem), icon=":material/warning:")
    board = _of_pair(board, pair)
    scored = {name: system for name, system in board.evaluated.items() if system.evaluations}
    if not scored and not board.errors:
        st.info(strings.NO_SCORES, icon=":material/info:")
        return
    if scored:
        _show_translation(scored)
    _show_alignment(board.errors)
    _show_signatures(scored)


def _of_pair(board: _Board, pair: Languages) -> _Board:
    """Select the systems of these languages, and those of unknown languages."""
    evaluated = {name: system for name, system in board.evaluated.items() if system.languages.fit(pair)}
    return replace(board, evaluated=evaluated, errors={n: e for n, e in board.errors.items() if n in evaluated})


@dataclass(frozen=True)
class SystemRow:
    """A system with its BLEU scores.

    Attributes:
    about: description of an external system; "" for a checkpoint.
    bleu: over all sentences, by test set.
    languages: unknown if neither its folder nor its evaluations name them.
    """

    about: str
    bleu: dict[str, float]
    languages: Languages


def systems_and_scores(checkpoints: Checkpoints) -> dict[str, SystemRow]:
    """Return all checkpoints whose scores can be read, and all systems, by name, with BLEU as the table of scores has
    it."""
    evaluated = _read(checkpoints).evaluated
    scores: dict[str, dict[str, Entry | None]] = {}
    for systems in by_pair([*evaluated.values()]).values():
        mine = {system.name: system for system in systems}
        sets = _test_sets(mine)
        same, _ = _same_sentences(mine, sets)
        scores |= entries(same, sets, no_unk=False)
    return {
        name: SystemRow(
            evaluated_system.about,
            {s: entry.bleu for s, entry in scores[name].items() if entry is not None},
            evaluated_system.languages,
        )
        for name, evaluated_system in evaluated.items()
    }


def _read(checkpoints: Checkpoints) -> _Board:
    folders = evaluated_folders(checkpoints)
    errors, problems = {}, [*folders.problems]
    for name, system in folders.by_name.items():
        try:
            measured = read_error_rates(system.path)
        except InputError as error:
            problems.append(str(error))
            continue
        if measured:
            errors[name] = measured
    return _Board(folders.by_name, errors, tuple(problems))


def _show_translation(scored: Mapping[str, EvaluatedSystem]) -> None:
    st.subheader(strings.TRANSLATION, anchor=False)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        metric = choose_one(
            st.segmented_control, strings.SCORE, strings.METRICS, key="score",
            former=former_values.METRICS, width="content",
        )  # fmt: skip
        column = choose_one(
            st.segmented_control,
            strings.COLUMN,
            strings.COLUMNS,
            key="column",
            former=former_values.COLUMNS,
            width="content",
        )
    sets = _test_sets(scored)
    same, mismatched = _same_sentences(scored, sets)
    rows = entries(same, sets, column == _KNOWN)
    frame = pd.DataFrame(
        [
            {strings.CHECKPOINT: name, **{s: None if e is None else getattr(e, metric) for s, e in scores.items()}}
            for name, scores in rows.items()
        ]
    ).dropna(axis="columns", how="all")
    numbers = dict.fromkeys(frame.columns[1:], st.column_config.NumberColumn(format="%.1f"))
    st.dataframe(frame, hide_index=True, key="translation-board", placeholder=NOTHING, column_config=numbers)
    counts = [
        strings.SENTENCES_OF.format(test_set=name, sentences=entry.sentences)
        for name in frame.columns[1:]
        if (entry := next((scores[name] for scores in rows.values() if scores.get(name)), None)) is not None
    ]
    st.caption(
        strings.SCORES_CAPTION.format(
            metric=strings.METRICS_EXPLAINED[metric],
            column=escaped(strings.COLUMNS_EXPLAINED[column]),
            counts=escaped(", ".join(counts)),
            nothing=NOTHING,
        )
    )
    notes = different_no_unk(same, sets) if column == _KNOWN else []
    for note in (*mismatched, *notes):
        st.caption(f":material/warning: {as_sentence(note)}")


def _test_sets(scored: Mapping[str, EvaluatedSystem]) -> list[str]:
    """The known test sets in their order; others, by name, only if none of these was used."""
    names = {name for evaluated in scored.values() for name in evaluated.evaluations}
    return [name for name, known in KNOWN_TEST_SETS.items() if name in names and known.in_table_1] or sorted(names)


def _same_sentences(
    scored: Mapping[str, EvaluatedSystem], sets: Sequence[str]
) -> tuple[dict[str, EvaluatedSystem], list[str]]:
    """The systems with their evaluations on the usual sentences of each set, and notes on the other evaluations."""
    kept: dict[str, set[str]] = {name: set() for name in scored}
    mismatched = []
    for test_set in sets:
        sums = {
            name: (evaluated.evaluations[test_set].source_sha256, evaluated.evaluations[test_set].reference_sha256)
            for name, evaluated in scored.items()
            if test_set in evaluated.evaluations
        }
        known = Counter(both for both in sums.values() if all(both))
        usual = known.most_common(1)[0][0] if known else ("", "")
        for name, both in sums.items():
            if all(both) and both != usual:
                mismatched.append(strings.OTHER_SENTENCES.format(name=name, test_set=test_set))
            else:
                kept[name].add(test_set)
    same = {
        name: replace(evaluated, evaluations={s: e for s, e in evaluated.evaluations.items() if s in kept[name]})
        for name, evaluated in scored.items()
    }
    return same, mismatched


def _show_alignment(errors: Mapping[str, Mapping[str, Sequence[MeasuredErrorRate]]]) -> None:
    frame = error_rates(errors)
    if frame.empty:
        return
    st.subheader(strings.ALIGNMENT, anchor=False)
    numbers = dict.fromkeys(
        (strings.AER, strings.PRECISION, strings.RECALL), st.column_config.NumberColumn(format="%.1f")
    )
    frame = frame.drop(columns=strings.PAIRS)
    st.dataframe(frame, hide_index=True, key="alignment-board", placeholder=NOTHING, column_config=numbers)
    st.caption(strings.ALIGNMENT_CAPTION)


def _show_signatures(scored: Mapping[str, EvaluatedSystem]) -> None:
    signed = signatures([each for system in scored.values() for each in system.evaluations.values()])
    if signed:
        with st.expander(strings.BLEU_SIGNATURES):
            st.code("\n".join(signed), language=None, wrap_lines=True)
