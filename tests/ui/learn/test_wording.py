"""The sentences beside the drawing say what the numbers say."""

import math
from dataclasses import replace

import numpy as np
import pytest

from nmt.results import END, Alignment, Encoded, NextToken, TranslationStep, TranslationSteps
from nmt.texts import LEARN
from nmt.ui.learn.wording import drawing, in_words

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


def changed(steps: TranslationSteps, i: int, **values: object) -> TranslationSteps:
    """Steps of which one is another."""
    other = replace(steps.steps[i], **values)  # type: ignore[arg-type]
    return replace(steps, steps=(*steps.steps[:i], other, *steps.steps[i + 1 :]))


def said(steps: TranslationSteps, word: int, stage: str) -> str:
    (text,) = [frame.text for frame in drawing("x", "X", steps).frames if (frame.word, frame.stage) == (word, stage)]
    return text


def test_every_stage_of_every_word_has_a_sentence() -> None:
    with_attention, without = drawing("x", "X", made()), drawing("x", "X", made(attends=False))
    assert len(with_attention.frames) == 1 + 4 * 5
    assert len(without.frames) == 1 + 4 * 3
    for frame in (*with_attention.frames, *without.frames):
        assert frame.text
        assert "-" not in frame.text.replace("end-of-sentence", "").replace("runner-up", "")  # true minus signs


def begins(steps: TranslationSteps) -> int:
    """Number of the word with which the drawing begins."""
    found = drawing("x", "X", steps)
    assert found.frames[found.start].stage == "word"
    return found.frames[found.start].word


def test_it_begins_at_the_word_whose_weights_are_spread_most() -> None:
    """Not at punctuation, at the end, or where the end of the sentence has most of the weight."""
    steps = made()
    assert begins(steps) == 2  # a quarter for each
    assert begins(replace(steps, target=("first", "second", ".", END))) == 0
    assert begins(changed(steps, 2, alpha=np.array([0.2, 0.15, 0.15, 0.5], dtype=np.float32))) == 0
    assert begins(changed(changed(steps, 2, subwords=("·a", "b")), 0, alpha=np.float32([0.5, 0.5, 0, 0]))) == 0
    assert begins(made(attends=False)) == 0


def test_scores_weights_and_context() -> None:
    steps = made()
    a, b = "a", "b"
    assert said(steps, 0, "scores") == LEARN.scores.format(low="−2.50", low_word=b, high="4.00", high_word=a)
    weights = LEARN.weights_of_two.format(word=a, percent=90, second=b, second_percent=5)
    assert said(steps, 0, "weights") == weights  # as many as 1.48 words
    assert said(steps, 2, "weights").endswith(LEARN.spread.format(words=4.0))
    likeness = LEARN.by_key.likeness
    assert said(steps, 0, "context") == LEARN.context.format(likeness=likeness["equal"], word=a, cosine=1.0)
    assert said(steps, 2, "context") == LEARN.context.format(likeness=likeness["mixed"], word=a, cosine=0.5)
    assert said(steps, 1, "state") == LEARN.state.format(written="first") + LEARN.renewed.format(percent=25)
    assert said(steps, 0, "state") == LEARN.first_state.format(word=a)
    assert said(steps, 0, "read") == LEARN.read.format(count=4, end=END, numbers=6)
    without = made(attends=False)
    assert said(without, 0, "read") == LEARN.read_without_attention.format(count=4, end=END, numbers=3)
    assert said(without, 0, "state") == LEARN.first_state_without_attention


@pytest.mark.parametrize(
    ("alpha", "second_share", "spread"),
    [
        ([0.5, 0.5, 0, 0], 0.5, 2.0),
        ([0.85, 0.15, 0, 0], 0.15, 1.526),
        ([0.995, 0.005, 0, 0], 0.005, None),
        ([0.996, 0.004, 0, 0], None, None),
        ([1, 0, 0, 0], None, None),
    ],
)
def test_a_second_word_is_told_if_it_has_weight_and_many_words_are_counted(
    alpha: list[float], second_share: float | None, spread: float | None
) -> None:
    row = np.array(alpha, dtype=np.float32)
    expected = LEARN.weights.format(word="a", percent=100 * row[0])
    if second_share is not None:
        expected = LEARN.weights_of_two.format(
            word="a", percent=100 * row[0], second="b", second_percent=100 * second_share
        )
    if spread is not None:
        expected += LEARN.spread.format(words=spread)
    assert said(changed(made(), 0, alpha=row), 0, "weights") == expected


