"""Scores of all checkpoints and external systems side by side, and rows of scores for the card of a run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import pandas as pd
import streamlit as st
from pandas.io.formats.style import Styler

from nmt.errors import InputError
from nmt.evaluation.bootstrap import Resamples
from nmt.evaluation.comparison import by_pair, different_no_unk, on_other_sentences, scores_by_set, statistics_by_set
from nmt.evaluation.evaluation_files import EvaluatedSystem
from nmt.evaluation.length_curves import length_curves
from nmt.evaluation.measurement_files import MeasuredErrorRate, read_error_rates
from nmt.evaluation.metrics import metrics
from nmt.evaluation.score_files import AddedScores, held_beside
from nmt.released import KNOWN_TEST_SETS, NOT_POOLED
from nmt.results import ALL_SETS, Entry, Evaluation, Interval, Languages, SentenceStatistics
from nmt.results.scores import CurvePoint
from nmt.tables.table import NOTHING
from nmt.texts import APP, MODELS
from nmt.ui.address import choose_one
from nmt.ui.checkpoints import Checkpoints, evaluated_folders
from nmt.ui.components import show_rows
from nmt.ui.formatting import as_sentence, escaped


def entries(
    systems: Mapping[str, EvaluatedSystem], sets: Sequence[str], no_unk: bool
) -> dict[str, dict[str, Entry | None]]:
    """The scores of each system, by test set and over all pooled sets, as ``compare`` computes them."""
    pooled, apart = [s for s in sets if s not in NOT_POOLED], [s for s in sets if s in NOT_POOLED]
    entries_by_set: dict[str, dict[str, Entry | None]] = {}
    for name, scores in zip(systems, scores_by_set([*systems.values()], sets, NOT_POOLED), strict=True):
        saved = {s: (score.no_unk if no_unk else score.everything) for s, score in scores.items()}
        entries_by_set[name] = {s: saved.get(s) for s in (*pooled, ALL_SETS, *apart)}
    return entries_by_set


def show_error_rates(
    errors: Mapping[str, Mapping[str, Sequence[MeasuredErrorRate]]], *, key: str, without: str
) -> None:
    """Show alignment error rates in per cent, by system and gold set, the best first for each gold set. ``without``:
    the column that is left out."""
    rows = [
        {
            MODELS.checkpoint: name,
            APP.gold_links: gold,
            MODELS.links_from: rate.map or "",
            MODELS.rule: rate.rule.removeprefix(f"{rate.map} "),
            APP.aer: 100 * rate.aer,
            APP.precision: 100 * rate.precision,
            APP.recall: 100 * rate.recall,
            MODELS.pairs: rate.sentences,
        }
        for name, rates in errors.items()
        for gold, measured in rates.items()
        for rate in measured
    ]
    rows.sort(key=lambda row: (row[APP.gold_links], row[APP.aer]))
    shares = (APP.aer, APP.precision, APP.recall)
    columns = dict.fromkeys(shares, st.column_config.NumberColumn(format="%.1f"))
    show_rows([{name: row[name] for name in row if name != without} for row in rows], columns, key=key)


def signatures(evaluations: Sequence[Evaluation]) -> list[str]:
    """List the signatures of the BLEU scores in both columns."""
    return [
        condition.signature
        for evaluation in evaluations
        for condition in (evaluation.everything, evaluation.no_unk)
        if condition is not None
    ]


_KNOWN = "known"
_METRICS = {name.lower(): name for name in metrics()}


def show_scoreboard(checkpoints: Checkpoints, pair: Languages, added: Sequence[AddedScores]) -> None:
    """Show the scores of systems of a language pair or of unknown languages. Say which files of scores are broken, or
    that there are no scores. ``added``: scores that the reader added, by other programs' metrics."""
    systems, problems = evaluated_folders(checkpoints)
    scored: dict[str, EvaluatedSystem] = {}
    errors: dict[str, dict[str, list[MeasuredErrorRate]]] = {}
    for name, system in systems.items():
        try:
            rates = read_error_rates(system.path)
        except InputError as error:
            problems.append(str(error))
            rates = {}
        if system.languages.fit(pair):
            scored |= {name: system} if system.evaluations else {}
            errors |= {name: rates} if rates else {}
    for problem in problems:
        st.warning(as_sentence(problem), icon=":material/warning:")
    if not scored and not errors:
        st.info(MODELS.no_scores, icon=":material/info:")
        return
    if scored:
        _show_translation(scored, added)
    if errors:
        st.subheader(MODELS.alignment, anchor=False)
        show_error_rates(errors, key="alignment-board", without=MODELS.pairs)
        st.caption(MODELS.alignment_caption)
    signed = signatures([evaluation for system in scored.values() for evaluation in system.evaluations.values()])
    if signed:
        with st.expander(MODELS.bleu_signatures):
            st.code("\n".join(signed), language=None, wrap_lines=True)


