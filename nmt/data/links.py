"""Word links of training pairs, as written by an aligner: a file in Pharaoh format for each corpus.

Each line holds the links of the pair in the same line of the corpus: ``i-j`` for source word i and target word j, both
from 0, over Moses words; an empty line means that no links are known for the pair.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from nmt.data.corpus import read_lines
from nmt.errors import InputError
from nmt.results.links import parse_links

LINKS = "links"
"""Name of the link arrays in a prepared folder."""

LINK_VALUES = 1 << 16
"""Upper bound of positions, exclusive."""

Link = tuple[int, int]


@dataclass(frozen=True)
class LinkedLine:
    """The links of one pair, with the file and line they come from."""

    path: Path
    number: int
    links: list[Link]

    def check(self, source_words: int, target_words: int) -> None:
        """Raise InputError for a link beyond the words of the pair."""
        for i, j in self.links:
            if i >= source_words or j >= target_words:
                raise InputError(
                    f"{self.path}, line {self.number}: the link {i}-{j} is out of range for a pair of "
                    f"{source_words} and {target_words} words; links must refer to the tokeniser's words"
                )


def read_links(path: Path) -> Iterator[LinkedLine]:
    """Yield the links of each line. Raises the errors of ``read_lines``, and InputError for a line that is not in
    Pharaoh format."""
    for number, line in enumerate(read_lines(path), start=1):
        if line.text is None:
            raise InputError(f"{path}, line {number}: the line is too long")
        yield LinkedLine(path, number, _sure_links(line.text, path, number))


def _sure_links(text: str, path: Path, number: int) -> list[Link]:
    try:
        links = parse_links(text)
    except InputError as error:
        raise InputError(f"{path}, line {number}: {error}") from None
    for link in links:
        if not link.sure:
            raise InputError(f"{path}, line {number}: '{link}' is not a link such as 3-4")
        if max(link.source, link.target) >= LINK_VALUES:
            raise InputError(f"{path}, line {number}: the link {link} has too large a number")
    return [(link.source, link.target) for link in links]


def over_tokens(links: Sequence[Link], source: Sequence[int], target: Sequence[int]) -> list[int]:
    """Convert word links to token links, flattened: source token, target token, and so on. Every token of a word gets
    the links of its word; the end-of-sentence tokens are linked with each other. A pair without links gets none.

    Args:
        links: word links, all within the sentences.
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
