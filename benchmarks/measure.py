"""Rows of the table: the same work for several systems, A B A B, and what follows from the samples."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import Any, Protocol

from benchmarks.process import WorkerFailed

OURS = "Jointly"


class Answers(Protocol):
    """Interface of a worker; ``ask`` raises WorkerFailed."""

    def ask(self, request: dict[str, Any]) -> dict[str, Any]: ...


@dataclass(frozen=True)
class Row:
    """One kind of work.

    Attributes:
        name: as the table has it.
        unit: of the speed, per second.
        size: name of the model size.
        request: for the workers; the precision is added.
        warm: what differs in the request for the first, unrecorded portion.
        rounds: how often A B A B.
        seconds: after which no further round begins, so that a slow machine does not take for ever.
        pairing: "alike" compares the same precisions and, for bf16, with the peer's faster one; "best" compares
            the best precision of either.
    """

    name: str
    unit: str
    size: str
    request: dict[str, Any]
    warm: dict[str, Any]
    rounds: int
    seconds: float
    pairing: str


@dataclass
class Case:
    """One system in one precision: speed in each round, in units per second."""

    system: str
    precision: str
    speeds: list[float] = field(default_factory=list)
    parameters: int = 0
    error: str | None = None

    @property
    def speed(self) -> float:
        return median(self.speeds)


@dataclass(frozen=True)
class Ratio:
    """How many times faster we are; the median over the rounds."""

    peer: str
    ours_in: str
    peer_in: str
    ratio: float
    samples: tuple[float, ...]


def measure(
    row: Row,
    cases: Sequence[Case],
    workers: Mapping[str, Answers],
    failed: dict[str, str],
    say: Callable[[str], None],
) -> None:
    """Fill the cases. One that a worker could not do has its error; a worker that died is added to ``failed`` with
    its last line, and left out from then on."""

    def ask(case: Case, changes: dict[str, Any]) -> dict[str, Any] | None:
        if case.system in failed or case.error is not None:
            case.error = case.error or failed[case.system]
            return None
        try:
            answer = workers[case.system].ask(row.request | {"precision": case.precision} | changes)
        except WorkerFailed as error:
            failed[case.system] = case.error = str(error)
            say(f"{case.system} failed: {error}")
            return None
        if "error" in answer:
            case.error = answer["error"]
            say(f"{case.system} {case.precision}: {case.error}")
            return None
        return answer

    for case in cases:
        ask(case, row.warm)
    began = time.perf_counter()
    for number in range(row.rounds):
        if number and time.perf_counter() - began > row.seconds:
            break
        for case in cases:
            answer = ask(case, {})
            if answer is not None:
                case.speeds.append(answer["units"] / answer["seconds"])
                case.parameters = answer["parameters"]
        say(f"  {row.name}: round {number + 1} of {row.rounds}")


def ratios(row: Row, cases: Sequence[Case]) -> list[Ratio]:
    """Of our speed to each peer's, round by round."""
    done = [case for case in cases if case.error is None and case.speeds]
    ours = [case for case in done if case.system == OURS]
    found = []
    for peer in dict.fromkeys(case.system for case in done if case.system != OURS):
        theirs = [case for case in done if case.system == peer]
        best = max(theirs, key=lambda case: case.speed)
        if row.pairing == "best":
            pairs = [(max(ours, key=lambda case: case.speed), best)] if ours else []
        else:
            pairs = [
                (mine, next((case for case in theirs if case.precision == "fp32"), best))
                if mine.precision == "fp32"
                else (mine, best)
                for mine in ours
            ]
        for mine, their in pairs:
            samples = tuple(a / b for a, b in zip(mine.speeds, their.speeds, strict=True))
            found.append(Ratio(peer, mine.precision, their.precision, median(samples), samples))
    return found
