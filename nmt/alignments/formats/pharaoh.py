"""Pharaoh format of links: ``0-0 1-2 2-1``, one line per sentence pair.

Its readers (Moses, Marian, fast_align's atools, ``nmt aer``) expect links on every line and support no comments, so the
policy can only be part of the file's name.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from nmt.alignments.formats import checks
from nmt.alignments.formats.content import LinkedPair
from nmt.alignments.policy import Direction, Policy
from nmt.errors import InputError
from nmt.results import Alignment

LINK = re.compile(r"([0-9]{1,5})([-p])([0-9]{1,5})")
"""A link: ``i-j``, sure, or ``ipj``, possible."""


def write(alignments: Sequence[Alignment], policy: Policy, run: str = "") -> str:
    """Format a file as text, with links by the policy's rule, base and direction. ``run`` is not stored."""
    return "".join(
        " ".join(f"{first}-{second}" for first, second in policy.numbered(policy.links(alignment))) + "\n"
        for alignment in alignments
    )


def read(text: str, base: int = 0, direction: Direction = "source-target") -> tuple[LinkedPair, ...]:
    """Read the links of each line, none for an empty line; a link that is both sure and possible is sure.

    Args:
        text: content of a file, or typed text.
        base: the number of the first word in the file.
        direction: order of the words of a link in the file.

    Raises:
        InputError: a field is not a link, or a number is smaller than ``base``; names the line.
    """
    lines = text.removeprefix("\ufeff").removesuffix("\n").split("\n")
    checks.check_sentences(len(lines))
    pairs = []
    for number, line in enumerate(lines, start=1):
        sure: set[tuple[int, int]] = set()
        possible: set[tuple[int, int]] = set()
        for field in line.split():
            match = LINK.fullmatch(field)
            if match is None:
                raise InputError(f"line {number}: {field[:40]!r} is not a link such as 0-2 (sure) or 0p2 (possible)")
            first, second = int(match[1]) - base, int(match[3]) - base
            if min(first, second) < 0:
                raise InputError(f"line {number}: {field} has the number 0, but words are counted from {base}")
            link = (first, second) if direction == "source-target" else (second, first)
            possible.add(link)
            if match[2] == "-":
                sure.add(link)
        pairs.append(LinkedPair(frozenset(sure), frozenset(possible)))
    return tuple(pairs)
