"""Training examples, minibatches, and the order in which training visits the sentence pairs.

The seed and the number of minibatches already made determine the rest of the order. An interrupted training therefore
resumes with exactly the next minibatch.

An example is one pair or, with some probability, several random pairs of one corpus, concatenated. A model trained on
short sentences thus sees long ones. The paper does not concatenate. Sources: Nguyen et al. 2021 (Data augmentation by
concatenation for low-resource translation), Kondo et al. 2021 (Sentence concatenation approach to data augmentation
for neural machine translation).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from nmt.config import TrainingConfig
from nmt.data.prepared import SentenceArray, Split
from nmt.data.vocabulary import END_ID
from nmt.errors import InputError


@dataclass(frozen=True, eq=False)
class Examples:
    """Training examples. pairs: [P], indices of pairs in their split. The pairs of one example are adjacent. sizes:
    [B], number of pairs in each example, at least 1."""

    pairs: NDArray[np.int64]
    sizes: NDArray[np.int64]

    @classmethod
    def single(cls, pairs: NDArray[np.int64]) -> Examples:
        """Make one example of each pair."""
        return cls(pairs, np.ones(len(pairs), dtype=np.int64))

    def __len__(self) -> int:
        return len(self.sizes)

    @property
    def starts(self) -> NDArray[np.int64]:
        """Position in ``pairs`` of the first pair of each example, [B]."""
        return np.cumsum(self.sizes) - self.sizes

    def take(self, rows: NDArray[np.int64]) -> Examples:
        """The examples with these indices, in this order."""
        starts = self.starts
        positions = [np.arange(starts[row], starts[row] + self.sizes[row]) for row in rows]
        chosen = np.concatenate(positions) if positions else np.zeros(0, dtype=np.int64)
        return Examples(self.pairs[chosen], self.sizes[rows])

    def tokens(self, lengths: NDArray[np.integer]) -> NDArray[np.int64]:
        """Number of tokens of each example, [B]. An example has one end-of-sentence token, which counts.

        Args:
            lengths: number of tokens of every pair of the split on one side, end-of-sentence token included.
        """
        if not len(self.sizes):
            return np.zeros(0, dtype=np.int64)
        sums: NDArray[np.int64] = np.add.reduceat(lengths[self.pairs].astype(np.int64), self.starts)
        return sums - (self.sizes - 1)


def concatenate(
    pairs: NDArray[np.int64],
    corpora: NDArray[np.integer],
    words: NDArray[np.integer],
    probability: float,
    most: int,
    max_length: int | None,
    rng: np.random.Generator,
) -> Examples:
    """Group pairs into examples, each pair into exactly one.

    An example is planned as one pair, or with ``probability`` as several pairs of the same corpus. Each number of pairs
    from two to ``most`` is equally likely. Pairs that would make an example too long are removed, the last first. Each
    removed pair becomes an example by itself.

    Args:
        pairs: indices of pairs in their split, in random order, [P].
        corpora: the corpus of every pair of the split.
        words: number of words of the longer side of every pair of the split.
        max_length: largest sum of ``words`` over the pairs of an example of several pairs. None = no limit.
    """
    if not probability:
        return Examples.single(pairs)
    ordered: list[int] = []
    sizes: list[int] = []
    several = range(2, most + 1)
    chances = [1 - probability, *(probability / len(several) for _ in several)]
    for corpus in np.unique(corpora[pairs]):
        waiting = pairs[corpora[pairs] == corpus]
        planned = rng.choice([1, *several], size=len(waiting), p=chances).tolist()
        lengths = words[waiting].tolist()
        begin = 0
        for plan in planned:
            if begin == len(waiting):
                break
            end = min(begin + plan, len(waiting))
            fitting = end
            while max_length is not None and fitting > begin + 1 and sum(lengths[begin:fitting]) > max_length:
                fitting -= 1
            ordered += waiting[begin:end].tolist()
            sizes += [fitting - begin] + [1] * (end - fitting)
            begin = end
    return Examples(np.array(ordered, dtype=np.int64), np.array(sizes, dtype=np.int64))


@dataclass(frozen=True, eq=False)
class Padded:
    """S padded sentences. ids: int64 [S, T], END_ID where padded. mask: bool [S, T], True where there is a token."""

    ids: NDArray[np.int64]
    mask: NDArray[np.bool_]


def padded(sentences: Sequence[NDArray[np.integer]]) -> Padded:
    """Pad sentences of ids to the longest with END_ID."""
    lengths = np.array([len(sentence) for sentence in sentences])
    ids = np.full((len(sentences), int(lengths.max())), END_ID, dtype=np.int64)
    mask = np.arange(ids.shape[1]) < lengths[:, None]
    ids[mask] = np.concatenate(sentences)
    return Padded(ids, mask)


@dataclass(frozen=True, eq=False, kw_only=True)
class BatchLinks:
    """Word links of a minibatch, arrays [L]. pair, target, source: the row in the minibatch, target position and source
    position of each link, from 0. weight: 1 / n for each of the n links of one target token."""

    pair: NDArray[np.int64]
    target: NDArray[np.int64]
    source: NDArray[np.int64]
    weight: NDArray[np.float32]


Array = TypeVar("Array")
"""Arrays of NumPy, or tensors on the device of a model."""
Links = TypeVar("Links")
"""``BatchLinks``, or the model's ``LinkBatch``."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Batch(Generic[Array, Links]):
    """B training examples, padded. An example is one sentence pair, or several pairs concatenated.

    Attributes:
        source, target: int64 ids with end-of-sentence tokens, [B, T_x] and [B, T_y]. Padding has END_ID.
        source_mask, target_mask: bool, True where there is a token.
        examples: the pairs of each row.
        words: number of target tokens, end-of-sentence tokens included.
        links: word links. None if the split has none.
    """

    source: Array
    source_mask: Array
    target: Array
    target_mask: Array
    examples: Examples
    words: int
    links: Links | None = None

    @property
    def pairs(self) -> NDArray[np.int64]:
        """Index of each pair in the split, [P]. P = B unless pairs are concatenated."""
        return self.examples.pairs


