"""Every pair as often as it should be, concatenated or not, in minibatches that a killed training finds again."""

from collections import Counter
from itertools import islice
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from nmt.config import TrainingConfig
from nmt.data.batching import Examples, TrainingOrder, _links_of, concatenate, in_order, make_batch
from nmt.data.prepare import VocabularySettings, prepare
from nmt.data.prepared import Prepared, Split, open_prepared
from nmt.data.vocabulary import END_ID
from nmt.errors import InputError
from tests.data.corpus_files import corpus
from tests.data.corpus_files import settings as settings_of
from tests.oracles.toy_corpus import LETTERS, letters, toy_corpus


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
            (batch.source, batch.source_mask, prepared.train.source[pair]),
            (batch.target, batch.target_mask, prepared.train.target[pair]),
        ):
            assert ids[row][mask[row]].tolist() == sentence.tolist()
            assert mask[row].tolist() == [k < len(sentence) for k in range(ids.shape[1])]
            assert sentence[-1] == END_ID
    assert batch.words == sum(len(prepared.train.target[i]) for i in pairs.tolist())


@pytest.mark.parametrize("limit", [1, 30, 60])
def test_a_pool_has_as_many_pairs_as_its_minibatches_of_the_mean_length_take(prepared: Prepared, limit: int) -> None:
    mean = np.mean([len(target) for target in prepared.train.target])
    pool = order(prepared, batch_tokens=limit, pool_batches=3).pool(0)
    assert sum(len(batch.pairs) for batch in pool) == 3 * max(1, round(limit / mean))


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


def test_minibatches_are_those_of_one_pool_after_the_other(prepared: Prepared) -> None:
    """101 pairs are read 21 at a time, in three minibatches of 7; the fifth pool begins the second epoch."""
    one = order(prepared)
    found = list(islice(one.batches(), 18))
    assert [rows(update.batch.examples) for update in found] == [rows(batch) for k in range(6) for batch in one.pool(k)]
    assert [update.next for update in found] == [(k, within) for k in range(7) for within in range(3)][1:19]
    assert [update.batch.words for update in found] == [int(update.batch.target_mask.sum()) for update in found]


def greedily(lengths: list[tuple[int, int]], limit: int) -> list[list[tuple[int, int]]]:
    """Sentences one by one into the last minibatch while it has, padded, at most so many tokens on its longer side."""
    batches: list[list[tuple[int, int]]] = []
    for pair in lengths:
        last = [*batches[-1], pair] if batches else []
        if last and max(map(max, last)) * len(last) <= limit:
            batches[-1] = last
        else:
            batches.append([pair])
    return batches


@pytest.mark.parametrize("limit", [5, 24, 40, 60])
def test_minibatches_are_as_large_as_the_limit_of_tokens_lets_them(tmp_path: Path, limit: int) -> None:
    """Of pairs whose sides differ in length: one has every second word, or each word twice."""
    shorter_or_longer = toy_corpus(
        tmp_path, lambda words: words[::2] if words[0] < "f" else [*words, *words], pairs=101, longest=9
    )
    split = shorter_or_longer.train
    source, target = split.source.lengths, split.target.lengths
    assert (source < target).any()
    assert (source > target).any()
    one = TrainingOrder(split, TrainingConfig(batch_tokens=limit, pool_batches=1000))
    batches = [[(int(target[i]), int(source[i])) for i in batch.pairs] for batch in one.pool(0)]
    by_length = sorted((int(y), int(x)) for x, y in zip(source, target, strict=True))
    assert sorted(batches) == sorted(greedily(by_length, limit))
    found = [np.maximum(source, target)[batch.pairs].tolist() for batch in in_order(split, limit)]
    longest = [(length, length) for length in sorted(np.maximum(source, target).tolist())]
    assert found == [[length for length, _ in batch] for batch in greedily(longest, limit)]


@pytest.mark.parametrize("settings", [{}, {"batch_tokens": 50}, {"seed": 4}])
def test_it_goes_on_where_it_was(prepared: Prepared, settings: dict[str, Any]) -> None:
    placed = list(islice(order(prepared, **settings).batches(), 40))
    for k in (0, 1, 2, 9, 23):
        again = order(prepared, **settings).batches(placed[k].next)
        for expected, found in zip(placed[k + 1 :], again, strict=False):
            assert expected.batch.pairs.tolist() == found.batch.pairs.tolist()


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


@pytest.fixture(scope="module")
def concatenated(tmp_path_factory: pytest.TempPathFactory) -> Prepared:
    """Three corpora: one of them repeated, one with links, which leave out every fifth pair."""
    folder = tmp_path_factory.mktemp("concatenation")
    rng = np.random.default_rng(5)
    corpora = []
    for name, pairs, repeat in (("one", 60, 1), ("two", 25, 3), ("linked", 40, 1)):
        lines = [letters(rng, 6) for _ in range(pairs)]
        for side in ("src", "tgt"):
            (folder / f"{name}.{side}").write_text("".join(" ".join(words) + "\n" for words in lines))
        links = folder / f"{name}.links"
        links.write_text(
            "".join(" ".join(f"{i}-{i}" for i in range(len(w)) if k % 5) + "\n" for k, w in enumerate(lines))
        )
        files = folder / f"{name}.src", folder / f"{name}.tgt"
        corpora.append(corpus(files, repeat, links if name == "linked" else None))
    vocabulary = VocabularySettings("words", len(LETTERS) + 2)
    prepare(corpora, [], settings_of(vocabulary, target_language="en", max_length=None), folder / "prepared", workers=1)
    return open_prepared(folder / "prepared")


