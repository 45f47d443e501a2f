"""All runs, and systems that are only their output: what they are, and how they were trained."""

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
from nmt.ui.models.facts import Facts, facts
from nmt.ui.models.scoreboard import systems_and_scores

_NAME, _LANGUAGES, _MACHINE = "Checkpoint", "Languages", "Machine"
_DIGITS = 12


def show_runs(checkpoints: Checkpoints) -> None:
    """Show a row for each run, in two tables; what cannot be read is named."""
    models, trainings, problems = [], [], []
    scored = systems_and_scores(checkpoints)
    for name, run in checkpoints.usable.items():
        first = {_NAME: name}
        try:
            found = facts(run)
        except InputError as error:
            problems.append(str(error))
            continue
        models.append(first | _model(run, found))
        trainings.append(first | _training(found))
    for name, system in scored.items():
        if name not in checkpoints.usable:
            models.append({_NAME: name, "Architecture": system.about or "external system"})
    for problem in problems:
        st.warning(as_sentence(problem), icon=":material/warning:")
    number, text = st.column_config.NumberColumn, st.column_config.TextColumn
    models, languages = _said_once(models, _LANGUAGES)
    trainings, machine = _said_once(trainings, _MACHINE)
    _show(
        "Models",
        models,
        "m, n, n' and l as in appendix A of the paper. Longest: words of the longest sentence of the training."
        + (f" All checkpoints translate from {languages}." if languages else ""),
        {
            "m": number(help="Units of a word embedding."),
            "n": number(help="Hidden units of each direction of the encoder, and of the decoder."),
            "n'": number(help="Units of the alignment model."),
            "l": number(help="Units of the maxout layer."),
            "Longest": number(help="Words of the longest sentence that it was trained on."),
            "Weights": number(format="localized"),
            "MB": number(format="%.1f"),
            "SHA-256": text(help=f"Of the weights file, the first {_DIGITS} digits; the card has all of them."),
        },
    )
    _show(
        "Trainings (Table 2)",
        trainings,
        "NLL in nats per sentence: during training, with dropout, and on the development set. Only models with the "
        "same vocabulary can be compared by it." + (f" All were trained on {machine}." if machine else ""),
        {
            "Updates": number(format="localized"),
            "Epochs": number(format="%.2f"),
            "Hours": number(format="%.2f"),
            "NLL train": number(format="%.1f", help="Nats per sentence, with dropout."),
            "NLL dev": number(
                format="%.1f", help="Nats per sentence; comparable only between models with the same vocabulary."
            ),
            "Licences": text(width="large"),
            "Curve": st.column_config.LineChartColumn(help="NLL of the development set over the training."),
        },
    )
    st.caption(f"{NOTHING}: unknown or not applicable. A new run appears here as soon as its first weights are saved.")


def _said_once(rows: list[dict[str, Any]], column: str) -> tuple[list[dict[str, Any]], str]:
    """Without a column whose rows all say the same, and what they say."""
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
        column_config={_NAME: st.column_config.TextColumn(pinned=True)} | columns,
    )
    st.caption(caption)


def _model(run: RunInfo, found: Facts) -> dict[str, Any]:
    model = run.config.model
    counted = run.has_alignment and model.score in ("additive", "concat")
    return {
        "Architecture": ARCHITECTURES[model.architecture],
        "m": model.embedding,
        "n": model.hidden,
        "n'": model.alignment if counted else None,
        "l": model.maxout,
        "Vocabularies": vocabularies(run.source_vocabulary, run.target_vocabulary),
        "Longest": run.config.training.max_length,
        "Weights": run.weights.parameters,
        "MB": run.weights.bytes / 1e6,
        "SHA-256": found.sha256[:_DIGITS],
        _LANGUAGES: f"{language(run.source_language)} to {language(run.target_language)}",
    }


def _training(found: Facts) -> dict[str, Any]:
    return {
        "Updates": found.trained.updates,
        "Epochs": found.trained.epochs,
        "Hours": found.trained.hours,
        _MACHINE: found.trained.device,
        "NLL train": found.trained.train_nll,
        "NLL dev": found.trained.dev_nll,
        "Curve": [event.nll_per_word for event in found.events if isinstance(event, ValidationEvent)],
        "Data": ", ".join(found.corpora),
        "Licences": "; ".join(found.licences),
        "Steps kept": len(found.steps) or None,
    }


def vocabularies(source: VocabularyInfo, target: VocabularyInfo) -> str:
    """
    >>> vocabularies(VocabularyInfo("words", 10000), VocabularyInfo("words", 10000))
    '10,000 words'
    >>> vocabularies(VocabularyInfo("bpe", 8000), VocabularyInfo("words", 10000))
    '8,000 bpe, 10,000 words'
    """
    return ", ".join(dict.fromkeys(f"{side.size:,} {side.kind}" for side in (source, target)))
