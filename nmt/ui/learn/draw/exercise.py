"""The exercises: pairs of jointly-150, whose words were linked by hand."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from nmt.errors import InputError
from nmt.evaluation.alignment_error_rate import AlignmentErrorRate, Gold, alignment_error_rate, read_gold
from nmt.evaluation.links import LinkSet
from nmt.results.links import format_links, parse_links
from nmt.ui.checkpoints import ROOT

_SET = "jointly-150"
_FOLDER = ROOT / "testsets" / _SET
_LONGEST = 14
"""Words of either side of an exercise, so that it can be done in a minute."""


@dataclass(frozen=True, kw_only=True)
class Exercise:
    """A sentence pair with links made by hand.

    Attributes:
        number: its line in jointly-150, from 1.
        source, target: its words.
        gold: the links, source word and target word, from 0.
    """

    number: int
    source: tuple[str, ...]
    target: tuple[str, ...]
    gold: Gold


@cache
def exercises() -> tuple[Exercise, ...]:
    """List the short pairs in their order; none if the test set is not there."""
    try:
        gold = read_gold(_FOLDER / "gold")
        sides = [(_FOLDER / f"tokens.{language}").read_text("utf-8").splitlines() for language in ("en", "fr")]
    except (InputError, OSError):
        return ()
    matching = []
    for number, (source, target, links) in enumerate(zip(*sides, gold, strict=True), 1):
        if max(len(source.split()), len(target.split())) <= _LONGEST:
            matching.append(
                Exercise(number=number, source=tuple(source.split()), target=tuple(target.split()), gold=links)
            )
    return tuple(matching)


def links_from(text: str, exercise: Exercise) -> LinkSet:
    """Parse the links in the address, without links to words that the pair does not have; none for text of another
    form.

    >>> one = Exercise(number=1, source=("a", "b"), target=("x",), gold=Gold(sure=frozenset(), possible=frozenset()))
    >>> sorted(links_from("0-0 1-0 5-0", one)), links_from("x", one)
    ([(0, 0), (1, 0)], frozenset())
    """
    try:
        parsed = parse_links(text)
    except InputError:
        return frozenset()
    inside = ((link.source, link.target) for link in parsed)
    return frozenset((j, i) for j, i in inside if j < len(exercise.source) and i < len(exercise.target))


def links_text(links: LinkSet) -> str:
    """Write links for the address."""
    return format_links(sorted(links))


def error_of(links: LinkSet, exercise: Exercise) -> AlignmentErrorRate:
    """Compare links with those made by hand."""
    return alignment_error_rate([links], [exercise.gold])
