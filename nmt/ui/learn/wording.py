"""Sentences that explain each step of a translation, made from the numbers of the step."""

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from nmt.charts.step_view import Frame, Stage, StepDrawing
from nmt.results import END, Encoded, TranslationStep, TranslationSteps
from nmt.results.alignment import PIECE_MARK, spelled
from nmt.results.inspection import CONTINUATION_MARK, readable_steps
from nmt.texts import LEARN
from nmt.ui.formatting import true_minus

STAGES: tuple[Stage, ...] = ("state", "scores", "weights", "context", "word")
_STAGES_WITHOUT_ATTENTION: tuple[Stage, ...] = ("state", "context", "word")
_MOST_CHARACTERS = 40
_HARDLY, _SPREAD = 0.005, 1.5
"""A share of the weight that is written as 0 %, and the number of source words from which on weights are spread."""


def drawing(name: str, kind: str, steps: TranslationSteps, step: int = len(STAGES)) -> StepDrawing:
    """Make the drawing of a translation. It begins at the word whose weights are spread most, if possible of one token.

    Args:
        name: name of the checkpoint.
        kind: name of its architecture, for readers.
        steps: the steps of the translation. The drawing has readable subwords.
        step: number, from 1, of the word's stage at which the drawing begins. If too large, its last stage.
    """
    steps = readable_steps(steps)
    stages = STAGES if steps.attends else _STAGES_WITHOUT_ATTENTION
    frames = [Frame(0, "read", _read(steps))]
    frames += [Frame(i, stage, _SENTENCES[stage](steps, i)) for i in range(len(steps.steps)) for stage in stages]
    spread = [_mixture(steps, i) for i in range(len(steps.steps))]
    widest = max(range(len(spread)), key=lambda i: (spread[i] >= _SPREAD and not steps.steps[i].subwords, spread[i]))
    start = 1 + len(stages) * widest + min(step, len(stages)) - 1
    return StepDrawing(name=name, kind=kind, steps=steps, frames=tuple(frames), start=start)


def _mixture(steps: TranslationSteps, i: int) -> float:
    """How many source words share the weight of token i. 0 if there is little to see: without attention, for a token
    without a letter or a digit, and if the end-of-sentence token has half of the weight or more."""
    alpha, word = steps.steps[i].alpha, steps.target[i]
    if alpha is None or word == END or not any(map(str.isalnum, word)) or alpha[-1] >= 0.5:
        return 0
    return _sharing(alpha)


def _sharing(alpha: np.ndarray) -> float:
    """Number of source words that share a weight: 2 to the power of the entropy in bits."""
    present = alpha[alpha > 0].astype(np.float64)
    return float(np.exp(-(present * np.log(present)).sum()))


def in_words(steps: TranslationSteps, source: Encoded, target: Encoded) -> TranslationSteps:
    """Merge the steps of a translation into whole words, as ``Alignment.merged`` does. Weights are added over the
    subwords of a source word. Over the subwords of a target word, weights, scores and vectors are averaged, and
    probabilities multiplied. The next tokens are those of its first subword. A word of one subword keeps its numbers.

    Args:
        source, target: the sentence and its translation, with the number of each subword's word.
    """
    columns = _groups(source.words)
    merged = []
    for rows in _groups(target.words):
        of_word = [steps.steps[i] for i in rows]
        first, last = of_word[0], of_word[-1]
        merged.append(
            replace(
                first,
                energies=_mean(
                    [_by_word(np.logaddexp, s.energies, columns) for s in of_word if s.energies is not None]
                ),
                alpha=_mean([_by_word(np.add, s.alpha, columns) for s in of_word if s.alpha is not None]),
                context=np.mean([step.context for step in of_word], axis=0),
                update_gate=_mean([step.update_gate for step in of_word]),
                log_probability=sum(step.log_probability for step in of_word),
                rank=max(step.rank for step in of_word),
                next_state=last.next_state,
                subwords=tuple(steps.target[i] for i in rows) if len(rows) > 1 else (),
            )
        )
    return replace(
        steps,
        source=tuple("".join(steps.source[j] for j in word) for word in columns),
        target=tuple("".join(steps.target[i] for i in word) for word in _groups(target.words)),
        annotations=np.array([steps.annotations[word].mean(axis=0) for word in columns]),
        steps=tuple(merged),
    )


def _groups(words: Sequence[int]) -> list[list[int]]:
    """By word, the numbers of its tokens."""
    return [[k for k, other in enumerate(words) if other == word] for word in dict.fromkeys(words)]


def _by_word(add: np.ufunc, values: np.ndarray | None, columns: list[list[int]]) -> np.ndarray | None:
    return None if values is None else np.array([add.reduce(values[word]) for word in columns], dtype=np.float32)


def _mean(rows: list[np.ndarray | None]) -> np.ndarray | None:
    """The mean of the rows that are not None. None if all are, as without attention or for a unit without a gate."""
    present = [row for row in rows if row is not None]
    return np.array(np.mean(present, axis=0, dtype=np.float32)) if present else None


