"""Symmetrisation of two alignments of a sentence pair, one per direction.

Koehn, Och, Marcu 2003 (Statistical phrase-based translation), section 4.2; Och, Ney 2003 (A systematic comparison of
various statistical alignment models), section 4.4.
"""

import operator
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial

from nmt.alignments.policy import argmax_links, column_links, threshold_links
from nmt.errors import InputError
from nmt.results import Alignment
from nmt.results.links import Link, LinkSet


@dataclass(frozen=True)
class BothDirections:
    """Links of a pair by two statistical aligners: at most one source word for each target word (forward), at most one
    target word for each source word (backward). Links are source-target in both."""

    forward: LinkSet
    backward: LinkSet


_NEIGHBOURS = ((-1, 0), (0, -1), (1, 0), (0, 1), (-1, -1), (-1, 1), (1, -1), (1, 1))


def grow_diag(forward: LinkSet, backward: LinkSet) -> LinkSet:
    """Grow the intersection link by link with links of the union that are adjacent to an included link, also
    diagonally, and link an unlinked word; in the published order, scanning source word by source word until nothing is
    added.

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
    """Apply ``grow_diag``, then add each link of either direction of which at least one word has no link yet. With
    ``both``, which is grow-diag-final-and, neither word may have one."""
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
    """Links that at least two of the three have.

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
"""The rule of an aligner with a statistical partner: what two of three have, the intersection being one of them."""

THRESHOLD = 0.3
"""Default minimum weight of a link."""


@dataclass(frozen=True)
class Extraction:
    """A rule with its setting. InputError for an unknown rule, or a threshold that is not above 0 and at most 1.

    Attributes:
        rule: one of RULES, or VOTE.
        threshold: minimum weight of a link, for the rule of that name.
    """

    rule: str = "argmax"
    threshold: float = THRESHOLD

    def __post_init__(self) -> None:
        if self.rule not in (*RULES, VOTE):
            raise InputError(f"unknown rule {self.rule!r}; choose one of {', '.join(RULES)}")
        if not 0 < self.threshold <= 1:
            raise InputError(f"the threshold must be above 0 and at most 1, not {self.threshold:g}")

    @property
    def name(self) -> str:
        """Name of the rule with its setting, as recorded in results."""
        return f"{self.rule} {self.threshold:g}" if self.rule == "threshold" else self.rule

    def links(self, alignment: Alignment, reverse: Alignment | None = None) -> LinkSet:
        """Extract links (source word, target word), from 0, with the indices of ``source_words`` and ``target_words``.

        Args:
            alignment: alignment of the pair.
            reverse: alignment of the same pair by a model of the other direction (its source is our target); only for
                symmetrisations.
        """
        assert self.rule != VOTE, "a vote is one of three, and a map does not suffice"
        merged = alignment.merged()
        if self.rule in SYMMETRISATIONS:
            rows = _numbered(merged, argmax_links(merged, null=False))
            if reverse is None:
                return SYMMETRISATIONS[self.rule](rows, _numbered(merged, column_links(merged)))
            other = reverse.merged()
            return SYMMETRISATIONS[self.rule](rows, transposed(_numbered(other, argmax_links(other, null=False))))
        assert reverse is None, "only a symmetrisation makes one alignment of two"
        if self.rule == "threshold":
            return _numbered(merged, threshold_links(merged, self.threshold))
        if self.rule == "columns":
            return _numbered(merged, column_links(merged))
        return _numbered(merged, argmax_links(merged, null=self.rule == "argmax-null"))


def _numbered(merged: Alignment, places: LinkSet) -> LinkSet:
    """The links by the numbers of their words instead of columns and rows."""
    return frozenset((merged.source_words[j], merged.target_words[i]) for j, i in places)
