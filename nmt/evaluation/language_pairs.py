"""One score table, one curve, one test has one pair of languages: who is in it, and who is not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from nmt.evaluation.evaluation_files import EvaluatedSystem
from nmt.results import UNKNOWN_LANGUAGES, Languages


@dataclass(frozen=True)
class OnePair:
    """Systems of one pair of languages.

    Attributes:
        systems: those of the pair, and those of which the languages are not known.
        note: a sentence that names the others; "" if there are none.
    """

    systems: tuple[EvaluatedSystem, ...]
    note: str


def of_first_pair(systems: Sequence[EvaluatedSystem]) -> OnePair:
    """Those of the languages of the first system that tells its own."""
    pair = next((system.languages for system in systems if system.languages.known), UNKNOWN_LANGUAGES)
    others = [system for system in systems if not system.languages.fit(pair)]
    named = ", ".join(f"{system.name} ({system.languages})" for system in others)
    return OnePair(
        tuple(system for system in systems if system.languages.fit(pair)),
        f"Left out, as all others are {pair}: {named}." if others else "",
    )


def by_pair(systems: Sequence[EvaluatedSystem]) -> dict[Languages, list[EvaluatedSystem]]:
    """The systems by their languages, in the order in which each pair first occurs; of unknown ones under the first
    pair."""
    pairs = [system.languages for system in systems if system.languages.known]
    found: dict[Languages, list[EvaluatedSystem]] = {}
    for system in systems:
        pair = system.languages if system.languages.known or not pairs else pairs[0]
        found.setdefault(pair, []).append(system)
    return found
