"""Sentence pairs drawn from parallel texts, for the training of an alignment head."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from nmt.aligners.head_training import TeachingPair
from nmt.data.corpus import read_pairs
from nmt.data.links import Link, read_links
from nmt.data.text import Tokenizer
from nmt.errors import InputError


@dataclass(frozen=True)
class ParallelText:
    """source, target: untokenised, one sentence per line; links: of their Moses words, in the format that ``prepare``
    takes, or None."""

    source: Path
    target: Path
    links: Path | None = None


def sample_pairs(
    texts: Sequence[ParallelText], source: Tokenizer, target: Tokenizer, *, number: int, longest: int, seed: int
) -> list[TeachingPair]:
    """Draw ``number`` pairs uniformly from all texts, tokenised; fewer if the texts have fewer.

    Args:
        texts: at least one; read to their ends, one line at a time.
        longest: pairs with more whitespace tokens than this on a side are skipped, and so are blank ones.
        seed: of the draw.

    Raises:
        InputError: a file cannot be read, lines have no counterpart, a link is beyond the words of its pair, or no pair
            is left.
    """
    random = np.random.default_rng(seed)
    kept: list[_Raw] = []
    for seen, raw in enumerate(raw for text in texts for raw in _lines(text, longest)):
        if seen < number:
            kept.append(raw)
        elif (place := int(random.integers(seen + 1))) < number:  # reservoir sampling
            kept[place] = raw
    if not kept:
        raise InputError(f"{texts[0].source} and the others have no pair of at most {longest} words per side")
    return [_tokenised(raw, source, target) for raw in kept]


@dataclass(frozen=True, kw_only=True)
class _Raw:
    source: str
    target: str
    links: tuple[Link, ...] | None
    where: str


def _lines(text: ParallelText, longest: int) -> Iterator[_Raw]:
    links = None if text.links is None else read_links(text.links)
    for number, pair in enumerate(read_pairs(text.source, text.target), start=1):
        links_of_pair = None if links is None else next(links, None)
        if links is not None and links_of_pair is None:
            raise InputError(f"{text.links} ends before line {number}, but {text.source} has more lines")
        left, right = pair.source.text or "", pair.target.text or ""
        if 0 < len(left.split()) <= longest and 0 < len(right.split()) <= longest:
            yield _Raw(
                source=left,
                target=right,
                links=None if links_of_pair is None else tuple(links_of_pair.links),
                where=f"{text.links}, line {number}",
            )


def _tokenised(raw: _Raw, source: Tokenizer, target: Tokenizer) -> TeachingPair:
    left, right = source.tokenize(raw.source), target.tokenize(raw.target)
    for i, j in raw.links or ():
        if i >= len(left) or j >= len(right):
            raise InputError(
                f"{raw.where}: the link {i}-{j} is out of range for a pair of {len(left)} and {len(right)} words"
            )
    return TeachingPair(" ".join(left), " ".join(right), raw.links)
