"""Rules that extract links from an alignment, and the symmetrisation of two alignments of a pair, one per direction.

Koehn, Och, Marcu 2003 (Statistical phrase-based translation), section 4.2; Och, Ney 2003 (A systematic comparison of
various statistical alignment models), section 4.4.
"""

import operator
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import Self

import numpy as np
from numpy.typing import NDArray

from nmt.alignments.measures import end_mask
from nmt.errors import InputError
from nmt.results import Alignment
from nmt.results.links import Link, LinkSet

ROUNDING = 1e-6
"""Tolerance in the comparison of sums of weights."""


def argmax_links(alignment: Alignment, *, null: bool = True) -> LinkSet:
    """Link each target token with the source token of the largest weight, the first of equal weights. ``null``: no link
    if the source's end-of-sentence token has more weight, or if the row has no weight."""
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
    """Link each source token with the target token that gives it the largest weight, the first of equal weights."""
    rows = np.flatnonzero(~end_mask(alignment.target))
    if not rows.size:
        return frozenset()
    best = rows[alignment.weights[rows].argmax(axis=0)]
    return frozenset((j, int(best[j])) for j in np.flatnonzero(~end_mask(alignment.source)).tolist())


def threshold_links(alignment: Alignment, threshold: float) -> LinkSet:
    """Link every pair whose weight is above 0 and at least ``threshold``."""
    proper = ~(end_mask(alignment.target)[:, None] | end_mask(alignment.source)[None, :])
    # compared in the weights' own precision, so that a weight of 0.3 reaches a threshold of 0.3
    enough = (alignment.weights >= np.float32(threshold)) & (alignment.weights > 0) & proper
    return frozenset((j, i) for i, j in np.argwhere(enough).tolist())


def mass_links(alignment: Alignment, mass: float) -> LinkSet:
    """Link each target token with the fewest source tokens that together have at least the share ``mass`` of its row,
    in descending order of weight. The earlier of equal weights comes first. The end-of-sentence token counts towards
    the share, but gets no link."""
    ends = end_mask(alignment.source)
    rows = np.flatnonzero(~end_mask(alignment.target)).tolist()
    return frozenset((j, i) for i in rows for j in heaviest(alignment.weights[i], mass) if not ends[j])


def heaviest(row: NDArray[np.float32], share: float) -> list[int]:
    """Return the fewest positions whose weights together are at least ``share`` of the row's sum, from the largest
    weight to the smallest. The earlier of two equal weights comes first."""
    order = np.argsort(-row, kind="stable")
    descending = row[order].astype(np.float64)
    before = np.cumsum(descending) - descending
    needed = share * descending.sum() - ROUNDING
    chosen: list[int] = order[(descending > 0) & ((before < needed) | (before == 0))].tolist()
    return chosen


def map_links(alignment: Alignment, rule: str, least: float) -> LinkSet:
    """Cells (column, row) of a map that are links by a rule: "mass" or one of MAP_RULES. ``least``: its setting."""
    match rule:
        case "mass":
            return mass_links(alignment, least)
        case "threshold":
            return threshold_links(alignment, least)
        case "columns":
            return column_links(alignment)
    return argmax_links(alignment, null=rule == "argmax-null")


@dataclass(frozen=True)
class BothDirections:
    """Links of a pair by two statistical aligners. Forward links have at most one source word per target word, and
    backward links at most one target word per source word. Links are source-target in both."""

    forward: LinkSet
    backward: LinkSet


_NEIGHBOURS = ((-1, 0), (0, -1), (1, 0), (0, 1), (-1, -1), (-1, 1), (1, -1), (1, 1))


def grow_diag(forward: LinkSet, backward: LinkSet) -> LinkSet:
    """Grow the intersection link by link: add links of the union that link an unlinked word and are adjacent to an
    included link, also diagonally. All source words are scanned, in the published order, until no link is added.

    >>> sorted(grow_diag(frozenset({(0, 0), (1, 1), (3, 3)}), frozenset({(0, 0), (0, 1), (3, 1)})))
    [(0, 0), (0, 1), (1, 1)]
    """
    either = forward | backward
    links = set(forward & backward)
    sources, targets = {i for i, _ in links}, {j for _, j in links}
    added = True
    while added:
        added = False
        for i, j in sorted(either):
            if (i, j) not in links:
                continue
            for di, dj in _NEIGHBOURS:
                new = (i + di, j + dj)
                if new in either and new not in links and (new[0] not in sources or new[1] not in targets):
                    links.add(new)
                    sources.add(new[0])
                    targets.add(new[1])
                    added = True
    return frozenset(links)