@pytest.mark.parametrize(
    ("context", "annotation", "likeness", "cosine"),
    [
        ([49, 7, 7, 1], [1, 0, 0, 0], "equal", 0.98),
        ([4, 3, 0, 0], [1, 0, 0, 0], "alike", 0.8),
        ([3, 4, 0, 0], [1, 0, 0, 0], "mixed", 0.6),
        ([3, 4, 0, 0], [0, 0, 1, 0], "mixed", 0.0),
        ([0, 0, 0, 0], [1, 0, 0, 0], "mixed", 0.0),
    ],
)
def test_a_context_is_compared_with_the_annotation_of_its_word(
    context: list[int], annotation: list[int], likeness: str, cosine: float
) -> None:
    steps = changed(made(), 0, context=np.array([*context, 0, 0], dtype=np.float32))
    annotations = steps.annotations.copy()
    annotations[0] = [*annotation, 0, 0]
    expected = LEARN.context.format(likeness=LEARN.by_key.likeness[likeness], word="a", cosine=cosine)
    assert said(replace(steps, annotations=annotations), 0, "context") == expected


@pytest.mark.parametrize(
    ("places", "expected"),
    [
        ([0, 2], ""),
        ([0, 3], LEARN.jumped_ahead.format(places=3, word="d")),
        ([1, 1], ""),
        ([2, 1], LEARN.went_back.format(places=1, word="b")),
        ([0, 5], ""),
        ([5, 1], ""),
    ],
)
def test_a_jump_is_more_than_the_one_place_by_which_attention_moves_on(places: list[int], expected: str) -> None:
    """The sixth token is the end-of-sentence token, from which and to which nothing jumps."""
    steps = replace(made(), source=("a", "b", "c", "d", "e", END), annotations=np.eye(6, dtype=np.float32))
    for i, place in enumerate(places):
        steps = changed(steps, i, alpha=np.eye(6, dtype=np.float32)[place])
    before = LEARN.word_before.format(word="second", p="0.50", second="first", second_p="0.50")
    assert said(steps, 1, "word") == before + expected


@pytest.mark.parametrize(
    ("target", "text", "written"),
    [
        (("L'", "accord", "sur", END), "L'accord sur", ["L'", "L'accord", "L'accord sur"]),
        (("▁L'", "ac", "cord", "▁sur"), "L'accord sur", ["L'", "L'ac", "L'accord"]),
        (("▁a", "·", "b", "▁c"), "a·b c", ["a", "a", "a·b"]),
        (("▁<0xE5>", "<0xB3>", "<0xB6>", "は"), "島は", ["島", "島", "島"]),
    ],
)
def test_what_is_written_is_told_as_people_write_it(target: tuple[str, ...], text: str, written: list[str]) -> None:
    steps = replace(made(), target=target, text=text)
    for i, expected in enumerate(written, 1):
        assert said(steps, i, "state").startswith(LEARN.state.format(written=expected)), i


@pytest.mark.parametrize(
    ("first", "written"),
    [
        ("x" * 34, "x" * 34 + " third"),
        ("x" * 35, "… third"),
        ("x" * 31 + " a b", "… a b third"),
    ],
)
def test_of_what_is_written_the_end_is_told(first: str, written: str) -> None:
    steps = replace(made(), target=(first, "third", "last", END), text=f"{first} third last")
    assert said(steps, 2, "state").startswith(LEARN.state.format(written=written))
    steps = replace(made(), target=("x" * 41, "last", END, END), text=f"{'x' * 41} last")
    assert said(steps, 1, "state").startswith(LEARN.state.format(written="… " + "x" * 40))


def test_the_word_and_where_it_was_looked_for() -> None:
    steps = made()
    first = LEARN.word_before.format(word="first", p="0.50", second="other", second_p="0.20")
    assert said(steps, 0, "word") == first
    assert said(steps, 2, "word").endswith(LEARN.went_back.format(places=2, word="a"))
    second = LEARN.word_before.format(word="second", p="0.50", second="first", second_p="0.50")
    assert said(steps, 1, "word") == second  # two words ahead is no jump
    behind = replace(steps.steps[1], rank=3, log_probability=math.log(0.25))
    of_rank = {"word": "second", "p": "0.25", "rank": 3, "first": "first", "first_p": "0.50"}
    changed = replace(steps, steps=(steps.steps[0], behind, *steps.steps[2:]))
    assert said(changed, 1, "word") == LEARN.word_of_lower_rank.format(**of_rank)


