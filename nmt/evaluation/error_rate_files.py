"""Saved alignment error rates of a run: RUN/alignment/NAME.json, one file per gold set, without its sentences."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field

from nmt.config import FORMAT_VERSION
from nmt.evaluation.alignment_error_rate import AlignmentErrorRate
from nmt.files import read_versioned_json, write_json
from nmt.records import as_record
from nmt.results import Interval
from nmt.runs.folder import ALIGNMENT


@dataclass(frozen=True, kw_only=True)
class MeasuredErrorRate:
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
    error: AlignmentErrorRate

    def to_dict(self) -> dict[str, Any]:
        """Convert to JSON types (docs/formats.md)."""
        e = self.error
        data = {"run": self.run, "update": self.update, "map": self.map, "rule": self.rule}
        counts = asdict(e)
        sentences, interval = counts.pop("sentences"), counts.pop("interval")
        rates = {"aer": e.aer, "interval": interval, "precision": e.precision, "recall": e.recall}
        return data | rates | counts | {"n": sentences}


Count = Annotated[int, Field(ge=0)]


@dataclass(frozen=True, kw_only=True)
class _StoredErrorRate:
    """An *alignment error* of docs/formats.md. The rates are computed again from the counts."""

    run: str | None
    update: int | None
    map: str | None
    rule: str
    links: Count
    sure: Annotated[int, Field(ge=1)]
    possible: Count
    sure_found: Count
    possible_found: Count
    n: Count
    interval: Interval | None = None
    aer: float
    precision: float
    recall: float

    def measured(self) -> MeasuredErrorRate:
        error = AlignmentErrorRate(
            links=self.links,
            sure=self.sure,
            possible=self.possible,
            sure_found=self.sure_found,
            possible_found=self.possible_found,
            sentences=self.n,
            interval=self.interval,
        )
        return MeasuredErrorRate(run=self.run, update=self.update, map=self.map, rule=self.rule, error=error)


@dataclass(frozen=True)
class _ErrorRateFile:
    results: tuple[_StoredErrorRate, ...]
    gold: str = ""


def write_error_rates(run: Path, name: str, measured: list[MeasuredErrorRate]) -> None:
    """Add to the file of gold set ``name``, replacing earlier measurements of the same map by the same rule."""
    path = run / ALIGNMENT / f"{name}.json"
    new = {(rates.map, rates.rule): rates for rates in measured}
    old = _read(path) if path.exists() else []
    kept = [rates for rates in old if (rates.map, rates.rule) not in new and rates.update == measured[0].update]
    path.parent.mkdir(exist_ok=True)
    results = [rates.to_dict() for rates in (*kept, *measured)]
    write_json(path, {"format": FORMAT_VERSION, "gold": name, "results": results})


def read_error_rates(run: Path) -> dict[str, list[MeasuredErrorRate]]:
    """Read the error rates by gold set, in alphabetical order; InputError names a broken file."""
    return {path.stem: _read(path) for path in sorted((run / ALIGNMENT).glob("*.json"))}


def _read(path: Path) -> list[MeasuredErrorRate]:
    stored = as_record(_ErrorRateFile, read_versioned_json(path), str(path))
    return [result.measured() for result in stored.results]
