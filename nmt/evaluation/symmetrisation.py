"""Symmetrisation of two alignments of a sentence pair, one per direction.

Koehn, Och, Marcu 2003 (Statistical phrase-based translation), section 4.2; Och, Ney 2003 (A systematic comparison of
various statistical alignment models), section 4.4.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

Link = tuple[int, int]
"""Source word and target word, from 0."""

LinkSet = frozenset[Link]

_NEIGHBOURS = ((-1, 0), (0, -1), (1, 0), (0, 1), (-1, -1), (-1, 1), (1, -1), (1, 1))


def intersection(forward: LinkSet, backward: LinkSet) -> LinkSet:
    """Links present in both directions."""
    return forward & backward


def union(forward: LinkSet, backward: LinkSet) -> LinkSet:
    """Links present in either direction."""
    return forward | backward


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


def grow_diag_final(forward: LinkSet, backward: LinkSet) -> LinkSet:
    """Apply ``grow_diag``, then add all links of either direction in which at least one word has no link yet."""
    return _final(forward, backward, both=False)


def grow_diag_final_and(forward: LinkSet, backward: LinkSet) -> LinkSet:
    """Apply ``grow_diag``, then add all links of either direction in which neither word has a link yet."""
    return _final(forward, backward, both=True)


def _final(forward: LinkSet, backward: LinkSet, both: bool) -> LinkSet:
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
    "intersection": intersection,
    "union": union,
    "grow-diag": grow_diag,
    "grow-diag-final": grow_diag_final,
    "grow-diag-final-and": grow_diag_final_and,
}
"""Symmetrisations by their Moses names."""
