"""Table of all runs and external systems: what they are, and how they were trained."""

from __future__ import annotations

from typing import Any

import pandas as pd
import streamlit as st

from nmt.errors import InputError
from nmt.results import ValidationEvent
from nmt.runs.folder import RunInfo, VocabularyInfo
from nmt.tables.table import NOTHING
from nmt.ui.checkpoints import ARCHITECTURES, Checkpoints
from nmt.ui.formatting import as_sentence, language
from nmt.ui.models import strings
from nmt.ui.models.facts import Facts, facts, vocabulary_text
from nmt.ui.models.scoreboard import systems_and_scores

_DIGITS = 12


def show_runs(checkpoints: Checkpoints) -> None:
    """Show a row for each run, in two tables; what cannot be read is named."""
    models, trainings, problems = [], [], []
    scored = systems_and_scores(checkpoints)
    for name, run in checkpoints.usable.items():
        first = {strings.CHECKPOINT: name}
        try:
            facts_of_run = facts(run)
        except InputError as error:
            problems.append(str(error))
            continue
        models.append(first | _model(run, facts_of_run))
        trainings.append(first | _training(facts_of_run))
    for name, system in scored.items():
        if name not in checkpoints.usable:
            models.append({strings.CHECKPOINT: name, strings.ARCHITECTURE: system.about or strings.EXTERNAL})
    for problem in problems:
        st.warning(as_sentence(problem), icon=":material/warning:")
    number, text = st.column_config.NumberColumn, st.column_config.TextColumn
    models, languages = _without_constant_column(models, strings.LANGUAGES)
    trainings, machine = _without_constant_column(trainings, strings.MACHINE_COLUMN)
    _show(
        strings.MODELS,
        models,
        strings.MODELS_CAPTION + (strings.SAME_LANGUAGES.format(languages=languages) if languages else ""),
        {
            "m": number(help=strings.EMBEDDING_HELP),
            "n": number(help=strings.HIDDEN_HELP),
            "n'": number(help=strings.ALIGNMENT_HELP),
            "l": number(help=strings.MAXOUT_HELP),
            strings.LONGEST: number(help=strings.LONGEST_HELP),
            strings.WEIGHTS: number(format="localized"),
            strings.MEGABYTES: number(format="%.1f"),
            strings.SHA256: text(help=strings.SHA256_HELP.format(digits=_DIGITS)),
        },
    )
    _show(
        strings.TRAININGS,
        trainings,
        strings.TRAININGS_CAPTION + (strings.SAME_MACHINE.format(machine=machine) if machine else ""),
        {
            strings.UPDATES: number(format="localized"),
            strings.EPOCHS: number(format="%.2f"),
            strings.HOURS: number(format="%.2f"),
            strings.NLL_TRAIN: number(format="%.1f", help=strings.NLL_TRAIN_HELP),
            strings.NLL_DEV: number(format="%.1f", help=strings.NLL_DEV_HELP),
            strings.LICENCES: text(width="large"),
            strings.CURVE: st.column_config.LineChartColumn(help=strings.CURVE_HELP),
        },
    )
    st.caption(strings.RUNS_CAPTION.format(nothing=NOTHING))


def _without_constant_column(rows: list[dict[str, Any]], column: str) -> tuple[list[dict[str, Any]], str]:
    """Remove a column that has the same value in all rows; return the rows and that value, or ""."""
    values = {row[column] for row in rows if column in row}
    if len(values) != 1:
        return rows, ""
    return [{name: value for name, value in row.items() if name != column} for row in rows], values.pop()


def _show(title: str, rows: list[dict[str, Any]], caption: str, columns: dict[str, Any]) -> None:
    if not rows:
        return
    st.subheader(title, anchor=False)
    st.dataframe(
        pd.DataFrame(rows).replace("", None).dropna(axis="columns", how="all"),
        hide_index=True,
        placeholder=NOTHING,
        key=f"runs-{title}",
        column_config={strings.CHECKPOINT: st.column_config.TextColumn(pinned=True)} | columns,
    )
    st.caption(caption)


def _model(run: RunInfo, run_facts: Facts) -> dict[str, Any]:
    model = run.config.model
    counted = run.has_alignment and model.score in ("additive", "concat")
    return {
        strings.ARCHITECTURE: ARCHITECTURES[model.architecture],
        "m": model.embedding,
        "n": model.hidden,
        "n'": model.alignment if counted else None,
        "l": model.maxout,
        strings.VOCABULARIES: vocabularies(run.source_vocabulary, run.target_vocabulary),
        strings.LONGEST: run.config.training.max_length,
        strings.WEIGHTS: run.weights.parameters,
        strings.MEGABYTES: run.weights.bytes / 1e6,
        strings.SHA256: run_facts.sha256[:_DIGITS],
        strings.LANGUAGES: strings.LANGUAGE_PAIR.format(
            source=language(run.source_language), target=language(run.target_language)
        ),
    }


def _training(run_facts: Facts) -> dict[str, Any]:
    return {
        strings.UPDATES: run_facts.trained.updates,
        strings.EPOCHS: run_facts.trained.epochs,
        strings.HOURS: run_facts.trained.hours,
        strings.MACHINE_COLUMN: run_facts.trained.device,
        strings.NLL_TRAIN: run_facts.trained.train_nll,
        strings.NLL_DEV: run_facts.trained.dev_nll,
        strings.CURVE: [event.nll_per_word for event in run_facts.events if isinstance(event, ValidationEvent)],
        strings.DATA_COLUMN: ", ".join(run_facts.corpora),
        strings.LICENCES: "; ".join(run_facts.licences),
        strings.STEPS: len(run_facts.steps) or None,
    }


def vocabularies(source: VocabularyInfo, target: VocabularyInfo) -> str:
    """
    >>> vocabularies(VocabularyInfo("words", 10000), VocabularyInfo("words", 10000))
    '10,000 words'
    >>> vocabularies(VocabularyInfo("bpe", 8000), VocabularyInfo("words", 10000))
    '8,000 subwords (BPE), 10,000 words'
    """
    return ", ".join(dict.fromkeys(map(vocabulary_text, (source, target))))