def test_without_attention_nothing_is_said_of_weights() -> None:
    assert said(made(attends=False), 2, "context") == LEARN.context_without_attention.format(numbers=3)
    words = LEARN.word_before.format(word="third", p="0.50", second="first", second_p="0.50")
    assert said(made(attends=False), 2, "word") == words


@pytest.mark.parametrize("attends", [True, False])
def test_a_translation_without_words(attends: bool) -> None:
    steps = made(attends)
    empty = replace(steps, target=(END,), steps=steps.steps[-1:], text="")
    assert drawing("x", "X", empty).frames[-1].word == 0


def test_subwords_are_written_for_readers_and_words_as_they_are() -> None:
    steps = made()
    token = steps.steps[0].next_tokens[0]
    pieces = replace(
        steps,
        source=("▁a", "b", "▁c", END),
        steps=(replace(steps.steps[0], next_tokens=(replace(token, token="▁a"), token)), *steps.steps[1:]),
    )
    shown = drawing("x", "X", pieces).steps
    assert shown.source == ("a", "·b", "c", END)
    assert shown.target == steps.target  # whole words
    assert shown.steps[0].next_tokens[0].token == "▁a"
    shown = drawing("x", "X", replace(pieces, target=("▁a", "·", "▁b", END))).steps
    assert shown.target == ("a", "··", "b", END)
    assert shown.steps[0].next_tokens[0].token == "a"


def test_subwords_of_a_word_are_shown_as_one_as_in_the_matrix() -> None:
    tokens = {"source": ("▁a", "b", "▁c", END), "target": ("▁x", "▁y", "z", END)}
    source = Encoded(ids=(1, 2, 3, 0), tokens=tokens["source"], words=(0, 0, 1, 2), unknown=())
    target = Encoded(ids=(1, 2, 3, 0), tokens=tokens["target"], words=(0, 1, 1, 2), unknown=())
    pieces = replace(made(), **tokens)
    merged = in_words(pieces, source, target)
    assert merged.source == ("▁ab", "▁c", END)
    assert merged.target == ("▁x", "▁yz", END)
    alpha = Alignment(**tokens, weights=ALPHA, source_words=source.words, target_words=target.words).merged()
    np.testing.assert_allclose([step.alpha for step in merged.steps], alpha.weights, rtol=1e-6)
    np.testing.assert_allclose(merged.annotations[0], pieces.annotations[:2].mean(axis=0))
    word = merged.steps[1]
    np.testing.assert_allclose(word.context, (pieces.steps[1].context + pieces.steps[2].context) / 2)
    energies = pieces.steps[1].energies
    assert energies is not None
    assert word.energies is not None
    np.testing.assert_allclose(word.energies[0], np.log(np.exp(energies[:2]).sum()), rtol=1e-6)
    assert math.exp(word.log_probability) == pytest.approx(0.25)
    of_first = {"first": "·first", "first_p": "0.50", "second": "·other", "second_p": "0.20"}
    told = LEARN.word_of_subwords.format(word="yz", count=2, p="0.25", **of_first)
    assert said(merged, 1, "word").startswith(told)
    assert word.next_tokens == pieces.steps[1].next_tokens  # the alternatives of "y"
    data = drawing("x", "X", merged).to_dict()["steps"]
    assert [step["subword"] for step in data] == [None, "y", None]
    assert said(merged, 0, "word") == said(pieces, 0, "word")


def test_words_of_one_token_keep_their_numbers() -> None:
    steps = made()
    source = Encoded(ids=(1, 2, 3, 0), tokens=steps.source, words=(0, 1, 2, 3), unknown=())
    target = Encoded(ids=(1, 2, 3, 0), tokens=steps.target, words=(0, 1, 2, 3), unknown=())
    assert drawing("x", "X", in_words(steps, source, target)).to_dict() == drawing("x", "X", steps).to_dict()


def test_a_share_of_nothing_is_not_told() -> None:
    steps = made()
    alone = replace(steps.steps[0], alpha=np.array([0.998, 0.002, 0, 0], dtype=np.float32))
    changed = replace(steps, steps=(alone, *steps.steps[1:]))
    assert said(changed, 0, "weights") == LEARN.weights.format(word="a", percent=99.8)


def test_the_drawing_begins_at_a_stage_of_that_word() -> None:
    for attends, last in ((True, 5), (False, 3)):
        starts = [drawing("x", "X", made(attends), step).start for step in range(1, 6)]
        final = drawing("x", "X", made(attends)).start
        assert starts == [final - last + min(step, last) for step in range(1, 6)]
