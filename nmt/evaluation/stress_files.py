"""Saved results of the stress test of a run: RUN/stress/NAME.json, one file per test set, without its sentences."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from pathlib import Path

from nmt.config import FORMAT_VERSION, SearchSettings
from nmt.errors import InputError
from nmt.files import read_versioned_json, write_json
from nmt.records import as_record
from nmt.results import RetentionPoint, StressPoint
from nmt.runs.folder import STRESS


@dataclass(frozen=True, kw_only=True)
class StoredStress:
    """Stress test of a run on one test set.

    Attributes:
        run: name of the run.
        test_set: name of the test set.
        source_sha256, reference_sha256: checksums of its sentences, as in evaluations.
        weights_sha256: checksum of the weights that translated.
        search: settings of the search.
        precision: precision of the computation.
        tokeniser: sacreBLEU's name of the tokeniser.
        most_words: most words of a sentence in ``points``; None without them.
        points: one for each number of concatenated sentences; empty if not measured.
        retention: one for each range of lengths; empty if not measured.
    """

    run: str
    test_set: str
    source_sha256: str
    reference_sha256: str
    weights_sha256: str
    search: SearchSettings
    precision: str
    tokeniser: str
    most_words: int | None = None
    points: tuple[StressPoint, ...] = ()
    retention: tuple[RetentionPoint, ...] = ()

    def same_conditions(self, other: StoredStress) -> bool:
        """Return whether both were measured with the same weights and settings on the same sentences."""
        return self._conditions() == other._conditions()

    def _conditions(self) -> StoredStress:
        return replace(self, most_words=None, points=(), retention=())


def write_stress(folder: Path, measured: StoredStress) -> None:
    """Save in FOLDER/stress. Results in an existing file that were not measured this time are kept if they were
    measured under the same conditions."""
    path = folder / STRESS / f"{measured.test_set}.json"
    try:
        old = _read(path)
    except InputError:  # there is none, or none that can be read: it is replaced
        old = measured
    if measured.same_conditions(old):
        if not measured.points:
            measured = replace(measured, points=old.points, most_words=old.most_words)
        if not measured.retention:
            measured = replace(measured, retention=old.retention)
    path.parent.mkdir(exist_ok=True)
    write_json(path, {"format": FORMAT_VERSION} | asdict(measured))


def read_stress(folder: Path) -> dict[str, StoredStress]:
    """Read the results by test set, in alphabetical order; InputError names a broken file."""
    return {path.stem: _read(path) for path in sorted((folder / STRESS).glob("*.json"))}


def _read(path: Path) -> StoredStress:
    return as_record(StoredStress, read_versioned_json(path), str(path))