def grow_diag_final(forward: LinkSet, backward: LinkSet, both: bool = False) -> LinkSet:
    """Apply ``grow_diag``, then add each link of either direction if at least one of its words has no link yet. With
    ``both``, which is grow-diag-final-and, both words must have no link yet."""
    links = set(grow_diag(forward, backward))
    sources, targets = {i for i, _ in links}, {j for _, j in links}
    for direction in (forward, backward):
        for link in sorted(direction):
            free = (link[0] not in sources, link[1] not in targets)
            if all(free) if both else any(free):
                links.add(link)
                sources.add(link[0])
                targets.add(link[1])
    return frozenset(links)


def transposed(links: Iterable[Link]) -> LinkSet:
    """Exchange source and target of all links."""
    return frozenset((j, i) for i, j in links)


SYMMETRISATIONS: dict[str, Callable[[LinkSet, LinkSet], LinkSet]] = {
    "intersection": operator.and_,
    "union": operator.or_,
    "grow-diag": grow_diag,
    "grow-diag-final": grow_diag_final,
    "grow-diag-final-and": partial(grow_diag_final, both=True),
}
"""Symmetrisations by their Moses names."""


def vote(own: LinkSet, statistical: BothDirections) -> LinkSet:
    """Links that at least two of the three sets have.

    >>> sorted(vote(frozenset({(0, 0), (1, 1)}), BothDirections(frozenset({(1, 1), (2, 2)}), frozenset({(2, 2)}))))
    [(1, 1), (2, 2)]
    """
    forward, backward = statistical.forward, statistical.backward
    return (own & forward) | (own & backward) | (forward & backward)


MAP_RULES = {
    "argmax": "for each target word the source word with the largest weight",
    "argmax-null": "the same, but no link if the source's end-of-sentence token has a larger weight",
    "columns": "for each source word the target word that gives it the largest weight",
    "threshold": "every pair of words with at least a given weight",
}
"""Rules for a single map, with descriptions."""

RULES = (*MAP_RULES, *SYMMETRISATIONS)
"""All rules. A symmetrisation combines argmax and columns, or the argmax of two models, one per direction."""

VOTE = "vote"
"""The rule of an aligner with a statistical partner: ``vote`` of the runs' intersection and the partner's two sets."""

THRESHOLD = 0.3
"""Default minimum weight of a link."""


@dataclass(frozen=True)
class Extraction:
    """A rule that extracts links: one of RULES, or VOTE. threshold: minimum weight of a link, for the rule "threshold".
    InputError for an unknown rule, and unless 0 < threshold <= 1."""

    rule: str = "argmax"
    threshold: float = THRESHOLD

    def __post_init__(self) -> None:
        if self.rule not in (*RULES, VOTE):
            raise InputError(f"unknown rule {self.rule!r}; choose one of {', '.join(RULES)}")
        if not 0 < self.threshold <= 1:
            raise InputError(f"the threshold must be above 0 and at most 1, not {self.threshold:g}")

    @classmethod
    def asked(cls, rule: str, threshold: float | None) -> Self:
        """A rule with the threshold that was asked for, or THRESHOLD. InputError if the rule has no threshold."""
        if threshold is not None and rule != "threshold":
            raise InputError(f"the rule {rule} has no threshold; the rule threshold has one")
        return cls(rule, THRESHOLD if threshold is None else threshold)

    @property
    def name(self) -> str:
        """Name of the rule with its setting, as recorded in results."""
        return f"{self.rule} {self.threshold:g}" if self.rule == "threshold" else self.rule

    def links(self, alignment: Alignment, reverse: Alignment | None = None) -> LinkSet:
        """Extract links (source word, target word), from 0, with the indices of ``source_words`` and ``target_words``.
        reverse: alignment of the same pair by a model of the opposite direction, whose source is our target. Only
        symmetrisations use it."""
        assert self.rule != VOTE, "a vote is one of three, and a map does not suffice"
        merged = alignment.merged()
        if self.rule in SYMMETRISATIONS:
            rows = self._numbered(merged, "argmax")
            if reverse is None:
                return SYMMETRISATIONS[self.rule](rows, self._numbered(merged, "columns"))
            return SYMMETRISATIONS[self.rule](rows, transposed(self._numbered(reverse.merged(), "argmax")))
        assert reverse is None, "only a symmetrisation makes one alignment of two"
        return self._numbered(merged, self.rule)

    def _numbered(self, merged: Alignment, rule: str) -> LinkSet:
        """Extract links by a rule, with indices of words in place of columns and rows."""
        places = map_links(merged, rule, self.threshold)
        return frozenset((merged.source_words[j], merged.target_words[i]) for j, i in places)
