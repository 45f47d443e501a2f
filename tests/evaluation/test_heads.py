"""A head that aligns is found wherever it is planted; words are merged as those of an alignment."""

import numpy as np
import pytest

from nmt.evaluation.alignment_error_rate import HeadMaps, alignment_error_rate, every_head, head_maps, small_set
from nmt.results import Alignment
from nmt.results.links import Gold
from nmt.results.translation import Encoded

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
