"""Differences: both sentences can be read off them, and the weights are compared cell by cell."""

import numpy as np
import pytest

from nmt.results import END, Alignment, Hypothesis, TranslationDifference
from nmt.results.difference import changes


def sentence(rng: np.random.Generator) -> tuple[str, ...]:
    return (*(f"w{k}" for k in rng.integers(0, 5, size=int(rng.integers(0, 8)))), END)


def hypothesis(rng: np.random.Generator, alignment: bool = True) -> Hypothesis:
    """Every word in one piece or in two."""
    sides = []
    for _ in range(2):
        words = sentence(rng)
        tokens: list[str] = []
        numbers: list[int] = []
        for k, word in enumerate(words):
            pieces = [word] if word == END else [f"▁{word[0]}", word[1:]] if rng.random() < 0.5 else [f"▁{word}"]
            tokens += pieces
            numbers += [k] * len(pieces)
        sides.append((tuple(tokens), tuple(numbers)))
    (source, source_words), (target, target_words) = sides
    weights = rng.dirichlet(np.ones(len(source)), size=len(target))
    alpha = (
        Alignment(source=source, target=target, weights=weights, source_words=source_words, target_words=target_words)
        if alignment
        else None
    )
    return Hypothesis(
        text="", tokens=target, log_probability=-1.0, score=-1.0, token_log_probabilities=(-1.0,), alignment=alpha
    )


@pytest.mark.parametrize("seed", range(20))
def test_both_sentences_can_be_read_off(seed: int) -> None:
    rng = np.random.default_rng(seed)
    before, after = sentence(rng), sentence(rng)
    found = changes(before, after)
    assert [(c.before, c.word) for c in found if c.kind != "inserted"] == list(enumerate(before))
    assert [(c.after, c.word) for c in found if c.kind != "deleted"] == list(enumerate(after))
    assert found[-1].kind == "kept"
    assert all(change.kind == "kept" for change in changes(before, before))


@pytest.mark.parametrize("seed", range(20))
def test_weights_are_compared_between_words_that_both_have(seed: int) -> None:
    rng = np.random.default_rng(seed)
    before, after = hypothesis(rng), hypothesis(rng)
    found = TranslationDifference.between(before, after)
    assert before.alignment is not None
    assert after.alignment is not None
    assert found.alpha is not None
    old, new = before.alignment.merged(), after.alignment.merged()
    assert found.target == changes(old.target, new.target)
    assert found.source == changes(old.source, new.source)
    rows, columns = ({c.after: c.before for c in side} for side in (found.target, found.source))
    for i in range(len(new.target)):
        for j in range(len(new.source)):
            if rows[i] is None or columns[j] is None:
                assert np.isnan(found.alpha[i, j])
            else:
                rise = new.weights[i, j] - old.weights[rows[i], columns[j]]
                assert found.alpha[i, j] == pytest.approx(rise, abs=1e-7)


def test_without_an_alignment_pieces_are_joined_all_the_same() -> None:
    for seed in range(10):
        whole = [hypothesis(np.random.default_rng(seed + k)) for k in (0, 100)]
        bare = [hypothesis(np.random.default_rng(seed + k), alignment=False) for k in (0, 100)]
        assert TranslationDifference.between(*bare).target == TranslationDifference.between(*whole).target
        assert TranslationDifference.between(whole[0], bare[1]).alpha is None
    words = [
        Hypothesis(text="", tokens=tokens, log_probability=0.0, score=0.0, token_log_probabilities=())
        for tokens in (("a", "b", END), ("a", "c", END))
    ]
    assert [c.word for c in TranslationDifference.between(*words).target] == ["a", "b", "c", END]


def test_frequent_words_of_a_long_text_are_kept_too() -> None:
    text = ["de", "la"] * 150
    assert [change.kind for change in changes(text, ["x", *text])] == ["inserted", *["kept"] * 300]
