"""Crossings against brute force, and on the paper's own example."""

from itertools import combinations

import numpy as np
import pytest

from nmt.alignments.crossing import Crossing, crossing
from nmt.results import Alignment


def _one_hot(places: list[int], columns: int, weight: float = 1.0) -> Alignment:
    weights = np.full((len(places), columns), (1 - weight) / max(1, columns - 1), np.float32)
    weights[np.arange(len(places)), places] = weight
    source, target = tuple(f"s{j}" for j in range(columns)), tuple(f"t{i}" for i in range(len(places)))
    return Alignment(source=source, target=target, weights=weights)


def test_the_papers_example() -> None:
    source = tuple("The agreement on the European Economic Area was signed .".split())
    target = tuple("L' accord sur la zone économique européenne a été signé .".split())
    places = [0, 1, 2, 3, 6, 5, 4, 7, 7, 8, 9]
    weights = np.zeros((len(target), len(source)), np.float32)
    weights[np.arange(len(target)), places] = 1
    alignment = Alignment(source=source, target=target, weights=weights)
    found = crossing(alignment)
    assert found == Crossing(source=(4, 5, 6), target=(4, 5, 6))
    sentence = found.sentence(alignment)
    assert "“zone économique européenne”" in sentence
    assert "“European Economic Area”" in sentence


@pytest.mark.parametrize("seed", range(40))
def test_the_longest_run_as_brute_force_finds_it(seed: int) -> None:
    random = np.random.default_rng(seed)
    places = random.integers(0, 7, size=9).tolist()
    runs = []
    for first, last in combinations(range(len(places)), 2):
        steps = [a - b for a, b in zip(places[first:last], places[first + 1 : last + 1], strict=True)]
        if all(step in (1, 2) for step in steps):
            runs.append(last - first + 1)
    found = crossing(_one_hot(places, 7))
    assert (found is None) == (not runs)
    if found is not None:
        assert len(found.target) == max(runs)
        assert found.source == tuple(sorted(places[i] for i in found.target))


def test_faint_weights_and_punctuation_do_not_count() -> None:
    assert crossing(_one_hot([1, 0], 2, 0.9)) is not None
    assert crossing(_one_hot([1, 0, 2, 3, 4], 5, 0.2)) is None
    alignment = _one_hot([1, 0], 2)
    assert crossing(Alignment(source=(",", "a"), target=("x", "y"), weights=alignment.weights)) is None
    assert crossing(_one_hot([5, 0], 6)) is None
