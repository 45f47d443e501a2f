"""Measure training, translation and the rest, side by side with other programs."""

import argparse
import json
import platform
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

from benchmarks.batches import make_minibatches, save_minibatches
from benchmarks.full import measure_all
from benchmarks.measure import OURS
from benchmarks.quick import quick_rows, run_quick
from benchmarks.sizes import SIZES
from benchmarks.systems import AVX2, JOEYNMT, OPENNMT, PEERS, Systems, cores
from benchmarks.table import table, write_results


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument(
        "--quick", action="store_true", help="only SMALL, without Marian: under five minutes; JSON as the last line"
    )
    parser.add_argument("--threads", type=int, help="threads of every system (default: all cores; with --quick, 1)")
    shortened = parser.add_argument_group("shortened runs", "They print the table and leave all files as they are.")
    shortened.add_argument("--rounds", type=int, help="rounds of every row")
    shortened.add_argument("--only", nargs="+", metavar="WORD", help="only rows with one of these words in their names")
    shortened.add_argument("--tiny", action="store_true", help="tiny models, only to check that the programs run")
    options = parser.parse_args()
    began = time.perf_counter()

    def say(text: str) -> None:
        print(f"[{time.perf_counter() - began:6.1f} s] {text}", file=sys.stderr, flush=True)

    with tempfile.TemporaryDirectory() as name, ExitStack() as stack:
        threads = options.threads or (1 if options.quick else cores())
        systems = Systems(stack, say, threads)
        sizes = ("TINY",) if options.tiny else ("SMALL",) if options.quick else ("SMALL", "PAPER")
        files = {size: Path(name) / f"{size}.npz" for size in sizes}
        for size, file in files.items():
            save_minibatches(file, make_minibatches(SIZES[size].vocabulary, seed=1))
        if options.quick:
            held = Systems(stack, say, threads, variables=AVX2)
            return _quick(systems, held, sizes[0], files[sizes[0]], say)
        systems.start(PEERS, without_compiler=True)
        if OURS in systems.failed:
            return _refuse(systems, OURS)
        result = measure_all(systems, files, Path(name), options.rounds, options.only, say)
    if options.rounds or options.only or options.tiny:
        print(table(result))
    else:
        write_results(Path(__file__).resolve().parent, result)
        say("benchmarks/results.json and the table in benchmarks/README.md are written")
    return 0


def _quick(systems: Systems, held: Systems, size: str, minibatches: Path, say: Callable[[str], None]) -> int:
    systems.start([JOEYNMT, OPENNMT])
    for name in (OURS, JOEYNMT.name):
        if name in systems.failed:
            return _refuse(systems, name)
    rows = quick_rows(size, str(minibatches))
    result = run_quick(rows, systems.workers, systems.precisions, say)
    say("the same, held to AVX2")
    if platform.machine().lower() in ("x86_64", "amd64"):
        held.start([JOEYNMT, OPENNMT])
    decoding = {key: row for key, row in rows.items() if row.request["work"] == "decode"}
    result |= run_quick(decoding, held.workers, held.precisions, say, "_avx2")
    result["failed"] |= systems.failed
    result["failed_avx2"] |= held.failed
    print(json.dumps(result), flush=True)
    return 0


def _refuse(systems: Systems, name: str) -> int:
    print(f"{name} cannot be measured: {systems.failed[name]}", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
