"""What a checkpoint is: its model, its weights, its training, its scores, its card."""

from __future__ import annotations

import streamlit as st

from nmt.errors import InputError
from nmt.runs.folder import RunInfo, VocabularyInfo, read_events
from nmt.ui.checkpoints import ARCHITECTURES
from nmt.ui.formatting import as_sentence, language
from nmt.ui.models.scores import show_scores

_STORED = {"F32": "fp32", "F16": "fp16", "I8": "int8 with a scale for each row"}


def show_about(run: RunInfo, *, key: str) -> None:
    """Show it folded; nothing is read until the reader opens it."""
    about = st.expander("About this checkpoint", key=f"about-{key}", on_change="rerun")
    if not about.open:
        return
    with about:
        for line in description(run):
            st.text(line)
        show_curve(run, key)
        show_scores(run, key=key)
        card = run.card()
        if card:
            with st.popover("The whole card, as Markdown", type="tertiary"):
                st.code(card, language="markdown", wrap_lines=True)


def description(run: RunInfo) -> list[str]:
    """The checkpoint in plain sentences."""
    model, weights = run.config.model, run.weights
    counted = run.has_alignment and model.score in ("additive", "concat")
    attention = f", {model.alignment:,} alignment units" if counted else ""
    lines = [
        f"{ARCHITECTURES[model.architecture]}{_variant(run)} with embeddings of {model.embedding:,} units, "
        f"{model.hidden:,} hidden units{attention} and {model.maxout:,} maxout units: {weights.parameters:,} weights, "
        f"{weights.bytes / 1e6:.1f} MB as {_STORED.get(weights.dtype, weights.dtype)}.",
        f"Source: {language(run.source_language)}, {_vocabulary(run.source_vocabulary)}. "
        f"Target: {language(run.target_language)}, {_vocabulary(run.target_vocabulary)}.",
    ]
    measured = []
    if weights.dev_nll_per_word is not None:
        measured.append(f"{weights.dev_nll_per_word:.3f} nats per target token")
    if weights.dev_bleu is not None:
        measured.append(f"BLEU {weights.dev_bleu:.1f}")
    development = f"; on the development set {' and '.join(measured)}" if measured else ""
    lines.append(f"Saved after {weights.update:,} updates ({weights.epoch:.1f} epochs){development}.")
    search = run.config.search
    if search.length_penalty:
        lines.append(f"Translates with length penalty {search.length_penalty:g}, as in its evaluation.")
    return lines


def _variant(run: RunInfo) -> str:
    """What is not the paper's."""
    model = run.config.model
    units = {"gated": "", "lstm": "LSTM units", "reset_after": "gated units that reset after the product"}
    score = "" if model.score == "additive" else f"the {model.score} score"
    found = [part for part in (units[model.unit], score) if part]
    return f" (with {' and '.join(found)})" if found else ""


def _vocabulary(vocabulary: VocabularyInfo) -> str:
    kind = {"words": "words", "unigram": "pieces of words (unigram)", "bpe": "pieces of words (BPE)"}
    return f"{vocabulary.size:,} {kind.get(vocabulary.kind, vocabulary.kind)}"


def show_curve(run: RunInfo, key: str) -> None:
    """How its training went; nothing if that was not recorded."""
    try:
        events = read_events(run.path)
    except InputError as error:
        st.warning(as_sentence(str(error)))
        return
    if events:
        from nmt.charts import learning_curve  # Plotly takes a while to import

        st.plotly_chart(learning_curve(events), key=f"curve-{key}", config={"displayModeBar": False})
