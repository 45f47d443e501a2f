"""AER against examples computed by hand and against the definition, counted link by link."""

from fractions import Fraction

import numpy as np
import pytest

from nmt.errors import InputError
from nmt.evaluation.alignment_error_rate import (
    HeadMaps,
    alignment_error_rate,
    counted,
    every_head,
    head_maps,
    resampled,
    small_set,
)
from nmt.evaluation.bootstrap import Resamples
from nmt.results import Alignment
from nmt.results.links import Gold, LinkSet
from nmt.results.translation import Encoded


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


LAYERS, HEADS = 3, 4


def planted(random: np.random.Generator, pairs: int) -> tuple[list[HeadMaps], list[Gold], tuple[str, int, int]]:
    """Random weights of all heads, but of one, in one of the rows, which follows the gold links."""
    row, layer, head = (
        str(random.choice(["before", "after"])),
        int(random.integers(LAYERS)),
        int(random.integers(HEADS)),
    )
    maps, gold = [], []
    for _ in range(pairs):
        y, x = random.integers(3, 8, 2)
        both = [random.dirichlet(np.ones(x), (LAYERS, HEADS, y)).astype(np.float32) for _ in range(2)]
        links = frozenset((int(random.integers(x)), i) for i in range(y))
        for j, i in links:
            both[row == "after"][layer, head, i, j] += 0.8
        maps.append(HeadMaps(before=both[0], after=both[1], target=tuple(range(y)), source=tuple(range(x))))
        gold.append(Gold(links, links))
    return maps, gold, (row, layer, head)


def test_a_planted_head_is_found_in_100_of_100_models() -> None:
    random = np.random.default_rng(1)
    for _ in range(100):
        maps, gold, where = planted(random, 12)
        measured = [one for one in every_head(maps, gold) if len(one.heads) == 1]
        best = min(measured, key=lambda one: one.rate.aer)
        assert (best.row, *best.heads[0]) == where
        chosen = small_set(maps, gold)
        assert (chosen.row, *chosen.heads[0]) == where
        assert chosen.rate.sentences == 6


def test_every_head_and_the_mean_of_each_layer_are_measured_as_links_are() -> None:
    maps, gold, _ = planted(np.random.default_rng(2), 5)
    found = list(every_head(maps, gold))
    assert len(found) == 2 * LAYERS * (HEADS + 1)
    for one in found:
        layer = one.heads[0][0]
        heads = [head for _, head in one.heads]
        links = []
        for each in maps:
            weights = (each.before if one.row == "before" else each.after)[layer][heads].mean(0)
            links.append(frozenset((int(row.argmax()), i) for i, row in enumerate(weights)))
        assert one.rate == alignment_error_rate(links, gold)


def test_a_small_set_is_reported_on_pairs_that_had_no_part_in_choosing_it() -> None:
    random = np.random.default_rng(3)
    maps, gold, _ = planted(random, 20)
    wrong = [Gold(frozenset({(0, 0)}), frozenset({(0, 0)})) for _ in gold]
    mixed = [one if k % 2 == 0 else other for k, (one, other) in enumerate(zip(gold, wrong, strict=True))]
    assert small_set(maps, mixed).heads == small_set(maps, gold).heads
    assert small_set(maps, mixed).rate.sure == 10


def test_words_are_merged_as_those_of_an_alignment_and_after_is_the_next_step() -> None:
    random = np.random.default_rng(4)
    source = Encoded(ids=(5, 6, 7, 0), tokens=("▁a", "b", "▁c", "</s>"), words=(0, 0, 2, 3), unknown=())
    target = Encoded(ids=(5, 6, 0), tokens=("▁d", "e", "</s>"), words=(1, 1, 2), unknown=())
    weights = random.dirichlet(np.ones(4), (2, 2, 3)).astype(np.float32)
    found = head_maps(weights, source, target)
    assert (found.source, found.target) == ((0, 2), (1,))
    for layer in range(2):
        for head in range(2):
            whole = source.aligned(target, weights[layer, head]).merged()
            np.testing.assert_allclose(found.before[layer, head], whole.weights[:-1, :-1], atol=1e-6)
            later = Alignment(
                source=source.tokens, target=target.tokens[:2], weights=weights[layer, head, 1:],
                source_words=source.words, target_words=target.words[:2],
            ).merged()  # fmt: skip
            np.testing.assert_allclose(found.after[layer, head], later.weights[:, :-1], atol=1e-6)


def test_words_without_a_token_have_no_link() -> None:
    weights = np.ones((1, 1, 1, 1), dtype=np.float32)
    maps = [HeadMaps(before=weights, after=weights, target=(2,), source=(1,))]
    found = next(every_head(maps, [Gold(frozenset({(1, 2)}), frozenset({(1, 2)}))]))
    assert found.rate.aer == pytest.approx(0)
    assert found.rate.links == 1
