"""Symmetrisation against the published pseudocode, written out over matrices, and against laws."""

from collections.abc import Callable
from itertools import pairwise

import numpy as np
import pytest

from nmt.alignments.links import SYMMETRISATIONS, grow_diag, transposed
from nmt.results.links import LinkSet

SIZE = 6


def random_links(seed: int) -> LinkSet:
    random = np.random.default_rng(seed)
    return frozenset((int(i), int(j)) for i, j in np.argwhere(random.random((SIZE, SIZE)) < 0.3))


def pairs() -> list[tuple[LinkSet, LinkSet]]:
    return [(random_links(2 * seed), random_links(2 * seed + 1)) for seed in range(200)]


def published_grow_diag(forward: LinkSet, backward: LinkSet) -> LinkSet:
    """Scan the whole matrix for links to grow from, until a scan adds none."""
    alignment = forward & backward
    added = True
    while added:
        added = False
        for e in range(SIZE):
            for f in range(SIZE):
                if (e, f) not in alignment:
                    continue
                for a, b in ((-1, 0), (0, -1), (1, 0), (0, 1), (-1, -1), (-1, 1), (1, -1), (1, 1)):
                    new = (e + a, f + b)
                    free = new[0] not in {i for i, _ in alignment} or new[1] not in {j for _, j in alignment}
                    if free and new in forward | backward and new not in alignment:
                        alignment |= {new}
                        added = True
    return alignment


def published_final(alignment: LinkSet, direction: LinkSet, wanted: Callable[[list[bool]], bool]) -> LinkSet:
    for e in range(SIZE):
        for f in range(SIZE):
            free = [e not in {i for i, _ in alignment}, f not in {j for _, j in alignment}]
            if wanted(free) and (e, f) in direction:
                alignment |= {(e, f)}
    return alignment


def test_growing_is_the_published_procedure() -> None:
    for forward, backward in pairs():
        assert grow_diag(forward, backward) == published_grow_diag(forward, backward)


@pytest.mark.parametrize(("name", "wanted"), [("grow-diag-final", any), ("grow-diag-final-and", all)])
def test_final_is_the_published_procedure(name: str, wanted: Callable[[list[bool]], bool]) -> None:
    for forward, backward in pairs():
        grown = published_grow_diag(forward, backward)
        expected = published_final(published_final(grown, forward, wanted), backward, wanted)
        assert SYMMETRISATIONS[name](forward, backward) == expected


def test_from_least_to_most() -> None:
    for forward, backward in pairs():
        found = {name: rule(forward, backward) for name, rule in SYMMETRISATIONS.items()}
        order = ("intersection", "grow-diag", "grow-diag-final-and", "union")
        for less, more in pairwise(order):
            assert found[less] <= found[more]
        assert found["grow-diag"] <= found["grow-diag-final"] <= found["union"]


@pytest.mark.parametrize("name", SYMMETRISATIONS)
def test_a_direction_with_itself_is_itself(name: str) -> None:
    for links, _ in pairs()[:20]:
        assert SYMMETRISATIONS[name](links, links) == links


def test_transposed() -> None:
    assert transposed({(1, 2), (3, 0)}) == {(2, 1), (0, 3)}
