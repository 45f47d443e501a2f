"""One sentence over the saved steps of a training: what the model wrote and where it looked while it learned."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from nmt.alignments.measures import measures
from nmt.errors import InputError
from nmt.inference.translator import Translator
from nmt.results import Alignment, ForcedScore, Hypothesis


@dataclass(frozen=True)
class SavedStep:
    """The model as it was after so many updates."""

    update: int
    model: Translator


@dataclass(frozen=True, eq=False)
class StepAnswer:
    """What a step makes of a sentence.

    Attributes:
        update: updates made.
        own: what it writes itself.
        given: the target that is the same for all steps, under this one.
    """

    update: int
    own: Hypothesis
    given: ForcedScore

    @property
    def entropy(self) -> float:
        """Mean entropy of alpha over the words of the given target, end mark included, bits."""
        alignment = self.given.alignment
        assert alignment is not None
        return float(measures(alignment.merged()).entropy.mean())


@dataclass(frozen=True, eq=False)
class Learning:
    """All steps, in the order of the training.

    Attributes:
        target: the given target: what the last step writes, unless another was given.
        unknown_words: of the source.
    """

    target: str
    steps: tuple[StepAnswer, ...]
    unknown_words: tuple[str, ...]

    def alignment(self, number: int, own: bool) -> Alignment:
        """Alpha of a step, over its own words or over the given target."""
        step = self.steps[number]
        found = step.own.alignment if own else step.given.alignment
        assert found is not None
        return found


def watch_learning(
    steps: Sequence[SavedStep],
    sentence: str,
    target: str = "",
    beam: int = 12,
    on_step: Callable[[int, int], None] = lambda done, limit: None,
) -> Learning:
    """Translate with every step, and align the same target under every step.

    Args:
        steps: in the order of the training, all of one run; at least one.
        target: the target that all are to align; "" = what the last one writes.
        on_step: called as ``on_step(done, limit)`` before each step; it may raise to give up.

    Raises:
        InputError: the model has no alpha, or as ``Translator.translate`` does.
    """
    assert steps
    if not steps[0].model.has_alignment:
        raise InputError(f"{steps[0].model.name} has no alpha whose learning could be watched")
    found = []
    for done, step in enumerate(steps):
        on_step(done, len(steps))
        found.append(step.model.translate(sentence, beam=beam))
    last = steps[-1].model
    read = last.source.encode(sentence)
    written = last.target.encode(target) if target else last.target.encode_tokens(found[-1].best.tokens)
    answers = tuple(
        StepAnswer(step.update, translation.best, next(iter(step.model.score_encoded([(read, written)]))))
        for step, translation in zip(steps, found, strict=True)
    )
    return Learning(target or found[-1].best.text, answers, found[-1].unknown_words)
