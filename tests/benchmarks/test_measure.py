from typing import Any

import pytest

from benchmarks import plan
from benchmarks.measure import OURS, Case, Row, measure, ratios
from benchmarks.process import WorkerFailed


class Fake:
    """A worker whose speeds are given by precision, one a round; the first request is the warm-up."""

    def __init__(self, log: list[str], name: str, speeds: dict[str, list[float]]) -> None:
        self.log, self.name, self.speeds = log, name, speeds
        self.asked: dict[str, int] = {}

    def ask(self, request: dict[str, Any]) -> dict[str, Any]:
        precision = request["precision"]
        number = self.asked.get(precision, -1)
        self.asked[precision] = number + 1
        if number < 0:
            assert request["numbers"] == [0]
            return {"seconds": 1.0, "units": 1, "parameters": 1}
        self.log.append(f"{self.name} {precision}")
        return {"seconds": 2.0, "units": 2.0 * self.speeds[precision][number], "parameters": 1}


class Dying(Fake):
    def ask(self, request: dict[str, Any]) -> dict[str, Any]:
        raise WorkerFailed("MemoryError: all of it is gone")


def _row(rounds: int, pairing: str = "alike", seconds: float = 60) -> Row:
    request = {"work": "train", "size": "TINY", "numbers": [0, 1]}
    return Row("train TINY", "target tokens/s", "TINY", request, {"numbers": [0]}, rounds, seconds, pairing)


def _cases(*systems: str) -> list[Case]:
    return [Case(system, precision) for system in systems for precision in ("fp32", "bf16")]


def test_systems_take_turns_and_the_warm_up_is_not_counted() -> None:
    log: list[str] = []
    workers = {name: Fake(log, name, {"fp32": [3, 4], "bf16": [5, 6]}) for name in (OURS, "peer")}
    cases = _cases(OURS, "peer")
    measure(_row(2), cases, workers, {}, lambda _: None)
    assert log == [f"{OURS} fp32", f"{OURS} bf16", "peer fp32", "peer bf16"] * 2
    assert [case.speeds for case in cases] == [[3, 4], [5, 6], [3, 4], [5, 6]]


def test_no_round_begins_when_the_time_is_up() -> None:
    workers = {OURS: Fake([], OURS, {"fp32": [3, 4]})}
    case = Case(OURS, "fp32")
    measure(_row(2, seconds=0), [case], workers, {}, lambda _: None)
    assert case.speeds == [3]


def test_ratios_are_medians_of_pairs() -> None:
    cases = [Case(OURS, "fp32", [2, 30, 9]), Case("peer", "fp32", [1, 10, 9])]
    (found,) = ratios(_row(3), cases)
    assert found.samples == (2, 3, 1)
    assert found.ratio == 2  # the ratio of the medians would be 1


def test_bf16_is_held_against_the_faster_precision_of_the_peer() -> None:
    cases = [
        Case(OURS, "fp32", [6]),
        Case(OURS, "bf16", [8]),
        Case("slow in bf16", "fp32", [4]),
        Case("slow in bf16", "bf16", [1]),
        Case("fast in bf16", "fp32", [4]),
        Case("fast in bf16", "bf16", [16]),
    ]
    found = {(r.peer, r.ours_in): (r.peer_in, r.ratio) for r in ratios(_row(1), cases)}
    assert found == {
        ("slow in bf16", "fp32"): ("fp32", 1.5),
        ("slow in bf16", "bf16"): ("fp32", 2.0),
        ("fast in bf16", "fp32"): ("fp32", 1.5),
        ("fast in bf16", "bf16"): ("bf16", 0.5),
    }
    best = {r.peer: (r.ours_in, r.peer_in, r.ratio) for r in ratios(_row(1, "best"), cases)}
    assert best == {"slow in bf16": ("bf16", "fp32", 2.0), "fast in bf16": ("bf16", "bf16", 0.5)}


def test_a_worker_that_dies_is_named_and_the_others_go_on() -> None:
    failed: dict[str, str] = {}
    cases = _cases(OURS, "peer")
    workers = {OURS: Fake([], OURS, {"fp32": [3], "bf16": [4]}), "peer": Dying([], "peer", {})}
    said: list[str] = []
    measure(_row(1), cases, workers, failed, said.append)
    assert failed == {"peer": "MemoryError: all of it is gone"}
    assert [case.error for case in cases] == [None, None, failed["peer"], failed["peer"]]
    assert [case.speeds for case in cases] == [[3], [4], [], []]
    assert any("MemoryError" in line for line in said)
    assert ratios(_row(1), cases) == []


def test_an_error_in_one_precision_leaves_the_other() -> None:
    class NoBf16(Fake):
        def ask(self, request: dict[str, Any]) -> dict[str, Any]:
            return {"error": "no bf16"} if request["precision"] == "bf16" else super().ask(request)

    cases = _cases(OURS)
    measure(_row(1), cases, {OURS: NoBf16([], OURS, {"fp32": [3]})}, {}, lambda _: None)
    assert [(case.speeds, case.error) for case in cases] == [([3], None), ([], "no bf16")]


@pytest.mark.parametrize("size", ["SMALL", "PAPER", "TINY"])
def test_every_row_has_its_own_name(size: str) -> None:
    rows = [plan.training(size, "file")]
    rows += [plan.decoding(size, beam, at_once) for beam in plan.BEAMS for at_once in (32, 1)]
    assert len({row.name for row in rows}) == 5
    assert all(row.warm.keys() <= row.request.keys() and row.rounds > 1 for row in rows)
    assert plan.training(size, "file", rounds=1).rounds == 1
