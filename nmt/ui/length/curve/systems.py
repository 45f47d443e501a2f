"""The systems that can be shown, checkpoints and external systems, each with the same look everywhere."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from nmt.config import SearchSettings
from nmt.evaluation.evaluation_files import EvaluatedSystem
from nmt.reproduce.released import RELEASED
from nmt.results import UNKNOWN_LANGUAGES, Evaluation, Languages
from nmt.runs.folder import RunInfo
from nmt.ui.checkpoints import Checkpoints
from nmt.ui.evaluated import evaluated_folders

PAPER = ("rnnsearch-50", "rnnsearch-30", "rnnencdec-50", "rnnencdec-30")
"""The models of Figure 2."""

_NUMBERS = {run.name: number for number, run in enumerate(RELEASED)}


@dataclass(frozen=True, eq=False, kw_only=True)
class System:
    """A checkpoint or an external system, with its evaluations.

    Attributes:
    name: as the page and its address have it.
    evaluated: its evaluations; ``evaluated.name`` is ``name``.
    run: the checkpoint; None for an external system.
    number: of its style, the same whatever else is shown.
    """

    name: str
    evaluated: EvaluatedSystem
    run: RunInfo | None
    number: int

    @property
    def settings(self) -> SearchSettings:
        """The run's own search settings, with which it is evaluated here."""
        assert self.run is not None
        return self.run.config.search

    def beside(self, evaluations: Mapping[str, Evaluation]) -> System:
        """The system with more evaluations, which take precedence over its own."""
        merged = self.evaluated.evaluations | dict(evaluations)
        known_pairs = (each.languages for each in evaluations.values() if each.languages.known)
        languages = self.evaluated.languages if self.evaluated.languages.known else next(known_pairs, UNKNOWN_LANGUAGES)
        return replace(self, evaluated=replace(self.evaluated, evaluations=merged, languages=languages))


@dataclass(frozen=True, eq=False)
class KnownSystems:
    """All systems that can be shown.

    Attributes:
    by_name: released checkpoints first, then others, then external systems.
    problems: what could not be read, a sentence each.
    """

    by_name: dict[str, System]
    problems: tuple[str, ...]

    def of_pair(self, pair: Languages) -> dict[str, System]:
        """Return the systems of these languages, and those whose languages are not known."""
        return {name: system for name, system in self.by_name.items() if system.evaluated.languages.fit(pair)}


def known_systems(checkpoints: Checkpoints, outputs: Mapping[str, Mapping[str, Evaluation]]) -> KnownSystems:
    """Find the systems in all folders.

    Args:
        outputs: evaluations of uploaded outputs, by name of the system and test set.
    """
    folders = evaluated_folders(checkpoints)
    systems: dict[str, System] = {}
    next_number = len(RELEASED)
    for name, evaluated in folders.by_name.items():
        run = checkpoints.usable.get(name)
        if run is not None and name in _NUMBERS:
            number = _NUMBERS[name]
        else:
            number, next_number = next_number, next_number + 1
        systems[name] = System(name=name, evaluated=evaluated, run=run, number=number)
    for name, evaluations in outputs.items():
        empty = EvaluatedSystem(name=name, path=Path(name), about="", evaluations={})
        system = systems.setdefault(name, System(name=name, evaluated=empty, run=None, number=next_number))
        next_number += system.number == next_number
        systems[name] = system.beside(evaluations)
    return KnownSystems(systems, (*(run.problem for run in checkpoints.broken), *folders.problems))
