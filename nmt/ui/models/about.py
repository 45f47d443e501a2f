"""Description of a checkpoint in sentences, and the curve of its training."""

from __future__ import annotations

import streamlit as st

from nmt.config import PRECISION
from nmt.errors import InputError
from nmt.runs.folder import RunInfo, VocabularyInfo, read_events
from nmt.ui.checkpoints import ARCHITECTURES
from nmt.ui.formatting import as_sentence, language, listed
from nmt.ui.models import strings
from nmt.ui.models.facts import updates_before


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
    lines.append(strings.PRECISION_HERE.format(precision=PRECISION))
    return lines


def _saved_after(run: RunInfo) -> str:
    weights, before = run.weights, updates_before(run)
    after = strings.SAVED_AFTER if not before else strings.SAVED_AFTER_BOTH
    return after.format(updates=weights.update, epochs=weights.epoch, before=before, sum=before + weights.update)


def _variant(run: RunInfo) -> str:
    """Name the differences from the paper's model."""
    model = run.config.model
    score = "" if model.score == "additive" else strings.SCORE_FUNCTION.format(score=model.score)
    parts = [part for part in (strings.UNITS.get(model.unit, ""), score) if part]
    return strings.VARIANT.format(parts=listed(parts)) if parts else ""


def vocabulary_text(vocabulary: VocabularyInfo) -> str:
    """Say how large a vocabulary is, and of what.

    >>> vocabulary_text(VocabularyInfo("bpe", 8000))
    '8,000 subwords (BPE)'
    """
    kind = strings.VOCABULARY_KINDS.get(vocabulary.kind, vocabulary.kind)
    return strings.VOCABULARY.format(size=vocabulary.size, kind=kind)


def show_curve(run: RunInfo, key: str) -> None:
    """Show how its training went; nothing if that was not recorded."""
    try:
        events = read_events(run.path)
    except InputError as error:
        st.warning(as_sentence(str(error)))
        return
    if events:
        from nmt.charts.learning_curve import learning_curve  # Plotly takes a while to import

        st.plotly_chart(learning_curve(events), key=f"curve-{key}", config={"displayModeBar": False})
