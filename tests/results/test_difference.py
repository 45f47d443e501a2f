"""Differences: both sentences can be read off them."""

import numpy as np
import pytest

from nmt.results import END
from nmt.results.difference import changes


def sentence(rng: np.random.Generator) -> tuple[str, ...]:
    return (*(f"w{k}" for k in rng.integers(0, 5, size=int(rng.integers(0, 8)))), END)


@pytest.mark.parametrize("seed", range(20))
def test_both_sentences_can_be_read_off(seed: int) -> None:
    rng = np.random.default_rng(seed)
    before, after = sentence(rng), sentence(rng)
    found = changes(before, after)
    assert [(c.before, c.word) for c in found if c.kind != "inserted"] == list(enumerate(before))
    assert [(c.after, c.word) for c in found if c.kind != "deleted"] == list(enumerate(after))
    assert found[-1].kind == "kept"
    assert all(change.kind == "kept" for change in changes(before, before))


def test_frequent_words_of_a_long_text_are_kept_too() -> None:
    text = ["de", "la"] * 150
    assert [change.kind for change in changes(text, ["x", *text])] == ["inserted", *["kept"] * 300]
