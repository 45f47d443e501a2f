"""The weights as a table."""

from __future__ import annotations

import numpy as np
import pytest

from nmt.results import Alignment
from nmt.ui.look.explore.weights_table import weights_table

SOURCE, TARGET = ("the", 'a "q", b', "the", "</s>"), ("<b>", "$x$", "</s>")


@pytest.fixture
def alignment() -> Alignment:
    weights = np.random.default_rng(1).random((3, 4))
    return Alignment(source=SOURCE, target=TARGET, weights=weights / weights.sum(axis=1, keepdims=True))


def test_repeated_words_keep_their_columns(alignment: Alignment) -> None:
    table = weights_table(alignment)
    assert list(table.columns) == ["1 the", '2 a "q", b', "3 the", "4 </s>"]
    assert table["3 the"].to_numpy() == pytest.approx(alignment.weights[:, 2])
