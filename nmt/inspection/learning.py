"""Translations and alignments of one sentence by the models saved during training."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from nmt.alignments.measures import entropy
from nmt.config import SearchSettings
from nmt.inference.translator import Translator
from nmt.results import Alignment, ForcedScore, Hypothesis


@dataclass(frozen=True, eq=False)
class StepAnswer:
    """One sentence, translated and aligned by the model of one saved training step. ``given``: forced decoding by this
    model, of the target that is the same for all steps."""

    update: int
    own: Hypothesis
    given: ForcedScore

    @property
    def entropy(self) -> float:
        """Mean entropy in bits of alpha's rows for the words of ``given``, end-of-sentence token included."""
        alignment = self.given.alignment
        assert alignment is not None
        return float(entropy(alignment.merged().weights).mean())


@dataclass(frozen=True, eq=False)
class Learning:
    """Results of all saved steps, in the order of the training. ``target``: the target that all steps align."""

    target: str
    steps: tuple[StepAnswer, ...]
    unknown_words: tuple[str, ...]

    @property
    def source(self) -> tuple[str, ...]:
        """Words of the source, the same in all alignments."""
        (source,) = {step.own.alignment.merged().source for step in self.steps if step.own.alignment is not None}
        return source

    def alignment(self, number: int, own: bool) -> Alignment:
        """Alpha of step ``number``: of its translation if ``own``, else of the target that all steps align."""
        step = self.steps[number]
        weights = step.own.alignment if own else step.given.alignment
        assert weights is not None
        return weights


def watch_learning(
    steps: Sequence[tuple[int, Translator]],
    sentence: str,
    target: str,
    settings: SearchSettings,
    on_step: Callable[[int, int], None],
) -> Learning:
    """Translate a sentence with the model of every saved step. Score one target with every one of these models. Models
    with attention also align it.

    Args:
        steps: number of updates and model of each step of one run, in the order of the training. At least one step.
        target: the target that all steps score, or "" for the translation of the last step.
        on_step: called as ``on_step(done, limit)`` before each step. An exception that it raises ends the work.

    Raises the errors of ``Translator.translate``.
    """
    assert steps
    last = steps[-1][1]
    learning_steps = []
    for done, (_, model) in enumerate(steps):
        on_step(done, len(steps))
        learning_steps.append(model.translate(sentence, settings))
    encoded_source = last.source.encode(sentence)
    encoded_target = last.target.encode(target) if target else last.target.encode_tokens(learning_steps[-1].best.tokens)
    answers = tuple(
        StepAnswer(update, translation.best, next(iter(model.score_stream([(encoded_source, encoded_target)]))))
        for (update, model), translation in zip(steps, learning_steps, strict=True)
    )
    return Learning(target or learning_steps[-1].best.text, answers, learning_steps[-1].unknown_words)
