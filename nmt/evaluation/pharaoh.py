"""Gold alignments in Pharaoh format: ``0-0 1-2 2p1``, source and target word from 0, one sentence pair per line.

``i-j`` is a sure link, ``ipj`` a possible one (Och, Ney 2003). The output of an aligner (only ``i-j``) is read by
``nmt.data.links``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from nmt.data.corpus import read_lines
from nmt.data.links import LinkedLine, read_links
from nmt.errors import InputError
from nmt.evaluation.symmetrisation import LinkSet, transposed
from nmt.results.pharaoh import parse_links


@dataclass(frozen=True)
class Gold:
    """Hand-annotated links of one sentence pair. ``possible`` includes the sure links."""

    sure: LinkSet
    possible: LinkSet

    def transposed(self) -> Gold:
        """Swap source and target."""
        return Gold(transposed(self.sure), transposed(self.possible))


@dataclass(frozen=True)
class Lengths:
    """Numbers of words of the two sides of a sentence pair."""

    source: int
    target: int

    def transposed(self) -> Lengths:
        """Swap source and target."""
        return Lengths(self.target, self.source)


def read_gold(path: str | Path, lengths: Sequence[Lengths] | None = None) -> list[Gold]:
    """Read the gold links of each line; duplicates count once, and a link that is both sure and possible is sure.

    Args:
        path: plain text, .gz or .xz.
        lengths: lengths of the sentence pairs, to check the links; None if unknown.

    Raises:
        InputError: the file cannot be read; a line has a malformed link or a link to a nonexistent word; or there are
            more or fewer lines than sentence pairs. Names file and line.
    """
    gold = []
    for number, line in enumerate(read_lines(Path(path)), start=1):
        if line.text is None:
            raise InputError(f"{path}, line {number}: the line is too long")
        try:
            links_of_line = gold_of(line.text)
        except InputError as error:
            raise InputError(f"{path}, line {number}: {error}") from None
        _check(LinkedLine(Path(path), number, sorted(links_of_line.possible)), lengths)
        gold.append(links_of_line)
    _check_number(len(gold), lengths, path)
    return gold


def gold_of(line: str) -> Gold:
    """Parse the gold links of one sentence pair. InputError for a malformed link.

    >>> gold = gold_of("0-0 1p2 1-1")
    >>> sorted(gold.sure), sorted(gold.possible - gold.sure)
    ([(0, 0), (1, 1)], [(1, 2)])
    """
    links = parse_links(line)
    return Gold(
        sure=frozenset((link.source, link.target) for link in links if link.sure),
        possible=frozenset((link.source, link.target) for link in links),
    )


def read_system(path: str | Path, lengths: Sequence[Lengths] | None = None) -> list[LinkSet]:
    """Read the links written by an aligner, none for a blank line. Arguments and errors are those of ``read_gold``."""
    link_sets = []
    for line in read_links(Path(path)):
        _check(line, lengths)
        link_sets.append(frozenset(line.links))
    _check_number(len(link_sets), lengths, path)
    return link_sets


def _check(line: LinkedLine, lengths: Sequence[Lengths] | None) -> None:
    if lengths is None or line.number > len(lengths):
        return
    pair = lengths[line.number - 1]
    for i, j in line.links:
        if i >= pair.source or j >= pair.target:
            raise InputError(
                f"{line.path}, line {line.number}: the link {i}-{j} is out of range for a pair of {pair.source} and "
                f"{pair.target} words (they count from 0)"
            )


def _check_number(lines: int, lengths: Sequence[Lengths] | None, path: str | Path) -> None:
    if lengths is not None and lines != len(lengths):
        raise InputError(f"{path} has {lines} lines, but there are {len(lengths)} sentence pairs")
