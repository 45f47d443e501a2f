"""Saved measurements of a run, without any sentence: alignment error rates, RUN/alignment/NAME.json, one file per gold
set, and stress tests, RUN/stress/NAME.json, one file per test set."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from nmt.config import FORMAT_VERSION, SearchSettings
from nmt.errors import InputError
from nmt.evaluation.alignment_error_rate import AlignmentErrorRate
from nmt.files import read_versioned_json, write_json
from nmt.records import as_record, to_data
from nmt.results import Evaluation, RetentionPoint, StressPoint
from nmt.runs.folder import ALIGNMENT, STRESS, result_files, results_folder

_RATES = ("aer", "precision", "recall")
"""Rates that are stored for readers of the file, and computed again from the counts."""


@dataclass(frozen=True, kw_only=True)
class MeasuredErrorRate(AlignmentErrorRate):
    """Alignment error rate of a run, an aligner or a file of links, with its conditions.

    Attributes:
        run, update: origin of the weights; None for a file of links, and the update also for an aligner.
        map: the map that links were extracted from, such as "attention"; None for a file of links.
        rule: name of the extraction rule.
    """

    run: str | None
    update: int | None
    map: str | None
    rule: str

    def to_dict(self) -> dict[str, Any]:
        """Convert to JSON types (docs/formats.md)."""
        data = to_data(self)
        conditions = {name: data.pop(name) for name in ("run", "update", "map", "rule")}
        return conditions | {name: getattr(self, name) for name in _RATES} | data


@dataclass(frozen=True)
class _ErrorRateFile:
    gold: str
    results: tuple[MeasuredErrorRate, ...]


def write_error_rates(run: Path, name: str, measured: list[MeasuredErrorRate], *, into_run: bool = False) -> Path:
    """Add to the file of gold set ``name``, replacing earlier measurements of the same map by the same rule; returns
    the file. ``into_run``: as ``results_folder``."""
    path = results_folder(run, into_run) / ALIGNMENT / f"{name}.json"
    new = {(rates.map, rates.rule): rates for rates in measured}
    saved = [file for file in result_files(run, ALIGNMENT, own=not into_run) if file.stem == name]
    old = _read_error_rates(saved[0]) if saved else []
    kept = [rates for rates in old if (rates.map, rates.rule) not in new and rates.update == measured[0].update]
    path.parent.mkdir(exist_ok=True)
    results = [rates.to_dict() for rates in (*kept, *measured)]
    write_json(path, {"format": FORMAT_VERSION, "gold": name, "results": results})
    return path


def read_error_rates(run: Path, *, own: bool = True) -> dict[str, list[MeasuredErrorRate]]:
    """Read the error rates by gold set, in alphabetical order, with those of one's own (``result_files``) or without;
    InputError names a broken file."""
    return {path.stem: _read_error_rates(path) for path in result_files(run, ALIGNMENT, own=own)}


def _read_error_rates(path: Path) -> list[MeasuredErrorRate]:
    data = read_versioned_json(path)
    results = data.get("results")
    for result in results if isinstance(results, list) else ():
        for name in _RATES if isinstance(result, dict) else ():
            result.pop(name, None)
    return list(as_record(_ErrorRateFile, data, str(path)).results)


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


def write_stress(run: Path, measured: StoredStress, *, into_run: bool = False) -> Path:
    """Save as stress/NAME.json, and return the file. Results in an existing one that were not measured this time are
    kept if they were measured under the same conditions. ``into_run``: as ``results_folder``."""
    path = results_folder(run, into_run) / STRESS / f"{measured.test_set}.json"
    saved = [file for file in result_files(run, STRESS, own=not into_run) if file.stem == measured.test_set]
    try:
        old = _read_stress(saved[0]) if saved else measured
    except InputError:  # it cannot be read: it is replaced
        old = measured
    bare, bare_old = (replace(each, most_words=None, points=(), retention=()) for each in (measured, old))
    if bare == bare_old:
        if not measured.points:
            measured = replace(measured, points=old.points, most_words=old.most_words)
        if not measured.retention:
            measured = replace(measured, retention=old.retention)
    path.parent.mkdir(exist_ok=True)
    write_json(path, {"format": FORMAT_VERSION} | to_data(measured))
    return path


def read_stress(run: Path, *, own: bool = True) -> dict[str, StoredStress]:
    """Read the results by test set, in alphabetical order, with those of one's own (``result_files``) or without;
    InputError names a broken file."""
    return {path.stem: _read_stress(path) for path in result_files(run, STRESS, own=own)}


def _read_stress(path: Path) -> StoredStress:
    return as_record(StoredStress, read_versioned_json(path), str(path))


def curve_points(stress: StoredStress, single: Evaluation | None) -> list[tuple[float, float]]:
    """BLEU over source words, sorted: of the single sentences of a test set at their mean length, if they were
    evaluated, and then of its concatenated texts."""
    points = [(point.source_words, point.bleu) for point in stress.retention]
    if single is not None and single.everything is not None:
        points.append((float(single.pairs.source_words.mean()), single.everything.bleu))
    return sorted(points)
