"""What to see at each step of a translation, in sentences made from its numbers."""

from __future__ import annotations

import math

import numpy as np

from nmt.charts.step_view import Frame, Stage, StepDrawing
from nmt.results import END, TranslationStep, TranslationSteps

_STAGES: tuple[Stage, ...] = ("state", "scores", "weights", "context", "word")
_STAGES_WITHOUT_ATTENTION: tuple[Stage, ...] = ("state", "context", "word")
_MOST_CHARACTERS = 40


def drawing(name: str, kind: str, steps: TranslationSteps) -> StepDrawing:
    """Make the drawing of a translation; it begins at the word where attention jumps furthest.

    Args:
        name: of the checkpoint.
        kind: name of its architecture, for readers.
    """
    frames = [Frame(0, "read", _read(steps))]
    for i in range(len(steps.steps)):
        for stage in _STAGES if steps.attends else _STAGES_WITHOUT_ATTENTION:
            frames.append(Frame(i, stage, _SENTENCES[stage](steps, i)))
    word = _furthest_jump(steps)
    start = next(k for k, frame in enumerate(frames) if (frame.word, frame.stage) == (word, "word"))
    return StepDrawing(name=name, kind=kind, steps=steps, frames=tuple(frames), start=start)


def _furthest_jump(steps: TranslationSteps) -> int:
    """The word that attention jumped furthest to write; the first one if it never jumped."""
    jumps = [abs(_jump(steps, i)) for i in range(len(steps.steps))]
    return int(np.argmax(jumps))


def _jump(steps: TranslationSteps, i: int) -> int:
    """How far the largest weight moved from the word before to token i, beyond the one place by which it goes on
    anyway; 0 where one of the two is on the end mark, and without attention."""
    before, here = (None if k < 0 else steps.steps[k].alpha for k in (i - 1, i))
    if before is None or here is None or steps.target[i] == END:
        return 0
    peaks = int(before.argmax()), int(here.argmax())
    return 0 if len(steps.source) - 1 in peaks else peaks[1] - peaks[0] - 1


def _read(steps: TranslationSteps) -> str:
    count = len(steps.source)
    if steps.attends:
        return (
            f"The encoder has read all {count} tokens of the source in both directions, the end mark {END} included. "
            f"It keeps one annotation of {2 * steps.hidden:,} numbers for each of them. Nothing is written yet."
        )
    return (
        f"The encoder has read all {count} tokens of the source from left to right, the end mark {END} included. It "
        f"hands over its last state alone: {steps.hidden:,} numbers, however long the sentence is."
    )


def _state(steps: TranslationSteps, i: int) -> str:
    if i == 0:
        if steps.attends:
            return (
                f"The first state s₀ is made from the backward state of {_quoted(steps.source[0])}, which has seen the "
                "whole sentence from its end."
            )
        return "The first state s₀ is made from the encoder's last state."
    before = steps.steps[i - 1]
    said = f"The state now stands for what is written so far: {_quoted(_written(steps, i))}."
    if before.update_gate is not None:
        said += f" On average the last step renewed {before.update_gate.mean():.0%} of each unit, and kept the rest."
    return said


def _scores(steps: TranslationSteps, i: int) -> str:
    energies = steps.steps[i].energies
    assert energies is not None
    high, low = int(energies.argmax()), int(energies.argmin())
    return (
        f"The state is compared with every annotation. The scores run from {_number(energies[low])} for "
        f"{_quoted(steps.source[low])} to {_number(energies[high])} for {_quoted(steps.source[high])}, which fits the "
        "next word best."
    )


def _weights(steps: TranslationSteps, i: int) -> str:
    alpha = steps.steps[i].alpha
    assert alpha is not None
    order = np.argsort(-alpha, kind="stable")
    said = f"As shares of 1, {_quoted(steps.source[order[0]])} gets {alpha[order[0]]:.0%} of the weight"
    if len(order) > 1:
        said += f", and then {_quoted(steps.source[order[1]])} {alpha[order[1]]:.0%}"
    return f"{said}. The weight is spread as over {_effective(alpha):.1f} words of equal weight."


def _context(steps: TranslationSteps, i: int) -> str:
    step = steps.steps[i]
    if step.alpha is None:
        return (
            f"The decoder gets the same {len(step.context):,} numbers c as at every other word. There are no scores "
            "and no weights: it cannot look at single words of the source."
        )
    j = int(step.alpha.argmax())
    cosine = _cosine(step.context, steps.annotations[j])
    likeness = "almost equals" if cosine >= 0.98 else "resembles" if cosine >= 0.8 else "is a mixture around"
    return (
        f"The annotations, mixed by these weights, make the context c. It {likeness} the annotation of "
        f"{_quoted(steps.source[j])} (cosine {cosine:.2f})."
    )


def _word(steps: TranslationSteps, i: int) -> str:
    step, word = steps.steps[i], _quoted(steps.target[i])
    probability = _probability(math.exp(step.log_probability))
    if step.rank > 1:
        first = step.next_tokens[0]
        said = (
            f"The search writes {word} with p = {probability}, only number {step.rank} by probability here, after "
            f"{_quoted(first.token)} with {_probability(first.probability)}: it compares whole translations, and this "
            "one came out best."
        )
    else:
        said = f"{word} is the most probable next word, with p = {probability}"
        others = [token for token in step.next_tokens if token.token != steps.target[i]]
        said += f", before {_quoted(others[0].token)} with {_probability(others[0].probability)}." if others else "."
    return said + _origin(steps, step, i)


def _origin(steps: TranslationSteps, step: TranslationStep, i: int) -> str:
    """Where the word was looked for, if attention jumped to it."""
    jump = _jump(steps, i)
    if step.alpha is None or -1 <= jump <= 1:
        return ""
    word = _quoted(steps.source[int(step.alpha.argmax())])
    if jump < 0:
        return f" To write it, attention went back by {-jump - 1} to {word}."
    return f" To write it, attention jumped ahead by {jump + 1} to {word}."


_SENTENCES = {"state": _state, "scores": _scores, "weights": _weights, "context": _context, "word": _word}


def _written(steps: TranslationSteps, i: int) -> str:
    """The tokens before i, the last ones if they are many."""
    text = " ".join(steps.target[:i])
    return text if len(text) <= _MOST_CHARACTERS else "… " + text[-_MOST_CHARACTERS:].split(" ", 1)[-1]


def _quoted(word: str) -> str:
    return f"“{word}”"


def _number(value: float) -> str:
    return f"{value:.2f}".replace("-", "−")


def _probability(value: float) -> str:
    """
    >>> _probability(0.8612), _probability(0.00001)
    ('0.86', 'less than 0.01')
    """
    return f"{value:.2f}" if value >= 0.005 else "less than 0.01"


def _effective(alpha: np.ndarray) -> float:
    """2 to the power of the entropy in bits."""
    present = alpha[alpha > 0].astype(np.float64)
    return float(np.exp(-(present * np.log(present)).sum()))


def _cosine(a: np.ndarray, b: np.ndarray) -> float:
    length = float(np.linalg.norm(a) * np.linalg.norm(b))
    return float(a @ b) / length if length else 0.0
