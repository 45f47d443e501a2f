"""Facts about a run for the page Models, read once as long as its files stay as they are."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from nmt.config import usual_precision
from nmt.results import Event
from nmt.runs.folder import TRAINING, RunInfo, VocabularyInfo, list_snapshots, read_events
from nmt.runs.provenance import Provenance, read_provenance
from nmt.runs.training_summary import TrainingSummary, training_summary
from nmt.tables.runs import licence
from nmt.ui.checkpoints import ARCHITECTURES, run_stamp
from nmt.ui.evaluated import updates_before
from nmt.ui.formatting import language, listed
from nmt.ui.models import strings


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
    def corpora(self) -> list[str]:
        """Names of the folders of the training corpora."""
        used = () if self.provenance is None else self.provenance.train
        return list(dict.fromkeys(corpus.source.split("/")[0] for corpus in used))

    @property
    def licences(self) -> list[str]:
        """Licences of the training corpora."""
        used = () if self.provenance is None else self.provenance.train
        return list(dict.fromkeys(licence(corpus) for corpus in used))


def facts(run: RunInfo) -> Facts:
    """Read the facts. Raises InputError if a file of the run is broken."""
    log = run.path / TRAINING
    return _facts(run, f"{run_stamp(run.path)} {log.stat().st_mtime_ns if log.is_file() else 0}")


@st.cache_data(max_entries=64, show_spinner=False, hash_funcs={RunInfo: lambda run: str(run.path)})
def _facts(run: RunInfo, stamp: str) -> Facts:
    """Read the folder again whenever ``stamp`` changes."""
    return Facts(
        trained=training_summary(run.path),
        provenance=read_provenance(run.path),
        events=tuple(read_events(run.path)),
        sha256=run.weights.sha256(),
        steps=tuple(step.update for step in list_snapshots(run.path)),
    )


def description(run: RunInfo) -> list[str]:
    """Describe the checkpoint in plain sentences."""
    model, weights = run.config.model, run.weights
    counted = run.has_alignment and model.score in ("additive", "concat")
    lines = [
        strings.MODEL.format(
            architecture=ARCHITECTURES[model.architecture],
            variant=_variant(run),
            embedding=model.embedding,
            hidden=model.hidden,
            alignment=strings.ALIGNMENT_UNITS.format(units=model.alignment) if counted else "",
            maxout=model.maxout,
            parameters=weights.parameters,
            megabytes=weights.bytes / 1e6,
            stored=strings.STORED.get(weights.dtype, weights.dtype),
        ),
        strings.SIDES.format(
            source=language(run.source_language),
            source_vocabulary=vocabulary_text(run.source_vocabulary),
            target=language(run.target_language),
            target_vocabulary=vocabulary_text(run.target_vocabulary),
        ),
        _saved_after(run),
    ]
    measures = []
    if weights.dev_nll_per_word is not None:
        measures.append(strings.NLL_PER_TOKEN.format(nats=weights.dev_nll_per_word))
    if weights.dev_bleu is not None:
        measures.append(strings.BLEU_VALUE.format(bleu=weights.dev_bleu))
    if measures:
        lines.append(strings.ON_DEVELOPMENT.format(measures=listed(measures)))
    penalty = run.config.search.length_penalty
    if penalty:
        lines.append(strings.LENGTH_PENALTY.format(penalty=penalty))
    lines.append(strings.PRECISION_HERE.format(precision=usual_precision()))
    return lines


def _saved_after(run: RunInfo) -> str:
    weights, before = run.weights, updates_before(run)
    after = strings.SAVED_AFTER if not before else strings.SAVED_AFTER_BOTH
    return after.format(updates=weights.update, epochs=weights.epoch, before=before, sum=before + weights.update)


def _variant(run: RunInfo) -> str:
    """Name the differences from the paper's model."""
    model = run.config.model
    score = "" if model.score == "additive" else strings.SCORE_FUNCTION.format(score=model.score)
    reads = strings.FORWARD_ONLY if model.encoder == "forward" else ""
    parts = [part for part in (strings.UNITS.get(model.unit, ""), reads, score) if part]
    return strings.VARIANT.format(parts=listed(parts)) if parts else ""


def vocabulary_text(vocabulary: VocabularyInfo) -> str:
    """Say how large a vocabulary is, and of what.

    >>> vocabulary_text(VocabularyInfo("bpe", 8000))
    '8,000 subwords (BPE)'
    """
    kind = strings.VOCABULARY_KINDS.get(vocabulary.kind, vocabulary.kind)
    return strings.VOCABULARY.format(size=vocabulary.size, kind=kind)
