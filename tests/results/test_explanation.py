"""A cell in words: what the sentence says is what the numbers are."""

from __future__ import annotations

import math

import numpy as np
import pytest

from nmt.results import CellExplanation
from nmt.results.explanation import NextToken


def cell(probability: float, without: float | None, alpha: float | None = 0.96) -> CellExplanation:
    row = None if alpha is None else np.array([1 - alpha, alpha, 0], np.float32)
    log = None if without is None else math.log(without)
    return CellExplanation(
        source=("▁the", "▁Area", "</s>"),
        target=("▁zone", "</s>"),
        i=0,
        j=1,
        energies=row,
        alpha=row,
        gates=(),
        state_norm=1.0,
        context_norm=1.0,
        annotation_norm=None,
        left_out=() if without is None else (1,),
        next_tokens=(NextToken("▁région", -0.1, None), NextToken("▁zone", math.log(probability), log)),
    )


@pytest.mark.parametrize(
    ("one", "expected"),
    [
        (
            cell(0.86, 0.004),
            "“zone” gave 96% of its attention to “Area”; without “Area” its probability falls from 0.86 to 0.00.",
        ),
        (
            cell(0.2, 0.5),
            "“zone” gave 96% of its attention to “Area”; without “Area” its probability rises from 0.20 to 0.50.",
        ),
        (cell(0.2, 0.2001), "“zone” gave 96% of its attention to “Area”; without “Area” its probability stays 0.20."),
        (cell(0.2, None), "“zone” gave 96% of its attention to “Area”; its probability is 0.20."),
        (
            cell(0.86, 0.1, None),
            "“zone” was written without looking at any single word; without “Area” its probability falls from 0.86 "
            "to 0.10.",
        ),
    ],
)
def test_a_cell_in_words(one: CellExplanation, expected: str) -> None:
    assert one.in_words == expected
