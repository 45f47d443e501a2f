"""Precision, recall and AER of one sentence pair as a function of the minimum weight of a link.

The rule is ``threshold`` of ``nmt.evaluation.link_extraction``: two words are linked if their weight reaches a given
minimum.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from nmt.errors import InputError
from nmt.evaluation.alignment_error_rate import AlignmentErrorRate
from nmt.evaluation.link_extraction import Extraction
from nmt.evaluation.pharaoh import Gold
from nmt.results import END, Alignment

THRESHOLDS = tuple(k / 100 for k in range(1, 101))
"""Default thresholds: 0.01, 0.02, … 1."""


@dataclass(frozen=True)
class ThresholdPoint:
    """Quality of the links of at least a given weight, measured against gold links.

    Attributes:
        threshold: minimum weight of a link.
        error: error rate of this sentence pair.
    """

    threshold: float
    error: AlignmentErrorRate


def threshold_curve(
    alignment: Alignment, gold: Gold, thresholds: Sequence[float] = THRESHOLDS
) -> tuple[ThresholdPoint, ...]:
    """Compute a point for each threshold, in the given order.

    Args:
        alignment: over words or subwords (which are merged); end-of-sentence tokens, if any, are never linked. It may
            be restricted to some of the words: then gold links to others are never found.
        gold: links of words, with the indices of ``source_words`` and ``target_words``.
        thresholds: each above 0 and at most 1.

    Raises:
        InputError: the gold has no sure link, so that recall is undefined, or a threshold is out of range.
    """
    if not gold.sure:
        raise InputError("the gold alignment has no sure link, so recall and AER are undefined")
    merged = alignment.merged()
    columns = len(merged.source) - (merged.source[-1:] == (END,))
    rows = len(merged.target) - (merged.target[-1:] == (END,))
    weights = merged.weights[:rows, :columns]
    source = {word: j for j, word in enumerate(merged.source_words[:columns])}
    target = {word: i for i, word in enumerate(merged.target_words[:rows])}
    every, sure, possible = (
        np.sort(values)
        for values in (
            weights.ravel(),
            *(
                np.array([weights[target[i], source[j]] for j, i in links if j in source and i in target], np.float32)
                for links in (gold.sure, gold.possible)
            ),
        )
    )
    points = []
    for threshold in thresholds:
        least = np.float32(Extraction("threshold", threshold).threshold)
        links, sure_found, possible_found = (
            len(values) - int(np.searchsorted(values, least)) for values in (every, sure, possible)
        )
        points.append(
            ThresholdPoint(
                threshold,
                AlignmentErrorRate(
                    links=links,
                    sure=len(gold.sure),
                    possible=len(gold.possible),
                    sure_found=sure_found,
                    possible_found=possible_found,
                    sentences=1,
                ),
            )
        )
    return tuple(points)
