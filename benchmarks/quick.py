"""The rows of ``make bench-quick``, as one JSON object."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from benchmarks import plan
from benchmarks.measure import OURS, Answers, Case, Row, measure, ratios

ROUNDS = {"train": 4, "decode": 7}
SECONDS = {"train": 50, "decode": 25}
"""Seconds of a row after which no further round begins."""
PEERS = {"JoeyNMT": "", "OpenNMT-py": "_opennmt"}
"""What a key of the result has for each peer."""


def quick_rows(size: str, minibatches: str) -> dict[str, Row]:
    """Rows by the beginning of their keys in the result; ``size`` is SMALL, or TINY to try the program out."""
    rows = {
        "train_small": plan.training(size, minibatches, ROUNDS["train"]),
        "decode_small_batch": plan.decoding(size, 5, 32, ROUNDS["decode"]),
        "decode_small_single": plan.decoding(size, 5, 1, ROUNDS["decode"]),
    }
    return {key: replace(row, seconds=SECONDS[row.request["work"]]) for key, row in rows.items()}


def run_quick(
    rows: Mapping[str, Row],
    workers: Mapping[str, Answers],
    precisions: Callable[[str, str], Sequence[str]],
    say: Callable[[str], None],
    suffix: str = "",
) -> dict[str, Any]:
    """The result: ratios of speeds (above 1: ours is faster), the precisions beside, and the speeds themselves.

    precisions: those that a system has for "train" or "decode". A key that could not be measured is null, and "failed"
    names the worker and its last line. suffix: of all keys.
    """
    failed: dict[str, str] = {}
    result: dict[str, Any] = {}
    speeds: dict[str, float] = {}
    for key, row in rows.items():
        cases = [Case(system, p) for system in workers for p in precisions(system, row.request["work"])]
        measure(row, cases, workers, failed, say)
        speeds |= {f"{case.system} {case.precision}, {key}": round(case.speed, 2) for case in cases if case.speeds}
        alike = row.pairing == "alike"
        found = {(ratio.peer, ratio.ours_in if alike else ""): ratio for ratio in ratios(row, cases)}
        for peer, named in PEERS.items():
            for mine in ("fp32", "bf16") if alike else ("",):
                name = f"{key}{'_bf16' if mine == 'bf16' else ''}{named}"
                ratio = found.get((peer, mine))
                result[f"{name}_ratio{suffix}"] = None if ratio is None else round(ratio.ratio, 3)
                result[f"{name}_precisions{suffix}"] = None if ratio is None else f"{ratio.ours_in} / {ratio.peer_in}"
    systems = " / ".join([OURS, *PEERS])
    return result | {"systems": systems, f"speeds{suffix}": speeds, f"failed{suffix}": failed}
