"""Which head of a Transformer aligns: the error rate of each head's links against gold links.

A row of a head's weights belongs to the step that predicts a word ("before"), or to the step that has read it
("after").
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from nmt.evaluation.alignment_error_rate import AlignmentErrorRate, rate_of
from nmt.results.links import Gold
from nmt.results.translation import Encoded

Row = Literal["before", "after"]
Head = tuple[int, int]
"""Layer and head, from 0."""
_ROWS: tuple[Row, ...] = ("before", "after")
MOST = 6
"""Largest number of heads of a small set."""


@dataclass(frozen=True, eq=False, kw_only=True)
class HeadMaps:
    """Weights of all heads for a pair over words, without the end-of-sentence tokens.

    Attributes:
        before, after: [layers, heads, words_y, words_x], by the row that a word has.
        target, source: number of each word in its line; a word without a token is not among them.
    """

    before: NDArray[np.float32]
    after: NDArray[np.float32]
    target: tuple[int, ...]
    source: tuple[int, ...]


@dataclass(frozen=True)
class HeadRate:
    """Error rate of the mean of some heads. row: which step's weights; heads: one, all of a layer, or a small set."""

    row: Row
    heads: tuple[Head, ...]
    rate: AlignmentErrorRate


def head_maps(weights: NDArray[np.float32], source: Encoded, target: Encoded) -> HeadMaps:
    """Merge the weights of a pair, [layers, heads, T_y, T_x], into words: summed over the subwords of a source word,
    and averaged over those of a target word. Row i of "after" is that of token i + 1."""
    columns, rows = ({word: k for k, word in enumerate(dict.fromkeys(side.words[:-1]))} for side in (source, target))
    x = np.zeros((len(source.ids), len(columns)), dtype=np.float32)
    y = np.zeros((len(target.ids) - 1, len(rows)), dtype=np.float32)
    for table, numbers, side in ((x, columns, source), (y, rows, target)):
        for at, word in enumerate(side.words[:-1]):
            table[at, numbers[word]] = 1
    y /= y.sum(0)
    before, after = (np.einsum("yi,lhyx,xj->lhij", y, part, x) for part in (weights[:, :, :-1], weights[:, :, 1:]))
    return HeadMaps(before=before, after=after, target=tuple(rows), source=tuple(columns))


def every_head(maps: Sequence[HeadMaps], gold: Sequence[Gold]) -> Iterator[HeadRate]:
    """Measure each head and the mean of each layer, for both rows."""
    layers, heads = maps[0].before.shape[:2]
    for row in _ROWS:
        for layer in range(layers):
            for chosen in (*[(head,) for head in range(heads)], tuple(range(heads))):
                yield _measured(row, [(layer, head) for head in chosen], maps, gold)


def small_set(maps: Sequence[HeadMaps], gold: Sequence[Gold], *, one_layer: bool = False) -> HeadRate:
    """Add the head that lowers the error rate of the mean most, until none does or there are ``MOST``. The set and its
    row are chosen on every other pair, from the first; the rate is that of the pairs between, which had no part.

    ``one_layer``: all heads are of one layer, and the row is that before, as programs have it that give the mean of the
    first heads of a layer.
    """
    layers = range(maps[0].before.shape[0])
    asked: list[tuple[Row, Sequence[int]]] = [(row, layers) for row in _ROWS]
    if one_layer:
        asked = [("before", (layer,)) for layer in layers]
    sets = (_greedy(row, among, maps[::2], gold[::2]) for row, among in asked)
    chosen = min(sets, key=lambda few: few.rate.aer)
    return _measured(chosen.row, chosen.heads, maps[1::2], gold[1::2])


def _greedy(row: Row, layers: Sequence[int], maps: Sequence[HeadMaps], gold: Sequence[Gold]) -> HeadRate:
    every = [(layer, head) for layer in layers for head in range(maps[0].before.shape[1])]
    best: HeadRate | None = None
    for _ in range(min(MOST, len(every))):
        before = () if best is None else best.heads
        tried = [_measured(row, [*before, head], maps, gold) for head in every if head not in before]
        found = min(tried, key=lambda one: one.rate.aer)
        if best is not None and found.rate.aer >= best.rate.aer:
            break
        best = found
    assert best is not None, "a model has heads"
    return best


def _measured(row: Row, heads: Sequence[Head], maps: Sequence[HeadMaps], gold: Sequence[Gold]) -> HeadRate:
    layers, numbers = zip(*heads, strict=True)
    counts = []
    for one, links in zip(maps, gold, strict=True):
        weights = (one.before if row == "before" else one.after)[list(layers), list(numbers)].mean(0)
        places = weights.argmax(1).tolist() if weights.size else []
        drawn = {(one.source[j], i) for i, j in zip(one.target, places, strict=False)}
        sure, possible = links.sure, links.possible
        counts.append((len(drawn), len(sure), len(possible), len(drawn & sure), len(drawn & possible)))
    return HeadRate(row, tuple(heads), rate_of(np.array(counts, dtype=np.int64)))
