"""Run the trials of the whole program. A run that was stopped continues where it left off.

    python -m trials                            # all; this takes hours
    python -m trials --tier ci                  # the first pieces of each: at most ten minutes
    python -m trials --only sentences --piece 7 # one piece again
    python -m trials --only load --seconds 180 --readers 10
    python -m trials --table                    # write the results so far into docs/reliability.md

Exit status: 0 if every case passed, 1 if a case failed ("was lost"), 2 for invalid options.
"""

import argparse
import json
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from types import FrameType

from nmt.errors import InputError
from trials import results
from trials.load import READERS, SECONDS
from trials.piece import available, run_piece
from trials.registry import TRIALS, trials
from trials.report import write_table
from trials.results import PieceResult
from trials.trial import Trial

ROOT = Path(__file__).parents[1]
_RESULTS = ROOT / ".trials" / "results.jsonl"
_DOCUMENT = ROOT / "docs" / "reliability.md"


def commit(trial: Trial) -> str:
    """The last commit of what the trial tries, with "+" for changes since; "unknown" without git."""
    latest = ["git", "log", "-1", "--abbrev=7", "--format=%h", "--", *trial.tries]
    try:
        name = subprocess.check_output(latest, cwd=ROOT, text=True).strip()
        changed = subprocess.check_output(["git", "status", "--porcelain", "--", *trial.tries], cwd=ROOT, text=True)
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
    return f"{name}+" if changed.strip() else name


def planned(trials: Sequence[Trial], tier: str, piece: int | None) -> list[tuple[Trial, int]]:
    """List the pieces to run: the first of every trial, then the second of every trial, and so on, so that a run that
    is stopped has tried something of everything."""
    if piece is not None:
        return [(trial, piece) for trial in trials]
    numbers = {trial.name: trial.ci if tier == "ci" else trial.pieces for trial in trials}
    rounds = range(max(numbers.values()))
    return [(trial, number) for number in rounds for trial in trials if number < numbers[trial.name]]


def run(plan: Sequence[tuple[Trial, int]], path: Path, minutes: float | None) -> list[PieceResult]:
    """Run the pieces that the file does not have for this commit yet, recording each, until the time is over; returns
    the results of all pieces of the plan that are finished."""
    here = {trial.name: commit(trial) for trial, _ in plan}
    known = {(each.trial, each.piece): each for each in results.read(path) if each.commit == here.get(each.trial)}
    end = None if minutes is None else time.monotonic() + 60 * minutes
    done = []
    for trial, number in plan:
        found = known.get((trial.name, number))
        if found is None:
            if end is not None and time.monotonic() > end:
                print(f"{minutes:g} minutes are over; the same command continues.", file=sys.stderr)
                break
            found = run_piece(trial, number, here[trial.name])
            results.append(path, found)
            _say(found)
        done.append(found)
    return done


def _stop(number: int, _: FrameType | None) -> None:
    """End the program as an exception does, so that the piece that runs is ended, too."""
    sys.exit(128 + number)


def _say(result: PieceResult) -> None:
    what = f"not run: {result.not_run}" if result.not_run else f"{result.tried:,} cases, {result.lost} lost"
    print(f"{result.trial} {result.piece}: {what}, {result.seconds:.1f} s", file=sys.stderr, flush=True)
    for fault in result.faults:
        print(f"  LOST {fault.case}\n       {fault.fault}", file=sys.stderr, flush=True)


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m trials", description=__doc__.splitlines()[0])
    parser.add_argument(
        "--tier",
        choices=("all", "ci"),
        default="all",
        help="all pieces, or only the first of each trial (default %(default)s)",
    )
    parser.add_argument(
        "--only", nargs="+", choices=[trial.name for trial in TRIALS], metavar="TRIAL", help="only these trials"
    )
    parser.add_argument("--piece", type=int, help="run this piece again, even if it is recorded")
    parser.add_argument(
        "--seconds", type=float, default=SECONDS, help="how long the trial load lasts (default %(default)g)"
    )
    parser.add_argument(
        "--readers", type=int, default=READERS, help="number of readers in the trial load (default %(default)s)"
    )
    parser.add_argument("--minutes", type=float, help="start no piece after this many minutes")
    parser.add_argument("--again", action="store_true", help="forget the recorded results")
    parser.add_argument("--results", type=Path, default=_RESULTS, help="the file of results (default %(default)s)")
    parser.add_argument("--json", action="store_true", help="print the totals of this run as JSON")
    parser.add_argument("--list", action="store_true", help="list the trials and run none")
    parser.add_argument(
        "--table", action="store_true", help="write the recorded results into docs/reliability.md; the others stay"
    )
    return parser.parse_args(arguments)


def main(arguments: Sequence[str] | None = None) -> int:
    options = _options(arguments)
    known = trials(options.seconds, options.readers)
    if options.list:
        for trial in (trial for trial in known if not options.only or trial.name in options.only):
            print(f"{trial.name:<12} {trial.pieces:>4} pieces, {trial.ci} in ci: {trial.tried}")
        return 0
    if options.table:
        try:
            write_table(_DOCUMENT, TRIALS, results.summarised(results.read(options.results)))
        except InputError as error:
            print(f"trials: {error}", file=sys.stderr)
            return 2
        return 0
    if not available():
        print("trials: these run on Linux and macOS alone", file=sys.stderr)
        return 2
    if options.again:
        options.results.unlink(missing_ok=True)
    chosen = [trial for trial in known if not options.only or trial.name in options.only]
    plan = planned(chosen, options.tier, options.piece)
    signal.signal(signal.SIGTERM, _stop)
    if options.piece is not None:
        done = [run_piece(trial, number, commit(trial)) for trial, number in plan]
        for result in done:
            results.append(options.results, result)
            _say(result)
    else:
        done = run(plan, options.results, options.minutes)
    sums = results.summarised(done)
    if options.json:
        print(json.dumps({name: asdict(found) for name, found in sums.items()}, indent=2))
    lost = sum(found.lost for found in sums.values())
    print(
        f"{sum(found.tried for found in sums.values()):,} cases of {len(sums)} trials, {lost:,} lost", file=sys.stderr
    )
    return 1 if lost else 0


if __name__ == "__main__":
    sys.exit(main())
