"""Signs beside the words of an alignment and around its cells, and the line that explains those in use."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from nmt.charts import strings


@dataclass(frozen=True)
class Mark:
    """A sign beside a word, and its meaning."""

    sign: str
    text: str


def explained(marks: Iterable[Mark]) -> list[str]:
    """Return each sign with its meaning, once, in order.

    >>> explained([Mark("∅", "hardly looked at"), Mark("↻", "repeated"), Mark("∅", "hardly looked at")])
    ['∅ hardly looked at', '↻ repeated']
    """
    return list(dict.fromkeys(f"{mark.sign} {mark.text}" for mark in marks))


def explained_gold(place: str, sure: Sequence[object], possible: Sequence[object]) -> list[str]:
    """Explain the outlines of gold links that are there; ``place`` names what is outlined.

    >>> explained_gold("frame", [(0, 0)], [(1, 1)]), explained_gold("line", [], [])
    (['solid frame: sure gold link', 'dashed frame: possible gold link'], [])
    """
    explanations = ((strings.SURE_GOLD, sure), (strings.POSSIBLE_GOLD, possible))
    return [text.format(place=place) for text, links in explanations if links]