def _jump(steps: TranslationSteps, i: int) -> int:
    """Return how far the largest weight moved from token i - 1 to token i, beyond the usual one place. 0 without
    attention, at the ends of the target, and if either weight is on the end-of-sentence token."""
    before, present = (None if k < 0 else steps.steps[k].alpha for k in (i - 1, i))
    if before is None or present is None or steps.target[i] == END:
        return 0
    peaks = int(before.argmax()), int(present.argmax())
    return 0 if len(steps.source) - 1 in peaks else peaks[1] - peaks[0] - 1


def _read(steps: TranslationSteps) -> str:
    if steps.attends:
        return LEARN.read.format(count=len(steps.source), end=END, numbers=2 * steps.hidden)
    return LEARN.read_without_attention.format(count=len(steps.source), end=END, numbers=steps.hidden)


def _state(steps: TranslationSteps, i: int) -> str:
    if i == 0:
        if steps.attends:
            return LEARN.first_state.format(word=steps.source[0])
        return LEARN.first_state_without_attention
    gate = steps.steps[i - 1].update_gate
    sentence = LEARN.state.format(written=_written(steps, i))
    return sentence if gate is None else sentence + LEARN.renewed.format(percent=100 * gate.mean())


def _scores(steps: TranslationSteps, i: int) -> str:
    energies = steps.steps[i].energies
    assert energies is not None
    high, low = int(energies.argmax()), int(energies.argmin())
    return LEARN.scores.format(
        low=true_minus(f"{energies[low]:.2f}"),
        low_word=steps.source[low],
        high=true_minus(f"{energies[high]:.2f}"),
        high_word=steps.source[high],
    )


def _weights(steps: TranslationSteps, i: int) -> str:
    alpha = steps.steps[i].alpha
    assert alpha is not None
    first, *others = np.argsort(-alpha, kind="stable").tolist()
    word, percent = steps.source[first], 100 * alpha[first]
    if not others or alpha[others[0]] < _HARDLY:
        return LEARN.weights.format(word=word, percent=percent)
    second, second_percent = steps.source[others[0]], 100 * alpha[others[0]]
    effective = _sharing(alpha)
    sentence = LEARN.weights_of_two.format(word=word, percent=percent, second=second, second_percent=second_percent)
    return sentence + (LEARN.spread.format(words=effective) if effective >= _SPREAD else "")


def _context(steps: TranslationSteps, i: int) -> str:
    step = steps.steps[i]
    if step.alpha is None:
        return LEARN.context_without_attention.format(numbers=len(step.context))
    j = int(step.alpha.argmax())
    length = float(np.linalg.norm(step.context) * np.linalg.norm(steps.annotations[j]))
    cosine = float(step.context @ steps.annotations[j]) / length if length else 0.0
    likeness = "equal" if cosine >= 0.98 else "alike" if cosine >= 0.8 else "mixed"
    return LEARN.context.format(likeness=LEARN.by_key.likeness[likeness], word=steps.source[j], cosine=cosine)


def _word(steps: TranslationSteps, i: int) -> str:
    step, word = steps.steps[i], steps.target[i]
    p = _probability(math.exp(step.log_probability))
    others = [token for token in step.next_tokens if token.token != word]
    if step.subwords:
        first, second = step.next_tokens[:2]
        of_first = {"first": first.token, "first_p": _probability(first.probability)}
        of_second = {"second": second.token, "second_p": _probability(second.probability)}
        sentence = LEARN.word_of_subwords.format(word=word, count=len(step.subwords), p=p, **of_first, **of_second)
    elif step.rank > 1:
        first = step.next_tokens[0]
        sentence = LEARN.word_of_lower_rank.format(
            word=word, p=p, rank=step.rank, first=first.token, first_p=_probability(first.probability)
        )
    else:
        second = others[0]
        sentence = LEARN.word_before.format(
            word=word, p=p, second=second.token, second_p=_probability(second.probability)
        )
    return sentence + _origin(steps, step, i)


def _origin(steps: TranslationSteps, step: TranslationStep, i: int) -> str:
    """Say to which source word attention jumped. "" if it stayed or moved forward by at most two places."""
    jump = _jump(steps, i)
    if step.alpha is None or -1 <= jump <= 1:
        return ""
    word = steps.source[int(step.alpha.argmax())]
    if jump < 0:
        return LEARN.went_back.format(places=-jump - 1, word=word)
    return LEARN.jumped_ahead.format(places=jump + 1, word=word)


_SENTENCES = {"state": _state, "scores": _scores, "weights": _weights, "context": _context, "word": _word}


def _written(steps: TranslationSteps, i: int) -> str:
    """The detokenised translation before token i. Of a long one, only the last words."""
    before = spelled("".join(steps.target[:i]).replace(CONTINUATION_MARK, "").replace(PIECE_MARK, ""))
    count = sum(not character.isspace() for character in before)
    letters = [k for k, each in enumerate(steps.text, 1) if not each.isspace() and each != CONTINUATION_MARK]
    text = steps.text[: letters[min(count, len(letters)) - 1]] if letters and count else ""
    return text if len(text) <= _MOST_CHARACTERS else "… " + text[-_MOST_CHARACTERS:].split(" ", 1)[-1]


def _probability(value: float) -> str:
    """
    >>> _probability(0.8612), _probability(0.005), _probability(0.0049)
    ('0.86', '0.01', 'less than 0.01')
    """
    return f"{value:.2f}" if value >= 0.005 else LEARN.very_small
