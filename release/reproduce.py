"""``reproduce``: train, evaluate and compare all released runs, from the corpora, with one command."""

import argparse
import lzma
import os
import shutil
import signal
import subprocess
import sys
from dataclasses import replace
from itertools import islice
from pathlib import Path

from nmt.cli.options import Commands, add_number, real
from nmt.data.corpus import read_lines
from nmt.errors import InputError
from nmt.files import CHECKOUT
from release.plan import Plan, PlannedCommand

_TRAINING_SHARE = 0.6
"""Share of a budget spent on training; preparation and evaluation take the rest."""
_SENTENCES = {"train": 20_000, "dev": 300}
_TEST_SENTENCES = 60
"""Sentences of each corpus that are used under a budget."""


def register(commands: Commands) -> None:
    parser = commands.add_parser(
        "reproduce",
        description="Retrain and evaluate the released runs from the corpora; the same command resumes what it began.",
    )
    parser.add_argument(
        "--data", required=True, type=Path, metavar="DATA", help="folder of the corpora (docs/corpora.md)"
    )
    parser.add_argument("--out", required=True, type=Path, metavar="OUT", help="folder for everything produced")
    parser.add_argument("--only", nargs="+", default=[], metavar="RUN", help="only these released runs")
    add_number(
        parser,
        "--budget",
        real(0.001, 1_000_000),
        "a trial run of about this length, which shows that everything works and how the tables look: only the first "
        "sentences of each corpus, shortened training, nothing that needs an aligner, no links of leave-one-out",
        metavar="MINUTES",
    )
    parser.add_argument("--dry-run", action="store_true", help="print the commands without running them")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    short = options.budget is not None
    plan = Plan(
        data=options.data,
        out=options.out,
        only=tuple(options.only),
        minutes=options.budget * _TRAINING_SHARE if short else None,
    )
    used = plan.files()
    missing = [path for path in used if not path.is_file()]
    if short:
        plan = replace(plan, data=options.out / "corpora")
    steps = plan.steps()
    if options.dry_run:
        print("\n".join(step.line() for step in steps))
        return 0
    if missing:
        more = f" and {len(missing) - 1} more are" if len(missing) > 1 else " is"
        raise InputError(f"{missing[0]}{more} missing; `python -m release corpus get` downloads the corpora")
    done = options.out / ".done"
    done.mkdir(parents=True, exist_ok=True)
    _same_plan(done / "plan", steps)
    if short and not (done / "corpora").exists():
        for path in used:
            _shorten(path, plan.data / path.relative_to(options.data))
        (done / "corpora").touch()
    for number, step in enumerate(steps, 1):
        if (done / step.name).exists():
            continue
        print(f"[{number}/{len(steps)}] {step.line()}", file=sys.stderr)
        status = _run(step)
        if status:
            print(
                f"python -m release reproduce: {step.name} ended with status {status}; the same command resumes",
                file=sys.stderr,
            )
            return status
        (done / step.name).touch()
    for tables in plan.tables():
        print(tables.read_text(encoding="utf-8"), end="")
    return 0


def _same_plan(path: Path, steps: list[PlannedCommand]) -> None:
    """Raise InputError if the folder was written with a different list of commands."""
    text = "".join(step.line() + "\n" for step in steps)
    if not path.exists():
        path.write_text(text, encoding="utf-8")
    elif path.read_text(encoding="utf-8") != text:
        raise InputError(f"{path.parent.parent} was started with other options; use another --out, or the same options")


def _run(step: PlannedCommand) -> int:
    """Run the step's command and return its exit status; its output file appears whole or not at all."""
    if step.made is not None and step.made.exists():  # by a call that ended before it could note this
        shutil.rmtree(step.made)
    command = [sys.executable, "-m", step.module, *step.arguments_now()]
    environment = os.environ | {
        "PYTHONPATH": os.pathsep.join(filter(None, [str(CHECKOUT), os.environ.get("PYTHONPATH")]))
    }
    if step.output is None:
        return _wait(subprocess.Popen(command, env=environment, stdout=sys.stderr))
    part = step.output.with_name(step.output.name + ".part")
    with part.open("wb") as file:
        status = _wait(subprocess.Popen(command, env=environment, stdout=file))
    if status == 0:
        part.replace(step.output)
    return status


def _wait(process: subprocess.Popen[bytes]) -> int:
    """Wait for the process to end. Ctrl-C reaches it directly, and a training then saves; SIGTERM is forwarded,
    and SIGHUP unless it is ignored."""
    numbers = {signal.SIGTERM, getattr(signal, "SIGHUP", signal.SIGTERM)}
    wanted = [number for number in numbers if signal.getsignal(number) != signal.SIG_IGN]
    before = {number: signal.signal(number, lambda number, _: process.send_signal(number)) for number in wanted}
    try:
        while True:
            try:
                return process.wait()
            except KeyboardInterrupt:
                continue
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _shorten(corpus: Path, out: Path) -> None:
    """Copy the first sentences of a corpus."""
    out.parent.mkdir(parents=True, exist_ok=True)
    with lzma.open(out, "wt", encoding="utf-8", newline="\n", preset=0) as file:
        for line in islice(read_lines(corpus), _SENTENCES.get(out.name.split(".")[0], _TEST_SENTENCES)):
            file.write(f"{line.text or ''}\n")
