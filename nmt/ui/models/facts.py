"""Facts on runs for the place Models: sentences, and tables of all runs and external systems."""

from collections.abc import Mapping
from typing import Any

import streamlit as st

from nmt.config import search_precision
from nmt.results import ValidationEvent
from nmt.runs.folder import RunInfo, VocabularyInfo
from nmt.tables.runs import RunReport, licence
from nmt.tables.table import NOTHING
from nmt.texts import APP, MODELS, listed
from nmt.ui.checkpoints import ARCHITECTURES, Checkpoints, evaluated_folders, report, total_updates
from nmt.ui.components import show_rows
from nmt.ui.compute import errors_shown
from nmt.ui.formatting import language
from nmt.ui.inputs import named


def corpora(run_report: RunReport) -> list[str]:
    """Names of the folders of the training corpora. Of a reader's own texts, the numbers of pairs
    (``nmt.data.uploads.write_pairs``)."""
    if (provenance := run_report.provenance) is None:
        return []
    titles, dev = MODELS.by_key.own_pairs, sum(corpus.kept for corpus in provenance.dev)
    folders = {corpus.source.split("/")[0]: corpus.kept for corpus in provenance.train}
    return [titles.get(name.split("-")[0], name).format(pairs=kept, dev=dev) for name, kept in folders.items()]


def description(run: RunInfo) -> list[str]:
    """Describe the checkpoint in plain sentences."""
    model, weights = run.config.model, run.weights
    units, updates = report(run).alignment_units, total_updates(run)
    before = updates - weights.update
    saved = MODELS.saved_after_both if before else MODELS.saved_after
    lines = [
        MODELS.model.format(
            architecture=ARCHITECTURES[model.architecture],
            variant=_variant(run),
            model=model,
            alignment="" if units is None else MODELS.alignment_units.format(units=units),
            weights=weights,
            megabytes=weights.bytes / 1e6,
            stored=MODELS.by_key.stored.get(weights.dtype, weights.dtype),
        ),
        MODELS.sides.format(
            source=language(run.source_language),
            source_vocabulary=vocabulary_text(run.source_vocabulary),
            target=language(run.target_language),
            target_vocabulary=vocabulary_text(run.target_vocabulary),
        ),
        saved.format(updates=weights.update, epochs=weights.epoch, before=before, sum=updates)
        + MODELS.last_weights * (run.config.training.weights == "last"),
    ]
    measures = []
    if weights.dev_nll_per_word is not None:
        measures.append(MODELS.nll_per_token.format(nats=weights.dev_nll_per_word))
    if weights.dev_bleu is not None:
        measures.append(MODELS.bleu_value.format(bleu=weights.dev_bleu))
    if measures:
        lines.append(MODELS.on_development.format(measures=listed(measures)))
    penalty = run.config.search.length_penalty
    if penalty:
        lines.append(MODELS.length_penalty.format(penalty=penalty))
    lines.append(MODELS.precision_here.format(precision=search_precision()))
    return lines


def _variant(run: RunInfo) -> str:
    """Name the differences from the paper's model. "" if there are none."""
    model = run.config.model
    score = "" if model.score == "additive" else MODELS.score_function.format(score=model.score)
    reads = MODELS.forward_only if model.encoder == "forward" else ""
    start = MODELS.starts_from_both if model.start == "both" else ""
    predicts = MODELS.by_key.predicts_from_new_state[model.readout] if model.state_order == "equation" else ""
    parts = [part for part in (MODELS.by_key.units.get(model.unit, ""), reads, score, start, predicts) if part]
    return MODELS.variant.format(parts=listed(parts)) if parts else ""


def vocabulary_text(vocabulary: VocabularyInfo) -> str:
    """Say how many tokens a vocabulary has, and of which kind.

    >>> vocabulary_text(VocabularyInfo("bpe", 8000))
    '8,000 subwords (BPE)'
    """
    kind = MODELS.by_key.vocabulary_kinds.get(vocabulary.kind, vocabulary.kind)
    return MODELS.vocabulary.format(size=vocabulary.size, kind=kind)


_DIGITS = 12


