"""Pharaoh format of links: ``0-0 1-2 2-1``, one line per sentence pair.

Its readers (Moses, Marian, fast_align's atools, ``jointly aer``) expect links on every line and support no comments, so
the policy can only be part of the file's name.
"""

from collections.abc import Sequence

from nmt.alignments.formats import checks
from nmt.alignments.policy import Direction, Policy
from nmt.errors import InputError
from nmt.results import Alignment
from nmt.results.links import Gold, MarkedLink, format_links, parse_links


def write(alignments: Sequence[Alignment], policy: Policy, run: str = "") -> str:
    """Format a file as text, with links by the policy's rule, base and direction. ``run`` is not stored."""
    return "".join(format_links(policy.numbered(policy.links(alignment))) + "\n" for alignment in alignments)


def read(text: str, base: int = 0, direction: Direction = "source-target") -> tuple[Gold, ...]:
    """Read the links of each line, none for an empty line; a link that is both sure and possible is sure.

    Args:
        text: content of a file, or typed text.
        base: the number of the first word in the file.
        direction: order of the words of a link in the file.

    Raises:
        InputError: a field is not a link, or a number is smaller than ``base`` or too large; names the line.
    """
    text = text.removeprefix("\ufeff").removesuffix("\n")
    checks.check_sentences(text.count("\n") + 1)
    if text.count("-") + text.count("p") > checks.MAX_LINKS:
        raise InputError(f"the file has more than {checks.MAX_LINKS:,} links")
    lines = text.split("\n")
    pairs = []
    for number, line in enumerate(lines, start=1):
        try:
            links = parse_links(line)
        except InputError as error:
            raise InputError(f"line {number}: {error}") from None
        if base:
            zero = next((link for link in links if not (link.source and link.target)), None)
            if zero is not None:
                raise InputError(f"line {number}: {zero} has the number 0, but words are counted from {base}")
            links = [MarkedLink(link.source - base, link.target - base, link.sure) for link in links]
        gold = Gold.of(links) if direction == "source-target" else Gold.of(links).transposed()
        if max(gold.words) > checks.MAX_TOKENS:
            raise InputError(f"sentence {number} has more than {checks.MAX_TOKENS:,} words")
        pairs.append(gold)
    return tuple(pairs)
