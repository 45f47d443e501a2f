"""AER against examples computed by hand and against the definition, counted link by link."""

from fractions import Fraction

import numpy as np
import pytest

from nmt.errors import InputError
from nmt.evaluation.alignment_error_rate import alignment_error_rate, counted, resampled
from nmt.evaluation.bootstrap import Resamples
from nmt.results.links import Gold, LinkSet


def gold(sure: set[tuple[int, int]], possible: set[tuple[int, int]]) -> Gold:
    return Gold(frozenset(sure), frozenset(sure | possible))


def test_by_hand() -> None:
    """Two sentences. First: A = 3 links, 1 sure, 2 possible (the sure one with them); S = 2. Second: A = 2 links, both
    sure; S = 2. Together |A| = 5, |S| = 4, |A & S| = 3, |A & P| = 4."""
    reference = [gold({(0, 0), (1, 1)}, {(1, 2)}), gold({(0, 1), (1, 0)}, set())]
    links = [frozenset({(0, 0), (1, 2), (2, 2)}), frozenset({(0, 1), (1, 0)})]
    error = alignment_error_rate(links, reference)
    assert error.precision == pytest.approx(4 / 5)
    assert error.recall == pytest.approx(3 / 4)
    assert error.aer == pytest.approx(1 - 7 / 9)
    assert (error.links, error.sure, error.possible, error.sentences) == (5, 4, 5, 2)


def test_the_sure_links_and_all_possible_ones_are_without_fault() -> None:
    reference = [gold({(0, 0)}, {(1, 1), (2, 1)})]
    for links in (reference[0].sure, reference[0].possible):
        error = alignment_error_rate([links], reference)
        assert (error.precision, error.recall, error.aer) == (1, 1, 0)


def test_no_links_at_all() -> None:
    error = alignment_error_rate([frozenset()], [gold({(0, 0)}, set())])
    assert (error.precision, error.recall, error.aer) == (0, 0, 1)


def test_link_by_link() -> None:
    random = np.random.default_rng(5)

    def draw(share: float) -> LinkSet:
        return frozenset((int(i), int(j)) for i, j in np.argwhere(random.random((5, 6)) < share))

    reference = [gold(set(draw(0.2)), set(draw(0.3))) for _ in range(20)]
    links = [draw(0.3) for _ in range(20)]
    a = s = a_and_s = a_and_p = 0
    for found, one in zip(links, reference, strict=True):
        for i in range(5):
            for j in range(6):
                a += (i, j) in found
                s += (i, j) in one.sure
                a_and_s += (i, j) in found and (i, j) in one.sure
                a_and_p += (i, j) in found and (i, j) in one.possible
    error = alignment_error_rate(links, reference)
    assert error.precision == pytest.approx(float(Fraction(a_and_p, a)))
    assert error.recall == pytest.approx(float(Fraction(a_and_s, s)))
    assert error.aer == pytest.approx(float(1 - Fraction(a_and_s + a_and_p, a + s)))


def test_the_interval_is_that_of_test_sets_drawn_with_replacement() -> None:
    """Each of the 1,000 drawn sets is measured as a set of its own; of their rates 25 are below and 25 above."""
    random = np.random.default_rng(6)

    def draw(share: float) -> LinkSet:
        return frozenset((int(i), int(j)) for i, j in np.argwhere(random.random((4, 4)) < share))

    reference = [gold({(0, 0), *draw(0.2)}, set(draw(0.3))) for _ in range(12)]
    links = [draw(0.3) for _ in range(12)]
    rates = sorted(
        alignment_error_rate([links[k] for k in drawn], [reference[k] for k in drawn]).aer
        for drawn in np.random.default_rng(12345).choice(12, size=(1000, 12), replace=True).tolist()
    )
    error = alignment_error_rate(links, reference)
    assert error.interval is not None
    assert (error.interval.low, error.interval.high) == (pytest.approx(rates[25]), pytest.approx(rates[-26]))
    assert error.interval.low < error.aer < error.interval.high
    assert alignment_error_rate(links[:9], reference[:9]).interval is None, "too few to tell"


def test_a_drawn_test_set_without_any_link_says_nothing() -> None:
    """One of ten pairs has a link, which is not found, so about a third of the draws have none."""
    gold_links = [frozenset({(0, 0)}), *[frozenset()] * 9]
    links = [frozenset()] * 10
    rates = resampled(counted(links, [gold(set(one), set()) for one in gold_links]))
    drawn = Resamples.draw(10).times[0]
    assert drawn.min() == 0
    np.testing.assert_array_equal(rates, np.where(drawn > 0, 1, np.nan))
    found = alignment_error_rate(gold_links, [gold(set(one), set()) for one in gold_links]).interval
    assert found is not None
    assert (found.low, found.high) == (0, 0)


def test_without_a_sure_link_there_is_no_recall() -> None:
    with pytest.raises(InputError, match=r"gold .*\bsure\b"):
        alignment_error_rate([frozenset({(0, 0)})], [gold(set(), {(0, 0)})])