ArrayBatch = Batch[NDArray[Any], BatchLinks]


class Position(NamedTuple):
    """Position of a minibatch: it is minibatch ``within`` of pool ``pool``, both counted from 0."""

    pool: int
    within: int


BEGINNING = Position(0, 0)


@dataclass(frozen=True, eq=False)
class Update(Generic[Array, Links]):
    """The minibatch of an update. next: the position of the next minibatch."""

    batch: Batch[Array, Links]
    next: Position


def make_batch(split: Split, examples: Examples) -> ArrayBatch:
    """Read, concatenate and pad the pairs of the given examples."""
    source, target = (padded(_sentences(side, examples)) for side in (split.source, split.target))
    return Batch(
        source=source.ids,
        source_mask=source.mask,
        target=target.ids,
        target_mask=target.mask,
        examples=examples,
        words=int(target.mask.sum()),
        links=_links(split, examples),
    )


def _sentences(side: SentenceArray, examples: Examples) -> list[NDArray[np.integer]]:
    """Ids of one side of each example. The pairs of an example are joined, with only the last end-of-sentence token."""
    sentences: list[NDArray[np.integer]] = []
    for start, size in zip(examples.starts.tolist(), examples.sizes.tolist(), strict=True):
        parts = [side[int(pair)] for pair in examples.pairs[start : start + size]]
        sentences.append(np.concatenate([*(part[:-1] for part in parts[:-1]), parts[-1]]) if size > 1 else parts[0])
    return sentences


def _links(split: Split, examples: Examples) -> BatchLinks | None:
    if not split.has_links:
        return None
    links = [_links_of(split, pairs) for pairs in np.split(examples.pairs, examples.starts[1:])]
    rows = np.repeat(np.arange(len(links)), [len(pair_links) for pair_links in links])
    source, target = np.concatenate(links).T.astype(np.int64)
    keys = rows * (int(target.max(initial=0)) + 1) + target
    return BatchLinks(pair=rows, target=target, source=source, weight=(1 / np.bincount(keys)[keys]).astype(np.float32))


def _links_of(split: Split, pairs: NDArray[np.int64]) -> NDArray[np.integer]:
    """Links of one example, [L, 2]. Link positions of a pair are shifted by the tokens of the pairs before that pair.
    Concatenation drops every end-of-sentence token but the last, with the links of the dropped tokens."""
    if len(pairs) == 1:
        return split.links(int(pairs[0]))
    shift = np.zeros(2, dtype=np.int64)
    parts = []
    for number, pair in enumerate(pairs.tolist(), start=1):
        last = np.array([split.source.lengths[pair] - 1, split.target.lengths[pair] - 1], dtype=np.int64)
        pair_links = split.links(pair).astype(np.int64)
        parts.append((pair_links if number == len(pairs) else pair_links[(pair_links < last).all(axis=1)]) + shift)
        shift += last
    return np.concatenate(parts)