def bleu_of_all(checkpoints: Checkpoints) -> dict[str, dict[str, float]]:
    """BLEU in the column "All" of each checkpoint and external system, by test set and over all pooled sets."""
    by_name: dict[str, dict[str, float]] = {}
    for systems in by_pair([*evaluated_folders(checkpoints)[0].values()]).values():
        mine = {system.name: system for system in systems}
        sets = _test_sets(mine)
        same, _ = _same_sentences(mine, sets)
        for name, scores in entries(same, sets, no_unk=False).items():
            by_name[name] = {part: entry.bleu for part, entry in scores.items() if entry is not None}
    return by_name


def _show_translation(scored: Mapping[str, EvaluatedSystem], added: Sequence[AddedScores]) -> None:
    st.subheader(MODELS.translation, anchor=False)
    imported = {file.scores.metric.lower(): file.scores.metric for file in added}
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        metric = choose_one(st.segmented_control, APP.score, _METRICS | imported, key="score")
        if metric not in imported:
            column = choose_one(st.segmented_control, APP.column, APP.by_key.columns, key="column")
    if metric in imported:
        _show_added(scored, [file for file in added if file.scores.metric == imported[metric]])
        return
    sets = _test_sets(scored)
    same, mismatched = _same_sentences(scored, sets)
    rows = entries(same, sets, column == _KNOWN)
    values = {
        n: {s: None if e is None else getattr(e, metric) for s, e in scores.items()} for n, scores in rows.items()
    }
    no_unk, lower_is_better = column == _KNOWN, metrics()[_METRICS[metric]].lower_is_better
    intervals = _intervals(same, sets, metric, no_unk)
    counts = [
        MODELS.sentences_of.format(test_set=name, sentences=entry.sentences)
        for name in _show_board(values, intervals, lower_is_better=lower_is_better)
        if (entry := next((scores[name] for scores in rows.values() if scores.get(name)), None)) is not None
    ]
    st.caption(
        MODELS.scores_caption.format(
            metric=MODELS.by_key.metrics_explained[metric],
            column=escaped(MODELS.by_key.columns_explained[column]),
            counts=escaped(", ".join(counts)),
            nothing=NOTHING,
        )
    )
    notes = different_no_unk(same, sets) if column == _KNOWN else []
    for note in (*mismatched, *notes):
        st.caption(f":material/warning: {as_sentence(note)}")


def _show_added(scored: Mapping[str, EvaluatedSystem], added: Sequence[AddedScores]) -> None:
    """Show another program's scores, of systems that were evaluated on exactly the sentences of these scores."""
    values: dict[str, dict[str, CurvePoint]] = {}
    counts, lower_is_better = list[str](), added[0].scores.lower_is_better
    by_set: dict[tuple[str | None, str, str], dict[str, AddedScores]] = {}
    for file in added:
        test = file.test
        by_set.setdefault((test.name, test.source_sha256, test.reference_sha256), {})[file.system] = file
    for (part, *_), of_part in by_set.items():
        measured = {name: scored[name].evaluation_on(file.test) for name, file in of_part.items() if name in scored}
        statistics = {name: columns for name, e in measured.items() if e is not None and (columns := e.statistics())}
        held = held_beside(statistics, {name: file.scores for name, file in of_part.items()})
        if held is None:
            continue
        counts.append(MODELS.sentences_of.format(test_set=f"{part}, {held.metric}:", sentences=len(held.rows)))
        for name, system in held.systems.items():
            assert system.scores is not None
            key = system.scores.values.tobytes().hex()
            values.setdefault(name, {})[str(part)] = _overall(key, held.metric, system)
    if not values:
        st.info(MODELS.scores_of_others, icon=":material/info:")
        return
    scores = {name: {part: point.value for part, point in points.items()} for name, points in values.items()}
    intervals = {name: {part: point.interval for part, point in points.items()} for name, points in values.items()}
    _show_board(scores, intervals, lower_is_better=lower_is_better)
    better = MODELS.by_key.added_better["lower" if lower_is_better else "higher"]
    st.caption(MODELS.added_caption.format(better=better, counts=escaped(", ".join(counts)), nothing=NOTHING))


