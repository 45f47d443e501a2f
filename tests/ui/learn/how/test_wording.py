"""The sentences beside the drawing say what the numbers say."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from nmt.results import END, NextToken, TranslationStep, TranslationSteps
from nmt.ui.learn.how.wording import drawing

ALPHA = np.array([[0.9, 0.05, 0.05, 0.0], [0.0, 0.1, 0.9, 0.0], [0.25, 0.25, 0.25, 0.25], [0.0, 0.0, 0.1, 0.9]])


def made(attends: bool = True) -> TranslationSteps:
    """Four words of source, three words of target and the end; the second looks at the third."""
    n = 3
    annotations = np.eye(4, 2 * n if attends else n, dtype=np.float32)
    steps = []
    for i, row in enumerate(ALPHA.astype(np.float32)):
        p = 0.5
        top = (NextToken("first", math.log(p), None), NextToken("other", math.log(0.2), None))
        steps.append(
            TranslationStep(
                state=np.ones(n, dtype=np.float32),
                energies=np.array([4, -2.5, 1, 0], dtype=np.float32) if attends else None,
                alpha=row if attends else None,
                context=row @ annotations if attends else annotations[-1],
                update_gate=np.full(n, 0.25, dtype=np.float32),
                maxout=np.ones(2, dtype=np.float32),
                log_probability=math.log(p),
                rank=1,
                next_tokens=top,
                next_state=np.ones(n, dtype=np.float32) if i < 3 else None,
            )
        )
    return TranslationSteps(
        architecture="rnnsearch" if attends else "rnnencdec",
        state_order="program",
        score="additive",
        vocabulary=10,
        source=("a", "b", "c", END),
        target=("first", "second", "third", END),
        text="first second third",
        annotations=annotations,
        steps=tuple(steps),
    )


def said(steps: TranslationSteps, word: int, stage: str) -> str:
    (text,) = [frame.text for frame in drawing("x", "X", steps).frames if (frame.word, frame.stage) == (word, stage)]
    return text


def test_every_stage_of_every_word_has_a_sentence() -> None:
    with_attention, without = drawing("x", "X", made()), drawing("x", "X", made(attends=False))
    assert len(with_attention.frames) == 1 + 4 * 5
    assert len(without.frames) == 1 + 4 * 3
    for frame in (*with_attention.frames, *without.frames):
        assert frame.text.endswith(".")
        assert "-" not in frame.text.replace("end-of-sentence", "")  # true minus signs


def test_it_begins_at_the_word_where_attention_jumps_furthest() -> None:
    found = drawing("x", "X", made())
    frame = found.frames[found.start]
    assert (frame.word, frame.stage) == (2, "word")  # from c back to a
    forward = replace(made(), steps=made().steps[:2] + made().steps[3:])
    assert drawing("x", "X", forward).frames[drawing("x", "X", forward).start].word == 1


def test_scores_weights_and_context() -> None:
    steps = made()
    assert "from −2.50 for “b” to 4.00 for “a”" in said(steps, 0, "scores")
    assert "“a” gets 90% of the weight, and then “b” 5%" in said(steps, 0, "weights")
    assert "as over 4.0 words" in said(steps, 2, "weights")
    assert "almost equals the annotation of “a”" in said(steps, 0, "context")
    assert "mixture around the annotation of “a” (cosine 0.50)" in said(steps, 2, "context")
    assert "renewed 25%" in said(steps, 1, "state")
    assert "backward state of “a”" in said(steps, 0, "state")


def test_the_word_and_where_it_was_looked_for() -> None:
    steps = made()
    assert "“first” is the most probable next word, with p = 0.50, before “other” with 0.20" in said(steps, 0, "word")
    assert "went back by 2 to “a”" in said(steps, 2, "word")
    assert "attention" not in said(steps, 1, "word")  # two words ahead is no jump
    second = replace(steps.steps[1], rank=3, log_probability=math.log(0.25))
    behind = replace(steps, steps=(steps.steps[0], second, *steps.steps[2:]))
    assert "p = 0.25, only number 3 by probability here, after “first” with 0.50" in said(behind, 1, "word")


def test_without_attention_nothing_is_said_of_weights() -> None:
    frames = drawing("x", "X", made(attends=False)).frames
    assert "the same 3 numbers c" in said(made(attends=False), 2, "context")
    assert not any("attention went" in frame.text for frame in frames)


@pytest.mark.parametrize("attends", [True, False])
def test_a_translation_without_words(attends: bool) -> None:
    steps = made(attends)
    empty = replace(steps, target=(END,), steps=steps.steps[-1:], text="")
    assert drawing("x", "X", empty).frames[-1].word == 0
