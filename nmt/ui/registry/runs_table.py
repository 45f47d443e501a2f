"""All runs, and systems that are only their output, in one table."""

from __future__ import annotations

from typing import Any

import pandas as pd
import streamlit as st

from nmt.errors import InputError
from nmt.results import ValidationEvent
from nmt.run_folder import RunInfo, VocabularyInfo
from nmt.ui.checkpoints import ARCHITECTURES, Checkpoints
from nmt.ui.registry.facts import facts
from nmt.ui.scoreboard import SystemRow, systems_and_scores
from nmt.ui.text import as_sentence, language

_DIGITS = 12


def show_runs(checkpoints: Checkpoints) -> None:
    """A row a run; what cannot be read is named."""
    rows, problems = [], []
    scored = systems_and_scores(checkpoints)
    sets = list(dict.fromkeys(test_set for row in scored.values() for test_set in row.bleu))
    for name, run in checkpoints.usable.items():
        try:
            rows.append(_row(name, run) | _bleu(scored.get(name)))
        except InputError as error:
            problems.append(str(error))
    for name, system in scored.items():
        if name not in checkpoints.usable:
            about = {"Checkpoint": name, "Architecture": system.about or "known by its output alone"}
            rows.append(about | _bleu(system))
    for problem in problems:
        st.warning(as_sentence(problem), icon=":material/warning:")
    if not rows:
        return
    number, text = st.column_config.NumberColumn, st.column_config.TextColumn
    st.dataframe(
        pd.DataFrame(rows).replace("", None).dropna(axis="columns", how="all"),
        hide_index=True,
        key="runs-board",
        column_config={
            "Checkpoint": text(pinned=True),
            "m": number(help="Units of a word embedding."),
            "n": number(help="Hidden units of each direction of the encoder, and of the decoder."),
            "n'": number(help="Units of the alignment model."),
            "l": number(help="Units of the maxout layer."),
            "Longest": number(help="Words of the longest sentence that it was trained on."),
            "Weights": number(format="compact"),
            "MB": number(format="%.1f"),
            "Updates": number(format="localized"),
            "Epochs": number(format="%.2f"),
            "Hours": number(format="%.2f"),
            "NLL train": number(format="%.1f", help="Nats a sentence, with dropout."),
            "NLL dev": number(format="%.1f", help="Nats a sentence; comparable between equal vocabularies alone."),
            "Curve": st.column_config.LineChartColumn(help="NLL of the development set over the training."),
            **dict.fromkeys((_column(s) for s in sets), number(format="%.1f")),
            "SHA-256": text(help=f"Of the weights file, the first {_DIGITS} digits; the card has all of them."),
        },
    )
    st.caption(
        "Updates to NLL dev as in Table 2 of the paper. None: not measured, or it does not apply. The folders are "
        "watched: a new run appears here by itself, as soon as its first weights are saved."
    )


def _bleu(system: SystemRow | None) -> dict[str, float]:
    return {} if system is None else {_column(test_set): value for test_set, value in system.bleu.items()}


def _column(test_set: str) -> str:
    return f"BLEU {test_set}"


def _row(name: str, run: RunInfo) -> dict[str, Any]:
    model, found = run.config.model, facts(run)
    counted = run.has_alignment and model.score in ("additive", "concat")
    return {
        "Checkpoint": name,
        "Architecture": ARCHITECTURES[model.architecture],
        "Languages": f"{language(run.source_language)} → {language(run.target_language)}",
        "m": model.embedding,
        "n": model.hidden,
        "n'": model.alignment if counted else None,
        "l": model.maxout,
        "Vocabularies": vocabularies(run.source_vocabulary, run.target_vocabulary),
        "Longest": run.config.training.max_length,
        "Weights": run.weights.parameters,
        "MB": run.weights.bytes / 1e6,
        "Updates": found.trained.updates,
        "Epochs": found.trained.epochs,
        "Hours": found.trained.hours,
        "Machine": found.trained.device,
        "NLL train": found.trained.train_nll,
        "NLL dev": found.trained.dev_nll,
        "Curve": [event.nll_per_word for event in found.events if isinstance(event, ValidationEvent)],
        "Steps kept": len(found.steps) or None,
        "Data": ", ".join(found.corpora),
        "Licences": "; ".join(found.licences),
        "SHA-256": found.sha256[:_DIGITS],
    }


def vocabularies(source: VocabularyInfo, target: VocabularyInfo) -> str:
    """
    >>> vocabularies(VocabularyInfo("words", 10000), VocabularyInfo("words", 10000))
    '10,000 words'
    >>> vocabularies(VocabularyInfo("bpe", 8000), VocabularyInfo("words", 10000))
    '8,000 bpe, 10,000 words'
    """
    return ", ".join(dict.fromkeys(f"{side.size:,} {side.kind}" for side in (source, target)))
