"""Test sets: sentences with reference translations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from nmt.errors import InputError
from nmt.evaluation.evaluation_files import EvaluatedSystem, digest
from nmt.results import UNKNOWN_LANGUAGES, Evaluation, Languages


@dataclass(frozen=True, kw_only=True)
class TestSet:
    """A test set; hashable by value, with sequences converted to tuples.

    Attributes:
        name: key of saved evaluations; None for unnamed sentences.
        sources: one sentence each.
        references: their human translations.
        registers: register of each pair, such as "law" or "everyday"; empty if unknown.
        licence: a name such as "CC0-1.0"; "" if unknown.
        origin: its source: a folder, files, or an upload.
        languages: languages of both sides; unknown if not given.

    Raises InputError if the numbers of sources and references differ, or are 0.
    """

    __test__: ClassVar[bool] = False  # nothing for pytest to run

    name: str | None
    sources: Sequence[str]
    references: Sequence[str]
    registers: Sequence[str] = ()
    licence: str = ""
    origin: str = ""
    languages: Languages = UNKNOWN_LANGUAGES

    def __post_init__(self) -> None:
        for name in ("sources", "references", "registers"):
            object.__setattr__(self, name, tuple(getattr(self, name)))
        called = self.name or "the test set"
        if len(self.sources) != len(self.references):
            raise InputError(f"{called} has {len(self.sources):,} sentences, but {len(self.references):,} references")
        if not self.sources:
            raise InputError(f"{called} has no sentences")
        if self.registers and len(self.registers) != len(self.sources):
            raise InputError(f"{called} has {len(self.sources):,} sentences, but {len(self.registers):,} registers")

    def __len__(self) -> int:
        return len(self.sources)

    @cached_property
    def source_sha256(self) -> str:
        """Checksum of the sources, as recorded in evaluations."""
        return digest(self.sources)

    @cached_property
    def reference_sha256(self) -> str:
        return digest(self.references)

    def take(self, rows: NDArray[np.int64]) -> TestSet:
        """Select some of the pairs, at least one, under the same name."""
        columns = self.sources, self.references, self.registers
        sources, references, registers = ([column[i] for i in rows] if column else [] for column in columns)
        return TestSet(
            name=self.name,
            sources=sources,
            references=references,
            registers=registers,
            licence=self.licence,
            origin=self.origin,
            languages=self.languages,
        )

    def is_of(self, evaluation: Evaluation) -> bool:
        """Tell whether the evaluation was made on exactly these sentences, under whatever name."""
        return (self.source_sha256, self.reference_sha256) == (evaluation.source_sha256, evaluation.reference_sha256)

    def stored(self, system: EvaluatedSystem) -> Evaluation | None:
        """Return the system's evaluation on these sentences, preferring the one of this name, else the first; None if
        there is none."""
        found = [evaluation for evaluation in system.evaluations.values() if self.is_of(evaluation)]
        return min(found, key=lambda evaluation: evaluation.test_set != self.name, default=None)