def concatenated_order(split: Split, **settings: Any) -> TrainingOrder:
    defaults = {"batch_size": 9, "pool_batches": 5, "concatenate": 0.5, "max_length": 12}
    return TrainingOrder(split, TrainingConfig(**defaults | settings))


def rows(examples: Examples) -> list[list[int]]:
    """The pairs of each example."""
    return [part.tolist() for part in np.split(examples.pairs, examples.starts[1:])]


@pytest.mark.parametrize("settings", [{}, {"batch_tokens": 70}, {"max_length": None}])
def test_each_pair_comes_once_and_only_with_its_corpus(concatenated: Prepared, settings: dict[str, Any]) -> None:
    split = concatenated.train
    one = concatenated_order(split, pool_batches=1000, **settings)
    examples = [row for batch in one.pool(0) for row in rows(batch)]
    counted = Counter(pair for row in examples for pair in row)
    assert counted == {pair: int(split.repeats[pair]) for pair in range(len(split))}
    assert {len(row) for row in examples} == {1, 2, 3}
    for row in examples:
        assert len(set(split.corpora[row].tolist())) == 1
        limit = settings.get("max_length", 12)
        assert len(row) == 1 or limit is None or split.word_lengths[row].sum() <= limit


def test_as_many_as_asked_for() -> None:
    """Without a limit of length the share of concatenated examples is the probability, shared out evenly over their
    sizes; three standard deviations of a binomial distribution are allowed."""
    pairs = np.arange(30_000)
    same = np.zeros(30_000, dtype=np.int64)
    for probability, most in ((0.1, 3), (0.6, 3), (0.5, 7)):
        found = concatenate(pairs, same, same + 1, probability, most, None, np.random.default_rng(1))
        shares = {1: 1 - probability} | dict.fromkeys(range(2, most + 1), probability / (most - 1))
        assert set(found.sizes.tolist()) <= shares.keys()
        for size, share in shares.items():
            error = 3 * np.sqrt(share * (1 - share) / len(found))
            assert abs((found.sizes == size).mean() - share) < error


def test_two_and_two_where_all_are_asked_for() -> None:
    """Up to the limit of words, which may be reached; the last of an odd number stays alone."""
    words = np.array([5, 6, 6, 6, 1, 10, 5])
    found = concatenate(np.arange(7), np.zeros(7, dtype=np.int64), words, 1.0, 2, 11, np.random.default_rng(0))
    assert rows(found) == [[0, 1], [2], [3], [4, 5], [6]]


def test_other_examples_in_each_epoch_and_the_same_when_resumed(concatenated: Prepared) -> None:
    split = concatenated.train
    one = concatenated_order(split)
    per_epoch = -(-one.pairs_per_epoch // 45)
    first = {tuple(row) for k in range(per_epoch) for batch in one.pool(k) for row in rows(batch) if len(row) > 1}
    later = {tuple(row) for k in range(9, 9 + per_epoch) for b in one.pool(k) for row in rows(b) if len(row) > 1}
    assert len(first & later) < len(first) / 4
    placed = list(islice(concatenated_order(split).batches(), 30))
    for k in (0, 3, 17):
        again = concatenated_order(split).batches(placed[k].next)
        for expected, found in zip(placed[k + 1 :], again, strict=False):
            assert rows(expected.batch.examples) == rows(found.batch.examples)


def test_tokens_one_after_the_other_with_one_end(concatenated: Prepared) -> None:
    split = concatenated.train
    examples = Examples(np.array([3, 70, 71, 100]), np.array([1, 2, 1]))
    batch = make_batch(split, examples)
    for ids, mask, side in (
        (batch.source, batch.source_mask, split.source),
        (batch.target, batch.target_mask, split.target),
    ):
        expected = [[*side[3]], [*side[70][:-1], *side[71]], [*side[100]]]
        assert [row[own].tolist() for row, own in zip(ids, mask, strict=True)] == expected
        assert all(row.count(END_ID) == 1 for row in expected)
    assert examples.tokens(split.target.lengths).tolist() == batch.target_mask.sum(axis=1).tolist()


def test_links_move_with_their_words(concatenated: Prepared) -> None:
    """Linked tokens are the same letter on both sides, wherever they stand; a pair without links stays without."""
    split = concatenated.train
    examples = Examples(np.array([86, 87, 90, 85, 91, 92]), np.array([2, 2, 2]))  # 85 and 90 have no links
    batch = make_batch(split, examples)
    assert batch.links is not None
    linked = list(zip(batch.links.pair, batch.links.target, batch.links.source, strict=True))
    assert all(batch.target[row, y] == batch.source[row, x] for row, y, x in linked)
    lengths = [[len(split.source[pair]) - 1 for pair in row] for row in rows(examples)]
    expected = {(row, k, k) for row in (0, 2) for k in range(sum(lengths[row]) + 1)}
    assert {(int(row), int(y), int(x)) for row, y, x in linked} == expected


def test_a_link_of_an_end_that_is_left_out_is_left_out() -> None:
    """One of its two tokens is enough: within an example of two pairs the first pair has no end-of-sentence tokens."""
    lengths = SimpleNamespace(lengths=np.array([3, 3]))
    ends = np.array([[0, 0], [1, 1], [2, 2], [2, 1], [1, 2]])  # token 2 is the end
    split: Any = SimpleNamespace(source=lengths, target=lengths, links=lambda _: ends)
    assert _links_of(split, np.array([0, 1])).tolist() == [[0, 0], [1, 1], *(ends + 2).tolist()]
    assert _links_of(split, np.array([0])).tolist() == ends.tolist()
