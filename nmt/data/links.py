"""Word links of training pairs, and the dictionary for replacing [UNK] that is learned from them.

An aligner writes the links of a corpus to a file in Pharaoh format. Each line holds the links of the pair in the same
line of the corpus. ``i-j`` links source word i and target word j, both Moses words, counted from 0 by default. An empty
line means that the pair has no known links.

The dictionary is a tab-separated file with a target word per source word. Luong et al. 2015 (Addressing the rare word
problem in neural machine translation), section 3. Jean et al. 2015 (On using very large target vocabulary for neural
machine translation), section 4.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from nmt.data.corpus import read_lines
from nmt.errors import InputError
from nmt.results.links import Link, MarkedLink, parse_links
from nmt.texts import say

LINKS = "links"
"""Name of the link arrays in a prepared folder."""

LINK_VALUES = 1 << 16
"""Upper bound of positions, exclusive."""


@dataclass(frozen=True)
class LinkedLine:
    """The links of one pair, with the file and the line that they come from."""

    path: Path
    number: int
    links: list[MarkedLink]

    def check(self, source_words: int, target_words: int, words: str = "words") -> None:
        """Raise InputError if a link exceeds the numbers of words. ``words``: what the message calls the words."""
        for link in self.links:
            if link.source >= source_words or link.target >= target_words:
                raise InputError(
                    f"{self.path}, line {self.number}: the link {link} is out of range for a pair of "
                    f"{source_words} and {target_words} {words} (they count from 0)"
                )

    @property
    def words(self) -> list[Link]:
        """The links without their marks."""
        return [(link.source, link.target) for link in self.links]


def read_links(path: Path, *, possible: bool = False, base: int = 0) -> Iterator[LinkedLine]:
    """Yield the links of each line, with words counted from 0. Raises the errors of ``read_lines``, and InputError for
    a line that is not in Pharaoh format. possible: whether the file may have possible links, as in hand-made files.
    base: number of the first word in the file."""
    for number, line in enumerate(read_lines(path), start=1):
        where = f"{path}, line {number}"
        if line.text is None:
            raise InputError(f"{where}: the line is too long")
        try:
            links = parse_links(line.text, base)
        except InputError as error:
            raise InputError(say("errors.in_place", place=where, problem=error)) from None
        for link in links:
            if not link.sure and not possible:
                raise InputError(f"{where}: '{link}' is not a link such as 3-4")
            if max(link.source, link.target) >= LINK_VALUES:
                raise InputError(f"{where}: the link {link} has too large a number")
        yield LinkedLine(path, number, links)


def counts_from_one(path: Path) -> bool:
    """True if a file has links, none of them with a number 0. Raises the errors of ``read_links``."""
    links = (link for line in read_links(path) for link in line.words)
    first = next(links, None)
    return first is not None and 0 not in first and not any(0 in link for link in links)


def over_tokens(links: Sequence[Link], source: Sequence[int], target: Sequence[int]) -> list[int]:
    """Convert word links to token links. The result is flat: source token, target token, source token, and so on. Every
    token of a word gets the links of the word. The end-of-sentence tokens are linked. [] without word links.

    source, target: the word index of each token, in order, the end-of-sentence token last.

    >>> over_tokens([(0, 1)], [0, 0, 1], [0, 1, 2])
    [0, 1, 1, 1, 2, 2]
    """
    if not links:
        return []
    by_source: dict[int, list[int]] = {}
    by_target: dict[int, list[int]] = {}
    for words, positions in ((source, by_source), (target, by_target)):
        for position, word in enumerate(words[:-1]):
            positions.setdefault(word, []).append(position)
    flat = []
    for i, j in sorted(set(links)):
        for x in by_source.get(i, ()):
            for y in by_target.get(j, ()):
                flat += [x, y]
    return [*flat, len(source) - 1, len(target) - 1]


def read_dictionary(path: Path) -> dict[str, str]:
    """Read source words (column 1) and their target words (column 2), case-sensitive. Raises InputError for a missing
    or empty column and a repeated source word, and the errors of ``read_lines``."""
    words: dict[str, str] = {}
    for number, line in enumerate(read_lines(path), start=1):
        columns = (line.text or "").split("\t")
        if len(columns) < 2 or not columns[0] or not columns[1]:
            raise InputError(f"{path}, line {number}: expected a source word, a tab and a target word")
        if columns[0] in words:
            raise InputError(f"{path}, line {number}: {columns[0]!r} is listed twice")
        words[columns[0]] = columns[1]
    return words
