"""Concatenated training examples: the pairs they are made of, their tokens and their links."""

from collections import Counter
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from nmt.config import TrainingConfig
from nmt.data.batching import TrainingOrder, make_batch
from nmt.data.concatenation import Examples, concatenate
from nmt.data.prepare import PrepareSettings, VocabularySettings, prepare
from nmt.data.prepared import Prepared, Split, open_prepared
from nmt.data.vocabularies.vocabulary import END_ID
from tests.data.corpus_files import corpus
from tests.oracles.toy_corpus import LETTERS, letters


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Prepared:
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
    prepare(
        corpora,
        [],
        PrepareSettings(
            source_language="en",
            target_language="en",
            max_length=None,
            source_vocabulary=vocabulary,
            target_vocabulary=vocabulary,
        ),
        folder / "prepared",
        workers=1,
    )
    return open_prepared(folder / "prepared")


def order(split: Split, **settings: Any) -> TrainingOrder:
    defaults = {"batch_size": 9, "pool_batches": 5, "concatenate": 0.5, "max_length": 12}
    return TrainingOrder(split, TrainingConfig(**defaults | settings))


def rows(examples: Examples) -> list[list[int]]:
    """The pairs of each example."""
    return [part.tolist() for part in np.split(examples.pairs, examples.starts[1:])]


def test_the_corpus_of_each_pair_is_known(prepared: Prepared) -> None:
    assert prepared.train.corpora.tolist() == [0] * 60 + [1] * 25 + [2] * 40


@pytest.mark.parametrize("settings", [{}, {"batch_tokens": 70}, {"max_length": None}])
def test_each_pair_comes_once_and_only_with_its_corpus(prepared: Prepared, settings: dict[str, Any]) -> None:
    split = prepared.train
    one = order(split, pool_batches=1000, **settings)
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


def test_too_long_ones_are_taken_apart() -> None:
    pairs = np.arange(300)
    words = np.random.default_rng(2).integers(1, 10, 300)
    found = concatenate(pairs, np.zeros(300, dtype=np.int64), words, 0.9, 4, 11, np.random.default_rng(3))
    assert [pair for row in rows(found) for pair in row] == pairs.tolist()
    assert all(len(row) == 1 or words[row].sum() <= 11 for row in rows(found))
    assert (found.sizes > 1).sum() > 50


def test_other_examples_in_each_epoch_and_the_same_when_resumed(prepared: Prepared) -> None:
    split = prepared.train
    one = order(split)
    per_epoch = -(-one.pairs_per_epoch // 45)
    first = {tuple(row) for k in range(per_epoch) for batch in one.pool(k) for row in rows(batch) if len(row) > 1}
    later = {tuple(row) for k in range(9, 9 + per_epoch) for b in one.pool(k) for row in rows(b) if len(row) > 1}
    assert len(first & later) < len(first) / 4
    placed = list(islice(order(split).batches(), 30))
    for k in (0, 3, 17):
        again = order(split).batches(placed[k].next_pool, placed[k].next_within)
        for expected, found in zip(placed[k + 1 :], again, strict=False):
            assert rows(expected.examples) == rows(found.examples)


def test_none_without_the_setting(prepared: Prepared) -> None:
    plain = order(prepared.train, concatenate=0.0)
    assert all((batch.sizes == 1).all() for k in range(5) for batch in plain.pool(k))


def test_tokens_one_after_the_other_with_one_end(prepared: Prepared) -> None:
    split = prepared.train
    examples = Examples(np.array([3, 70, 71, 100]), np.array([1, 2, 1]))
    batch = make_batch(split, examples)
    for ids, mask, read in (
        (batch.source, batch.source_mask, split.source),
        (batch.target, batch.target_mask, split.target),
    ):
        expected = [[*read(3)], [*read(70)[:-1], *read(71)], [*read(100)]]
        assert [row[own].tolist() for row, own in zip(ids, mask, strict=True)] == expected
        assert all(row.count(END_ID) == 1 for row in expected)
    assert examples.tokens(split.target_lengths).tolist() == batch.target_mask.sum(axis=1).tolist()


def test_links_move_with_their_words(prepared: Prepared) -> None:
    """Linked tokens are the same letter on both sides, wherever they stand; a pair without links stays without."""
    split = prepared.train
    examples = Examples(np.array([86, 87, 90, 85, 91, 92]), np.array([2, 2, 2]))  # 85 and 90 have no links
    batch = make_batch(split, examples)
    assert batch.links is not None
    linked = list(zip(batch.links.pair, batch.links.target, batch.links.source, strict=True))
    assert all(batch.target[row, y] == batch.source[row, x] for row, y, x in linked)
    lengths = [[len(split.source(pair)) - 1 for pair in row] for row in rows(examples)]
    expected = {(row, k, k) for row in (0, 2) for k in range(sum(lengths[row]) + 1)}
    assert {(int(row), int(y), int(x)) for row, y, x in linked} == expected


def test_shares_of_two_processes_are_the_whole(prepared: Prepared, tmp_path: Path) -> None:
    one = order(prepared.train)
    for whole, left, right in islice(
        zip(one.batches(), one.batches(rank=0, processes=2), one.batches(rank=1, processes=2), strict=False), 12
    ):
        assert whole.batch is not None
        parts = [rows(share.batch.examples) if share.batch else [] for share in (left, right)]
        assert sorted(parts[0] + parts[1]) == sorted(rows(whole.batch.examples))
        assert left.words == right.words == whole.words
