"""Extraction of hard links from rows of weights, by position. The end-of-sentence tokens are never linked; the weight
on the source's end-of-sentence token competes with that on the words."""

from __future__ import annotations

import numpy as np

from nmt.alignments.measures import end_mask
from nmt.results import Alignment
from nmt.results.links import LinkSet

ROUNDING = 1e-6
"""Tolerance in the comparison of sums of weights."""


def argmax_links(alignment: Alignment, *, null: bool = True) -> LinkSet:
    """Link each target token with the source token of the largest weight; ties go to the first. ``null``: no link if
    the source's end-of-sentence token has more weight, or if the row has none."""
    links = set()
    columns = np.flatnonzero(~end_mask(alignment.source))
    rows = np.flatnonzero(~end_mask(alignment.target)) if columns.size else columns
    for i in rows.tolist():
        row = alignment.weights[i]
        best = int(columns[row[columns].argmax()])
        if not null or (row[best] > 0 and row[best] >= row.max()):
            links.add((best, i))
    return frozenset(links)


def column_links(alignment: Alignment) -> LinkSet:
    """Link each source token with the target token that gives it the largest weight; ties go to the first."""
    rows = np.flatnonzero(~end_mask(alignment.target))
    if not rows.size:
        return frozenset()
    best = rows[alignment.weights[rows].argmax(axis=0)]
    return frozenset((j, int(best[j])) for j in np.flatnonzero(~end_mask(alignment.source)).tolist())


def threshold_links(alignment: Alignment, threshold: float) -> LinkSet:
    """Link every pair with at least a given weight, above 0."""
    proper = ~(end_mask(alignment.target)[:, None] | end_mask(alignment.source)[None, :])
    # compared in the weights' own precision, so that a weight of 0.3 reaches a threshold of 0.3
    enough = (alignment.weights >= np.float32(threshold)) & (alignment.weights > 0) & proper
    return frozenset((j, i) for i, j in np.argwhere(enough).tolist())


def mass_links(alignment: Alignment, mass: float) -> LinkSet:
    """Link each target token with the fewest source tokens that together have at least the share ``mass`` of its row,
    in descending order of weight; ties go to the earlier token. The end-of-sentence token counts towards the share but
    gets no link."""
    ends = end_mask(alignment.source)
    links = set()
    for i in np.flatnonzero(~end_mask(alignment.target)).tolist():
        row = alignment.weights[i].astype(np.float64)
        needed = mass * row.sum() - ROUNDING
        had = 0.0
        for j in np.argsort(-row, kind="stable").tolist():
            if row[j] <= 0:
                break
            had += row[j]
            if not ends[j]:
                links.add((j, i))
            if had >= needed:
                break
    return frozenset(links)
