"""Gold alignments of sure and possible links (Och, Ney 2003), and the alignment error rate (AER) of links.

The AER also tells which head of a Transformer aligns best. A target word has two rows of a head's weights: the row of
the step that predicts the word ("before"), and the row of the step that has read the word ("after").
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from nmt.alignments.formats import READERS, read, recognised
from nmt.alignments.formats.checks import MAX_BYTES, Content, Given, Words
from nmt.data.corpus import open_binary
from nmt.data.links import read_links
from nmt.errors import InputError
from nmt.evaluation.bootstrap import FEWEST, Resamples, interval
from nmt.results import END, Alignment, Interval
from nmt.results.links import Gold, LinkSet, numbered_words
from nmt.results.translation import Encoded
from nmt.texts import say

_NUMBERED = ("numbered", "naacl", "giza")
"""Formats besides Pharaoh whose links are numbered from ``Given.base``, or from 1."""

_LOOKED_AT = 1 << 16
"""Number of bytes at the start of a file that show its format."""

Lengths = tuple[int, int]
"""Numbers of words of the two sides of a sentence pair."""


def read_gold(path: str | Path, lengths: Sequence[Lengths] | None = None, base: int = 0) -> list[Gold]:
    """Read the gold links of each sentence. Duplicate links count once. A link that is both sure and possible is sure.

    Args:
        path: plain text, .gz or .xz, in any format of links that ``nmt.alignments.formats`` reads.
        lengths: lengths of the sentence pairs, to check the links, or None if unknown.
        base: number of the first word in a link, for formats that do not state it.

    Raises:
        InputError: the file cannot be read, has weights, or has another number of lines than ``lengths``. Or a line has
            a malformed link or a link to a nonexistent word. The message names the file and a wrong line.
    """
    content = _content(Path(path), lengths, Given(base=base), possible=True)
    if content.alignments:
        raise InputError(f"{path} has weights, not links")
    return [*content.links]


def read_maps(path: str | Path, lengths: Sequence[Lengths] | None, given: Given) -> Content:
    """Read the links or the weights written by another program. A blank line has no links. ``path``, ``lengths``: the
    arguments of ``read_gold``.

    Raises:
        InputError: the file cannot be read, is malformed or does not fit ``lengths``, or ``given`` lacks a fact that
            the format needs. Or the file has weights, and ``lengths`` is None. Or a sentence has the words of another
            pair, or ``given`` has a base or a part that the format lacks.
    """
    content = _content(Path(path), lengths, given, possible=False)
    pairs = [
        (tuple(numbered_words(s)), tuple(numbered_words(t))) for s, t in zip(given.source, given.target, strict=True)
    ]
    lines = {pair: number for number, pair in enumerate(pairs, start=1)}
    tokens = content.words or [_proper_words(alignment) for alignment in content.alignments]
    for number, (words, wanted) in enumerate(zip(tokens, pairs, strict=False), start=1):
        if any(words) and words != wanted and words in lines:
            raise InputError(f"{path}, sentence {number} has the words of line {lines[words]} of the sentence pairs")
    if content.alignments and lengths is None:
        raise InputError(
            f"{path} has weights: to draw links from them, the words of the sentence pairs are needed, too"
        )
    for number, (alignment, pair) in enumerate(zip(content.alignments, lengths or (), strict=False), start=1):
        source, target = map(len, _proper_words(alignment))
        if (source, target) != pair:
            raise InputError(
                f"{path}, sentence {number} has {source} source and {target} target tokens, but the pair has "
                f"{pair[0]} and {pair[1]} words"
            )
    return content


def _proper_words(alignment: Alignment) -> Words:
    """The tokens of both sides without end-of-sentence tokens."""
    source, target = (tuple(word for word in side if word != END) for side in (alignment.source, alignment.target))
    return source, target


def _content(path: Path, lengths: Sequence[Lengths] | None, given: Given, *, possible: bool) -> Content:
    """Read a file. InputError if it has not as many sentences as ``lengths``, or links words beyond these lengths."""
    data = b""
    if path.is_file():  # not a pipe, which can be read only once
        with open_binary(path) as file:
            data = file.read(MAX_BYTES + 1)
    format_ = recognised(data[:_LOOKED_AT].decode("utf-8-sig", "replace"))
    if format_ in ("pharaoh", ""):
        lines = list(read_links(path, possible=possible, base=given.base))
        for line, pair in zip(lines, lengths or (), strict=False):
            line.check(*pair)
        content = Content(links=tuple(Gold.of(line.links) for line in lines))
    else:
        if given.base and format_ not in _NUMBERED:
            raise InputError(f"{path} is of {READERS[format_].title}, which numbers words from 0: --base is not for it")
        try:
            content = read(data, given=given)
        except InputError as error:
            raise InputError(say("errors.in_place", place=path, problem=error)) from None
        if format_ == "naacl" and lengths is not None:  # naacl leaves out sentences without links
            more = len(lengths) - len(content.links)
            content = replace(content, links=(*content.links, *[Gold(frozenset(), frozenset())] * more))
        for number, (gold, pair) in enumerate(zip(content.links, lengths or (), strict=False), start=1):
            try:
                gold.check(*pair)
            except InputError as error:
                raise InputError(f"{path}, sentence {number}: {error}") from None
    if given.part and not content.part:
        raise InputError(f"{path} has one map of each sentence, so it has no part {given.part}")
    sentences = len(content.links or content.alignments)
    if lengths is not None and sentences != len(lengths):
        raise InputError(f"{path} has {sentences} lines, but there are {len(lengths)} sentence pairs")
    return content


Count = Annotated[int, Field(ge=0)]


@dataclass(frozen=True, kw_only=True)
class AlignmentErrorRate:
    """Counts over all sentence pairs, and the measures derived from them (from 0 to 1).

    Attributes:
        links: |A|, the number of links that are compared with the gold links.
        sure, possible: |S| and |P|, the numbers of sure and of possible gold links. P includes S.
        sure_found, possible_found: |A & S| and |A & P|.
        interval: 95 % confidence interval of the AER. None if there are too few pairs, or if not computed.
    """

    links: Count
    sure: Annotated[int, Field(ge=1)]
    possible: Count
    sure_found: Count
    possible_found: Count
    sentences: Annotated[int, Field(ge=0, alias="n")]
    interval: Interval | None = None

    @property
    def precision(self) -> float:
        """|A & P| / |A|, or 0 if there is no link."""
        return self.possible_found / self.links if self.links else 0.0

    @property
    def recall(self) -> float:
        return self.sure_found / self.sure

    @property
    def aer(self) -> float:
        """Alignment error rate. The best value is 0."""
        return 1 - (self.sure_found + self.possible_found) / (self.links + self.sure)


def alignment_error_rate(links: Sequence[LinkSet], gold: Sequence[Gold]) -> AlignmentErrorRate:
    """Compare links with gold links, pair by pair. InputError if the gold has no sure link (recall is undefined).

    >>> one = Gold(sure=frozenset({(0, 0)}), possible=frozenset({(0, 0), (1, 0), (1, 1)}))
    >>> error = alignment_error_rate([frozenset({(0, 0), (1, 1), (2, 1)})], [one])
    >>> error.precision, error.recall, error.aer
    (0.6666666666666666, 1.0, 0.25)
    """
    counts = counted(links, gold)
    linked, sure, possible, sure_found, possible_found = (int(number) for number in counts.sum(axis=0))
    if not sure:
        raise InputError("the gold alignment has no sure link, so recall and AER are undefined")
    return AlignmentErrorRate(
        links=linked,
        sure=sure,
        possible=possible,
        sure_found=sure_found,
        possible_found=possible_found,
        sentences=len(counts),
        interval=interval(resampled(counts)) if len(counts) >= FEWEST else None,
    )


def counted(links: Sequence[LinkSet], gold: Sequence[Gold]) -> NDArray[np.int64]:
    """Numbers of links, sure, possible, sure found and possible found of each pair, [N, 5]."""
    return np.array(
        [
            (len(drawn), len(truth.sure), len(truth.possible), len(drawn & truth.sure), len(drawn & truth.possible))
            for drawn, truth in zip(links, gold, strict=True)
        ],
        dtype=np.int64,
    ).reshape(-1, 5)


def resampled(counts: NDArray[np.int64]) -> NDArray[np.float64]:
    """AER of each bootstrap resample, [B]. NaN for a resample without any link."""
    links, sure, _, sure_found, possible_found = counts.T @ Resamples.draw(len(counts)).times
    all_links = links + sure
    return np.where(all_links > 0, 1 - (sure_found + possible_found) / np.maximum(all_links, 1), np.nan)


Row = Literal["before", "after"]
Head = tuple[int, int]
"""Layer and head, from 0."""
_ROWS: tuple[Row, ...] = ("before", "after")
MOST = 6
"""Largest number of heads that ``small_set`` chooses."""


@dataclass(frozen=True, eq=False, kw_only=True)
class HeadMaps:
    """Weights of all heads for a sentence pair, over words, without the end-of-sentence tokens.

    Attributes:
        before, after: weights, [layers, heads, words_y, words_x], in the first and the second row of each target word.
        target, source: for each row or column, index of its word in the sentence. Words without tokens are missing.
    """

    before: NDArray[np.float32]
    after: NDArray[np.float32]
    target: tuple[int, ...]
    source: tuple[int, ...]


@dataclass(frozen=True)
class HeadRate:
    """Error rate of the mean weights of ``heads``. ``row``: which of the two rows of each target word is used."""

    row: Row
    heads: tuple[Head, ...]
    rate: AlignmentErrorRate


def head_maps(weights: NDArray[np.float32], source: Encoded, target: Encoded) -> HeadMaps:
    """Merge the weights of a sentence pair, [layers, heads, T_y, T_x], into words. The weights are summed over the
    subwords of a source word, and averaged over those of a target word. "after" takes row i + 1 for target token i."""
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
    """Yield the error rate of each head, and of the mean of each layer's heads, for "before" and for "after"."""
    layers, heads = maps[0].before.shape[:2]
    for row in _ROWS:
        for layer in range(layers):
            for chosen in (*[(head,) for head in range(heads)], tuple(range(heads))):
                yield _measured(row, [(layer, head) for head in chosen], maps, gold)


