"""The whole comparison: all rows, the machine's limits, what a user waits for."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks import plan
from benchmarks.batches import load_minibatches
from benchmarks.limits import peak
from benchmarks.machine import describe_machine
from benchmarks.measure import OURS, Case, Row, measure, ratios
from benchmarks.process import WorkerFailed
from benchmarks.program import PAIRS, NotMeasured, app_start, load_and_translate, prepare_corpus
from benchmarks.sizes import SIZES
from benchmarks.systems import Systems, cores
from nmt.runs.provenance import commit

Say = Callable[[str], None]


def all_rows(files: Mapping[str, Path], rounds: int | None) -> list[Row]:
    """All rows of both sizes, in an order in which a worker seldom has to build another model."""
    rows = []
    for size, minibatches in files.items():
        rows.append(plan.training(size, str(minibatches), rounds))
        rows += [plan.decoding(size, beam, at_once, rounds) for beam in plan.BEAMS for at_once in (32, 1)]
    rows += [plan.released(beam, at_once, rounds) for beam in plan.BEAMS for at_once in (32, 1)]
    return [*rows, plan.real(False, rounds), plan.real(True, rounds)]


def measure_all(
    systems: Systems, files: Mapping[str, Path], folder: Path, rounds: int | None, only: Sequence[str] | None, say: Say
) -> dict[str, Any]:
    """Measure everything, or the rows with a word of ``only`` in their names; returns the content of results.json."""

    def wanted(name: str) -> bool:
        return not only or any(word in name for word in only)

    tiny = all(size == "TINY" for size in files)
    limits: dict[str, float] = {}
    rows: list[dict[str, Any]] = []

    def measure_the_limits() -> None:
        if wanted("limits"):
            say("limits of the machine")
            try:
                answer = systems.workers[OURS].ask({"work": "limits"} | ({"square": 64} if tiny else {}))
            except WorkerFailed as error:
                answer = {"error": str(error)}
            if "error" in answer:
                systems.failed["limits of the machine"] = answer["error"]
                return
            for name, value in answer.items():
                limits[name] = max(value, limits.get(name, 0.0))

    measure_the_limits()
    for row in all_rows(files, rounds):
        if wanted(row.name):
            rows.append(_measured(row, systems, say))
    measure_the_limits()
    for row_result in rows:
        if row_result["work"] == "train":
            _add_fractions(row_result, files[row_result["size"]], limits)
    return {
        "format": 1,
        "date": date.today().isoformat(),
        "commit": commit(),
        "machine": describe_machine(cores(), systems.threads),
        "systems": {name: {key: d[key] for key in ("version", "torch")} for name, d in systems.described.items()},
        "failed": systems.failed,
        "limits": limits,
        "rows": rows,
        "program": _program(folder, wanted, tiny, say),
    }


def _measured(row: Row, systems: Systems, say: Say) -> dict[str, Any]:
    work = row.request["work"]
    names = [OURS] if work == "real" else [*systems.described]
    kind = "decode" if work == "real" else work
    cases = [Case(name, precision) for name in names for precision in systems.precisions(name, kind)]
    measure(row, cases, systems.workers, systems.failed, say)
    return {
        "name": row.name,
        "work": work,
        "size": row.size,
        "unit": row.unit,
        "cases": [asdict(case) | {"median": case.speed if case.speeds else None} for case in cases],
        "ratios": [asdict(ratio) for ratio in ratios(row, cases)],
    }


def _add_fractions(row: dict[str, Any], minibatches: Path, limits: Mapping[str, float]) -> None:
    """Add to each case which part of the machine's fastest product of its precision it reaches."""
    chosen = [load_minibatches(minibatches)[number] for number in plan.NUMBERS[row["size"]]]
    source = float(np.mean([batch.source_tokens / len(batch.source) for batch in chosen]))
    target = float(np.mean([batch.target_tokens / len(batch.target) for batch in chosen]))
    row["flop_per_unit"] = SIZES[row["size"]].training_flop(source, target)
    for case in row["cases"]:
        if case["system"] == OURS and case["median"] is not None and limits:
            case["fraction_of_limit"] = case["median"] * row["flop_per_unit"] / peak(dict(limits), case["precision"])


def _program(folder: Path, wanted: Callable[[str], bool], tiny: bool, say: Say) -> dict[str, Any]:
    parts: dict[str, Callable[[], Mapping[str, Any]]] = {
        "prepare": lambda: prepare_corpus(folder, 200 if tiny else PAIRS),
        "load": lambda: load_and_translate(1 if tiny else 5),
        "app": lambda: app_start(1 if tiny else 3),
    }
    result: dict[str, Any] = {}
    for name, part in parts.items():
        if wanted(name):
            say(name)
            try:
                result[name] = dict(part())
            except NotMeasured as error:
                result[name] = {"not measured": str(error)}
                say(f"  not measured: {error}")
    return result
