"""Saved alignment error rates of a run: RUN/alignment/NAME.json, one file per gold set, without its sentences."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from nmt.config import FORMAT_VERSION
from nmt.errors import InputError
from nmt.evaluation.alignment_error_rate import AlignmentErrorRate
from nmt.files import read_json, write_json
from nmt.results import Interval
from nmt.runs.folder import ALIGNMENT


@dataclass(frozen=True, kw_only=True)
class MeasuredErrorRate:
    """Attributes:
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

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> MeasuredErrorRate:
        """Invert ``to_dict``; KeyError, TypeError or ValueError for anything else. Older files have no interval."""
        counts = {key: int(data[key]) for key in ("links", "sure", "possible", "sure_found", "possible_found")}
        if counts["sure"] < 1:
            raise ValueError("results without a sure link")
        return cls(
            run=data["run"],
            update=data["update"],
            map=data["map"],
            rule=str(data["rule"]),
            error=AlignmentErrorRate(**counts, sentences=int(data["n"]), interval=_interval(data.get("interval"))),
        )


def _interval(data: dict[str, float] | None) -> Interval | None:
    return None if data is None else Interval(float(data["low"]), float(data["high"]))


def write_error_rates(run: Path, name: str, measured: list[MeasuredErrorRate]) -> None:
    """Add to the file of gold set ``name``, replacing earlier measurements of the same map by the same rule."""
    path = run / ALIGNMENT / f"{name}.json"
    new = {(found.map, found.rule): found for found in measured}
    old = _read(path) if path.exists() else []
    kept = [found for found in old if (found.map, found.rule) not in new and found.update == measured[0].update]
    path.parent.mkdir(exist_ok=True)
    results = [found.to_dict() for found in (*kept, *measured)]
    write_json(path, {"format": FORMAT_VERSION, "gold": name, "results": results})


def read_error_rates(run: Path) -> dict[str, list[MeasuredErrorRate]]:
    """Read the error rates by gold set, in alphabetical order; InputError names a broken file."""
    return {path.stem: _read(path) for path in sorted((run / ALIGNMENT).glob("*.json"))}


def _read(path: Path) -> list[MeasuredErrorRate]:
    data = read_json(path)
    if data.get("format") != FORMAT_VERSION:
        raise InputError(f"{path} has format {data.get('format')!r}; this program reads format {FORMAT_VERSION}")
    try:
        return [MeasuredErrorRate.from_dict(found) for found in data["results"]]
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise InputError(f"{path}: {error} is missing or malformed") from None
