"""``shard``: cut texts into shards for many processes, and join the parts that the processes wrote. ``translate``,
``align`` and ``score`` compute the parts."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from nmt.cli.lines import MOST_CHARACTERS, progress
from nmt.cli.options import JSON, add_number, print_result, whole
from nmt.data.shards import Shards, Work, cut
from nmt.errors import InputError

OpenWork = Callable[[argparse.Namespace], Work]


def register(commands: argparse._SubParsersAction[Any]) -> None:
    parser = commands.add_parser(
        "shard",
        description="Cut a text, or two parallel ones, into shards on which any number of processes work, also on "
        f"several machines that share the folder. A line of more than {MOST_CHARACTERS:,} characters becomes blank, "
        "and is named on standard error. Or join the computed parts of a folder of shards into one file. Missing "
        "parts, and parts made with other weights, settings or texts, are errors.",
        parents=[JSON],
    )
    parser.add_argument(
        "file", metavar="FILE", type=Path, help="sentences, one per line (plain, .gz or .xz); or a folder of shards"
    )
    parser.add_argument("--target", metavar="FILE", type=Path, help="their translations, for `align` and `score`")
    add_number(parser, "--lines", whole(1, 10_000_000), "lines of a shard", usual="100,000")
    parser.add_argument("--work", metavar="NAME", help="of a folder: which of those in it, if there is more than one")
    parser.add_argument("--out", metavar="PATH", type=Path, required=True, help="the folder to make, or the file")
    parser.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> None:
    if options.file.is_dir():
        if options.target is not None or options.lines is not None:
            raise InputError(f"{options.file} is a folder of shards: --target and --lines are for a text")
        return _merge(options)
    if options.work is not None:
        raise InputError(f"--work is for a folder of shards: {options.file} is none")
    _shard(options)


def _shard(options: argparse.Namespace) -> None:
    files = [options.file] if options.target is None else [options.file, options.target]
    manifest = cut(
        files, options.lines or 100_000, options.out, MOST_CHARACTERS, lambda what: print(what, file=sys.stderr)
    )
    result = {"folder": str(options.out), "lines": manifest.lines, "shards": len(manifest.shards)}
    text = f"{options.out}: {len(manifest.shards):,} shards of {manifest.lines:,} lines"
    print_result(options.json, result, text)


def _merge(options: argparse.Namespace) -> None:
    shards = Shards.read(options.file)
    work = shards.merge(options.work, options.out)
    result = {"file": str(options.out), "work": work.name, "lines": shards.manifest.lines}
    print_result(options.json, result, f"{options.out}: {len(shards):,} parts of {work.name}")


def part(text: str) -> tuple[int, int]:
    """Parse the value of --part, I/N: the number of this process, from 1, and the number of processes."""
    match = re.fullmatch(r"(\d{1,9})/(\d{1,9})", text)
    if not match or not 1 <= int(match[1]) <= int(match[2]):
        raise argparse.ArgumentTypeError(f"must be like 17/1000, not {text[:20]!r}")
    return int(match[1]), int(match[2])


def add_shards(parser: argparse.ArgumentParser, open_work: OpenWork) -> None:
    """Add --shards and --part to a command. ``open_work`` opens the work of the command on shards."""
    group = parser.add_argument_group("many processes and machines", "docs/scale.md has what was tried.")
    group.add_argument(
        "--shards",
        metavar="FOLDER",
        type=Path,
        help="instead of other input: compute those parts of a folder made by `shard` that are not there yet",
    )
    group.add_argument("--part", type=part, metavar="I/N", help="only every Nth shard, from the Ith: one job of N")
    parser.set_defaults(open_work=open_work)


def work_on_shards(options: argparse.Namespace, *others: str) -> bool:
    """Compute the missing parts if --shards is given, and tell whether it is. Raises InputError if --part is given
    without --shards, or --shards together with one of the options ``others``."""
    if options.shards is None:
        if options.part is not None:
            raise InputError("--part requires --shards")
        return False
    for name in others:
        if getattr(options, name):
            raise InputError(f"--{name.replace('_', '-')} cannot be combined with --shards")
    shards, work = Shards.read(options.shards), options.open_work(options)
    first, step = options.part or (1, 1)
    missing = shards.missing(work, range(first - 1, len(shards), step))
    with progress("", len(missing), unit="shards") as show:
        for done, number in enumerate(missing, start=1):
            shards.compute(work, number)
            show(done)
    folder = options.shards / work.folder
    result = {"folder": str(folder), "computed": len(missing), "shards": len(shards)}
    text = f"{folder}: {len(missing):,} of {len(shards):,} parts computed now"
    print_result(options.json, result, text)
    return True


def both_sides(sides: Sequence[list[str]]) -> list[tuple[str, str]]:
    """The pairs of a shard. Raises InputError if the shard has only one side."""
    if len(sides) == 1:
        raise InputError("these shards have no target side; `jointly shard FILE --target FILE` cuts both")
    return list(zip(*sides, strict=True))
