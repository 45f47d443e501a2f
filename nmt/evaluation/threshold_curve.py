"""Precision, recall and AER of one sentence pair as the least weight of a link rises.

The rule is ``threshold`` of ``nmt.evaluation.link_extraction``: a link wherever two words have at least a given weight.
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
"""0.01, 0.02, … 1."""


@dataclass(frozen=True)
class ThresholdPoint:
    """What the links of at least a given weight are worth against gold ones.

    Attributes:
        threshold: least weight of a link.
        error: of this one sentence pair.
    """

    threshold: float
    error: AlignmentErrorRate


def threshold_curve(
    alignment: Alignment, gold: Gold, thresholds: Sequence[float] = THRESHOLDS
) -> tuple[ThresholdPoint, ...]:
    """A point for each threshold, in the order given.

    Args:
        alignment: over words or pieces (these are merged); the end marks, if it has any, are linked with nothing. It
            may be restricted to some of the words: then gold links to others are never found.
        gold: links of words, by the numbers of ``source_words`` and ``target_words``.
        thresholds: each above 0 and at most 1.

    Raises:
        InputError: the gold has no sure link, so that there is no recall, or a threshold is out of range.
    """
    if not gold.sure:
        raise InputError("the gold alignment has no sure link, so there is no recall and no AER")
    merged = alignment.merged()
    columns = len(merged.source) - (merged.source[-1:] == (END,))
    rows = len(merged.target) - (merged.target[-1:] == (END,))
    weights = merged.weights[:rows, :columns]
    source = {word: j for j, word in enumerate(merged.source_words[:columns])}
    target = {word: i for i, word in enumerate(merged.target_words[:rows])}
    every, sure, possible = (
        np.sort(found)
        for found in (
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
            len(found) - int(np.searchsorted(found, least)) for found in (every, sure, possible)
        )
        points.append(
            ThresholdPoint(
                threshold,
                AlignmentErrorRate(links, len(gold.sure), len(gold.possible), sure_found, possible_found, sentences=1),
            )
        )
    return tuple(points)


def best_point(curve: Sequence[ThresholdPoint]) -> ThresholdPoint:
    """The point with the least AER, the first of equals."""
    return min(curve, key=lambda point: point.error.aer)
