"""Grouping of systems by language pair: a score table, a curve or a test has only one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from nmt.evaluation.evaluation_files import EvaluatedSystem
from nmt.results import UNKNOWN_LANGUAGES, Languages


@dataclass(frozen=True)
class OnePair:
    """Systems of one language pair.

    Attributes:
        systems: systems of the pair, and those of unknown languages.
        note: a sentence that names the excluded systems; "" if there are none.
    """

    systems: tuple[EvaluatedSystem, ...]
    note: str


def of_first_pair(systems: Sequence[EvaluatedSystem]) -> OnePair:
    """Select the systems with the language pair of the first system whose languages are known."""
    pair = next((system.languages for system in systems if system.languages.known), UNKNOWN_LANGUAGES)
    others = [system for system in systems if not system.languages.fit(pair)]
    named = ", ".join(f"{system.name} ({system.languages})" for system in others)
    return OnePair(
        tuple(system for system in systems if system.languages.fit(pair)),
        f"Excluded (the others are {pair}): {named}." if others else "",
    )


def by_pair(systems: Sequence[EvaluatedSystem]) -> dict[Languages, list[EvaluatedSystem]]:
    """Group systems by language pair, in the order of first occurrence; those of unknown languages go with the first
    pair."""
    pairs = [system.languages for system in systems if system.languages.known]
    evaluated: dict[Languages, list[EvaluatedSystem]] = {}
    for system in systems:
        pair = system.languages if system.languages.known or not pairs else pairs[0]
        evaluated.setdefault(pair, []).append(system)
    return evaluated
