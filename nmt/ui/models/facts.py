"""Facts about runs for the place Models, read once as long as the files stay as they are: in sentences, and in
tables of all runs and external systems."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import streamlit as st

from nmt.config import search_precision
from nmt.files import changed_at
from nmt.results import Event, ValidationEvent
from nmt.runs.folder import TRAINING, RunInfo, VocabularyInfo, list_snapshots, read_events
from nmt.runs.provenance import CorpusUsed, Provenance, TrainingSummary, read_provenance, training_summary
from nmt.tables.measurements import licence
from nmt.tables.table import NOTHING
from nmt.texts import APP, MODELS
from nmt.ui.checkpoints import ARCHITECTURES, Checkpoints, evaluated_folders, run_stamp, updates_before
from nmt.ui.components import show_rows
from nmt.ui.compute import errors_shown
from nmt.ui.formatting import language, listed
from nmt.ui.inputs import named


@dataclass(frozen=True, kw_only=True)
class Facts:
    """Facts about a run.

    Attributes:
        trained: the columns of Table 2.
        provenance: None if it was not recorded.
        events: of the training, in order.
        sha256: of the weights file.
        steps: updates whose weights were kept.
    """

    trained: TrainingSummary
    provenance: Provenance | None
    events: tuple[Event, ...]
    sha256: str
    steps: tuple[int, ...]

    @property
    def _used(self) -> tuple[CorpusUsed, ...]:
        return () if self.provenance is None else tuple(self.provenance.train)

    @property
    def corpora(self) -> list[str]:
        """Names of the folders of the training corpora."""
        return list(dict.fromkeys(corpus.source.split("/")[0] for corpus in self._used))

    @property
    def licences(self) -> list[str]:
        """Licences of the training corpora."""
        return list(dict.fromkeys(map(licence, self._used)))


@st.cache_data(
    max_entries=64,
    show_spinner=False,
    hash_funcs={RunInfo: lambda run: f"{run_stamp(run.path)} {changed_at(run.path / TRAINING)}"},
)
def facts(run: RunInfo) -> Facts:
    """Read the facts, again whenever a file of the run changes. Raises InputError if one is broken."""
    return Facts(
        trained=training_summary(run.path),
        provenance=read_provenance(run.path),
        events=tuple(read_events(run.path)),
        sha256=run.weights.sha256(),
        steps=tuple(step.update for step in list_snapshots(run.path)),
    )


def alignment_units(run: RunInfo) -> int | None:
    """Units of the alignment model; None if the run has none."""
    model = run.config.model
    return model.alignment if run.has_alignment and model.score in ("additive", "concat") else None


def description(run: RunInfo) -> list[str]:
    """Describe the checkpoint in plain sentences."""
    model, weights = run.config.model, run.weights
    units, before = alignment_units(run), updates_before(run)
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
        saved.format(updates=weights.update, epochs=weights.epoch, before=before, sum=before + weights.update),
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
    """Name the differences from the paper's model."""
    model = run.config.model
    score = "" if model.score == "additive" else MODELS.score_function.format(score=model.score)
    reads = MODELS.forward_only if model.encoder == "forward" else ""
    start = MODELS.starts_from_both if model.start == "both" else ""
    predicts = MODELS.by_key.predicts_from_new_state[model.readout] if model.state_order == "equation" else ""
    parts = [part for part in (MODELS.by_key.units.get(model.unit, ""), reads, score, start, predicts) if part]
    return MODELS.variant.format(parts=listed(parts)) if parts else ""


def vocabulary_text(vocabulary: VocabularyInfo) -> str:
    """Say how large a vocabulary is, and of what.

    >>> vocabulary_text(VocabularyInfo("bpe", 8000))
    '8,000 subwords (BPE)'
    """
    kind = MODELS.by_key.vocabulary_kinds.get(vocabulary.kind, vocabulary.kind)
    return MODELS.vocabulary.format(size=vocabulary.size, kind=kind)


_DIGITS = 12


def show_runs(checkpoints: Checkpoints) -> None:
    """Show a row for each run, in two tables; what cannot be read is named."""
    models, trainings = [], []
    for name, run in checkpoints.usable.items():
        with errors_shown():
            facts_of_run = facts(run)
            models.append({MODELS.checkpoint: name} | _model(run, facts_of_run))
            trainings.append({MODELS.checkpoint: name} | _training(facts_of_run))
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
    """Show a table; where all rows have the same value in a column of ``constant``, its caption says so instead."""
    for column, template in constant.items():
        if len(values := {row[column] for row in rows if column in row}) == 1:
            caption += template.format(value=values.pop())
            rows = [{name: value for name, value in row.items() if name != column} for row in rows]
    if rows:
        st.subheader(title, anchor=False)
        pinned = {MODELS.checkpoint: st.column_config.TextColumn(pinned=True)}
        show_rows(rows, pinned | columns, key=f"runs-{title}")
        st.caption(caption)


def _model(run: RunInfo, run_facts: Facts) -> dict[str, Any]:
    model, vocabularies = run.config.model, (run.source_vocabulary, run.target_vocabulary)
    return {
        MODELS.architecture: ARCHITECTURES[model.architecture],
        "m": model.embedding,
        "n": model.hidden,
        "n'": alignment_units(run),
        "l": model.maxout,
        MODELS.vocabularies: ", ".join(dict.fromkeys(map(vocabulary_text, vocabularies))),
        MODELS.longest: run.config.training.max_length,
        MODELS.weights: run.weights.parameters,
        MODELS.megabytes: run.weights.bytes / 1e6,
        MODELS.sha256: run_facts.sha256[:_DIGITS],
        MODELS.languages: named(run.languages),
    }


def _training(run_facts: Facts) -> dict[str, Any]:
    trained = run_facts.trained
    return {
        APP.updates: trained.updates,
        MODELS.epochs: trained.epochs,
        MODELS.hours: trained.hours,
        MODELS.machine_column: trained.device,
        MODELS.nll_train: trained.train_nll,
        MODELS.nll_dev: trained.dev_nll,
        MODELS.curve: [event.nll_per_word for event in run_facts.events if isinstance(event, ValidationEvent)],
        MODELS.data_column: ", ".join(run_facts.corpora),
        MODELS.licences: "; ".join(run_facts.licences),
        MODELS.steps: len(run_facts.steps) or None,
    }
