"""What the checkpoints say of the sentence: for each a translation or a given target, and the weights to be shown."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from nmt.results import Alignment, ForcedScore, Hypothesis
from nmt.runs.folder import RunInfo
from nmt.ui.compute import compute_with_progress
from nmt.ui.formatting import escaped, language
from nmt.ui.inputs import name_strange_writing
from nmt.ui.look.explore.form import DIFFERENCE, ExplorerView
from nmt.ui.requests import (
    ForcedRequest,
    StandInRequest,
    TranslationRequest,
    UnknownWordsRequest,
    chosen_settings,
)


@dataclass(frozen=True, eq=False)
class DecodedSentence:
    """One checkpoint and what it made of the sentence, or what it thinks of a given target.

    Attributes:
        name, run, stamp: the checkpoint, and when its weights were written.
        text: the target sentence.
        target: what a request for this pair has to name: the text that was given, or the tokens that were written.
        output: the hypothesis, or the score of the target that was given.
        weights: alpha, or the map that stands in for it.
        unknown_words: source words that the vocabulary does not hold.
    """

    name: str
    run: RunInfo
    stamp: int
    text: str
    target: str | tuple[str, ...]
    output: Hypothesis | ForcedScore
    weights: Alignment
    unknown_words: tuple[str, ...]

    @property
    def tokens(self) -> tuple[str, ...]:
        """As the model wrote or read them, [T_y]."""
        return self.output.tokens

    @property
    def stands_in(self) -> bool:
        """Whether ``weights`` are not alpha."""
        return self.output.alignment is None


def decode_all(view: ExplorerView) -> list[DecodedSentence]:
    """One for each checkpoint that can answer, in the order chosen; the others say in their place why not."""
    found: list[DecodedSentence] = []
    common = view.target
    for name, run in _of_one_target(view).items():
        name_strange_writing(view.sentence, run, name)
        explored = _ask(view, name, run, common)
        if explored is None:
            continue
        found.append(explored)
        if DIFFERENCE in view.options and not common:
            common = explored.text  # all others are made to write what the first one wrote
    return found


def _of_one_target(view: ExplorerView) -> dict[str, RunInfo]:
    """Where all are to write one target, those that write the language of the first one; says which are left out."""
    if not view.runs or not (view.target or DIFFERENCE in view.options):
        return view.runs
    spoken = next(iter(view.runs.values())).target_language
    others = [name for name, run in view.runs.items() if run.target_language != spoken]
    if others:
        st.caption(
            f":material/warning: Left out, as they do not write {language(spoken)} as the first checkpoint does: "
            f"{escaped(', '.join(others))}."
        )
    return {name: run for name, run in view.runs.items() if name not in others}


def _ask(view: ExplorerView, name: str, run: RunInfo, target: str) -> DecodedSentence | None:
    stamp, place = run.weights.path.stat().st_mtime_ns, st.empty()
    if target:
        score = compute_with_progress(ForcedRequest(run.path, stamp, view.sentence, target), place)
        unknown = compute_with_progress(UnknownWordsRequest(run.path, stamp, view.sentence), place)
        if score is None or unknown is None:
            return None
        return with_weights(name, run, stamp, view.sentence, target, target, score.result, unknown.result)
    settings = chosen_settings(run, view.beam, view.unknown, view.rank)
    request = TranslationRequest(run.path, stamp, view.sentence, settings)
    answer = compute_with_progress(
        request, place, "words" if run.target_vocabulary.kind == "words" else "pieces of words"
    )
    if answer is None:
        return None
    hypotheses = answer.result.hypotheses
    chosen = hypotheses[min(view.rank, len(hypotheses)) - 1]
    unknown_words = answer.result.unknown_words
    return with_weights(name, run, stamp, view.sentence, chosen.text, chosen.tokens, chosen, unknown_words)


def with_weights(
    name: str,
    run: RunInfo,
    stamp: int,
    sentence: str,
    text: str,
    target: str | tuple[str, ...],
    output: Hypothesis | ForcedScore,
    unknown_words: tuple[str, ...],
) -> DecodedSentence | None:
    """An output with its alpha, or with the map that stands in for it; None after saying why there is none."""
    weights = output.alignment
    if weights is None:
        answer = compute_with_progress(StandInRequest(run.path, stamp, sentence, target), st.empty())
        if answer is None:
            return None
        weights = answer.result
    return DecodedSentence(name, run, stamp, text, target, output, weights, unknown_words)
