"""Training on a GPU: words a second at several batch sizes, how near that is to the chip's limit, and how long
20 million sentence pairs take. JoeyNMT is measured too if its environment exists (`make bench-quick` makes it).
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import numpy as np
import torch

from benchmarks.batches import load_minibatches, make_minibatches, save_minibatches
from benchmarks.environments import JOEYNMT
from benchmarks.limits import peak
from benchmarks.measure import OURS, Case, Row, measure, ratios
from benchmarks.sizes import SIZES
from benchmarks.systems import Systems, cores
from benchmarks.table import rounded
from nmt.runs.provenance import commit

PAIRS = 20_000_000
PRECISIONS = ("bf16", "tf32", "fp32")
NUMBERS = [2, 6, 10, 14, 18]
"""Of 20 minibatches, sorted by length."""


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.gpu", description=__doc__)
    parser.add_argument("--device", default="cuda", help="default: cuda")
    parser.add_argument("--sizes", nargs="+", default=["SMALL", "PAPER"], choices=["SMALL", "PAPER"])
    parser.add_argument("--batches", nargs="+", type=int, default=[80, 320, 640], help="sentences in a minibatch")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--times", type=int, default=4, help="how often a round goes through its minibatches")
    parser.add_argument("--tiny", action="store_true", help="a tiny model and batches, to try the program out")
    parser.add_argument("--json", type=Path, metavar="FILE", help="where to write everything")
    options = parser.parse_args()
    if options.device.partition(":")[0] == "cuda" and not torch.cuda.is_available():
        print(
            "There is no GPU here that this torch can use; --device cpu --tiny tries the program out.", file=sys.stderr
        )
        return 2
    if options.tiny:
        options.sizes, options.batches, options.rounds, options.times = ["TINY"], [4, 8], 2, 1
    began = time.perf_counter()

    def say(text: str) -> None:
        print(f"[{time.perf_counter() - began:6.1f} s] {text}", file=sys.stderr, flush=True)

    with tempfile.TemporaryDirectory() as name, ExitStack() as stack:
        systems = Systems(stack, say, cores(), options.device)
        systems.start([JOEYNMT], install=False)
        if OURS in systems.failed:
            print(f"{OURS} cannot be measured: {systems.failed[OURS]}", file=sys.stderr)
            return 1
        result = _measure(systems, options, Path(name), say)
    print(_table(result))
    if options.json is not None:
        options.json.write_text(json.dumps(rounded(result), indent=1) + "\n", encoding="utf-8")
    return 0


def _measure(systems: Systems, options: argparse.Namespace, folder: Path, say: Any) -> dict[str, Any]:
    square = {"square": 64} if options.tiny else {}
    limits = systems.workers[OURS].ask({"work": "limits"} | square)
    rows = []
    for size in options.sizes:
        for batch in options.batches:
            file = folder / f"{size}-{batch}.npz"
            save_minibatches(file, make_minibatches(SIZES[size].vocabulary, 1, 20 * batch, batch))
            rows.append(_row(systems, options, size, batch, file, limits, say))
    return {
        "commit": commit(),
        "systems": systems.described,
        "failed": systems.failed,
        "limits": limits,
        "rows": rows,
    }


def _row(
    systems: Systems,
    options: argparse.Namespace,
    size: str,
    batch: int,
    file: Path,
    limits: dict[str, float],
    say: Any,
) -> dict[str, Any]:
    request = {"work": "train", "size": size, "minibatches": str(file), "numbers": NUMBERS, "times": options.times}
    name = f"{size}, {batch} sentences"
    row = Row(name, "target tokens/s", size, request, {}, options.rounds, 120, "alike")
    precisions = PRECISIONS if options.device != "cpu" else ("bf16", "fp32")
    cases = [Case(system, precision) for system in systems.described for precision in precisions]
    measure(row, cases, systems.workers, systems.failed, say)
    chosen = [load_minibatches(file)[number] for number in NUMBERS]
    source = float(np.mean([b.source_tokens / len(b.source) for b in chosen]))
    target = float(np.mean([b.target_tokens / len(b.target) for b in chosen]))
    flop = SIZES[size].training_flop(source, target)
    done = [case for case in cases if case.speeds]
    return {
        "size": size,
        "batch": batch,
        "flop_per_target_token": flop,
        "target_tokens_per_sentence": target,
        "speeds": {f"{case.system} {case.precision}": case.speeds for case in done},
        "errors": {f"{case.system} {case.precision}": case.error for case in cases if case.error},
        "of_the_limit": {f"{c.system} {c.precision}": c.speed * flop / peak(limits, c.precision) for c in done},
        "hours_for_20M_pairs": {f"{c.system} {c.precision}": PAIRS * target / c.speed / 3600 for c in done},
        "ratios": {f"{r.peer} {r.ours_in} / {r.peer_in}": r.ratio for r in ratios(row, cases)},
    }


def _table(result: dict[str, Any]) -> str:
    lines = [
        f"Commit {result['commit']}, {result['systems'][OURS]['device']}, torch {result['systems'][OURS]['torch']}.",
        "",
        "| size | batch | system | target tokens/s | of the GEMM limit | hours for 20 M pairs |",
        "|---|---|---|---|---|---|",
    ]
    for row in result["rows"]:
        for name, speeds in row["speeds"].items():
            lines.append(
                f"| {row['size']} | {row['batch']} | {name} | {np.median(speeds):,.0f} "
                f"| {row['of_the_limit'][name]:.1%} | {row['hours_for_20M_pairs'][name]:.2f} |"
            )
        for name, error in row["errors"].items():
            lines.append(f"| {row['size']} | {row['batch']} | {name} | failed: {error} | | |")
        ratios_here = ", ".join(f"{ratio:.2f}x {name}" for name, ratio in row["ratios"].items())
        if ratios_here:
            lines.append(f"| {row['size']} | {row['batch']} | ours is faster by | {ratios_here} | | |")
    lines += ["", "| limit | measured |", "|---|---|"]
    for name, value in result["limits"].items():
        what, unit = name.rsplit(" ", 1)
        lines.append(f"| {what} | {value:,.4g} {unit} |")
    return "\n".join([*lines, *(f"\n{name}: {why}" for name, why in result["failed"].items())])


if __name__ == "__main__":
    sys.exit(main())
