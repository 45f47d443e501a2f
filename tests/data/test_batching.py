"""Every pair as often as it should be, in minibatches that a killed training finds again."""

from collections import Counter
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from nmt.config import TrainingConfig
from nmt.data.batching import TrainingOrder, in_order, make_batch
from nmt.data.concatenation import Examples
from nmt.data.prepared import Prepared
from nmt.data.vocabularies.vocabulary import END_ID
from nmt.errors import InputError
from tests.oracles.toy_corpus import toy_corpus


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Prepared:
    return toy_corpus(tmp_path_factory.mktemp("batching"), pairs=101, longest=9)


def order(prepared: Prepared, **settings: Any) -> TrainingOrder:
    return TrainingOrder(prepared.train, TrainingConfig(**{"batch_size": 7, "pool_batches": 3} | settings))


def test_a_batch_is_the_pairs_padded(prepared: Prepared) -> None:
    pairs = np.array([5, 17, 3])
    batch = make_batch(prepared.train, Examples.single(pairs))
    for row, pair in enumerate(pairs.tolist()):
        for ids, mask, sentence in (
            (batch.source, batch.source_mask, prepared.train.source(pair)),
            (batch.target, batch.target_mask, prepared.train.target(pair)),
        ):
            assert ids[row][mask[row]].tolist() == sentence.tolist()
            assert mask[row].tolist() == [k < len(sentence) for k in range(ids.shape[1])]
            assert sentence[-1] == END_ID
    assert batch.words == sum(len(prepared.train.target(i)) for i in pairs.tolist())


@pytest.mark.parametrize("settings", [{}, {"batch_tokens": 60}])
def test_each_pair_comes_once_an_epoch(prepared: Prepared, settings: dict[str, Any]) -> None:
    it = order(prepared, **settings).batches()
    seen: Counter[int] = Counter()
    while sum(seen.values()) < 3 * len(prepared.train):
        seen.update(next(it).batch.pairs.tolist())
    assert set(seen) == set(range(len(prepared.train)))
    assert all(2 <= count <= 4 for count in seen.values())  # 3 epochs, give or take a pool under way


def test_the_same_order_every_epoch(prepared: Prepared) -> None:
    """Shuffled once: with a pool as large as the corpus every pool is the corpus, in another order of batches."""
    whole = order(prepared, batch_size=101, pool_batches=1)
    first, second = (placed.batch.pairs.tolist() for placed in islice(whole.batches(), 2))
    assert first == second
    assert sorted(first) == list(range(101))
    other = order(prepared, batch_size=10, pool_batches=5)
    epoch = [sorted(pair for batch in other.pool(k) for pair in batch.pairs.tolist()) for k in range(2)]
    assert epoch[0] == sorted(other._order[:50].tolist())
    assert epoch[1] == sorted(other._order[50:100].tolist())


def test_a_pool_is_sorted_by_length_and_split(prepared: Prepared) -> None:
    pool = order(prepared).pool(0)
    assert [len(batch) for batch in pool] == [7, 7, 7]
    lengths = sorted([int(prepared.train.target_lengths[i]) for i in batch.pairs] for batch in pool)
    flat = [length for batch in lengths for length in batch]
    assert flat == sorted(flat)


def test_token_limit_holds(prepared: Prepared) -> None:
    for placed in islice(order(prepared, batch_tokens=40).batches(), 50):
        batch = placed.batch
        rows, longest = len(batch.pairs), max(batch.source.shape[1], batch.target.shape[1])
        assert rows == 1 or rows * longest <= 40


@pytest.mark.parametrize("settings", [{}, {"batch_tokens": 50}, {"seed": 4}])
def test_it_goes_on_where_it_was(prepared: Prepared, settings: dict[str, Any]) -> None:
    placed = list(islice(order(prepared, **settings).batches(), 40))
    for k in (0, 1, 2, 9, 23):
        again = order(prepared, **settings).batches(placed[k].next_pool, placed[k].next_within)
        for expected, found in zip(placed[k + 1 :], again, strict=False):
            assert expected.batch.pairs.tolist() == found.batch.pairs.tolist()


def test_another_seed_is_another_order(prepared: Prepared) -> None:
    one, two = (next(order(prepared, seed=seed).batches()).batch.pairs.tolist() for seed in (1, 2))
    assert one != two


def test_long_pairs_are_left_out_and_repeats_counted(prepared: Prepared) -> None:
    short = order(prepared, max_length=4)
    assert short.pairs_per_epoch == int((prepared.train.word_lengths <= 4).sum())
    split = prepared.train
    original = split.repeats
    try:
        split.repeats = np.where(np.arange(len(split)) < 10, 3, 1).astype(np.int32)
        repeated = order(prepared, batch_size=121, pool_batches=1)
        assert repeated.pairs_per_epoch == 121
        counts = Counter(next(repeated.batches()).batch.pairs.tolist())
        assert [counts[i] for i in range(12)] == [3] * 10 + [1] * 2
    finally:
        split.repeats = original


def test_no_pair_short_enough_is_refused(tmp_path: Path) -> None:
    lengthened = toy_corpus(tmp_path, lambda words: [*words, "a", "b"], pairs=5)
    with pytest.raises(InputError, match=" 2 words"):
        order(lengthened, max_length=2)


def test_validation_reads_every_pair_once(prepared: Prepared) -> None:
    batches = list(in_order(prepared.dev, 30))
    assert sorted(i for batch in batches for i in batch.pairs.tolist()) == list(range(len(prepared.dev)))
    for batch in batches:
        assert len(batch.pairs) == 1 or batch.target.size <= 30
