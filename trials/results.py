"""Results of trials in a file of JSON lines, one for each finished piece, so that a run that was killed can
continue."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from nmt.errors import InputError
from nmt.records import as_record, parse_object
from trials.trial import Fault


@dataclass(frozen=True, kw_only=True)
class PieceResult:
    """What a piece found.

    Attributes:
        trial: name of the trial.
        piece: number of the piece, from which its random numbers come.
        commit: of the code that was tried.
        tried, refused, lost: numbers of cases; refused ones were answered with a sentence.
        faults: some of the lost ones.
        slowest: seconds of processor time of the longest case.
        figures: what the trial measured, in a few words.
        group: the group that its cases are counted with; "" for most trials.
        seconds: of the whole piece.
        megabytes: largest memory of its process.
        not_run: why the trial cannot run here; "" if it did.
    """

    trial: str
    piece: int
    commit: str
    tried: int = 0
    refused: int = 0
    lost: int = 0
    faults: tuple[Fault, ...] = ()
    slowest: float = 0.0
    figures: str = ""
    group: str = ""
    seconds: float = 0.0
    megabytes: float = 0.0
    not_run: str = ""

    def losing(self, fault: Fault) -> PieceResult:
        return replace(self, lost=self.lost + 1, faults=(*self.faults, fault))

    def measured(self, seconds: float, megabytes: float) -> PieceResult:
        return replace(self, seconds=round(seconds, 2), megabytes=round(megabytes), slowest=round(self.slowest, 3))


def append(path: Path, result: PieceResult) -> None:
    """Add a result; it is on disk when this returns. Half a line that a kill left behind is ended first."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a+b") as file:
        if file.tell():
            file.seek(-1, os.SEEK_END)
            if file.read(1) != b"\n":
                file.write(b"\n")
        file.write(json.dumps(asdict(result)).encode("utf-8") + b"\n")
        file.flush()
        os.fsync(file.fileno())


def read(path: Path) -> list[PieceResult]:
    """Read the results of a file, none if it does not exist. Lines that a kill cut off are left out."""
    if not path.exists():
        return []
    found = []
    for line in path.read_text(encoding="utf-8").splitlines():
        try:
            found.append(as_record(PieceResult, parse_object(line, str(path)), str(path)))
        except InputError:
            continue
    return found


@dataclass(frozen=True, kw_only=True)
class Summary:
    """All pieces of a trial at one commit, added up; fields as in ``PieceResult``.

    Attributes:
        pieces: number of pieces.
        seconds: of all pieces.
        slowest, megabytes: the largest of any piece.
        figures: of each piece that has some.
        groups: numbers of cases and of lost ones of each group.
    """

    trial: str
    commit: str
    pieces: int
    tried: int
    refused: int
    lost: int
    faults: tuple[Fault, ...]
    slowest: float
    figures: tuple[str, ...]
    groups: dict[str, tuple[int, int]]
    seconds: float
    megabytes: float
    not_run: str


def summarised(results: Iterable[PieceResult]) -> dict[str, Summary]:
    """Add up the results by trial: of each trial those of the commit that was recorded last, each piece once."""
    by_trial: dict[str, dict[int, PieceResult]] = {}
    for result in results:
        kept = by_trial.setdefault(result.trial, {})
        if any(other.commit != result.commit for other in kept.values()):
            kept.clear()
        kept[result.piece] = result
    return {name: _sum(list(kept.values())) for name, kept in by_trial.items()}


def _sum(results: list[PieceResult]) -> Summary:
    groups: dict[str, tuple[int, int]] = {}
    for result in results:
        if result.group:
            tried, lost = groups.get(result.group, (0, 0))
            groups[result.group] = tried + result.tried, lost + result.lost
    return Summary(
        trial=results[0].trial,
        commit=results[0].commit,
        pieces=len(results),
        tried=sum(result.tried for result in results),
        refused=sum(result.refused for result in results),
        lost=sum(result.lost for result in results),
        faults=tuple(fault for result in results for fault in result.faults),
        slowest=max(result.slowest for result in results),
        figures=tuple(result.figures for result in results if result.figures),
        groups=groups,
        seconds=round(sum(result.seconds for result in results), 1),
        megabytes=max(result.megabytes for result in results),
        not_run=next((result.not_run for result in results if result.not_run), ""),
    )
