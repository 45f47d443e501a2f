"""What the checkpoints say of the sentence: for each a translation or a given target, and the weights to be shown."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from nmt.results import Alignment, Translation
from nmt.run_folder import RunInfo
from nmt.ui.explorer.form import DIFFERENCE, ExplorerView
from nmt.ui.requests import ForcedRequest, StandInRequest, TranslationRequest
from nmt.ui.waiting import answered


@dataclass(frozen=True, eq=False)
class Explored:
    """One checkpoint and what it made of the sentence, or what it thinks of a given target.

    Attributes:
        name, run, stamp: the checkpoint, and when its weights were written.
        text: the target sentence.
        tokens: as the model wrote or read them, [T_y].
        token_log_probabilities: nats, [T_y].
        weights: alpha, or the map that stands in for it.
        stands_in: whether it does.
        forced: whether the target was given.
        translation: with the whole list; None where the target was given.
    """

    name: str
    run: RunInfo
    stamp: int
    text: str
    tokens: tuple[str, ...]
    token_log_probabilities: tuple[float, ...]
    weights: Alignment
    stands_in: bool
    forced: bool
    translation: Translation | None = None

    @property
    def target(self) -> str | tuple[str, ...]:
        """What a request for a given pair has to name: the text that was typed, or the tokens that were written."""
        return self.text if self.forced else self.tokens

    @property
    def log_probability(self) -> float:
        """Nats, end mark included."""
        return sum(self.token_log_probabilities)


def gather(view: ExplorerView) -> list[Explored]:
    """One for each checkpoint that can answer, in the order chosen; the others say in their place why not."""
    found: list[Explored] = []
    common = view.target
    for name, run in view.runs.items():
        explored = _ask(view, name, run, common)
        if explored is None:
            continue
        found.append(explored)
        if DIFFERENCE in view.options and not common:
            common = explored.text  # all others are made to write what the first one wrote
    return found


def _ask(view: ExplorerView, name: str, run: RunInfo, target: str) -> Explored | None:
    place = st.empty()
    stamp = run.weights.path.stat().st_mtime_ns
    if target:
        return _forced(view, name, run, stamp, target)
    request = TranslationRequest(run.path, stamp, view.sentence, view.beam, view.rank, view.unknown)
    answer = answered(request, place, "words" if run.target_vocabulary.kind == "words" else "pieces of words")
    if answer is None:
        return None
    hypotheses = answer.result.hypotheses
    chosen = hypotheses[min(view.rank, len(hypotheses)) - 1]
    weights = chosen.alignment or stand_in(run, stamp, view.sentence, chosen.tokens)
    if weights is None:
        return None
    return Explored(
        name,
        run,
        stamp,
        chosen.text,
        chosen.tokens,
        chosen.token_log_probabilities,
        weights,
        chosen.alignment is None,
        False,
        answer.result,
    )


def _forced(view: ExplorerView, name: str, run: RunInfo, stamp: int, target: str) -> Explored | None:
    place = st.empty()
    score = answered(ForcedRequest(run.path, stamp, view.sentence, target), place)
    if score is None:
        return None
    weights = score.result.alignment or stand_in(run, stamp, view.sentence, target)
    if weights is None:
        return None
    return Explored(
        name,
        run,
        stamp,
        target,
        score.result.tokens,
        score.result.token_log_probabilities,
        weights,
        score.result.alignment is None,
        True,
    )


def stand_in(run: RunInfo, stamp: int, sentence: str, target: str | tuple[str, ...]) -> Alignment | None:
    """The map that stands in for alpha; None after saying why there is none."""
    answer = answered(StandInRequest(run.path, stamp, sentence, target), st.empty())
    return None if answer is None else answer.result
