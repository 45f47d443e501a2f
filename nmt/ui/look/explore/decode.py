"""Decoding of the sentence by the checkpoints: for each a translation or a given target, and the weights to be
shown."""

from __future__ import annotations

from dataclasses import dataclass, replace

import streamlit as st

from nmt.answers.keys import Text
from nmt.results import Alignment, Encoded, ForcedScore, Hypothesis, Translation
from nmt.runs.folder import RunInfo
from nmt.ui.compute import answer_to
from nmt.ui.formatting import escaped, language
from nmt.ui.look.explore import strings
from nmt.ui.look.explore.form import DIFFERENCE, ExplorerView
from nmt.ui.tasks import ForceTask, LeaveOneOutTask, ReadOutputTask, ReadTask, TranslateTask, chosen_settings


@dataclass(frozen=True, eq=False, kw_only=True)
class DecodedSentence:
    """Translation of the sentence by one checkpoint, or its score of a given target.

    Attributes:
        name, run: the checkpoint.
        source: the sentence as the model read it.
        target: the target as it was typed, or as the model wrote it.
        text: the target as a sentence.
        output: the hypothesis, or the score of the target that was given.
        weights: alpha, or the leave-one-out attribution in its place.
        follows: the checkpoint whose translation this one was made to write; "" for its own, or a typed target.
        own: what it would have written itself, where it follows another checkpoint.
    """

    name: str
    run: RunInfo
    source: Encoded
    target: Text
    text: str
    output: Hypothesis | ForcedScore
    weights: Alignment
    follows: str = ""
    own: Hypothesis | None = None

    @property
    def unknown_words(self) -> tuple[str, ...]:
        """Source words that the vocabulary does not hold."""
        return self.source.unknown

    @property
    def tokens(self) -> tuple[str, ...]:
        """Tokens as the model wrote or read them, [T_y]."""
        return self.output.tokens

    @property
    def stands_in(self) -> bool:
        """True if ``weights`` are not alpha."""
        return self.output.alignment is None


def decode_all(view: ExplorerView) -> list[DecodedSentence]:
    """Decode the sentence with each checkpoint that can, in the order chosen; in place of the others the reason is
    shown. For a difference, all are forced to the translation of the first one."""
    decoded_sentences: list[DecodedSentence] = []
    for name, run in _of_one_target(view).items():
        first = decoded_sentences[0] if decoded_sentences and DIFFERENCE in view.options and not view.target else None
        explored = _follow(view, name, run, first) if first is not None else _ask(view, name, run)
        if explored is not None:
            decoded_sentences.append(explored)
    return decoded_sentences


def _of_one_target(view: ExplorerView) -> dict[str, RunInfo]:
    """Select the checkpoints with the target language of the first one, if all are forced to one target; say which are
    left out."""
    if not view.runs or not (view.target or DIFFERENCE in view.options):
        return view.runs
    target_language = next(iter(view.runs.values())).target_language
    others = [name for name, run in view.runs.items() if run.target_language != target_language]
    if others:
        names = escaped(", ".join(others))
        notice = strings.OTHER_TARGET_LANGUAGE.format(language=language(target_language), names=names)
        st.caption(f":material/warning: {notice}")
    return {name: run for name, run in view.runs.items() if name not in others}


def _ask(view: ExplorerView, name: str, run: RunInfo) -> DecodedSentence | None:
    if view.target:
        read = answer_to(ReadTask(run, view.sentence), st.empty())
        return None if read is None else forced(name, run, read.result, view.target, view.target)
    translation = _translation(view, run)
    return None if translation is None else decoded(name, run, translation, view.rank)


def _follow(view: ExplorerView, name: str, run: RunInfo, first: DecodedSentence) -> DecodedSentence | None:
    """Force a checkpoint to the translation of another one. The translation is passed as tokens: a text made of them,
    such as one with [UNK], might be read as other tokens."""
    assert isinstance(first.target, Encoded)
    translation = _translation(view, run)
    target = None if translation is None else answer_to(ReadOutputTask(run, first.target), st.empty())
    if translation is None or target is None:
        return None
    output = translation.best
    assert translation.encoded is not None
    assert output.encoded is not None
    if output.encoded.ids == target.result.ids:
        return decoded(name, run, translation)
    follower = forced(name, run, translation.encoded, target.result, first.text)
    return None if follower is None else replace(follower, follows=first.name, own=output)


def _translation(view: ExplorerView, run: RunInfo) -> Translation | None:
    task = TranslateTask(run, view.sentence, chosen_settings(run, view.beam, view.unknown, view.listed))
    answer = answer_to(task, st.empty())
    return None if answer is None else answer.result


def decoded(name: str, run: RunInfo, translation: Translation, rank: int = 1) -> DecodedSentence | None:
    """Take a hypothesis, the last one if there are fewer than ``rank``; None after saying why there are no weights."""
    chosen = translation.hypotheses[min(rank, len(translation.hypotheses)) - 1]
    assert translation.encoded is not None
    assert chosen.encoded is not None
    return _with_weights(name, run, translation.encoded, chosen.encoded, chosen.text, chosen)


def forced(name: str, run: RunInfo, source: Encoded, target: Text, text: str) -> DecodedSentence | None:
    """Force a checkpoint to a target; None after saying why that is impossible."""
    score = answer_to(ForceTask(run, source, target), st.empty())
    return None if score is None else _with_weights(name, run, source, target, text, score.result)


def _with_weights(
    name: str, run: RunInfo, source: Encoded, target: Text, text: str, output: Hypothesis | ForcedScore
) -> DecodedSentence | None:
    weights = output.alignment
    if weights is None:
        answer = answer_to(LeaveOneOutTask(run, source, target), st.empty())
        if answer is None:
            return None
        weights = answer.result
    return DecodedSentence(name=name, run=run, source=source, target=target, text=text, output=output, weights=weights)
