"""A cell in words: what the sentence says is what the numbers are."""

import math
import re

import numpy as np
import pytest

from nmt.results import CellExplanation
from nmt.results.inspection import NextToken


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
        (cell(0.86, 0.004), r"“zone” .*96 % .*“Area”.*“Area”.*falls .*0\.86 .*0\.00\."),
        (cell(0.2, 0.5), r"“zone” .*96 % .*“Area”.*“Area”.*rises .*0\.20 .*0\.50\."),
        (cell(0.2, 0.2001), r"“zone” .*96 % .*“Area”.*“Area”.*stays 0\.20\."),
        (cell(0.2, None), r"“zone” .*96 % .*“Area”[^“]* 0\.20\."),
        (
            cell(0.86, 0.1, None),
            r"“zone” [^%“]*“Area”[^%“]*falls .*0\.86 .*0\.10\.",
        ),
    ],
)
def test_a_cell_in_words(one: CellExplanation, expected: str) -> None:
    assert re.fullmatch(expected, one.in_words)
