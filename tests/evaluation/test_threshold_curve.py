"""The curve against the links extracted and counted at each threshold, and by hand."""

import numpy as np
import pytest

from nmt.alignments.policy import restrict
from nmt.errors import InputError
from nmt.evaluation.alignment_error_rate import THRESHOLDS, alignment_error_rate, threshold_curve
from nmt.evaluation.links import Extraction
from nmt.results import END, Alignment
from nmt.results.links import Gold
from tests.alignments.examples import random_alignment


def random_gold(seed: int, source: int, target: int) -> Gold:
    random = np.random.default_rng(seed)
    sure, possible = (
        frozenset((int(j), int(i)) for j, i in np.argwhere(random.random((source, target)) < share))
        for share in (0.3, 0.2)
    )
    return Gold(sure | {(0, 0)}, sure | possible | {(0, 0)})


@pytest.mark.parametrize("seed", range(25))
def test_each_point_is_what_its_links_are_worth(seed: int) -> None:
    alignment = random_alignment(seed, pieces=seed % 2 == 0)
    gold = random_gold(seed, 8, 8)  # some words of the gold are not there
    exact = [float(weight) for weight in alignment.merged().weights.ravel() if 0 < weight <= 1]
    thresholds = [*THRESHOLDS, *exact]
    curve = threshold_curve(alignment, gold, thresholds)
    assert list(curve) == thresholds
    for threshold, error in curve.items():
        links = Extraction("threshold", threshold).links(alignment)
        assert error == alignment_error_rate([links], [gold])


def test_by_hand() -> None:
    """Sure a-x, possible b-x too. At 0.2 all three links of x and y, at 0.5 a-x and c-y, at 0.7 c-y alone."""
    alignment = Alignment(
        source=("a", "b", "c", END),
        target=("x", "y", END),
        weights=np.array([[0.6, 0.3, 0, 0.1], [0, 0, 0.8, 0.2], [0, 0, 0, 1]]),
    )
    gold = Gold(frozenset({(0, 0)}), frozenset({(0, 0), (1, 0)}))
    errors = threshold_curve(alignment, gold, [0.2, 0.5, 0.7, 0.9]).values()
    assert [error.precision for error in errors] == pytest.approx([2 / 3, 1 / 2, 0, 0])
    assert [error.recall for error in errors] == [1, 1, 0, 0]
    assert [error.aer for error in errors] == pytest.approx([1 - 3 / 4, 1 - 2 / 3, 1, 1])


def test_an_alignment_without_end_marks() -> None:
    for seed in range(10):
        alignment = random_alignment(seed)
        gold = random_gold(seed, 4, 4)
        bare = restrict(alignment, without_end=True)
        padded = np.zeros((len(alignment.target), len(alignment.source)), dtype=np.float32)
        padded[: len(bare.target), : len(bare.source)] = bare.alignment.weights
        expected = Alignment(source=alignment.source, target=alignment.target, weights=padded)
        assert threshold_curve(bare.alignment, gold) == threshold_curve(expected, gold)


def test_nothing_left_to_link() -> None:
    gold = Gold(frozenset({(0, 0)}), frozenset({(0, 0)}))
    error = threshold_curve(Alignment(source=(), target=(), weights=np.zeros((0, 0))), gold, [0.5])[0.5]
    assert (error.links, error.recall, error.aer) == (0, 0, 1)


def test_what_cannot_be_asked() -> None:
    alignment = random_alignment(0)
    with pytest.raises(InputError, match=r"gold .*\bsure\b"):
        threshold_curve(alignment, Gold(frozenset(), frozenset({(0, 0)})))
    with pytest.raises(InputError, match="threshold"):
        threshold_curve(alignment, random_gold(0, 2, 2), [0.0])
