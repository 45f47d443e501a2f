"""Word links as text, in Pharaoh format: ``0-0 1-2 2p1``, source word and target word, one sentence pair per line.

``i-j`` is a sure link, ``ipj`` or ``i?j`` a possible link (Och, Ney 2003). Aligners write sure links only.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from operator import itemgetter
from typing import Any, Literal, NamedTuple, Self

from nmt.errors import InputError
from nmt.results.alignment import END, Alignment
from nmt.results.evaluation import Languages
from nmt.results.record import ALPHA, LINKS, GoldLinks, Tokens, map_of, over_tokens, record_of_map
from nmt.texts import say

Link = tuple[int, int]
"""Source word and target word, from 0."""

LinkSet = frozenset[Link]

MapName = Literal["attention", "posterior", "leave-one-out"]
ATTENTION: MapName = "attention"
POSTERIOR: MapName = "posterior"
LEAVE_ONE_OUT: MapName = "leave-one-out"
MAPS = (ATTENTION, POSTERIOR, LEAVE_ONE_OUT)
"""Maps of a run from which links are extracted."""
REVERSE = "reverse"
"""Kind of the map of a run in the other direction, in a record."""

_LINK = re.compile(r"([0-9]{1,5})([-p?])([0-9]{1,5})")
_WORD = re.compile(r"[^ \t]+")


def numbered_words(line: str) -> list[str]:
    """Split a line into the words that links refer to. Only ASCII spaces and tabs separate words.

    >>> numbered_words(" 10\u00a0000  euros\t.")
    ['10\\xa0000', 'euros', '.']
    """
    return _WORD.findall(line)


class MarkedLink(NamedTuple):
    """A link between two words, numbered from 0. sure: False for a possible link."""

    source: int
    target: int
    sure: bool

    def __str__(self) -> str:
        return f"{self.source}{'-' if self.sure else 'p'}{self.target}"


@dataclass(frozen=True)
class Gold:
    """Links of one sentence pair, (source, target) from 0, as people mark them. ``sure``: links written ``i-j``.
    ``possible``: the sure links and those written ``ipj``."""

    sure: LinkSet
    possible: LinkSet

    @classmethod
    def of(cls, links: Sequence[MarkedLink]) -> Self:
        """Make gold links. Duplicates count once, and a link that is both sure and possible is sure."""
        return cls(frozenset([link[:2] for link in links if link.sure]), frozenset([link[:2] for link in links]))

    @cached_property
    def words(self) -> tuple[int, int]:
        """The fewest source words and the fewest target words that a pair with these links can have."""
        source, target = (1 + max(map(itemgetter(side), self.possible), default=-1) for side in (0, 1))
        return source, target

    def over(self, source: Sequence[str], target: Sequence[str]) -> GoldLinks:
        """These links over words, for a record. End marks of the words are left out.

        >>> Gold.of(parse_links("1p0 0-1")).over(["a", "b", END], ["x", "y"])
        GoldLinks(source=('a', 'b'), target=('x', 'y'), sure=((0, 1),), possible=((1, 0),))
        """
        sides = (tuple(side[: len(side) - (tuple(side[-1:]) == (END,))]) for side in (source, target))
        sure, possible = (tuple(sorted(links)) for links in (self.sure, self.possible - self.sure))
        return GoldLinks(source=next(sides), target=next(sides), sure=sure, possible=possible)

    def transposed(self) -> Self:
        """Exchange source and target."""
        sure, possible = (frozenset((j, i) for i, j in links) for links in (self.sure, self.possible))
        return replace(self, sure=sure, possible=possible)

    def outside(self, source: int, target: int) -> Link | None:
        """The first link beyond ``source`` and ``target`` words."""
        return min(((i, j) for i, j in self.possible if i >= source or j >= target), default=None)

    def check(self, source: int, target: int) -> None:
        """Raise InputError for a link beyond ``source`` and ``target`` words."""
        if link := self.outside(source, target):
            i, j = link
            raise InputError(say("errors.link_outside", source=i + 1, target=j + 1, sources=source, targets=target))


def is_link(field: str) -> bool:
    """True if a field, without white space, is a sure or a possible link."""
    return _LINK.fullmatch(field) is not None


def parse_links(line: str, base: int = 0) -> list[MarkedLink]:
    """Parse the links of a line in order, with repeated links. The links returned count from 0. ``base``: the number of
    the first word in the line.

    Raises:
        InputError: a field is not a link, or a number is smaller than ``base``.

    >>> [(link.source, link.target, link.sure) for link in parse_links("0-0  12p3")]
    [(0, 0, True), (12, 3, False)]
    """
    return [_parsed(field[0], base) for field in _WORD.finditer(line)]  # stops at the first wrong link


def _parsed(field: str, base: int) -> MarkedLink:
    match = _LINK.fullmatch(field)
    if match is None:
        raise InputError(say("errors.not_a_link", link=field[:40]))
    source, mark, target = match.groups()
    link = MarkedLink(int(source) - base, int(target) - base, mark == "-")
    if min(link[:2]) < 0:
        raise InputError(f"{field} has the number 0, but words are counted from {base}")
    return link


def has_zero(links: Iterable[Iterable[Link]]) -> bool | None:
    """True if a link has the word number 0, which a file that numbers words from 1 lacks. None if there is no link."""
    numbers = [0 in link for sentence in links for link in sentence]
    return any(numbers) if numbers else None


def format_links(links: Iterable[tuple[int, int]]) -> str:
    """Format sure links as a line, in the given order.

    >>> format_links([(2, 1), (0, 0)])
    '2-1 0-0'
    """
    return " ".join(f"{i}-{j}" for i, j in links)


@dataclass(frozen=True, eq=False, kw_only=True)
class WordAlignment:
    """Word alignment of a sentence pair.

    Attributes:
        source, target: the whitespace tokens of the pair, without the end-of-sentence tokens.
        alignment: weights over whole words, end-of-sentence tokens last, [words_y, words_x]. Rows sum to 1, unless an
            aligner has averaged two directions.
        reverse: weights of a second run, which translates in the opposite direction, [words_x, words_y]. Its source is
            our target. None without a second run, and for an aligner.
        links: pairs of source word and target word, from 0, sorted.
        map: the kind of weights, as in docs/formats.md.
    """

    pair: tuple[str, str]
    source: tuple[str, ...]
    target: tuple[str, ...]
    alignment: Alignment
    reverse: Alignment | None
    links: tuple[Link, ...]
    map: str
    rule: str
    name: str
    kind: str
    languages: Languages

    def to_dict(self) -> dict[str, Any]:
        """Convert to JSON types: a *record* of docs/formats.md over words, with one system, whose target was given. The
        maps are the map of ``alignment``, REVERSE if there is a second run, and LINKS."""
        source, target = (
            Tokens(tokens=(*words, END), words=tuple(range(len(words) + 1))) for words in (self.source, self.target)
        )
        kind = ALPHA if self.map == ATTENTION else self.map
        record = record_of_map(over_tokens(self.alignment, source, target), self.name, self.languages, kind=kind)
        (system,) = record.systems
        linked = system.alignment(None)
        for j, i in self.links:
            linked.weights[i, j] = 1
        turned = None if self.reverse is None else over_tokens(self.reverse, target, source).transposed()
        links = (replace(weight_map, rule=self.rule) for weight_map in map_of(LINKS, linked))
        maps = (*system.maps, *map_of(REVERSE, turned), *links)
        system = replace(system, kind=self.kind, forced=True, text=self.pair[1], maps=maps)
        return replace(record, source=replace(record.source, text=self.pair[0]), systems=(system,)).to_dict()