class TrainingOrder:
    """The endless sequence of minibatches of one training.

    All pairs (each as often as its corpus is repeated) are shuffled once, and every epoch reads them in that order. A
    pool holds the pairs of ``pool_batches`` minibatches. Each pool is sorted by length and split into minibatches,
    which are used in random order. With ``concatenate`` some pairs of a pool are concatenated before the pool is
    sorted. They are drawn separately for each pool, so they differ between epochs.

    Paper: 4.2, B.2
    """

    def __init__(self, split: Split, settings: TrainingConfig) -> None:
        """Raise InputError if no pair is left after the length filter."""
        chosen = np.arange(len(split), dtype=np.int32)
        if settings.max_length is not None:
            chosen = chosen[split.word_lengths <= settings.max_length]
        self._order = np.repeat(chosen, split.repeats[chosen])
        if len(self._order) == 0:
            raise InputError(f"no training pair has at most {settings.max_length} words")
        np.random.default_rng(settings.seed).shuffle(self._order)
        self._split, self._settings = split, settings
        self._source, self._target = split.source.lengths, split.target.lengths
        mean = float(self._target[self._order].mean())
        size = settings.batch_size
        if settings.batch_tokens is not None:
            size = max(1, round(settings.batch_tokens / mean))
        self._pool_size = size * settings.pool_batches

    @property
    def pairs_per_epoch(self) -> int:
        """Number of pairs in one epoch, repeats counted."""
        return len(self._order)

    def pool(self, number: int) -> list[Examples]:
        """Examples of every minibatch of pool ``number`` (from 0), in the order of use. A pool may span two epochs."""
        size = min(self._pool_size, len(self._order))  # a small corpus is one smaller pool
        start = number * size
        pairs = self._order[np.arange(start, start + size) % len(self._order)].astype(np.int64)
        s, draws = self._settings, np.random.default_rng([self._settings.seed, number, 1])
        about = self._split.corpora, self._split.word_lengths, s.concatenate, s.concatenate_most, s.max_length
        examples = concatenate(pairs, *about, draws)
        source, target = examples.tokens(self._source), examples.tokens(self._target)
        by_length = np.lexsort((source, target))
        batches = self._split_pool(source[by_length], target[by_length])
        rng = np.random.default_rng([self._settings.seed, number])
        return [examples.take(by_length[batches[i]]) for i in rng.permutation(len(batches))]

    def _split_pool(self, source: NDArray[np.int64], target: NDArray[np.int64]) -> list[slice]:
        """Cut examples, sorted by length, into minibatches. ``source``, ``target``: lengths of the examples."""
        limit = self._settings.batch_tokens
        if limit is None:
            size = self._settings.batch_size
            return [slice(i, i + size) for i in range(0, len(target), size)]
        batches, begin = [], 0
        longest_source = 0
        for end in range(len(target)):
            longest_source = max(longest_source, int(source[end]))
            longest = max(longest_source, int(target[end]))
            if end > begin and longest * (end + 1 - begin) > limit:
                batches.append(slice(begin, end))
                begin, longest_source = end, int(source[end])
        batches.append(slice(begin, len(target)))
        return batches

    def batches(self, start: Position = BEGINNING) -> Iterator[Update[NDArray[Any], BatchLinks]]:
        """Yield minibatches without end, from position ``start`` on. Each minibatch is sorted by length."""
        pool, within = start
        while True:
            plan = self.pool(pool)
            for number in range(within, len(plan)):
                following = Position(pool, number + 1) if number + 1 < len(plan) else Position(pool + 1, 0)
                yield Update(make_batch(self._split, plan[number]), following)
            pool, within = pool + 1, 0


def in_order(split: Split, tokens: int) -> Iterator[ArrayBatch]:
    """Yield all pairs of a split once, shortest first, in minibatches. Either side of a minibatch has at most
    ``tokens`` tokens with padding, unless it is one pair."""
    lengths = np.maximum(split.source.lengths, split.target.lengths)
    pairs = np.argsort(lengths, kind="stable").astype(np.int64)
    begin = 0
    for end in range(1, len(pairs) + 1):
        if end == len(pairs) or int(lengths[pairs[end]]) * (end + 1 - begin) > tokens:
            yield make_batch(split, Examples.single(pairs[begin:end]))
            begin = end
