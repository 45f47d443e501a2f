"""Phrase pairs of linked texts, by NumPy over a whole corpus at once: those of Och and Ney 2004, as sil-thot's.

A pair of spans is a phrase pair if a link joins them and none leads out of them. Words without a link at the ends of
the target span may belong to it or not.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from experiments.phrase_based.system import read_pairs

Ints = NDArray[np.int64]
_LINKED = re.compile(r"(\S+) \(\{ ((?:[0-9]+ )*)\}\) ?")
_FACTOR, _SPREAD = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xC2B2AE3D27D4EB4F)
_FAR = np.int64(1 << 40)


@dataclass(frozen=True, eq=False)
class Side:
    """One language of a corpus, its sentences one after the other.

    Attributes:
        names: word by id.
        words: ids, [N].
        sentences: number of each word's sentence, [N].
    """

    names: list[str]
    words: Ints
    sentences: Ints

    def text(self, first: int, length: int) -> str:
        """Words joined by spaces."""
        return " ".join(self.names[id] for id in self.words[first : first + length].tolist())

    def whole(self, length: int) -> NDArray[np.bool_]:
        """Whether so many words from each on are of one sentence, [N]."""
        last = np.append(self.sentences[length - 1 :], np.full(length - 1, -1))
        return np.asarray(last == self.sentences)

    def hashes(self, length: int) -> NDArray[np.uint64]:
        """A number for so many words from each on, [N]; those that go beyond the end are of no use."""
        found = np.full(len(self.words), np.uint64(length))
        for k in range(length):
            found = found * _FACTOR + np.roll(self.words, -k).astype(np.uint64) + np.uint64(1)
            found ^= found >> np.uint64(29)
        return found


@dataclass(frozen=True, eq=False, kw_only=True)
class Linked:
    """A corpus with its links.

    Attributes:
        source, target: its texts.
        repeats: how often each sentence pair counts.
        links: places of linked words in source and target, [K, 2].
    """

    source: Side
    target: Side
    repeats: Ints
    links: Ints

    def linked_words(self) -> Counter[tuple[str, str]]:
        """How often two words are linked; "" for no word."""
        found: Counter[tuple[str, str]] = Counter()
        width = len(self.target.names) + 1
        s, t = self.links.T
        sides = [(self.source.words[s], self.target.words[t], self.source.sentences[s])]
        for side, places, other in ((self.source, s, self.target), (self.target, t, self.source)):
            free = np.flatnonzero(np.bincount(places, minlength=len(side.words)) == 0)
            none = np.full(len(free), len(other.names))
            own = side.words[free], none
            sides.append((*(own if side is self.source else own[::-1]), side.sentences[free]))
        x, y, sentences = (np.concatenate(parts) for parts in zip(*sides, strict=True))
        keys, inverse = np.unique(x * width + y, return_inverse=True)
        counts = np.bincount(inverse, self.repeats[sentences]).astype(int)
        names = (*self.source.names, ""), (*self.target.names, "")
        for key, count in zip(keys.tolist(), counts.tolist(), strict=True):
            found[names[0][key // width], names[1][key % width]] = count
        return found


def read_linked(pairs: Path, links: Path) -> Linked:
    """Read what ``prepare`` wrote."""
    ids: tuple[dict[str, int], dict[str, int]] = ({}, {})
    words: tuple[list[int], list[int]] = ([], [])
    lengths: tuple[list[int], list[int]] = ([], [])
    repeats, joined = [], []
    with links.open(encoding="utf-8", newline="\n") as file:
        for repeat, *sides in read_pairs(pairs):
            starts = len(words[0]), len(words[1])
            for own, known, all_words, length in zip(sides, ids, words, lengths, strict=True):
                all_words.extend(known.setdefault(word, len(known)) for word in own)
                length.append(len(own))
            repeats.append(repeat)
            block = list(islice(file, 3))
            for i, (_, numbers) in enumerate(_LINKED.findall(block[2])[1:]):  # the first is NULL
                joined += [(starts[0] + int(number) - 1, starts[1] + i) for number in numbers.split()]
    texts = [
        Side(list(known), np.array(all_words), np.repeat(np.arange(len(length)), length))
        for known, all_words, length in zip(ids, words, lengths, strict=True)
    ]
    return Linked(source=texts[0], target=texts[1], repeats=np.array(repeats), links=np.array(joined).reshape(-1, 2))


@dataclass(frozen=True, eq=False, kw_only=True)
class Spans:
    """Where phrase pairs occur: first words and lengths, [K] each."""

    source: Ints
    source_length: Ints
    target: Ints
    target_length: Ints


def spans(corpus: Linked, most: int) -> Iterator[Spans]:
    """All phrase pairs of up to so many words on either side, by length of the source."""
    s, t = corpus.links.T
    low_t, high_t = _reached(s, t, len(corpus.source.words))
    low_s, high_s = _reached(t, s, len(corpus.target.words))
    free = high_s < 0
    whole = np.stack([corpus.target.whole(length) for length in range(1, most + 1)])
    lows, highs = map(np.stack, zip(*_widened(low_s, high_s, most), strict=True))
    for length, (low, high) in enumerate(_widened(low_t, high_t, most), start=1):
        first = np.flatnonzero((high >= 0) & (high - low < most) & corpus.source.whole(length))
        begin, end = low[first], high[first]
        row = end - begin
        inside = (lows[row, begin] >= first) & (highs[row, begin] < first + length)
        first, begin, end = first[inside], begin[inside], end[inside]
        left = np.ones(len(first), dtype=bool)
        for before in range(most):
            if before:
                left &= begin - before >= 0
                left[left] &= free[begin[left] - before]
            right = left.copy()
            for after in range(most - before):
                if after:
                    right &= end + after < len(free)
                    right[right] &= free[end[right] + after]
                size = end - begin + 1 + before + after
                kept = np.flatnonzero(right & (size <= most))
                kept = kept[whole[size[kept] - 1, begin[kept] - before]]
                yield Spans(
                    source=first[kept],
                    source_length=np.full(len(kept), length),
                    target=begin[kept] - before,
                    target_length=size[kept],
                )


def _reached(own: Ints, other: Ints, size: int) -> tuple[Ints, Ints]:
    """The first and the last place that each word is linked with; far off, and -1, for a word without a link."""
    low, high = np.full(size, _FAR), np.full(size, np.int64(-1))
    np.minimum.at(low, own, other)
    np.maximum.at(high, own, other)
    return low, high


def _widened(low: Ints, high: Ints, most: int) -> Iterator[tuple[Ints, Ints]]:
    """The same of 1, 2, ... words from each on."""
    now_low, now_high = low, high
    yield now_low, now_high
    for length in range(1, most):
        now_low = np.minimum(now_low, np.append(low[length:], np.full(length, _FAR)))
        now_high = np.maximum(now_high, np.append(high[length:], np.full(length, np.int64(-1))))
        yield now_low, now_high


@dataclass(frozen=True, kw_only=True, eq=False)
class Counted:
    """Phrase pairs and their counts: where each stands first, and n(x, y), n(x) and n(y), [P] each."""

    first: Spans
    joint: NDArray[np.float64]
    of_source: NDArray[np.float64]
    of_target: NDArray[np.float64]


def count(corpus: Linked, most: int) -> Counted:
    """Count the phrase pairs of up to so many words."""
    parts = list(spans(corpus, most))
    every = {name: np.concatenate([getattr(part, name) for part in parts]) for name in Spans.__dataclass_fields__}
    hashed: Mapping[str, NDArray[np.uint64]] = {
        side: np.stack([getattr(corpus, side).hashes(length) for length in range(1, most + 1)])[
            every[f"{side}_length"] - 1, every[side]
        ]
        for side in ("source", "target")
    }
    keys = hashed["source"] * _SPREAD + hashed["target"]
    order = np.argsort(keys, kind="stable")
    new = np.flatnonzero(np.append(True, np.diff(keys[order]) != 0)) if len(order) else order
    weights = corpus.repeats[corpus.source.sentences[every["source"][order]]].astype(np.float64)
    joint = np.add.reduceat(weights, new) if len(order) else weights
    rows = order[new]
    sums: list[NDArray[np.float64]] = []
    for side in ("source", "target"):
        _, inverse = np.unique(hashed[side][rows], return_inverse=True)
        sums.append(np.bincount(inverse, joint)[inverse].astype(np.float64))
    first = Spans(**{name: values[rows] for name, values in every.items()})
    return Counted(first=first, joint=joint, of_source=sums[0], of_target=sums[1])