def show_runs(checkpoints: Checkpoints) -> None:
    """Show two tables: models of runs and external systems, and trainings of runs. Name unreadable files."""
    models, trainings = [], []
    for name, run in checkpoints.usable.items():
        with errors_shown():
            model, training = _model(report(run)), _training(report(run))
            models.append({MODELS.checkpoint: name} | model)
            trainings.append({MODELS.checkpoint: name} | training)
    for name, system in evaluated_folders(checkpoints)[0].items():
        if name not in checkpoints.usable:
            models.append({MODELS.checkpoint: name, MODELS.architecture: system.about or MODELS.external})
    number, text = st.column_config.NumberColumn, st.column_config.TextColumn
    _show(
        MODELS.models,
        models,
        {
            "m": number(help=MODELS.embedding_help),
            "n": number(help=MODELS.hidden_help),
            "n'": number(help=MODELS.alignment_help),
            "l": number(help=MODELS.maxout_help),
            MODELS.longest: number(help=MODELS.longest_help),
            MODELS.weights: number(format="localized"),
            MODELS.megabytes: number(format="%.1f"),
            MODELS.sha256: text(help=MODELS.sha256_help.format(digits=_DIGITS)),
        },
        MODELS.models_caption,
        {MODELS.languages: MODELS.same_languages},
    )
    _show(
        MODELS.trainings,
        trainings,
        {
            MODELS.updates_before: number(format="localized", help=MODELS.updates_before_help),
            APP.updates: number(format="localized"),
            MODELS.epochs: number(format="%.2f"),
            MODELS.hours: number(format="%.2f"),
            MODELS.nll_train: number(format="%.1f", help=MODELS.nll_train_help),
            MODELS.nll_dev: number(format="%.1f", help=MODELS.nll_dev_help),
            MODELS.licences: text(width="large"),
            MODELS.curve: st.column_config.LineChartColumn(help=MODELS.curve_help),
        },
        MODELS.trainings_caption,
        {MODELS.machine_column: MODELS.same_machine},
    )
    st.caption(MODELS.runs_caption.format(nothing=NOTHING))


def _show(
    title: str, rows: list[dict[str, Any]], columns: dict[str, Any], caption: str, constant: Mapping[str, str]
) -> None:
    """Show a table. If all rows have equal values in a column of ``constant``, only the caption has the value."""
    for column, template in constant.items():
        if len(values := {row[column] for row in rows if column in row}) == 1:
            caption += template.format(value=values.pop())
            rows = [{name: value for name, value in row.items() if name != column} for row in rows]
    if rows:
        st.subheader(title, anchor=False)
        pinned = {MODELS.checkpoint: st.column_config.TextColumn(pinned=True)}
        show_rows(rows, pinned | columns, key=f"runs-{title}")
        st.caption(caption)


def _model(run_report: RunReport) -> dict[str, Any]:
    run, model = run_report.info, run_report.info.config.model
    vocabularies = run.source_vocabulary, run.target_vocabulary
    return {
        MODELS.architecture: ARCHITECTURES[model.architecture],
        "m": model.embedding,
        "n": model.hidden,
        "n'": run_report.alignment_units,
        "l": model.maxout,
        MODELS.vocabularies: ", ".join(dict.fromkeys(map(vocabulary_text, vocabularies))),
        MODELS.longest: run.config.training.max_length,
        MODELS.weights: run.weights.parameters,
        MODELS.megabytes: run.weights.bytes / 1e6,
        MODELS.sha256: run_report.sha256[:_DIGITS],
        MODELS.languages: named(run.languages),
    }


def _training(run_report: RunReport) -> dict[str, Any]:
    trained, provenance = run_report.trained, run_report.provenance
    licences = () if provenance is None else map(licence, provenance.train)
    return {
        MODELS.updates_before: trained.updates_before or None,
        APP.updates: trained.updates,
        MODELS.epochs: trained.epochs,
        MODELS.hours: trained.hours,
        MODELS.machine_column: trained.device,
        MODELS.nll_train: trained.train_nll,
        MODELS.nll_dev: trained.dev_nll,
        MODELS.curve: [event.nll_per_word for event in run_report.events if isinstance(event, ValidationEvent)],
        MODELS.data_column: ", ".join(corpora(run_report)),
        MODELS.licences: "; ".join(dict.fromkeys(licences)),
        MODELS.steps: len(run_report.steps) or None,
    }