def small_set(maps: Sequence[HeadMaps], gold: Sequence[Gold], *, one_layer: bool = False) -> HeadRate:
    """Choose a small set of heads: add the head that lowers the error rate of the mean weights most, until none lowers
    it or there are ``MOST``. Set and row are chosen on pairs 1, 3, 5, …, and the rate is measured on pairs 2, 4, 6, ….

    ``one_layer``: take all heads from one layer, and the row "before". So do programs that give a layer's mean.
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
        candidate = min(tried, key=lambda one: one.rate.aer)
        if best is not None and candidate.rate.aer >= best.rate.aer:
            break
        best = candidate
    assert best is not None, "a model has heads"
    return best


def _measured(row: Row, heads: Sequence[Head], maps: Sequence[HeadMaps], gold: Sequence[Gold]) -> HeadRate:
    layers, numbers = zip(*heads, strict=True)
    drawn = []
    for head_map in maps:
        weights = (head_map.before if row == "before" else head_map.after)[list(layers), list(numbers)].mean(0)
        places = weights.argmax(1).tolist() if weights.size else []
        drawn.append(frozenset((head_map.source[j], i) for i, j in zip(head_map.target, places, strict=False)))
    return HeadRate(row, tuple(heads), alignment_error_rate(drawn, gold))
