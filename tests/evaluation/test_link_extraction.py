"""The rules on a map small enough to read the links off, and against plain loops on random ones."""

from collections.abc import Callable
from itertools import pairwise

import numpy as np
import pytest

from nmt.alignments.links import MAP_RULES, RULES, SYMMETRISATIONS, Extraction, grow_diag, transposed
from nmt.errors import InputError
from nmt.results import END, Alignment
from nmt.results.links import LinkSet

# source a b c, target x y z
EXAMPLE = Alignment(
    source=("a", "b", "c", END),
    target=("x", "y", "z", END),
    weights=np.array(
        [
            [0.6, 0.3, 0.0, 0.1],
            [0.1, 0.35, 0.1, 0.45],
            [0.4, 0.3, 0.2, 0.1],
            [0.0, 0.0, 0.0, 1.0],
        ]
    ),
)
BY_HAND = {
    "argmax": {(0, 0), (1, 1), (0, 2)},
    "argmax-null": {(0, 0), (0, 2)},
    "columns": {(0, 0), (1, 1), (2, 2)},
    "threshold": {(0, 0), (1, 0), (1, 1), (0, 2), (1, 2)},
    "intersection": {(0, 0), (1, 1)},
    "union": {(0, 0), (1, 1), (0, 2), (2, 2)},
    # (0, 2) and (2, 2) both touch (1, 1); the first brings z, the second c
    "grow-diag": {(0, 0), (1, 1), (0, 2), (2, 2)},
    "grow-diag-final": {(0, 0), (1, 1), (0, 2), (2, 2)},
    "grow-diag-final-and": {(0, 0), (1, 1), (0, 2), (2, 2)},
}


def random_alignment(seed: int, source_words: tuple[int, ...] = (), target_words: tuple[int, ...] = ()) -> Alignment:
    random = np.random.default_rng(seed)
    sizes = [len(words) - 1 if words else int(random.integers(1, 7)) for words in (source_words, target_words)]
    weights = random.dirichlet(np.full(sizes[0] + 1, 0.4), size=sizes[1] + 1)
    source, target = ((*(f"{side}{k}" for k in range(n)), END) for side, n in zip("st", sizes, strict=True))
    return Alignment(
        source=source, target=target, weights=weights, source_words=source_words, target_words=target_words
    )


@pytest.mark.parametrize("rule", RULES)
def test_by_hand(rule: str) -> None:
    assert Extraction(rule, 0.25).links(EXAMPLE) == BY_HAND[rule]


def test_against_loops() -> None:
    for seed in range(30):
        alignment = random_alignment(seed)
        alpha, end = alignment.weights[:-1, :-1], alignment.weights[:-1, -1]
        rows, columns = range(alpha.shape[0]), range(alpha.shape[1])
        found = {rule: Extraction(rule, 0.2).links(alignment) for rule in MAP_RULES}
        for i in rows:
            for j in columns:
                best = all(alpha[i, j] >= alpha[i, k] for k in columns)
                assert ((j, i) in found["argmax"]) == best
                assert ((j, i) in found["argmax-null"]) == (best and alpha[i, j] >= end[i])
                assert ((j, i) in found["columns"]) == all(alpha[i, j] >= alpha[k, j] for k in rows)
                assert ((j, i) in found["threshold"]) == (alpha[i, j] >= 0.2)
        for name, rule in SYMMETRISATIONS.items():
            assert Extraction(name).links(alignment) == rule(found["argmax"], found["columns"])


@pytest.mark.parametrize("rule", SYMMETRISATIONS)
def test_a_reverse_model_takes_the_place_of_the_columns(rule: str) -> None:
    for seed in range(10):
        forward = random_alignment(seed)
        random = np.random.default_rng(seed + 100)
        weights = random.dirichlet(np.ones(len(forward.target)), size=len(forward.source))
        reverse = Alignment(source=forward.target, target=forward.source, weights=weights)
        argmax = Extraction("argmax").links
        backward = frozenset((j, i) for i, j in argmax(reverse))
        expected = SYMMETRISATIONS[rule](argmax(forward), backward)
        assert Extraction(rule).links(forward, reverse) == expected


@pytest.mark.parametrize("rule", RULES)
def test_pieces_are_merged_first(rule: str) -> None:
    """Word 1 of the source has no token, word 0 has two; word 0 of the target has two."""
    alignment = random_alignment(7, source_words=(0, 0, 2, 3, 4), target_words=(0, 0, 1, 2))
    links = Extraction(rule, 0.1).links(alignment)
    assert links == Extraction(rule, 0.1).links(alignment.merged())
    assert links
    assert {i for i, _ in links} <= {0, 2, 3}
    assert {j for _, j in links} <= {0, 1}


@pytest.mark.parametrize("rule", RULES)
def test_a_side_without_words_has_no_links(rule: str) -> None:
    for source, target in (((END,), ("x", END)), (("a", END), (END,)), ((END,), (END,))):
        weights = np.full((len(target), len(source)), 1 / len(source))
        assert Extraction(rule).links(Alignment(source=source, target=target, weights=weights)) == frozenset()


def test_names_have_the_threshold() -> None:
    assert Extraction("threshold", 0.25).name == "threshold 0.25"
    assert Extraction("union").name == "union"


@pytest.mark.parametrize(("rule", "threshold"), [("nope", 0.3), ("threshold", 0.0), ("threshold", 1.5)])
def test_a_rule_that_cannot_be(rule: str, threshold: float) -> None:
    with pytest.raises(InputError):
        Extraction(rule, threshold)


def test_a_threshold_is_refused_with_a_rule_that_has_none() -> None:
    assert Extraction.asked("threshold", None) == Extraction("threshold")
    assert Extraction.asked("threshold", 0.9) == Extraction("threshold", 0.9)
    with pytest.raises(InputError, match="argmax has no threshold"):
        Extraction.asked("argmax", 0.9)


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
