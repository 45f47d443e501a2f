"""From rows of weights to hard links, by position. The end marks are linked with nothing; the weight on the source's
counts against the words."""

from __future__ import annotations

import numpy as np

from nmt.alignments.tokens import end_mask
from nmt.results import Alignment

WordLinks = frozenset[tuple[int, int]]
"""Source and target, from 0."""

ROUNDING = 1e-6
"""Sums of weights are taken for equal up to this."""


def argmax_links(alignment: Alignment) -> WordLinks:
    """For each target token the source token with the largest weight, the first of equals; none where the source's end
    mark has more, or where there is no weight."""
    links = set()
    columns = np.flatnonzero(~end_mask(alignment.source))
    rows = np.flatnonzero(~end_mask(alignment.target)) if columns.size else columns
    for i in rows.tolist():
        row = alignment.weights[i]
        best = int(columns[row[columns].argmax()])
        if row[best] > 0 and row[best] >= row.max():
            links.add((best, i))
    return frozenset(links)


def threshold_links(alignment: Alignment, threshold: float) -> WordLinks:
    """Every pair with at least a given weight, above 0."""
    proper = ~(end_mask(alignment.target)[:, None] | end_mask(alignment.source)[None, :])
    # compared in the weights' own precision, so that a weight of 0.3 reaches a threshold of 0.3
    enough = (alignment.weights >= np.float32(threshold)) & (alignment.weights > 0) & proper
    return frozenset((j, i) for i, j in np.argwhere(enough).tolist())


def mass_links(alignment: Alignment, mass: float) -> WordLinks:
    """For each target token the fewest source tokens that together have at least the share ``mass`` of its row, largest
    weights first, earlier ones first among equals; the end mark takes its part of the share, but no link."""
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
