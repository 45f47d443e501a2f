"""Scores of all checkpoints and external systems side by side, and as rows for the card of one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import pandas as pd
import streamlit as st
from pandas.io.formats.style import Styler

from nmt.errors import InputError
from nmt.evaluation.bootstrap import Resamples
from nmt.evaluation.comparable import by_pair, on_other_sentences
from nmt.evaluation.comparison import different_no_unk, scores_by_set, statistics_by_set
from nmt.evaluation.evaluation_files import EvaluatedSystem
from nmt.evaluation.length_curves import length_curves
from nmt.evaluation.measurement_files import MeasuredErrorRate, read_error_rates
from nmt.reproduce.released import KNOWN_TEST_SETS, NOT_POOLED
from nmt.results import ALL_SETS, Entry, Evaluation, Interval, Languages, SentenceStatistics
from nmt.results.comparison import LOWER_IS_BETTER
from nmt.tables.table import NOTHING
from nmt.ui.address import choose_one
from nmt.ui.checkpoints import Checkpoints
from nmt.ui.evaluated import evaluated_folders
from nmt.ui.formatting import as_sentence, escaped
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


_KNOWN = "known"


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
            width="content",
        )  # fmt: skip
        column = choose_one(
            st.segmented_control,
            strings.COLUMN,
            strings.COLUMNS,
            key="column",
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
    no_unk, lower_is_better = column == _KNOWN, strings.METRICS[metric] in LOWER_IS_BETTER
    styled = _with_intervals(frame, _intervals(same, sets, metric, no_unk), lower_is_better=lower_is_better)
    st.dataframe(styled, hide_index=True, key="translation-board", placeholder=NOTHING)
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
    others = {part: on_other_sentences(scored, part) for part in sets}
    same = {
        name: replace(
            evaluated,
            evaluations={s: e for s, e in evaluated.evaluations.items() if s in others and name not in others[s]},
        )
        for name, evaluated in scored.items()
    }
    notes = [
        strings.OTHER_SENTENCES.format(name=name, test_set=part) for part, names in others.items() for name in names
    ]
    return same, notes


def _intervals(
    systems: Mapping[str, EvaluatedSystem], sets: Sequence[str], metric: str, no_unk: bool
) -> dict[str, dict[str, Interval | None]]:
    """The 95 % interval of each score, by system and set."""
    by_system = statistics_by_set([*systems.values()], sets, NOT_POOLED, no_unk=no_unk)
    intervals: dict[str, dict[str, Interval | None]] = {name: {} for name in systems}
    with st.spinner(strings.COMPUTING_INTERVALS):
        for part in (*sets, ALL_SETS):  # systems of one set share its resamples
            for name, statistics in zip(systems, by_system, strict=True):
                if part in statistics:
                    counts = statistics[part]
                    key = f"{counts.pairs.digest} {counts.hypotheses.digest}"
                    intervals[name][part] = _interval(key, strings.METRICS[metric], counts)
    return intervals


@st.cache_data(max_entries=4096, show_spinner=False)
def _interval(counts: str, metric: str, _statistics: SentenceStatistics) -> Interval | None:
    resamples = Resamples.draw(len(_statistics))
    return length_curves({"": _statistics}, (), metric=metric, resamples=resamples).curves[0].overall.interval


def _with_intervals(
    frame: pd.DataFrame, intervals: Mapping[str, Mapping[str, Interval | None]], *, lower_is_better: bool
) -> Styler:
    """The table of scores, sorted by number as before, with half the width of each interval, and with the best value of
    each column in bold type."""
    styled = frame.style.format(na_rep=NOTHING, precision=1)
    for row, name in enumerate(frame[strings.CHECKPOINT]):
        for part in frame.columns[1:]:
            if (ends := intervals[name].get(part)) is not None:
                text = strings.SCORE_AND_INTERVAL.format(half=(ends.high - ends.low) / 2, score=frame.at[row, part])
                styled = styled.format(partial(_text, text), subset=pd.IndexSlice[row, [part]])
    return marked_best(styled, [*frame.columns[1:]], lower_is_better=lower_is_better)


def _text(text: str, value: object) -> str:
    """The text in place of the value, by which the table is sorted."""
    return text


def marked_best(styled: Styler, columns: Sequence[str], *, lower_is_better: bool) -> Styler:
    """Set the best value of each column in bold type, and others that are equal to it as shown."""

    def weights(column: pd.Series[float]) -> list[str]:
        rounded = column.round(1)
        best = rounded.min() if lower_is_better else rounded.max()
        return ["font-weight: 700" if value == best else "" for value in rounded]

    return styled.apply(weights, subset=[*columns])


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