def _test_sets(scored: Mapping[str, EvaluatedSystem]) -> list[str]:
    """The known test sets of Table 1 in their order. If none of them was used, all test sets by name."""
    names = {name for evaluated in scored.values() for name in evaluated.evaluations}
    return [name for name, test in KNOWN_TEST_SETS.items() if name in names and test.in_table_1] or sorted(names)


def _same_sentences(
    scored: Mapping[str, EvaluatedSystem], sets: Sequence[str]
) -> tuple[dict[str, EvaluatedSystem], list[str]]:
    """Leave out evaluations on other sentences than most systems have. Second result: notes on these evaluations."""
    others = {part: on_other_sentences(scored, part) for part in sets}
    same = {
        name: replace(
            evaluated,
            evaluations={s: e for s, e in evaluated.evaluations.items() if s in others and name not in others[s]},
        )
        for name, evaluated in scored.items()
    }
    notes = [
        MODELS.other_sentences.format(name=name, test_set=part) for part, names in others.items() for name in names
    ]
    return same, notes


def _intervals(
    systems: Mapping[str, EvaluatedSystem], sets: Sequence[str], metric: str, no_unk: bool
) -> dict[str, dict[str, Interval | None]]:
    """The 95 % interval of each score, by system and set."""
    by_system = statistics_by_set([*systems.values()], sets, NOT_POOLED, no_unk=no_unk)
    intervals: dict[str, dict[str, Interval | None]] = {name: {} for name in systems}
    with st.spinner(MODELS.computing_intervals):
        for part in (*sets, ALL_SETS):  # systems share the resamples of a set
            for name, statistics in zip(systems, by_system, strict=True):
                if part in statistics:
                    counts = statistics[part]
                    key = f"{counts.pairs.digest} {counts.hypotheses.digest}"
                    intervals[name][part] = _overall(key, _METRICS[metric], counts).interval
    return intervals


@st.cache_data(max_entries=4096, show_spinner=False)
def _overall(counts: str, metric: str, _statistics: SentenceStatistics) -> CurvePoint:
    resamples = Resamples.draw(len(_statistics))
    return length_curves({"": _statistics}, (), metric=metric, resamples=resamples).curves[0].overall


def _show_board(
    scores: Mapping[str, Mapping[str, float | None]],
    intervals: Mapping[str, Mapping[str, Interval | None]],
    *,
    lower_is_better: bool,
) -> list[str]:
    """Show a table of scores by system and set, without empty columns. Half the width of each score's interval stands
    beside the score, and the best value of each column is bold. The cells stay numbers, so that the table can be sorted
    by them. Returns the shown sets."""
    frame = pd.DataFrame([{MODELS.checkpoint: name, **row} for name, row in scores.items()])
    frame = frame.dropna(axis="columns", how="all")
    styled = frame.style.format(na_rep=NOTHING, precision=1)
    for row, name in enumerate(frame[MODELS.checkpoint]):
        for part in frame.columns[1:]:
            if (ends := intervals[name].get(part)) is not None:
                text = MODELS.score_and_interval.format(half=(ends.high - ends.low) / 2, score=frame.at[row, part])
                styled = styled.format(text, subset=pd.IndexSlice[row, [part]])
    styled = marked_best(styled, [*frame.columns[1:]], lower_is_better=lower_is_better)
    st.dataframe(styled, hide_index=True, key="translation-board", placeholder=NOTHING, height="content")
    return [*frame.columns[1:]]


def marked_best(styled: Styler, columns: Sequence[str], *, lower_is_better: bool) -> Styler:
    """Set the best value of each column in bold type. Values that equal it after rounding are also best."""

    def weights(column: pd.Series[float]) -> list[str]:
        rounded = column.round(1)
        best = rounded.min() if lower_is_better else rounded.max()
        return ["font-weight: 700" if value == best else "" for value in rounded]

    return styled.apply(weights, subset=[*columns])
